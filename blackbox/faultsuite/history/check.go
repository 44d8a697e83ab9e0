package history

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// Violation is a promise that was broken, with the part of the history that shows it.
type Violation struct {
	Check  string
	Record string // empty if no single record shows it
	Text   string
	Ops    []Op
}

func (v *Violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s %s\n", v.Check, v.Record, v.Text)
	for i := range v.Ops {
		fmt.Fprintf(&b, "    %s\n", v.Ops[i].String())
	}
	return b.String()
}

// Patience is the maximum duration of the search for one record's linear order.
const Patience = time.Minute

// Result is the outcome of checking a history.
type Result struct {
	Violations []Violation
	// Undecided are the records whose search took too long, each with its history.
	Undecided []Violation
}

// Check checks each record separately, in parts that end at the restores. The restores are sorted
// by time and do not overlap.
func Check(records []*Record, restores []Restore) Result {
	var (
		found Result
		mu    sync.Mutex
		all   sync.WaitGroup
		next  = make(chan *Record)
	)
	for range runtime.NumCPU() {
		all.Go(func() {
			for r := range next {
				one := r.check(restores)
				mu.Lock()
				found.Violations = append(found.Violations, one.Violations...)
				found.Undecided = append(found.Undecided, one.Undecided...)
				mu.Unlock()
			}
		})
	}
	for _, r := range records {
		next <- r
	}
	close(next)
	all.Wait()
	slices.SortFunc(found.Violations, func(a, b Violation) int { return strings.Compare(a.Record, b.Record) })
	return found
}

func (r *Record) check(restores []Restore) Result {
	found := Result{Violations: versions(r)}
	ops := r.Ops
	for _, restore := range restores {
		if restore.touches(ops) {
			found.add(r.checkPart(restore.Before(ops)))
			ops = restore.After(ops)
		}
	}
	found.add(r.checkPart(ops))
	return found
}

func (f *Result) add(more Result) {
	f.Violations = append(f.Violations, more.Violations...)
	f.Undecided = append(f.Undecided, more.Undecided...)
}

// checkPart checks a history that no restore interrupts.
func (r *Record) checkPart(ops []Op) Result {
	if r.Kind.Ledger != nil {
		return Result{Violations: ledger(r, ops)}
	}
	switch linear(ops, r.Kind.Absent, Patience) {
	case porcupine.Illegal:
		return Result{Violations: []Violation{{
			Check: "a linear order", Record: r.ID, Text: "no order of these explains every answer:",
			Ops: smallest(ops, r.Kind.Absent, Patience/10),
		}}}
	case porcupine.Unknown:
		return Result{Undecided: []Violation{{
			Check: "a linear order", Record: r.ID, Text: fmt.Sprintf("was not decided within %v:", Patience), Ops: ops,
		}}}
	}
	return Result{}
}

// vicinity is the time around two contradicting answers whose other commands a report shows.
const vicinity = 20 * time.Millisecond

// versions checks that one version never names two states.
func versions(r *Record) []Violation {
	first := map[string]*Op{}
	for i := range r.Ops {
		o := &r.Ops[i]
		if o.Version == "" || o.Seen == nil {
			continue
		}
		before := first[o.Version]
		if before == nil {
			first[o.Version] = o
		} else if !before.Seen.Same(o.Seen) {
			from, to := min(before.Call, o.Call)-vicinity, max(before.Return, o.Return)+vicinity
			others := slices.DeleteFunc(slices.Clone(r.Ops), func(x Op) bool { return x.Return < from || x.Call > to })
			return []Violation{{Check: "one version, one state", Record: r.ID, Text: "has two states of version " + o.Version + ":", Ops: others}}
		}
	}
	return nil
}

// Agree checks that answers of all nodes, one of each, show the same state. Nothing else was under
// way when they were asked for.
func Agree(record string, answers []Op) []Violation {
	for _, o := range answers[1:] {
		a := &answers[0]
		if o.Status != a.Status || o.Version != a.Version || (o.Seen == nil) != (a.Seen == nil) || o.Seen != nil && !o.Seen.Same(a.Seen) {
			return []Violation{{Check: "all nodes agree", Record: record, Text: "is shown differently:", Ops: answers}}
		}
	}
	return nil
}
