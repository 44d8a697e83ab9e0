package records

import (
	"fmt"
	"reflect"
	"testing"

	"cartd/internal/redistest"
)

// rule is one call on a database, with the wanted results and the wanted database.
type rule struct {
	name   string
	given  []string
	visits []*Visit
	want   []string
	after  string
}

// check runs each rule on miniredis and on a real Redis.
func check(t *testing.T, rules []rule) {
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		s := newServer(t, r)
		for _, rule := range rules {
			s.reset(rule.given...)
			counted := 0
			for i, got := range s.run(rule.visits...) {
				if got.Counted && !got.Earlier {
					counted += rule.visits[i].Count
				}
				if text := show(got); text != rule.want[i] {
					t.Errorf("%s: visit %d is\n%s, want\n%s", rule.name, i, text, rule.want[i])
				}
			}
			if got := s.dump(); got != rule.after {
				t.Errorf("%s: Redis holds\n%s, want\n%s", rule.name, got, rule.after)
			}
			if got := s.counted(); got != counted {
				t.Errorf("%s: %d requests are counted, want %d", rule.name, got, counted)
			}
		}
	})
}

func TestRecord(t *testing.T) {
	uncounted := visitOf("cart", "[a]", "R[b]new")
	uncounted.Count = 0
	many := visitOf("cart", "[a]", "R[b]new")
	many.Count = 17
	check(t, []rule{
		{"new", nil, []*Visit{visitOf("cart", "", "R[a]one")}, []string{"done, counted"}, "cart=R[a]one"},
		{"replaced", []string{"SET cart R[a]one"}, []*Visit{visitOf("cart", "[a]", "R[b]")}, []string{"done, counted"}, "cart=R[b]"},
		{"checks only", []string{"SET cart R[a]one"}, []*Visit{visitOf("cart", "[a]", "")}, []string{"done, counted"}, "cart=R[a]one"},
		{"checks only, no record", nil, []*Visit{visitOf("cart", "[a]", "")}, []string{`other record, record ""`}, ""},
		{"expected absent", []string{"SET cart R[c]it"}, []*Visit{visitOf("cart", "", "R[b]")}, []string{`other record, record "R[c]it"`}, "cart=R[c]it"},
		{"another", []string{"SET cart R[c]it"}, []*Visit{visitOf("cart", "[a]", "R[b]")}, []string{`other record, record "R[c]it"`}, "cart=R[c]it"},
		{"counted already", []string{"SET cart R[a]"}, []*Visit{uncounted}, []string{"done, counted"}, "cart=R[b]new"},
		{"counts several", []string{"SET cart R[a]"}, []*Visit{many}, []string{"done, counted"}, "cart=R[b]new"},
		{"by an earlier sending", []string{"SET cart R[b]new"}, []*Visit{visitOf("cart", "[a]", "R[b]new")}, []string{"done, earlier"}, "cart=R[b]new"},
		{
			"an earlier visit is seen", []string{"SET cart R[a]"},
			[]*Visit{visitOf("cart", "[a]", "R[b]"), visitOf("cart", "[b]", "R[c]"), visitOf("cart", "[b]", "R[a]")},
			[]string{"done, counted", "done, counted", `other record, record "R[c]"`}, "cart=R[c]",
		},
		{
			"visits after a plan", nil,
			[]*Visit{
				visitOf("x", "", "R[a]x", func(p *Plan) { p.CheckValue("k", ""); p.Write("SET", "k", "v", "PX", 60000) }),
				visitOf("y", "[c]", "R[a]y", func(p *Plan) { p.CheckBytes("k", 1, 2, "b"); p.Write("SET", "k", "w") }),
				visitOf("z", "", "R[a]z", func(p *Plan) { p.Hold(StockKeys{"o", "h", "z:own"}, "i", 0) }),
				visitOf("z", "[a]", "R[b]z"),
			},
			[]string{"done, counted", `other record, record ""`, "done, counted, made 0", "done, counted"}, "k=v  x=R[a]x  z=R[b]z",
		},
	})
}

