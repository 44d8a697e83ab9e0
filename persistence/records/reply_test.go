package records

import (
	"errors"
	"testing"
)

func TestResultsRefusesOtherReplies(t *testing.T) {
	c := &Call{Head: headText, Visits: []*Visit{{}}}
	for _, visit := range []any{
		nil, "", "7", "abc", "99999999", "55\n00000002", int64(2), 1.5, []any{}, []any{"done"}, []any{"facts"}, []any{"what", "x"},
		[]any{"done", ""}, []any{"short", int64(0), "x"}, []any{"short", int64(0), int64(5)}, []any{int64(1), "x"},
	} {
		if got, _, err := c.Results([]any{int64(1), "", int64(0), int64(0), visit}); !errors.Is(err, errReply) {
			t.Errorf("%v: %+v, %v", visit, got, err)
		}
	}
	for _, reply := range []any{
		nil, "x", []any{}, []any{int64(1), "", int64(0), int64(0)}, []any{"1", "", int64(0), int64(0), int64(0)},
		[]any{int64(1), nil, int64(0), int64(0), int64(0)}, []any{int64(1), "", "0", int64(0), int64(0)}, []any{int64(1), "", int64(0), nil, int64(0)},
	} {
		if got, _, err := c.Results(reply); !errors.Is(err, errReply) {
			t.Errorf("%v: %+v, %v", reply, got, err)
		}
	}
}

func TestMade(t *testing.T) {
	for text, want := range map[string]string{"00000000": "", "R[a]5\n700000003": "5\n7", "500000001": "5"} {
		if got, ok := Made(text); !ok || got != want {
			t.Errorf("Made(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "0000001", "00000001", "5-0000001", "x0000000y"} {
		if got, ok := Made(text); ok {
			t.Errorf("Made(%q) = %q, want none", text, got)
		}
	}
}

// A plan that the script would misread panics.
func TestPlanPanics(t *testing.T) {
	many := make([]any, maxValues)
	for name, steps := range map[string]func(*Plan){
		"a check after an ask":        func(p *Plan) { use("f", 1, 1)(p); p.CheckAbsent("k") },
		"a check after expiries":      func(p *Plan) { expiries(p); p.CheckAbsent("k") },
		"a check after a write":       func(p *Plan) { p.Write("DEL", "k"); p.CheckAbsent("k") },
		"an ask after a write":        func(p *Plan) { p.Write("DEL", "k"); hold("i", 1)(p) },
		"an ask after a long write":   func(p *Plan) { p.Hash("HSET", "k", many[:30]...); hold("i", 1)(p) },
		"an ask after a number":       func(p *Plan) { p.Number("k"); expiries(p) },
		"an ask after a placed value": func(p *Plan) { p.Number("k"); p.Place("SET", "k", "", Placed{1, ""}); expiries(p) },
		"a last unit of nothing":      ifLast,
		"a last unit of a hold":       func(p *Plan) { hold("i", 1)(p); ifLast(p) },
		"a last unit twice":           func(p *Plan) { use("f", 1, 1)(p); ifLast(p); ifLast(p) },
		"a value not made":            func(p *Plan) { p.Number("n"); p.Place("SET", "k", "", Placed{2, ""}) },
		"the value with number 0":     func(p *Plan) { p.Number("n"); p.Place("SET", "k", "", Placed{0, ""}) },
		"a write of too many values":  func(p *Plan) { p.Hash("HSET", "k", many...) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			steps(&Plan{})
		}()
	}
}
