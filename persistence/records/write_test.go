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
	check(t, []rule{
		{"replaced", []string{"SET cart R[a]one"}, []*Visit{visitOf("cart", "[a]", "R[b]")}, []string{"done, counted"}, "cart=R[b]"},
		{"another", []string{"SET cart R[c]it"}, []*Visit{visitOf("cart", "[a]", "R[b]")}, []string{`other record, record "R[c]it"`}, "cart=R[c]it"},
		{"by an earlier sending", []string{"SET cart R[b]new"}, []*Visit{visitOf("cart", "[a]", "R[b]new")}, []string{"done, earlier"}, "cart=R[b]new"},
		{"made by an earlier sending", []string{"HSET o i 5", "SET cart R[b]500000001"}, []*Visit{visitOf("cart", "[a]", "R[b]", hold("i", 1))},
			[]string{"done, earlier, made 5"}, "cart=R[b]500000001  o=i:5,"},
		{
			"an earlier visit is seen", []string{"SET cart R[a]"},
			[]*Visit{visitOf("cart", "[a]", "R[b]"), visitOf("cart", "[b]", "R[c]"), visitOf("cart", "[b]", "R[a]")},
			[]string{"done, counted", "done, counted", `other record, record "R[c]"`}, "cart=R[c]",
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
		ok("bytes", func(p *Plan) { p.CheckBytes("contact", 25, 26, "ma") }),
		ok("all", func(p *Plan) {
			p.CheckSize("carts", 2)
			p.CheckAbsent("none")
			p.CheckBytes("contact", 1, 24, stampC)
			p.CheckValue("token", "c1")
		}),
		fails("bytes", `["c1"]`, func(p *Plan) { p.CheckBytes("token", 0, 0, "d") }),
		fails("absent, but empty", `[""]`, func(p *Plan) { p.CheckAbsent("empty") }),
		fails("size", `[["x" "y"]]`, func(p *Plan) { p.CheckSize("carts", 3) }),
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
				p.List("RPUSH", "l", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
					33, 34, 35, 36, 37, 38, 39)
				p.Write("SET", "t", "3")
			})},
			[]string{"done, counted"},
			"cart=R[a]  l=[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39]  t=3",
		},
		{
			"numbers, placed", []string{"SET n 41"},
			[]*Visit{visitOf("cart", "", "R[a]", func(p *Plan) {
				p.Number("n")
				p.Number("m")
				p.Place("SET", "order", "<", Placed{1, ">"})
				p.Place("RPUSH", "l", `{"no":`, Placed{p.Made(), "}"})
				p.Place("SADD", "s", "", Placed{1, ""})
				p.Place("SADD", "s", "", Placed{1, "/"}, Placed{2, "/"}, Placed{1, ""})
				p.List("RPUSH", "l", "last")
				p.Write("PEXPIRE", "order", 60000)
			})},
			[]string{"done, counted, made 42/1"}, `cart=R[a]42/100000004  l=[{"no":1} last]  m=1  n=42  order=<42>  s=[42 42/1/42]`,
		},
	})
}