func TestChecks(t *testing.T) {
	given := []string{"SET cart R[a]", "SET token c1", "SET contact R[c]mail", "SET empty ''", "ZADD carts 1 x 2 y"}
	const rest = "  carts=x:1,y:2,  contact=R[c]mail  empty=  token=c1"
	ok := func(name string, step func(*Plan)) rule {
		return rule{name, given, []*Visit{visitOf("cart", "[a]", "R[b]", step)}, []string{"done, counted"}, "cart=R[b]" + rest}
	}
	fails := func(name, values string, step func(*Plan)) rule {
		want := `other facts, counted, record "R[a]", values ` + values
		return rule{name, given, []*Visit{visitOf("cart", "[a]", "R[b]", step, func(p *Plan) { p.Write("DEL", "token") })}, []string{want}, "cart=R[a]" + rest}
	}
	check(t, []rule{
		ok("value", func(p *Plan) { p.CheckValue("token", "c1") }),
		ok("no value", func(p *Plan) { p.CheckValue("none", "") }),
		ok("bytes", func(p *Plan) { p.CheckBytes("contact", 25, 26, "ma") }),
		ok("no bytes", func(p *Plan) { p.CheckBytes("none", 1, 24, "") }),
		ok("absent", func(p *Plan) { p.CheckAbsent("none") }),
		ok("size", func(p *Plan) { p.CheckSize("carts", 2) }),
		ok("size of none", func(p *Plan) { p.CheckSize("none", 0) }),
		ok("all", func(p *Plan) {
			p.CheckSize("carts", 2)
			p.CheckAbsent("none")
			p.CheckBytes("contact", 1, 24, stampC)
			p.CheckValue("token", "c1")
		}),
		fails("value", `["c1"]`, func(p *Plan) { p.CheckValue("token", "c2") }),
		fails("value of none", `[""]`, func(p *Plan) { p.CheckValue("none", "c1") }),
		fails("no value", `["c1"]`, func(p *Plan) { p.CheckValue("token", "") }),
		fails("bytes", `["c1"]`, func(p *Plan) { p.CheckBytes("token", 0, 0, "d") }),
		fails("bytes of none", `[""]`, func(p *Plan) { p.CheckBytes("none", 1, 24, stampA) }),
		fails("absent", `["c1"]`, func(p *Plan) { p.CheckAbsent("token") }),
		fails("absent, but empty", `[""]`, func(p *Plan) { p.CheckAbsent("empty") }),
		fails("size", `[["x" "y"]]`, func(p *Plan) { p.CheckSize("carts", 3) }),
		fails("size of none", `[[]]`, func(p *Plan) { p.CheckSize("none", 1) }),
		fails("the first of several", `["c1" "" "" ["x" "y"] "c1"]`, func(p *Plan) {
			p.CheckValue("token", "c2")
			p.CheckAbsent("none")
			p.CheckBytes("none", 1, 2, "")
			p.CheckSize("carts", 2)
			p.CheckValue("token", "c1")
		}),
	})
}

// A conflict returns the first members of a sorted set, at most 32.
func TestConflictReturnsFirstMembers(t *testing.T) {
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		s := newServer(t, r)
		s.reset()
		var members []any
		for i := range 40 {
			member := fmt.Sprint("m", i)
			s.do(fmt.Sprintf("ZADD carts %d %s", i, member))
			members = append(members, member)
		}
		got := s.run(visitOf("cart", "", "R[a]", func(p *Plan) { p.CheckSize("carts", 39) }))[0]
		if want := []any{members[:32]}; !reflect.DeepEqual(got.Values, want) {
			t.Errorf("values are %v, want %v", got.Values, want)
		}
	})
}

// If two visits of one call check the same key, the second sees the first one's writes.
func TestLaterVisitSeesEarlierWrites(t *testing.T) {
	once := func(text string) func(*Plan) {
		return func(p *Plan) { p.CheckAbsent("idem"); p.Write("SET", "idem", text, "PX", 60000) }
	}
	check(t, []rule{
		{
			"idempotency entry", nil,
			[]*Visit{visitOf("x", "", "R[a]", once("1")), visitOf("y", "", "R[b]", once("2"))},
			[]string{"done, counted", `other facts, counted, record "", values ["1"]`}, "idem=1  x=R[a]",
		},
		{
			"stock", []string{"HSET o i 5"},
			[]*Visit{
				visitOf("x", "", "R[a]", func(p *Plan) { p.Hold(StockKeys{"o", "h", "x:own"}, "i", 3) }),
				visitOf("y", "", "R[b]", func(p *Plan) { p.Hold(StockKeys{"o", "h", "y:own"}, "i", 3) }),
			},
			[]string{"done, counted, made 3", "done, counted, made 2"},
			"h=i:5,  o=i:5,  x=R[a]300000001  x:own=i:3,  y=R[b]200000001  y:own=i:2,",
		},
	})
}

