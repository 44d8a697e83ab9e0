package records

import (
	"strconv"
	"testing"
	"time"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/ratelimit"
)

// attempt is one call on a head and a log, with the result wanted of each visit.
type attempt struct {
	name     string
	head     string // in Redis; · is a space
	judged   time.Duration
	counted  int
	visits   []*Visit
	want     []string
	wantHead string // in the reply; "": as in Redis
}

// The order of write.lua's header: record, head, time, limit.
func TestOrderOfHeadTimeAndLimit(t *testing.T) {
	const same, moved = "100·v1", "100·v2"
	apply := func(n int) *Visit {
		v := visitOf("cart", "[a]", "R[b]", func(p *Plan) { p.CheckValue("token", "t") })
		v.Count = n
		return v
	}
	serial := 0
	beyond := func(beyond, n int) *Visit { // a record of its own, that may go beyond the limit
		serial++
		v := visitOf("other"+strconv.Itoa(serial), "", "R[a]")
		v.Beyond, v.Count = beyond, n
		return v
	}
	sent := visitOf("cart", "[b]", "R[a]")   // already written
	other := visitOf("cart", "[c]", "R[b]")  // judged by another record
	broken := visitOf("list", "[c]", "R[b]") // its key holds a list
	unequal := visitOf("cart", "[a]", "R[b]", func(p *Plan) { p.CheckValue("token", "u") })
	const isOther, isUnequal = `other record, record "R[a]"`, `other facts, counted, record "R[a]", values ["t"]`
	attempts := []attempt{
		{"head", moved, 0, 0, []*Visit{apply(1)}, []string{"other head"}, ""},
		{"judged too early", same, -time.Minute - time.Second, 0, []*Visit{apply(1)}, []string{"too late"}, ""},
		{"judged too far ahead", same, time.Minute + 20*time.Second, 0, []*Visit{apply(1)}, []string{"too late"}, ""},
		{"over the limit", same, 0, 100, []*Visit{apply(1)}, []string{"over limit, 0 left"}, ""},
		{"above the limit", same, 0, 120, []*Visit{apply(1)}, []string{"over limit, 0 left"}, ""},
		{"up to the limit", same, 0, 97, []*Visit{apply(3)}, []string{"done, counted"}, ""},
		{"just over", same, 0, 97, []*Visit{apply(4)}, []string{"over limit, 3 left"}, ""},
		{"counted already, limit exceeded", same, 0, 120, []*Visit{apply(0)}, []string{"done, counted"}, ""},
		{"done already, all else differs", moved, -time.Hour, 120, []*Visit{sent}, []string{"done, earlier"}, ""},
		{"another record, then head, time, limit", moved, -time.Hour, 120, []*Visit{other}, []string{isOther}, ""},
		{"broken, then head, time, limit", moved, -time.Hour, 120, []*Visit{broken}, []string{"broken list"}, ""},
		{"head and time, then limit and checks", moved, 0, 120, []*Visit{unequal}, []string{"other head"}, ""},
		{"limit, then checks", same, 0, 100, []*Visit{unequal}, []string{"over limit, 0 left"}, ""},
		{"other facts are counted", same, 0, 99, []*Visit{unequal, apply(1)}, []string{isUnequal, "over limit, 0 left"}, ""},
		{"another record is not", same, 0, 99, []*Visit{other, apply(1)}, []string{isOther, "done, counted"}, ""},
		{
			"nor one whose plan is", same, 0, 99,
			[]*Visit{visitOf("cart", "[a]", "R[b]", func(p *Plan) { p.Hash("HSET", "list", "f", "v") }), apply(1)},
			[]string{"broken list", "done, counted"}, "",
		},
		{"one over, one under", same, 0, 98, []*Visit{apply(3), apply(2)}, []string{"over limit, 2 left", "done, counted"}, ""},
		{"beyond the limit", same, 0, 98, []*Visit{beyond(1, 3), beyond(25, 30), apply(1), beyond(25, 3)}, []string{
			"done, counted", "over limit, 24 left", "over limit, 0 left", "done, counted",
		}, ""},
		{"refused, then one that may go further", same, 0, 100, []*Visit{apply(1), beyond(25, 2), apply(1), beyond(25, 24)}, []string{
			"over limit, 0 left", "done, counted", "over limit, 0 left", "over limit, 23 left",
		}, ""},
		{"all beyond the limit", same, 0, 100, []*Visit{beyond(25, 25), beyond(25, 1), apply(1)}, []string{
			"done, counted", "over limit, 0 left", "over limit, 0 left",
		}, ""},
		{"ahead of the limit", same, 0, 89, []*Visit{beyond(-10, 2), beyond(-10, 1), beyond(-10, 1), apply(1)}, []string{
			"over limit, 1 left", "done, counted", "over limit, 0 left", "done, counted",
		}, ""},
		{"last unit moves the head", same, 0, 0, []*Visit{
			visitOf("x", "", "R[a]", func(p *Plan) { p.Use("uses", "f", 1, 1); p.IfLast("SET", testHead, "100 v9") }),
			apply(1), other, sent,
		}, []string{"done, counted, made 1", "other head", isOther, "done, earlier"}, "100 v9"},
	}
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		s := newServer(t, r)
		for _, a := range attempts {
			s.reset("SET cart R[a]", "SET token t", "RPUSH list 1", "SET head 1000")
			if a.counted > 0 {
				fill := visitOf("fill", "", "")
				fill.Count = a.counted
				c := s.call(fill)
				c.Head = "1000"
				s.send(c)
			}
			s.do("DEL head")
			if a.head != "" {
				s.do("SET head " + a.head)
			}
			c := s.call(a.visits...)
			c.Judged = c.Judged.Add(a.judged)
			results, reply, err := c.Results(s.send(c))
			if err != nil {
				t.Fatal(err)
			}
			before := a.counted
			for i, got := range results {
				if text := show(got); text != a.want[i] {
					t.Errorf("%s: visit %d is %s, want %s", a.name, i, text, a.want[i])
				}
				limit := reply.Bound(ratelimit.Bound{}).Limit
				left := limit + a.visits[i].Beyond - before - 1
				switch {
				case got.Kind == engine.OverLimit:
					left = 0
				case got.Earlier || !got.Counted:
					left += a.visits[i].Count
				default:
					before += a.visits[i].Count
				}
				if got.Budget.Limit != limit || got.Budget.Remaining != left || got.Budget.Granted != (got.Kind != engine.OverLimit) {
					t.Errorf("%s: visit %d has the budget %+v, want %d of %d left", a.name, i, got.Budget, left, limit)
				}
			}
			if reply.Count != a.counted || reply.Oldest.IsZero() != (before == 0) || reply.Now.Sub(s.now()).Abs() > time.Minute {
				t.Errorf("%s: the reply is %+v", a.name, reply)
			}
			if head := s.client.Get(s.ctx, testHead).Val(); reply.Head != head || a.wantHead != "" && head != a.wantHead {
				t.Errorf("%s: the head is %q, in Redis %q, want %q", a.name, reply.Head, head, a.wantHead)
			}
			c = s.call()
			if _, again, _ := c.Results(s.send(c)); again.Count != before {
				t.Errorf("%s: %d requests are counted, want %d", a.name, again.Count, before)
			}
		}
	})
}

