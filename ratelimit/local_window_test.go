package ratelimit

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestWindowsDecideLikeTheSlowModel(t *testing.T) {
	r := seeded(t)
	for range 100 {
		window, limit := 1+r.Int64N(1000), 1+r.Int64N(12)
		var w Windows
		var slow model
		for i, s := range history(r, 200, window) {
			span := time.Duration(window) * time.Microsecond
			bound := s.bound(limit)
			got := w.Decide("k", bound, span, time.UnixMicro(s.clock))
			want := slow.decide(s.clock, bound, window)
			if got != want {
				t.Fatalf("step %d, %+v, %+v, window %v: %+v, want %+v", i, s, bound, span, got, want)
			}
		}
	}
}

// Above maxEntries, times are rounded to steps. The limit is still not exceeded, no request is
// refused two steps after the window has room, and memory is bounded.
func TestAGreatLimitIsKeptInBoundedMemory(t *testing.T) {
	alone(t)
	r := seeded(t)
	const limit, window = 5000, maxEntries * 60 * time.Millisecond // a whole number of steps
	step := stepOf(limit, window)
	var w Windows
	var batches []granted
	clock, pace, kept := noon, time.Duration(0), 0
	for i := range 60_000 {
		if i%2000 == 0 {
			pace = []time.Duration{time.Millisecond, 8 * time.Millisecond, 20 * time.Millisecond}[r.IntN(3)]
		}
		clock = clock.Add(time.Duration(r.Int64N(int64(pace))))
		d := w.Decide("k", Bound{Limit: limit}, window, clock)
		if at := clock.UnixMicro(); d.Granted {
			batches = append(batches, granted{at: at, n: 1, asked: 1})
		} else if n := since(batches, at-(window+2*step).Microseconds()); n < limit {
			t.Fatalf("refused at %d with %d granted in the window and two steps", at, n)
		}
		kept = max(kept, len(*w.log("k", clock, window)))
	}
	if len(batches) < 2*limit || len(batches) == 60_000 || kept > maxEntries+3 {
		t.Errorf("%d granted, %d entries kept at most; want several windows full and %d entries", len(batches), kept, maxEntries)
	}
	wantNoWindowAbove(t, batches, limit, window.Microseconds())
}

// since counts the batches later than a time.
func since(batches []granted, moment int64) int {
	n := 0
	for n < len(batches) && batches[len(batches)-1-n].at > moment {
		n++
	}
	return n
}

func TestWindowsKeepKeysApartAndShareBeyondTheBound(t *testing.T) {
	var w Windows
	for i := range maxWindows {
		if !w.Decide(strconv.Itoa(i), Bound{Limit: 1}, time.Minute, noon).Granted {
			t.Fatalf("key %d is refused at its first request", i)
		}
	}
	first, second := w.Decide("more", Bound{Limit: 1}, time.Minute, noon), w.Decide("yet more", Bound{Limit: 1}, time.Minute, noon)
	if !first.Granted || second.Granted {
		t.Errorf("two keys beyond the bound: granted %v and %v, want one budget for both", first.Granted, second.Granted)
	}
	w.Decide("later", Bound{Limit: 1}, time.Minute, noon.Add(2*time.Minute))
	if got := len(w.logs.byKey); got != 1 {
		t.Errorf("%d keys are kept after two idle windows, want 1", got)
	}
}

func TestWindowsAreSafeForConcurrentUse(t *testing.T) {
	var w Windows
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if w.Decide("k", Bound{Limit: 120}, time.Minute, noon).Granted {
					sum.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if got := sum.Load(); got != 120 {
		t.Errorf("%d of 800 simultaneous requests granted, want 120", got)
	}
}
