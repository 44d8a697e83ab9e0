package records

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// TestModel sends random calls to Redis and to the model. It compares each reply and then the
// whole database.
func TestModel(t *testing.T) { playModel(t, 400) }

// playModel makes random calls to each Redis.
func playModel(t *testing.T, calls int) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		t.Logf("seed %d", seed)
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), server: newServer(t, r), model: &model{}, expiry: millis(time.Now().Add(time.Hour))}
		g.restart()
		seen := map[string]int{}
		for n := range calls {
			g.disturb()
			visits := g.visits()
			head, apart, tolerance := g.circumstances()
			c := g.call(visitsOf(visits)...)
			c.Head, c.Judged, c.Tolerance = head, c.Judged.Add(-apart), tolerance
			reply := g.send(c).([]any)
			g.model.now = reply[0].(int64)
			count := g.model.counted
			want := g.model.call(head, apart.Microseconds(), tolerance.Microseconds(), visits)
			if !reflect.DeepEqual(reply[4:], want) {
				t.Fatalf("call %d, %+v:\n%q, want\n%q", n, visits, reply[4:], want)
			}
			if limits := []any{string(g.model.data[testHead].(text)), int64(count), g.model.first}; !reflect.DeepEqual(reply[1:4], limits) {
				t.Fatalf("call %d, %+v: the limiter replies %v, want %v", n, visits, reply[1:4], limits)
			}
			results, _, err := c.Results(reply)
			if err != nil {
				t.Fatalf("call %d: %v", n, err)
			}
			for _, result := range results {
				seen[strings.SplitAfterN(show(result), ",", 2)[0]]++
			}
			g.compare(n, visits)
		}
		t.Log(seen)
	})
}

// generator makes random calls, most of them with the right stamp, on a few keys.
type generator struct {
	*rand.Rand
	*server
	model  *model
	expiry string
	last   int          // the newest stamp
	head   int          // the newest head
	sent   []modelVisit // some are sent again
	odd    []string     // keys with a value of the wrong type
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) pick(of ...string) string { return of[g.IntN(len(of))] }

// restart begins with an empty database.
func (g *generator) restart() {
	g.do("FLUSHALL")
	*g.model = model{data: database{}, mortal: map[string]bool{}}
	g.put(testHead, text("60 v0"))
}

// put gives a key a value, in Redis and in the model.
func (g *generator) put(key string, value any) {
	g.client.Del(g.ctx, key)
	delete(g.model.mortal, key)
	g.model.write(key, value)
	switch v := value.(type) {
	case text:
		g.client.Set(g.ctx, key, string(v), 0)
	case list:
		g.client.RPush(g.ctx, key, []string(v))
	case hash:
		g.client.HSet(g.ctx, key, map[string]string(v))
	case sorted:
		for member, score := range v {
			g.client.ZAdd(g.ctx, key, redis.Z{Score: score, Member: member})
		}
	}
}

// disturb changes keys like other writers and damage do.
func (g *generator) disturb() {
	if g.chance(3) {
		g.client.Del(g.ctx, testLog)
		g.model.counted, g.model.first = 0, 0
	}
	if g.chance(3) {
		g.put(testHead, text(g.newHead()))
	}
	if g.chance(10) {
		g.put("o", hash{"i": strconv.Itoa(g.IntN(12)), "j": strconv.Itoa(g.IntN(40))})
	}
	if g.chance(10) {
		g.put("holds", sorted{"x": 9e12})
	}
	if g.chance(3) {
		g.put("u", nil)
	}
	if g.chance(40) {
		for _, key := range g.odd {
			g.put(key, nil)
		}
		g.odd = nil
	}
	if g.chance(12) {
		key := g.pick("f", "n", "r1", "r2", "r3", "k1", "k2", "n", "l", "f", "s", "z", "holds", "o", "h", "own1", "own2", "u")
		g.odd = append(g.odd, key)
		number := g.pick("x", "1.5", "007", "-0", "123456789012345678", "inf")
		g.put(key, []any{text("text"), text(number), list{"1", "2"}, hash{"i": number, "j": "1"}, hash{"i": "-3", "n": number}}[g.IntN(5)])
	}
}

func (g *generator) newHead() string {
	g.head++
	return fmt.Sprintf("60 v%d", g.head)
}