// The tolerance is exact to the microsecond, on both sides.
func TestTolerance(t *testing.T) {
	r := redistest.Mini(t)
	s := newServer(t, r)
	now := time.UnixMicro(1_790_000_000_123_456)
	for apart, want := range map[time.Duration]string{
		250_000: "done, counted", 250_001: "too late", -250_000: "done, counted", -250_001: "too late",
	} {
		s.reset()
		r.Mini.SetTime(now)
		c := s.call(visitOf("cart", "", "R[a]"))
		c.Judged, c.Tolerance = now.Add(apart*time.Microsecond), 250*time.Millisecond
		if got := show(s.results(c)[0]); got != want {
			t.Errorf("%d µs apart: %s, want %s", apart, got, want)
		}
	}
}

// A record expires at its visit's expiry, also with the appended texts. A record whose expiry
// is past is not kept.
func TestExpiry(t *testing.T) {
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		s := newServer(t, r)
		s.reset()
		at := s.now().Add(time.Hour).Truncate(time.Millisecond)
		number := func(p *Plan) { p.Number("n") }
		for _, c := range []struct {
			expiry string
			steps  []func(*Plan)
			want   time.Duration
		}{
			{millis(at), nil, time.Hour},
			{millis(at), []func(*Plan){number}, time.Hour},
			{"", nil, 0},
		} {
			seen := s.client.GetRange(s.ctx, "cart", 1, 24).Val()
			stamp := map[string]string{"": stampA, stampA: stampB, stampB: stampC}[seen]
			v := visitOf("cart", seen, "R"+stamp, c.steps...)
			v.Expiry = c.expiry
			s.run(v)
			if got := s.client.PTTL(s.ctx, "cart").Val(); (got > 0) != (c.want > 0) || got > c.want || got > 0 && got < c.want-time.Minute {
				t.Errorf("expiry %q: the record lives for %v, want %v", c.expiry, got, c.want)
			}
		}
		if r.Mini != nil {
			return // its keys expire with FastForward only
		}
		v := visitOf("late", "", "R[a]", number)
		v.Expiry = millis(s.now().Add(-time.Second))
		if s.run(v); s.client.Exists(s.ctx, "late").Val() != 0 {
			t.Errorf("a record whose time has passed is %q", s.client.Get(s.ctx, "late").Val())
		}
	})
}
