package records

import (
	"fmt"
	"testing"

	"cartd/engine"
	"cartd/internal/redistest"
)

// A key of another type breaks its own record, which is not written. The other records of the
// call are written.
func TestWrongTypes(t *testing.T) {
	const list, text = "RPUSH %s 1", "SET %s text"
	cases := []struct {
		key   string
		wrong string
		step  func(*Plan)
	}{
		{"cart", list, func(*Plan) {}},
		{"k", list, func(p *Plan) { p.CheckValue("k", "v") }},
		{"k", list, func(p *Plan) { p.CheckBytes("k", 1, 2, "") }},
		{"k", list, func(p *Plan) { p.CheckAbsent("k") }},
		{"k", text, func(p *Plan) { p.CheckSize("k", 0) }},
		{"o", text, hold("i", 1)},
		{"own", list, take("i", 1)},
		{"h", text, adjust("i", 1)},
		{"u", text, use("f", 1, 9)},
		{"holds", text, func(p *Plan) { expiries(p); hold("i", 99)(p) }},
		{"k", text, func(p *Plan) { p.List("RPUSH", "k", 1) }},
		{"k", text, func(p *Plan) { p.Number("k") }},
		{"k", text, func(p *Plan) { p.Number("n"); p.Place("RPUSH", "k", "", Placed{1, ""}) }},
		{"k", text, func(p *Plan) {
			p.Write("SET", "v", 1, "PX", 1000)
			p.Hash("HINCRBY", "ok", "f", 1)
			p.Number("n")
			p.Place("SET", "placed", "", Placed{1, ""})
			p.List("RPUSH", "k", 1)
		}},
	}
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		s := newServer(t, r)
		for i, c := range cases {
			s.reset("HSET o i 5", "HSET ok f 1", "DEL "+c.key, fmt.Sprintf(c.wrong, c.key))
			before := s.dump()
			results := s.run(visitOf("cart", "", "R[a]", c.step), visitOf("cart:2", "", "R[b]"))
			if got := show(results[0]); got != "broken "+c.key {
				t.Errorf("case %d: %s of the wrong type is %s", i, c.key, got)
			}
			if got := show(results[1]); got != "done, counted" {
				t.Errorf("case %d: the other record is %s", i, got)
			}
			s.do("DEL cart:2")
			if got := s.dump(); got != before {
				t.Errorf("case %d: Redis holds\n%s, want\n%s", i, got, before)
			}
			if got := s.counted(); got != 1 {
				t.Errorf("case %d: %d requests are counted, want 1", i, got)
			}
		}
	})
}

// A field to which Redis would not add, or that Lua cannot count exactly, breaks the record,
// and nothing of it is written.
func TestDamagedNumbers(t *testing.T) {
	steps := map[string]func(*Plan){
		"o":   hold("i", 1),
		"h":   take("i", 1),
		"own": hold("i", 1),
		"u":   use("i", 1, 9),
		"ad":  func(p *Plan) { p.Adjust("ad", "h", "i", 1) },
		"he":  func(p *Plan) { p.Adjust("o", "he", "i", 1) },
		"f":   func(p *Plan) { p.Write("SET", "v", 1); p.Hash("HINCRBY", "f", "i", 1) },
		"g": func(p *Plan) {
			p.Number("m")
			p.Place("RPUSH", "l", "<", Placed{1, ">"})
			p.Place("SET", "v", "<", Placed{1, ">"})
			p.Hash("HSET", "ok", "x", 1)
			p.Hash("HINCRBY", "g", "i", 1)
		},
	}
	const seventeen = "12345678901234567" // as stock on hand they are read
	damaged := []string{
		"x", "", "1.0", "1e3", "1e+15", "007", "-0", "+1", "·1", "1·", "0x10", "inf", "-inf", "nan", "-nan", "-", "--1",
		seventeen, "123456789012345678", "-1234567890123456", "9223372036854775808", "1\n",
	}
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		s := newServer(t, r)
		for _, number := range damaged {
			for key, step := range steps {
				if number == seventeen && (key == "o" || key == "ad" || key == "u") {
					continue
				}
				s.reset("HSET o i 5", "DEL "+key)
				s.client.HSet(s.ctx, key, "i", number)
				wantBroken(t, s, key, number, step)
			}
			s.reset()
			s.client.Set(s.ctx, "n", number, 0)
			wantBroken(t, s, "n", number, func(p *Plan) { p.Write("SET", "v", 1); p.Number("n") })
		}
		for _, number := range []string{"0", "-1", "-999999999999999", "9007199254740990"} {
			s.reset("HSET f i "+number, "SET n "+number)
			got := s.run(visitOf("cart", "", "R[a]", steps["f"], func(p *Plan) { p.Number("n") }))[0]
			if got.Kind != engine.Done {
				t.Errorf("%s is %s", number, show(got))
			}
			if field := s.client.HGet(s.ctx, "f", "i").Val(); field != got.Made || field == number {
				t.Errorf("%s becomes %s as a field, %s as a number", number, field, got.Made)
			}
		}
	})
}

func wantBroken(t *testing.T, s *server, key, number string, step func(*Plan)) {
	t.Helper()
	before := s.dump()
	if got := show(s.run(visitOf("cart", "", "R[a]", step))[0]); got != "broken "+key {
		t.Errorf("%q in %s: %s", number, key, got)
	}
	if got := s.dump(); got != before {
		t.Errorf("%q in %s: Redis holds\n%s, want\n%s", number, key, got, before)
	}
}
