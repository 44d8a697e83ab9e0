package ratelimit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// maxExpired is the number of expired entries that a log may keep.
const maxExpired = 31

const (
	testLog  = "{s}:grants"
	testHead = "{s}:head"
)

// ask calls the script for a batch.
func ask(client redis.Scripter, head string, asked int, bound Bound, window time.Duration) (Reply, error) {
	v, err := Script.Run(context.Background(), client, Keys(testLog, head), Args(asked, bound, window)...).Result()
	if err != nil {
		return Reply{}, err
	}
	return ParseReply(v)
}

// run is ask, but an error ends the test.
func run(t testing.TB, client redis.Scripter, head string, asked int, bound Bound, window time.Duration) Reply {
	t.Helper()
	r, err := ask(client, head, asked, bound, window)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// entry is the entry of g as the scripts write it: with the oldest grant in the window at that
// time and the index of the entry after the oldest.
func entry(g, oldest grant, successor int) string {
	return fmt.Sprintf("%16d%16d%16d%16d%16d%d", g.at, g.earlier+g.n, g.earlier, oldest.at, oldest.earlier, successor)
}

// stored are the entries of a log in which no entry had expired while it was written.
func stored(log []grant) []string {
	texts := make([]string, len(log))
	for i, g := range log {
		texts[i] = entry(g, log[0], 1)
	}
	return texts
}

// read returns the grants of a log that count by its newest entry, and the number of expired
// entries ahead of them that are not trimmed yet.
func read(t *testing.T, texts []string) (log []grant, expired int) {
	t.Helper()
	for _, text := range texts {
		var n [6]int64
		for i := range n {
			field := text[16*i:]
			if i < 5 {
				field = field[:16]
			}
			n[i] = number(t, strings.TrimSpace(field))
		}
		log, expired = append(log, grant{at: n[0], n: n[1] - n[2], earlier: n[2]}), int(n[5])-1
	}
	if len(texts) == 0 {
		return nil, 0
	}
	if want := entry(log[len(log)-1], log[expired], expired+1); texts[len(texts)-1] != want {
		t.Fatalf("the newest entry is %q, want %q", texts[len(texts)-1], want)
	}
	return log[expired:], expired
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTheScriptDecidesLikeAdmit(t *testing.T) {
	alone(t)
	r := seeded(t)
	s := redistest.Mini(t)
	client := s.Client()
	for range 8 {
		window, limit := 1+r.Int64N(1000), 1+r.Int64N(40)
		s.Mini.FlushAll()
		var log []grant
		for i, at := range history(r, 250, window) {
			s.Mini.SetTime(time.UnixMicro(at.clock))
			if r.IntN(50) == 0 {
				limit = 1 + r.Int64N(40)
			}
			bound := at.bound(limit)
			got := run(t, client, "", int(at.asked), bound, time.Duration(window)*time.Microsecond)
			var v verdict
			log, v = admit(log, at.clock, at.asked, bound.sum(), window)
			if want := v.reply(at.clock); got != want {
				t.Fatalf("step %d, %+v, %+v, window %d: script %+v, want %+v", i, at, bound, window, got, want)
			}
			kept, _ := s.Mini.List(testLog)
			still, left := read(t, kept)
			if !slices.Equal(still, log) || left > maxExpired {
				t.Fatalf("step %d, %+v: log %v after %d expired entries, want %v", i, at, still, left, log)
			}
		}
	}
}

func TestTheScriptAtTheEdges(t *testing.T) {
	s := redistest.Mini(t)
	client := s.Client()
	for name, c := range edges {
		s.Mini.FlushAll()
		push(t, client, slices.Clone(c.log))
		s.Mini.SetTime(time.UnixMicro(c.clock))
		got := run(t, client, "", int(c.asked), Bound{Limit: 3}, time.Millisecond)
		if want := c.want.reply(c.clock); got != want {
			t.Errorf("%s: script(%d asked at %d) = %+v, want %+v", name, c.asked, c.clock, got, want)
		}
	}
}

// The binary search starts after 17 entries, and grants trim more than 32: the numbers around
// these bounds, and many.
func TestManyExpiredEntriesAreDroppedExactly(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		client := s.Client()
		const live, window = 3, time.Hour
		for _, expired := range []int{0, 1, 15, 16, 17, 18, 19, 31, 32, 33, 5000} {
			client.Del(context.Background(), testLog)
			now := redisTime(t, client)
			log := spread(expired, now.Add(-window), time.Microsecond)
			log = append(log, spread(live, now, time.Microsecond)...)
			push(t, client, log)
			got := run(t, client, "", 2, Bound{Limit: 1000}, window)
			if got.Count != 2*live || got.Granted != 2 || got.Oldest.UnixMicro() != log[expired].at {
				t.Errorf("%d expired: %+v, want %d counted from %d", expired, got, 2*live, log[expired].at)
			}
			kept := client.LRange(context.Background(), testLog, 0, -1).Val()
			if still, left := read(t, kept); len(still) != live+1 || left > maxExpired || left != expired && left != 0 {
				t.Errorf("%d expired: the log keeps %d live and %d expired entries, want %d live and at most %d expired",
					expired, len(still), left, live+1, maxExpired)
			}
		}
	})
}

