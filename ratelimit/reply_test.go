package ratelimit

import (
	"errors"
	"testing"
	"time"
)

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
