package history

import (
	"strings"
	"testing"
	"time"
)

// histories are inputs of the checks, each with the fault that the checks have to find, if any.
// parse reads their times.
var histories = []struct {
	name, ops string
	restores  []Restore
	fault     string // the check that fails; empty if all pass
}{
	{"one after another", `
		0 1 create 0
		2 3 +5 5
		4 5 read 5`, nil, ""},
	{"at the same time, in either order", `
		0 1 create 0
		2 9 +5 8
		2 9 +3 3
		4 9 read 3`, nil, ""},
	{"an answered add is lost", `
		0 1 create 0
		2 3 +5 5
		4 5 read 0`, nil, "order"},
	{"an add counts twice", `
		0 1 create 0
		2 3 +5 5
		4 5 read 10`, nil, "order"},
	{"a read goes back", `
		0 1 create 0
		2 9 +5 ?
		3 4 read 5
		5 6 read 0`, nil, "order"},
	{"an unknown outcome took effect", `
		0 1 create 0
		2 - +5 ?
		4 5 read 5`, nil, ""},
	{"an unknown outcome takes effect later", `
		0 1 create 0
		2 - +5 ?
		4 5 read 0
		6 7 read 5`, nil, ""},
	{"an unknown outcome never took effect", `
		0 1 create 0
		2 - +5 ?
		4 5 read 0`, nil, ""},
	{"an unknown outcome took effect twice", `
		0 1 create 0
		2 - +5 ?
		4 5 read 10`, nil, "order"},
	{"an unknown outcome took effect earlier than its call", `
		0 1 create 0
		2 3 read 5
		4 - +5 ?`, nil, "order"},
	{"a 503 had no effect", `
		0 1 create 0
		2 3 +5 503
		4 5 read 0`, nil, ""},
	{"a 503 had an effect", `
		0 1 create 0
		2 3 +5 503
		4 5 read 5`, nil, "order"},
	{"a replayed command counts once", `
		0 1 create 0
		2 9 +5 done
		8 9 read 5`, nil, ""},
	{"a replayed command is not there", `
		0 1 create 0
		2 9 +5 done
		10 11 read 0`, nil, "order"},
	{"a refusal while the record is not made yet", `
		2 3 read 404
		4 5 create 0`, nil, ""},
	{"a refusal of a record that exists", `
		0 1 create 0
		2 3 read 404`, nil, "order"},
	{"a restore excuses the loss of an answer after the file's moment", `
		0 1 create 0
		30 31 +5 5
		50 51 read 0`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}}, ""},
	{"a restore excuses the record itself", `
		25 26 create 0
		50 51 read 404`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}}, ""},
	{"an operation under way at the file's moment may be in the file, or not", `
		0 1 create 0
		9 11 +5 5
		15 16 +3 8
		50 51 read 5`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}}, ""},
	{"an operation under way at the end of the old Redis may be in the new one", `
		0 1 create 0
		39 46 +5 5
		50 51 read 5`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}}, ""},
	{"an operation answered earlier than the file's moment is lost", `
		0 1 create 0
		2 3 +5 5
		50 51 read 0`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}}, "order"},
	{"an operation answered by the restored Redis is lost", `
		0 1 create 0
		50 51 +5 5
		60 61 read 0`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}}, "order"},
	{"a lost operation comes back", `
		0 1 create 0
		30 31 +5 5
		50 51 read 0
		60 61 read 5`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}}, "order"},
	{"the history of the old Redis is wrong", `
		0 1 create 0
		30 31 +5 5
		32 33 read 0
		50 51 read 0`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}}, "order"},
	{"two restores, one after the other", `
		0 1 create 0
		30 31 +5 5
		50 51 +3 3
		130 131 +7 10
		150 151 read 3`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}, {From: 110, To: 120, Down: 140, Up: 145}}, ""},
	{"the second restore loses an operation that the first did not excuse", `
		0 1 create 0
		50 51 +3 3
		150 151 read 0`, []Restore{{From: 10, To: 20, Down: 40, Up: 45}, {From: 110, To: 120, Down: 140, Up: 145}}, "order"},
}

