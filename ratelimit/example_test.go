package ratelimit_test

import (
	"fmt"
	"time"

	"cartd/ratelimit"
)

// The window slides: a request leaves it a minute after it was granted. A refused one never counts.
func ExampleWindows_Decide() {
	var windows ratelimit.Windows
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, second := range []int{0, 20, 40, 59, 60} {
		now := start.Add(time.Duration(second) * time.Second)
		d := windows.Decide("shop", ratelimit.Bound{Limit: 3}, time.Minute, now)
		fmt.Printf("after %2d s: granted %v, %d remain, retry after %v\n", second, d.Granted, d.Remaining, d.RetryAfter)
	}
	// Output:
	// after  0 s: granted true, 2 remain, retry after 0s
	// after 20 s: granted true, 1 remain, retry after 0s
	// after 40 s: granted true, 0 remain, retry after 0s
	// after 59 s: granted false, 0 remain, retry after 1s
	// after 60 s: granted true, 0 remain, retry after 0s
}