func TestWrites(t *testing.T) {
	check(t, []rule{
		{
			"each command", []string{
				"SET s 1", "RPUSH l a b c", "HSET h f 1 n 5 g 2", "SADD m a b", "ZADD z 1 a 2 b 3 c 4 d", "SET kept 1",
			},
			[]*Visit{visitOf("cart", "", "R[a]", func(p *Plan) {
				p.Write("DEL", "s")
				p.Write("SETNX", "kept", "2")
				p.Write("SET", "t", "3")
				p.List("RPUSH", "l", "d", "e")
				p.List("LTRIM", "l", 1, 3)
				p.Hash("HSET", "h", "f", "2", "x", "y")
				p.Hash("HINCRBY", "h", "n", -7)
				p.Hash("HDEL", "h", "g")
				p.Set("SADD", "m", "c")
				p.Set("SREM", "m", "a")
				p.Sorted("ZADD", "z", 5, "e")
				p.Sorted("ZREM", "z", "b")
				p.Sorted("ZREMRANGEBYSCORE", "z", "-inf", 1)
				p.Sorted("ZREMRANGEBYRANK", "z", 0, -3)
			})},
			[]string{"done, counted"}, "cart=R[a]  h=f:2,n:-2,x:y,  kept=1  l=[b c d]  m=[b c]  t=3  z=d:4,e:5,",
		},
		{
			"many values", nil,
			[]*Visit{visitOf("cart", "", "R[a]", func(p *Plan) {
				p.List("RPUSH", "l", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39)
				p.Write("SET", "t", "3")
			})},
			[]string{"done, counted"},
			"cart=R[a]  l=[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39]  t=3",
		},
		{
			"checks only", nil, []*Visit{visitOf("cart", "", "", func(p *Plan) { p.Number("n"); p.Write("SET", "t", "3") })},
			[]string{"done, counted"}, "",
		},
		{
			"numbers, placed", []string{"SET n 41"},
			[]*Visit{visitOf("cart", "", "R[a]", func(p *Plan) {
				p.Number("n")
				p.Number("m")
				p.Place("SET", "order", "<", 1, ">")
				p.Place("RPUSH", "l", `{"no":`, p.Made(), "}")
				p.Place("SADD", "s", "", 1, "")
				p.Write("PEXPIRE", "order", 60000)
			})},
			[]string{"done, counted, made 42/1"}, `cart=R[a]42/100000004  l=[{"no":1}]  m=1  n=42  order=<42>  s=[42]`,
		},
		{
			"of asks, placed", []string{"HSET o i 5 j 9", "HSET h j 2"},
			[]*Visit{visitOf("cart", "", "R[a]", func(p *Plan) {
				p.Hold(StockKeys{"o", "h", "own"}, "i", 7)
				p.Adjust("o", "h", "j", -4)
				p.Use("u", "code", 1, 3)
				p.Number("n")
				for n := range p.Made() {
					p.Place("RPUSH", "l", "", n+1, "")
				}
			})},
			[]string{"done, counted, made 5/5/2/1/1"}, "cart=R[a]5/5/2/1/100000009  h=i:5,j:2,  l=[5 5 2 1 1]  n=1  o=i:5,j:5,  own=i:5,  u=code:1,",
		},
	})
}

// A resend reads the appended text, and writes nothing again.
func TestResendReadsTheMadeTexts(t *testing.T) {
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		s := newServer(t, r)
		for name, c := range map[string]struct {
			step func(*Plan)
			made string
		}{
			"h": {func(p *Plan) { p.Hold(StockKeys{"o", "h", "own"}, "i", 7) }, "5"},
			"t": {func(p *Plan) { p.Take(StockKeys{"o", "h", "own"}, "i", 4) }, "1"},
			"a": {func(p *Plan) { p.Adjust("o", "h", "i", 4) }, "9\n0"},
			"u": {func(p *Plan) { p.Use("u", "i", 4, 9) }, "4"},
			"#": {func(p *Plan) { p.Number("n"); p.Number("n") }, "1\n2"},
			"K": {func(p *Plan) { p.Write("SET", "k", "v") }, ""},
		} {
			s.reset("HSET o i 5")
			v := visitOf("cart", "", "R[a]00000000", c.step)
			first, before := s.run(v)[0], s.dump()
			second := s.run(v)[0]
			if first.Earlier || !second.Earlier || first.Made != c.made || second.Made != c.made {
				t.Errorf("%s: first %+v, again %+v, want made %q", name, first, second, c.made)
			}
			if after := s.dump(); after != before {
				t.Errorf("%s: the second sending makes %s of %s", name, after, before)
			}
			if got := s.counted(); got != 1 {
				t.Errorf("%s: %d requests are counted, want 1", name, got)
			}
		}
	})
}