func (g *generator) circumstances() (head string, apart, tolerance time.Duration) {
	head, tolerance = string(g.model.data[testHead].(text)), time.Minute
	switch g.IntN(30) {
	case 0:
		head = "60 other"
	case 1:
		apart = -2 * time.Minute
	case 2:
		apart = 2 * time.Minute
	case 3:
		apart, tolerance = 2*time.Minute, 5*time.Minute
	}
	return head, apart, tolerance
}

// visits makes the visits of one call.
func (g *generator) visits() []modelVisit {
	stamps := map[string]string{}
	visits := make([]modelVisit, 1+g.IntN(1+g.IntN(8)))
	for i := range visits {
		if len(g.sent) > 0 && g.chance(8) {
			visits[i] = g.sent[g.IntN(len(g.sent))]
			continue
		}
		v := modelVisit{count: g.IntN(3), beyond: [...]int{0, 0, 15, -30}[g.IntN(4)], key: g.pick("r1", "r2", "r3")}
		stamp, found := stamps[v.key]
		if record, _ := g.model.data[v.key].(text); !found {
			stamp = stampOf(string(record))
		}
		g.last++
		v.seen = stamp
		if g.chance(5) {
			v.seen = stampA
		}
		if !g.chance(8) {
			stamps[v.key] = fmt.Sprintf("%024d", g.last)
			v.record = "R" + stamps[v.key] + strings.Repeat("x", g.IntN(4))
		}
		if g.chance(30) {
			v.expiry = g.expiry
		}
		if g.chance(70) {
			v.steps = g.plan()
		}
		visits[i] = v
		g.sent = append(g.sent, v)
		g.sent = g.sent[max(0, len(g.sent)-6):]
	}
	return visits
}

// visitsOf converts visits to the package's type.
func visitsOf(visits []modelVisit) []*Visit {
	out := make([]*Visit, len(visits))
	for i, v := range visits {
		out[i] = &Visit{Count: v.count, Beyond: v.beyond, Key: v.key, Seen: v.seen, Record: v.record, Expiry: v.expiry}
		for _, s := range v.steps {
			s.addTo(&out[i].Plan)
		}
	}
	return out
}

// compare compares Redis with the model, key by key.
func (g *generator) compare(n int, visits []modelVisit) {
	g.t.Helper()
	keys := slices.Sorted(maps.Keys(g.model.data))
	values, ttls := make([]redis.Cmder, len(keys)), make([]*redis.DurationCmd, len(keys))
	pipe := g.client.Pipeline()
	size := pipe.DBSize(g.ctx)
	for i, key := range keys {
		ttls[i] = pipe.PTTL(g.ctx, key)
		switch g.model.data[key].(type) {
		case text:
			values[i] = pipe.Get(g.ctx, key)
		case list:
			values[i] = pipe.LRange(g.ctx, key, 0, -1)
		case hash:
			values[i] = pipe.HGetAll(g.ctx, key)
		case set:
			values[i] = pipe.SMembersMap(g.ctx, key)
		case sorted:
			values[i] = pipe.ZRangeWithScores(g.ctx, key, 0, -1)
		}
	}
	_, _ = pipe.Exec(g.ctx)
	for i, key := range keys {
		var got any
		switch c := values[i].(type) {
		case *redis.StringCmd:
			got = text(c.Val())
		case *redis.StringSliceCmd:
			got = list(c.Val())
		case *redis.MapStringStringCmd:
			got = hash(c.Val())
		case *redis.StringStructMapCmd:
			members := set{}
			for member := range c.Val() {
				members[member] = true
			}
			got = members
		case *redis.ZSliceCmd:
			z := sorted{}
			for _, member := range c.Val() {
				z[member.Member.(string)] = member.Score
			}
			got = z
		}
		if !reflect.DeepEqual(got, g.model.data[key]) || (ttls[i].Val() > 0) != g.model.mortal[key] {
			g.t.Fatalf("call %d, %+v: %s is %q (%v, lives %v), want %q", n, visits, key, got, values[i].Err(), ttls[i].Val(), g.model.data[key])
		}
	}
	want := len(keys)
	if g.model.counted > 0 {
		want++
	}
	if int(size.Val()) != want {
		g.t.Fatalf("call %d, %+v: Redis has %v, want %v", n, visits, g.client.Keys(g.ctx, "*").Val(), keys)
	}
}