// The search and the ledger judge a record alike, with one exception: the ledger does not notice
// reads that go back if an unknown outcome explains each of them.
func TestSearchAndLedgerFindEachFault(t *testing.T) {
	for _, c := range histories {
		t.Run(c.name, func(t *testing.T) {
			searched := Check([]*Record{{ID: "r", Kind: counters, Ops: parse(t, c.ops)}}, c.restores)
			if got := len(searched.Violations) > 0; got != (c.fault != "") || len(searched.Undecided) > 0 {
				t.Errorf("search: %v, want a violation: %v", searched, c.fault != "")
			}
			counted := Check([]*Record{{ID: "r", Kind: tills, Ops: parse(t, c.ops)}}, c.restores)
			if got := len(counted.Violations) > 0; got != (c.fault != "") && !ledgerIsBlindTo[c.name] {
				t.Errorf("ledger: %v, want a violation: %v", counted, c.fault != "")
			}
		})
	}
}

var ledgerIsBlindTo = map[string]bool{
	"a read goes back":            true,
	"a lost operation comes back": true,
}

func TestViolationShowsTheSmallestPartOfTheHistory(t *testing.T) {
	ops := parse(t, `
		0 1 create 0
		2 3 +1 1
		4 5 +1 2
		6 7 +1 3
		8 20 +5 8
		9 10 read 2
		30 31 read 8
		32 33 +1 9`)
	found := Check([]*Record{{ID: "r", Kind: counters, Ops: ops}}, nil)
	if len(found.Violations) != 1 {
		t.Fatalf("%d violations, want 1", len(found.Violations))
	}
	var shown []string
	for _, o := range found.Violations[0].Ops {
		shown = append(shown, strings.Join(strings.Fields(o.String()), " "))
	}
	want := []string{"0.0000 – 0.0000 node 0 add → 200: 3", "0.0000 – … node 0 add → answered later", "0.0000 – 0.0000 node 0 read → 200: 2"}
	if strings.Join(shown, "\n") != strings.Join(want, "\n") {
		t.Errorf("shown:\n%s\nwant:\n%s", strings.Join(shown, "\n"), strings.Join(want, "\n"))
	}
}

func TestOneVersionNamesOneState(t *testing.T) {
	ops := parse(t, `
		0 1 create 0
		2 3 +5 5
		4 5 read 5`)
	ops[0].Version, ops[1].Version, ops[2].Version = "a", "b", "b"
	r := &Record{ID: "r", Kind: counters, Ops: ops}
	if got := Check([]*Record{r}, nil).Violations; len(got) != 0 {
		t.Errorf("%v, want no violation", got)
	}
	r.Ops[0].Version = "b"
	if got := Check([]*Record{r}, nil).Violations; len(got) != 1 || got[0].Check != "one version, one state" {
		t.Errorf("%v, want two states of one version", got)
	}
}

func TestAgree(t *testing.T) {
	for _, c := range []struct {
		ops  string
		want int
	}{
		{"0 1 read 5\n2 3 read 5", 0},
		{"0 1 read 5\n2 3 read 6", 1},
		{"0 1 read 5\n2 3 read 404", 1},
		{"0 1 read 404\n2 3 read 404", 0},
	} {
		if got := Agree("r", parse(t, c.ops)); len(got) != c.want {
			t.Errorf("%q: %v, want %d violations", c.ops, got, c.want)
		}
	}
}

func TestBudget(t *testing.T) {
	at := func(calls ...int) []Span {
		var all []Span
		for _, call := range calls {
			all = append(all, Span{time.Duration(call), time.Duration(call + 2)})
		}
		return all
	}
	restore := []Restore{{From: 10, To: 11, Down: 20, Up: 25}}
	for _, c := range []struct {
		name     string
		accepted []Span
		restores []Restore
		want     int
	}{
		{"as many as the limit", at(0, 1, 2, 60, 61, 62), nil, 0},
		{"one more in a window", at(0, 1, 2, 50), nil, 1},
		{"one more, but perhaps after the window", at(0, 1, 2, 58), nil, 0},
		{"in any order", at(50, 2, 1, 0), nil, 1},
		{"a restore has forgotten one", at(0, 1, 15, 30), restore, 0},
		{"the requests earlier than the file's moment count", at(0, 1, 2, 30), restore, 1},
		{"a restored Redis counts", at(15, 30, 31, 32, 33), restore, 1},
	} {
		if got := Budget(c.accepted, 3, 60, c.restores); len(got) != c.want {
			t.Errorf("%s: %v, want %d violations", c.name, got, c.want)
		}
	}
}
