package history

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// counter is the simplest record: a client makes it, adds to it and reads it.
type counter struct {
	exists bool
	n      int64
}

func (c counter) Same(o model.State) bool                      { return c == o }
func (c counter) Shows(o model.State) (model.State, bool)      { return c, c == o }
func (c counter) String() string                               { return fmt.Sprint(c.n) }
func always(*rand.Rand, model.State) (r model.Request, b bool) { return r, true }

func refuses(s model.State, _ model.Request, status int) bool {
	return status == 404 && !s.(counter).exists
}

var (
	create = &model.Command{Name: "create", Status: 201, Make: always, Refuses: refuses,
		Apply: func(before model.State, _ model.Request) (model.State, bool) {
			return counter{exists: true}, !before.(counter).exists
		}}
	add = &model.Command{Name: "add", Status: 200, Make: always, Refuses: refuses,
		Apply: func(before model.State, r model.Request) (model.State, bool) {
			c := before.(counter)
			c.n += r.Args.(int64)
			return c, c.exists
		}}
	read = &model.Command{Name: "read", Reads: true, Status: 200, Make: always, Refuses: refuses,
		Apply: func(before model.State, _ model.Request) (model.State, bool) { return before, before.(counter).exists }}

	counters = &model.Kind{Name: "counter", Absent: counter{}, Create: create, Read: read, Commands: []*model.Command{read, add}}
	tills    = &model.Kind{Name: "till", Absent: counter{}, Create: create, Read: read, Commands: []*model.Command{read, add},
		Ledger: &model.Ledger{
			Added: func(r model.Request) (string, int64) { return "coins", r.Args.(int64) },
			Held:  func(s model.State, _ string) int64 { return s.(counter).n },
		}}
)

// parse reads a history, one operation a line: call, return ("-" if none), command, result. The
// result is a number that was read, "done" for the command of a replay, the status of a refusal, or
// "503" or "?" for an unknown outcome.
func parse(t *testing.T, text string) []Op {
	t.Helper()
	var ops []Op
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		ops = append(ops, parseOp(t, fields))
	}
	return ops
}

func parseOp(t *testing.T, fields []string) Op {
	t.Helper()
	o := Op{Command: map[string]*model.Command{"create": create, "read": read}[fields[2]], Return: Open, Status: 200}
	var call, end int64
	if _, err := fmt.Sscan(fields[0], &call); err != nil {
		t.Fatalf("%v: %v", fields, err)
	}
	o.Call, o.Last = time.Duration(call), time.Duration(call)
	if _, err := fmt.Sscan(fields[1], &end); err == nil {
		o.Return = time.Duration(end)
	}
	if o.Command == nil {
		var amount int64
		if _, err := fmt.Sscanf(fields[2], "+%d", &amount); err != nil {
			t.Fatalf("%v: %v", fields, err)
		}
		o.Command, o.Request.Args = add, amount
	}
	o.come(t, fields[3])
	return o
}

// come sets the result of the operation.
func (o *Op) come(t *testing.T, result string) {
	t.Helper()
	switch result {
	case "?":
		o.Outcome, o.Status = Unknown, 0
	case "503":
		o.Outcome, o.Status = Nothing, 503
	case "404", "422":
		o.Outcome = Refused
		fmt.Sscan(result, &o.Status)
	case "done":
	default:
		seen := counter{exists: true}
		if _, err := fmt.Sscan(result, &seen.n); err != nil {
			t.Fatalf("%s: %v", result, err)
		}
		o.Seen = seen
	}
}
