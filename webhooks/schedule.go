package webhooks

import "time"

const (
	// The n-th retry comes firstRetry × 2^(n−1) after the failure, at most longestRetry,
	// give or take spread.
	firstRetry   = time.Second
	longestRetry = 2 * time.Hour
	spread       = 0.25
	// giveUpAfter is for how long an event is tried.
	giveUpAfter = 24 * time.Hour
)

// retryAfter is how long a delivery waits after its failures-th failure, which came
// age after it was first to go out. False: it is given up. dice is in [0, 1).
func retryAfter(failures int, age time.Duration, dice float64) (time.Duration, bool) {
	wait := longestRetry
	if doublings := failures - 1; doublings < 13 { // 2^13 s are more than two hours
		wait = min(firstRetry<<doublings, longestRetry)
	}
	wait = time.Duration(float64(wait) * (1 - spread + 2*spread*dice))
	return wait, age+wait <= giveUpAfter
}
