package ratelimit

import (
	"cmp"
	"errors"
	"slices"
	"testing"
	"time"
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

func TestDecideInQueueOrder(t *testing.T) {
	start := time.UnixMicro(1_790_000_000_000_000).UTC()
	const limit, window = 10, time.Minute
	for _, beyond := range []int{0, 2, -3} { // Remaining is that under the bound
		refused := Decision{Limit: limit, RetryAfter: 40 * time.Second, Reset: start.Add(window), Reserved: beyond < 0}
		r := Reply{Granted: 2, Count: 8 + beyond, Oldest: start, Now: start.Add(20 * time.Second)}
		for i, want := range []Decision{
			{Granted: true, Limit: limit, Remaining: 1},
			{Granted: true, Limit: limit, Remaining: 0},
			refused,
			refused,
		} {
			if got := r.Decide(i, Bound{limit, beyond}, window); got != want {
				t.Errorf("Decide(%d) with %d beyond = %+v, want %+v", i, beyond, got, want)
			}
		}
	}
}

// Retry-After is counted from the clock, not from the newest grant's time.
func TestRetryAfterAStepBackOfTheClock(t *testing.T) {
	log, _ := admit(nil, 5_000_000, 1, 1, 1_000_000)
	_, v := admit(log, 4_400_000, 1, 1, 1_000_000)
	got := v.reply(4_400_000).Decide(0, Bound{Limit: 1}, time.Second)
	if got.RetryAfter != 1600*time.Millisecond {
		t.Errorf("RetryAfter = %v, want 1.6s: the oldest grant leaves at 6 s, the clock is at 4.4 s", got.RetryAfter)
	}
}

func TestRetryAfterIsNeverZero(t *testing.T) {
	r := Reply{Oldest: noon, Now: noon.Add(time.Minute)}
	if got := r.Decide(0, Bound{Limit: 1}, time.Minute).RetryAfter; got != time.Microsecond {
		t.Errorf("RetryAfter = %v at the moment when the oldest grant leaves, want 1µs", got)
	}
}

func TestParseReply(t *testing.T) {
	got, err := ParseReply([]any{int64(2), int64(5), int64(0), int64(1_790_000_000_123_457), int64(1_790_000_000_123_456), "rev"})
	at := time.UnixMicro(1_790_000_000_123_457).UTC()
	want := Reply{Granted: 2, Count: 5, Now: at.Add(-time.Microsecond), Head: "rev"}
	if err != nil || got != want {
		t.Errorf("ParseReply = %+v, %v; want %+v", got, err, want)
	}
}

func TestParseReplyRefusesOtherAnswers(t *testing.T) {
	for _, v := range []any{
		nil,
		"OK",
		[]any{},
		[]any{int64(1), int64(1), int64(1), int64(1), ""},
		[]any{int64(1), int64(1), int64(1), int64(1), "1", ""},
		[]any{int64(1), int64(1), int64(1), int64(1), int64(1), nil},
		[]any{int64(1), int64(1), int64(1), int64(1), int64(1), "", ""},
	} {
		if got, err := ParseReply(v); !errors.Is(err, errReply) {
			t.Errorf("ParseReply(%v) = %+v, %v; want %v", v, got, err, errReply)
		}
	}
}

func TestKeys(t *testing.T) {
	for got, want := range map[string]string{
		StoreKey("11111111-1111-4111-8111-111111111111"): "{11111111-1111-4111-8111-111111111111}:grants",
		clientKey("192.0.2.7"):                           "grants:client:192.0.2.7",
	} {
		if got != want {
			t.Errorf("key = %q, want %q", got, want)
		}
	}
}

func TestTheHeadsLimitHolds(t *testing.T) {
	for head, want := range map[string]int{"": 7, "rev": 7, "120": 7, "x 120": 7, "120 rev": 120, "2000000000 a b": 2_000_000_000} {
		if got := (Reply{Head: head}).Bound(Bound{7, 2}); got != (Bound{want, 2}) {
			t.Errorf("Bound with the head %q = %+v, want the limit %d", head, got, want)
		}
	}
}
