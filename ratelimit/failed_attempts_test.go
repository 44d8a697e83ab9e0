package ratelimit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

const (
	attemptLimit  = 5
	attemptWindow = time.Minute
)

// tried is an attempt that counts in one log.
type tried struct {
	Attempt
	Failures
}

func begin(t testing.TB, client redis.Scripter, id string) tried {
	t.Helper()
	v, err := BeginAttempt.Run(context.Background(), client, []string{testLog}, id, attemptLimit, attemptWindow.Microseconds()).Result()
	if err != nil {
		t.Fatal(err)
	}
	a, err := ParseAttempt(v, attemptWindow)
	if err != nil {
		t.Fatal(err)
	}
	return tried{a, a.Logs[0]}
}

func takeBack(t testing.TB, client redis.Cmdable, a tried, id string) bool {
	t.Helper()
	n, err := client.LRem(context.Background(), testLog, 1, a.Entry(id)).Result()
	if err != nil {
		t.Fatal(err)
	}
	return n == 1
}

func TestAttemptsCountUnlessTakenBack(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		client := s.Client()
		begun := map[int]tried{}
		for i := range attemptLimit {
			if a := begin(t, client, ""); !a.Granted || a.Counted != i {
				t.Fatalf("a read ahead of attempt %d: %+v", i, a)
			}
			if begun[i] = begin(t, client, fmt.Sprint(i)); !begun[i].Granted || begun[i].Counted != i {
				t.Fatalf("attempt %d: %+v", i, begun[i])
			}
		}
		if a := begin(t, client, ""); a.Granted || a.Counted != attemptLimit {
			t.Errorf("a read of a full log: %+v", a)
		}
		if a := begin(t, client, "x"); a.Granted || a.RetryAfter <= 0 || a.RetryAfter > attemptWindow {
			t.Errorf("one too many: %+v", a)
		}
		if !takeBack(t, client, begun[3], "3") || takeBack(t, client, begun[3], "3") || takeBack(t, client, begun[3], "never") {
			t.Error("an attempt is taken back once, and only if it began")
		}
		if a := begin(t, client, "x"); !a.Granted || a.Counted != 4 {
			t.Errorf("after a success: %+v", a)
		}
		if a := begin(t, client, "y"); a.Granted || a.Counted != attemptLimit {
			t.Errorf("after five failures: %+v", a)
		}
		if ttl := client.PTTL(context.Background(), testLog).Val(); ttl <= 0 || ttl > attemptWindow {
			t.Errorf("the log stays for %v, want at most %v", ttl, attemptWindow)
		}
	})
}

// No window holds more failures than the limit. An attempt is refused only if the window holds
// as many as the limit.
func TestFailuresSlideOutOfTheWindow(t *testing.T) {
	alone(t)
	for seed := range uint64(20) {
		dice := rand.New(rand.NewPCG(seed, 1))
		s := redistest.Mini(t)
		client, now := s.Client(), time.UnixMicro(1_800_000_000_000_000)
		var failures []time.Time
		for i := range 120 {
			now = now.Add(time.Duration(dice.Int64N(int64(attemptWindow / 3))).Truncate(time.Microsecond))
			s.Mini.SetTime(now)
			counted := 0
			for _, at := range failures {
				if now.Sub(at) < attemptWindow {
					counted++
				}
			}
			a := begin(t, client, fmt.Sprint(i))
			if a.Granted != (counted < attemptLimit) || a.Counted != counted {
				t.Fatalf("seed %d, attempt %d: %+v with %d failures in the window", seed, i, a, counted)
			}
			if !a.Granted {
				if want := failures[len(failures)-attemptLimit].Add(attemptWindow); !a.Reset.Equal(want) || a.RetryAfter != want.Sub(now) {
					t.Fatalf("seed %d: reset at %v, retry after %v, want %v", seed, a.Reset, a.RetryAfter, want)
				}
				continue
			}
			if dice.IntN(3) > 0 {
				failures = append(failures, now)
			} else {
				takeBack(t, client, a, fmt.Sprint(i))
			}
		}
	}
}

