package ratelimit

import (
	"cmp"
	"slices"
	"testing"
)

func TestAdmitDecidesLikeTheSlowModel(t *testing.T) {
	r := seeded(t)
	for range 300 {
		window, limit := 1+r.Int64N(1000), 1+r.Int64N(12)
		var log []grant
		var slow model
		for i, s := range history(r, 200, window) {
			if r.IntN(50) == 0 {
				limit = 1 + r.Int64N(12)
			}
			var got verdict
			bound := s.bound(limit)
			log, got = admit(log, s.clock, s.asked, bound.sum(), window)
			if want := slow.admit(s.clock, s.asked, bound.sum(), window); got != want {
				t.Fatalf("step %d: admit(%d asked at %d, %+v, window %d) = %+v, want %+v",
					i, s.asked, s.clock, bound, window, got, want)
			}
		}
	}
}

// If the clock runs forward or steps back by less than a window, no window holds more grants
// than the limit, and a request is refused only in a full window.
func TestTheLimitIsExactUnderAClockThatStepsBack(t *testing.T) {
	r := seeded(t)
	for range 300 {
		window, limit := 1+r.Int64N(1000), 1+r.Int64N(12)
		clock, newest := int64(1_000_000), int64(0)
		var log []grant
		var batches []granted
		for range 300 {
			if clock += r.Int64N(window/4 + 1); r.IntN(10) == 0 {
				clock = max(clock-r.Int64N(window), newest-window)
			}
			asked := 1 + r.Int64N(4)
			var v verdict
			log, v = admit(log, clock, asked, limit, window)
			newest = max(newest, v.at)
			batches = append(batches, granted{at: v.at, n: v.granted, asked: asked})
		}
		wantNoWindowAbove(t, inTimeOrder(batches), limit, window)
	}
}

// edges are decisions at a limit of 3 in 1000 µs. admit and the script must agree on them.
var edges = map[string]struct {
	log          []grant
	clock, asked int64
	want         verdict
}{
	"empty log":                        {nil, 5000, 2, verdict{granted: 2, oldest: 5000, at: 5000}},
	"empty log, asked above the limit": {nil, 5000, 9, verdict{granted: 3, oldest: 5000, at: 5000}},
	"nothing asked":                    {nil, 5000, 0, verdict{at: 5000}},
	"a microsecond less than a window": {full, 5999, 1, verdict{count: 3, oldest: 5000, at: 5999}},
	"exactly one window later":         {full, 6000, 2, verdict{granted: 1, count: 2, oldest: 5400, at: 6000}},
	"everything expired":               {full, 6400, 5, verdict{granted: 3, oldest: 6400, at: 6400}},
	"clock stepped back":               {full, 4500, 1, verdict{count: 3, oldest: 5000, at: 5400}},
	"newest exactly one window ahead":  {full, 4400, 1, verdict{count: 3, oldest: 5000, at: 5400}},
	"newest more than a window ahead":  {full, 4399, 1, verdict{granted: 1, count: 1, oldest: 5000, at: 5000}},
	"oldest exactly one window ahead":  {full, 4000, 3, verdict{granted: 2, count: 1, oldest: 5000, at: 5000}},
	"all more than a window ahead":     {full, 3000, 1, verdict{granted: 1, oldest: 3000, at: 3000}},
}

var full = []grant{{at: 5000, n: 1}, {at: 5400, n: 2, earlier: 1}}

func TestAdmitAtTheEdges(t *testing.T) {
	for name, c := range edges {
		if _, got := admit(slices.Clone(c.log), c.clock, c.asked, 3, 1000); got != c.want {
			t.Errorf("%s: admit(%d asked at %d) = %+v, want %+v", name, c.asked, c.clock, got, c.want)
		}
	}
}

func inTimeOrder(batches []granted) []granted {
	slices.SortStableFunc(batches, func(a, b granted) int { return cmp.Compare(a.at, b.at) })
	return batches
}