func TestEntriesFarAheadAreDroppedExactly(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		client := s.Client()
		for _, good := range []int{0, 1, 40} {
			client.Del(context.Background(), testLog)
			now := redisTime(t, client)
			log := spread(good, now, time.Microsecond)
			log = append(log, spread(3000, now.Add(3*time.Hour), time.Microsecond)...)
			push(t, client, log)
			if got := run(t, client, "", 1, Bound{Limit: 1000}, time.Hour); got.Count != 2*good || got.Granted != 1 {
				t.Errorf("%d good entries: %+v, want %d counted", good, got, 2*good)
			}
			wantLength(t, client, good+1)
		}
	})
}

// The work of one call is bounded, however many entries have expired.
func TestOneCallReadsFewEntries(t *testing.T) {
	client := redistest.Real(t).Client()
	now := redisTime(t, client)
	log := append(spread(10_000, now.Add(-time.Hour), time.Microsecond), spread(10_000, now, time.Microsecond)...)
	push(t, client, log)
	run(t, client, "", 1, Bound{Limit: 100_000}, time.Hour)
	stats := client.Info(context.Background(), "commandstats").Val()
	for command, limit := range map[string]int{"lindex": 36, "llen": 1, "ltrim": 1} {
		_, rest, found := strings.Cut(stats, "cmdstat_"+command+":calls=")
		number, _, _ := strings.Cut(rest, ",")
		if calls, err := strconv.Atoi(number); !found || err != nil || calls > limit {
			t.Errorf("%s: %q calls, want at most %d", command, number, limit)
		}
	}
}

func TestTheLogOutlivesItsNewestEntryByAtMostAWindow(t *testing.T) {
	r := seeded(t)
	s := redistest.Mini(t)
	client := s.Client()
	clock := time.UnixMicro(1_790_000_000_000_000)
	for range 300 {
		passed := time.Duration(r.Int64N(int64(time.Minute / 2)))
		clock = clock.Add(passed)
		s.Mini.FastForward(passed)
		s.Mini.SetTime(clock)
		run(t, client, "", 1, Bound{Limit: 1000}, time.Minute)
		if got := s.Mini.TTL(testLog); got < time.Minute || got > 2*time.Minute {
			t.Fatalf("after a grant the log lives for %v, want one to two windows", got)
		}
	}
}

// A limit that an import changes applies from the import on. The limit that a node asks for does not.
func TestTheHeadsLimitReplacesTheArgument(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		client := s.Client()
		client.Set(context.Background(), testHead, "3 rev", 0)
		for asked, want := range map[Bound]int{{1000, 0}: 3, {1, 0}: 3, {1, 1}: 4, {1000, -1}: 2, {1000, -3}: 0, {1, -9}: 0} {
			client.Del(context.Background(), testLog)
			got := run(t, client, testHead, 5, asked, time.Hour)
			if under := (Bound{3, asked.Beyond}); got.Granted != want || got.Bound(asked) != under {
				t.Errorf("of 5 under %+v: granted %d under %+v, want %d under %+v", asked, got.Granted, got.Bound(asked), want, under)
			}
		}
	})
}

func TestTheReplyHasTheHead(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		client := s.Client()
		if got := run(t, client, testHead, 1, Bound{Limit: 9}, time.Hour); got.Head != "" {
			t.Errorf("without a value the head is %q, want none", got.Head)
		}
		client.Set(context.Background(), testHead, "17:abc", 0)
		if got := run(t, client, testHead, 1, Bound{Limit: 9}, time.Hour); got.Head != "17:abc" {
			t.Errorf("head = %q, want 17:abc", got.Head)
		}
		if got := run(t, client, "", 1, Bound{Limit: 9}, time.Hour); got.Head != "" {
			t.Errorf("without a key the head is %q, want none", got.Head)
		}
	})
}

// spread makes n entries of 2 requests each, one every gap. The last ends one gap short of until.
func spread(n int, until time.Time, gap time.Duration) []grant {
	log := make([]grant, n)
	for i := range log {
		log[i] = grant{at: until.Add(-time.Duration(n-i) * gap).UnixMicro(), n: 2}
	}
	return log
}

// push writes a log into Redis in the script's format.
func push(t *testing.T, client *redis.Client, log []grant) {
	t.Helper()
	for i := 1; i < len(log); i++ {
		log[i].earlier = log[i-1].earlier + log[i-1].n
	}
	for part := range slices.Chunk(stored(log), 500) {
		if err := client.RPush(context.Background(), testLog, part).Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func redisTime(t *testing.T, client *redis.Client) time.Time {
	t.Helper()
	now, err := client.Time(context.Background()).Result()
	if err != nil {
		t.Fatal(err)
	}
	return now
}

func wantLength(t *testing.T, client *redis.Client, want int) {
	t.Helper()
	if got := client.LLen(context.Background(), testLog).Val(); got != int64(want) {
		t.Errorf("the log has %d entries, want %d", got, want)
	}
}
