package bench

import (
	"context"
	"math"
	"testing"
	"time"
)

func TestPaceReachesItsRateAlongTheRamp(t *testing.T) {
	p := Pace{Rate: 1000, Ramp: 2 * time.Second}
	for _, c := range []struct {
		n    int64
		want time.Duration
	}{
		{0, 0}, {250, time.Second}, {1000, 2 * time.Second}, {2000, 3 * time.Second}, {11000, 12 * time.Second},
	} {
		if got := p.At(c.n); (got - c.want).Abs() > time.Microsecond {
			t.Errorf("request %d is due after %v, want %v", c.n, got, c.want)
		}
	}
	if got := (Pace{Rate: 4}).At(10); got != 2500*time.Millisecond {
		t.Errorf("without a ramp request 10 at 4 a second is due after %v, want 2.5s", got)
	}
	for n := int64(1); n < 5000; n++ {
		if p.At(n) <= p.At(n-1) {
			t.Fatalf("request %d is due after %v, not after the previous one (%v)", n, p.At(n), p.At(n-1))
		}
	}
}

// fakeClock advances only by sleeping.
type fakeClock struct{ now time.Time }

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) SleepUntil(t time.Time) {
	if t.After(c.now) {
		c.now = t
	}
}

// At 10 requests a second, the third request stalls its connection for a second. The next ones are
// late by the rest of that second, and catch up.
func TestLatenessIsCountedFromTheIntendedMoment(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	start := clock.now
	loop := &openLoop{clock: clock, pace: Pace{Rate: 10}, start: start, until: start.Add(2 * time.Second), cut: start.Add(9 * time.Second)}
	var late []int64 // milliseconds from the intended moment to the answer
	for i := 0; ; i++ {
		intended, ok := loop.next(context.Background(), 0)
		if !ok {
			break
		}
		service := 10 * time.Millisecond
		if i == 2 {
			service = time.Second
		}
		clock.now = clock.now.Add(service)
		late = append(late, clock.now.Sub(intended).Milliseconds())
	}
	want := []int64{10, 10, 1000, 910, 820, 730, 640, 550, 460, 370, 280, 190, 100, 10, 10, 10, 10, 10, 10, 10}
	if len(late) != len(want) {
		t.Fatalf("%d requests were sent in 2 s at 10 a second, want %d", len(late), len(want))
	}
	for i := range want {
		if math.Abs(float64(late[i]-want[i])) > 1 {
			t.Errorf("request %d took %d ms, want %d\nall: %v", i, late[i], want[i], late)
		}
	}
}

// A request that was due and could not be sent until the cut is counted, with its wait.
func TestUnsentRequestsAreCounted(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	start := clock.now
	var unsent []time.Duration
	loop := &openLoop{
		clock: clock, pace: Pace{Rate: 10}, start: start, until: start.Add(time.Second), cut: start.Add(2 * time.Second),
		unsent: func(_ int, intended time.Time) { unsent = append(unsent, intended.Sub(start)) },
	}
	sent := 0
	for {
		if _, ok := loop.next(context.Background(), 0); !ok {
			break
		}
		sent++
		clock.now = clock.now.Add(500 * time.Millisecond)
	}
	if sent != 4 || len(unsent) != 6 || unsent[0] != 400*time.Millisecond {
		t.Errorf("%d sent, unsent %v; want 4 sent and 6 unsent from 400ms on", sent, unsent)
	}
}

func TestAnEndedContextEndsTheWait(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	loop := &openLoop{clock: clock, pace: Pace{Rate: 0.001}, start: clock.now, until: clock.now.Add(time.Hour), cut: clock.now.Add(2 * time.Hour)}
	ctx, cancel := context.WithCancel(context.Background())
	if _, ok := loop.next(ctx, 0); !ok {
		t.Fatal("the first request is due at once")
	}
	cancel()
	if _, ok := loop.next(ctx, 0); ok {
		t.Error("a request was handed out after the end")
	}
}

func TestAnEndedContextEndsTheRamp(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	start := clock.now
	loop := &closedLoop{clock: clock, start: start, until: start.Add(2 * time.Hour), ramp: time.Hour, connections: 2, begun: make([]bool, 2)}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok := loop.next(ctx, 1); ok || clock.now != start {
		t.Errorf("a request was handed out: %t, after waiting for %v", ok, clock.now.Sub(start))
	}
}

func TestConnectionsOfAClosedLoopStartAlongTheRamp(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	start := clock.now
	loop := &closedLoop{clock: clock, start: start, until: start.Add(time.Second), ramp: 400 * time.Millisecond, connections: 4, begun: make([]bool, 4)}
	for k, want := range []time.Duration{0, 100, 200, 300} {
		intended, ok := loop.next(context.Background(), k)
		if !ok || intended.Sub(start) != want*time.Millisecond {
			t.Errorf("connection %d starts after %v, want %v", k, intended.Sub(start), want*time.Millisecond)
		}
	}
	clock.now = start.Add(time.Second)
	if _, ok := loop.next(context.Background(), 0); ok {
		t.Error("a request was sent after the end")
	}
}
