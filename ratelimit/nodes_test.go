package ratelimit

import (
	"cmp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// Two nodes, many requests at once, on one store's budget: judged by the times of
// the grants, no window ever holds more than the limit, and whoever was refused
// met a full window.
func TestTwoNodesShareOneExactBudget(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		const limit, window, windows = 50, 150 * time.Millisecond, 3
		var mu sync.Mutex
		var batches []granted
		var wg sync.WaitGroup
		for _, node := range []*redis.Client{s.Client(), s.Client()} {
			for worker := range 6 {
				wg.Go(func() {
					own := spend(t, node, 1+worker%4, limit, window, windows)
					mu.Lock()
					defer mu.Unlock()
					batches = append(batches, own...)
				})
			}
		}
		wg.Wait()
		wantFullWindows(t, batches, 2*limit)
		wantNoWindowAbove(t, inTimeOrder(batches), limit, window.Microseconds())
	})
}

// spend takes batches of n for a number of windows, by the times of the replies.
func spend(t *testing.T, node *redis.Client, n, limit int, window time.Duration, windows int) []granted {
	var batches []granted
	for {
		r, err := ask(node, "", n, limit, window)
		if err != nil {
			t.Error(err)
			return nil
		}
		at := r.At.UnixMicro()
		batches = append(batches, granted{at: at, n: int64(r.Granted), asked: int64(n)})
		if at-batches[0].at > int64(windows)*window.Microseconds() {
			return batches
		}
	}
}

// wantFullWindows fails unless the limit was reached more than once, and requests
// were refused.
func wantFullWindows(t *testing.T, batches []granted, least int64) {
	t.Helper()
	var all, refused int64
	for _, b := range batches {
		all += b.n
		refused += b.asked - b.n
	}
	if all < least || refused == 0 {
		t.Fatalf("%d batches: %d granted, %d refused; want at least %d granted and some refused", len(batches), all, refused, least)
	}
	t.Logf("%d batches: %d granted, %d refused", len(batches), all, refused)
}

func inTimeOrder(batches []granted) []granted {
	slices.SortStableFunc(batches, func(a, b granted) int { return cmp.Compare(a.at, b.at) })
	return batches
}