func TestFailuresAreCountedByStoreNameAndCaller(t *testing.T) {
	key := func(store, name, caller string) string { return AttemptsKey(store, name, netip.MustParseAddr(caller)) }
	first := key("s", "a@b", "192.0.2.1")
	for _, other := range []string{key("s", "a@b", "192.0.2.2"), key("s", "a@c", "192.0.2.1"), key("t", "a@b", "192.0.2.1")} {
		if other == first {
			t.Errorf("%s counts for two", first)
		}
	}
	if key("s", "a@b", "2001:db8::1") != key("s", "a@b", "2001:db8::2") || key("s", "a@b", "2001:db8::1") == key("s", "a@b", "2001:db8:0:1::1") {
		t.Error("an IPv6 caller is its /64")
	}
	if key("s", "a@b", "::ffff:192.0.2.1") != first {
		t.Error("an IPv4 address is the same inside IPv6")
	}
	caller := netip.MustParseAddr("192.0.2.1")
	keys := map[string]bool{
		first: true, CallerKey("s", caller): true, CallerKey("s", caller.Next()): true, CallerKey("t", caller): true,
		CodesKey("s", "cart", caller): true, CodesKey("s", "other", caller): true, CodesKey("s", "cart", caller.Next()): true,
		CodesKey("t", "cart", caller): true,
	}
	if len(keys) != 8 {
		t.Errorf("two of eight share a log: %v", keys)
	}
}

// An attempt under two limits counts in both logs or in none. It ends in both.
func TestAnAttemptUnderTwoLimits(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		client, ctx := s.Client(), context.Background()
		first, both := []string{testLog}, []string{testLog, testLog + ":all"}
		limits := []any{2, attemptWindow.Microseconds(), 3, time.Hour.Microseconds()}
		try := func(id string) Attempt {
			t.Helper()
			v, err := BeginAttempt.Run(ctx, client, both, append([]any{id}, limits...)...).Result()
			if err != nil {
				t.Fatal(err)
			}
			a, err := ParseAttempt(v, attemptWindow, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		finish := func(a Attempt, id string) {
			t.Helper()
			for _, key := range both {
				if n, err := client.LRem(ctx, key, 1, a.Entry(id)).Result(); n != 1 || err != nil {
					t.Fatalf("the end of %s: %d, %v", id, n, err)
				}
			}
		}
		want := func(a Attempt, granted bool, counted ...int) {
			t.Helper()
			if a.Granted != granted || a.Logs[0].Counted != counted[0] || a.Logs[1].Counted != counted[1] {
				t.Errorf("got %+v, want granted %v with %v counted", a, granted, counted)
			}
		}
		a := try("a")
		want(a, true, 0, 0)
		finish(a, "a")
		want(try("b"), true, 0, 0)
		want(try("c"), true, 1, 1)
		full := try("d")
		want(full, false, 2, 2)
		if f := full.Logs; f[0].RetryAfter > attemptWindow || f[1].RetryAfter <= attemptWindow || f[1].RetryAfter > time.Hour {
			t.Errorf("each log has its own window: %+v", f)
		}
		client.Del(ctx, first...) // as if the first log's window had passed
		want(try("e"), true, 0, 2)
		want(try("f"), false, 1, 3)
		want(try(""), false, 1, 3)
		for _, key := range both {
			if ttl := client.PTTL(ctx, key).Val(); ttl <= 0 {
				t.Errorf("%s stays for %v", key, ttl)
			}
		}
	})
}

func TestParseAttemptRefusesOtherAnswers(t *testing.T) {
	for _, v := range []any{
		nil, "x", []any{}, []any{int64(1), int64(1), int64(1), "1"}, []any{int64(1), int64(1)},
		[]any{int64(1), int64(1), int64(1), int64(1), int64(1), int64(1)},
	} {
		if a, err := ParseAttempt(v, time.Minute); err == nil {
			t.Errorf("ParseAttempt(%v) = %+v", v, a)
		}
	}
}

// After the clock stepped back, the first entry is not the oldest. RetryAfter then follows the
// oldest entry.
func TestRetryAfterOfAttemptsAfterAStepBackOfTheClock(t *testing.T) {
	s := redistest.Mini(t)
	client := s.Client()
	now := time.UnixMicro(1_790_000_000_000_000)
	s.Mini.SetTime(now.Add(50 * time.Second))
	for i := range 3 {
		begin(t, client, fmt.Sprint(i))
	}
	s.Mini.SetTime(now)
	for i := 3; i < attemptLimit; i++ {
		begin(t, client, fmt.Sprint(i))
	}
	a := begin(t, client, "x")
	if a.Granted || a.RetryAfter != attemptWindow || !a.Reset.Equal(now.Add(attemptWindow)) {
		t.Errorf("%+v, want to retry after %v", a, attemptWindow)
	}
	s.Mini.SetTime(now.Add(attemptWindow))
	if a := begin(t, client, "x"); !a.Granted {
		t.Errorf("after RetryAfter: %+v, want granted", a)
	}
}
