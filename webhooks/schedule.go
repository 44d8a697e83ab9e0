package webhooks

import "time"

const (
	// The n-th retry comes firstRetry × 2^(n−1) after the failure, at most longestRetry. A random
	// jitter of up to spread is added or subtracted.
	firstRetry   = time.Second
	longestRetry = 2 * time.Hour
	spread       = 0.25
	// giveUpAfter is the time after which an event is not retried any more.
	giveUpAfter = 24 * time.Hour
)

// retryAfter is the pause after a delivery's failures-th failure. age is the time since the
// delivery was first due, dice a random number in [0, 1). It returns false if the delivery is
// given up.
func retryAfter(failures int, age time.Duration, dice float64) (time.Duration, bool) {
	wait := longestRetry
	if doublings := failures - 1; doublings < 13 { // 2^13 s are more than two hours
		wait = min(firstRetry<<doublings, longestRetry)
	}
	wait = time.Duration(float64(wait) * (1 - spread + 2*spread*dice))
	return wait, age+wait <= giveUpAfter
}
