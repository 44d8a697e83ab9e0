package history

import (
	"fmt"
	"slices"
	"time"
)

// ledger checks a record to which clients only add. Each answer must hold every add that was
// answered earlier than the answer's call, and may hold only adds that were already sent. ledger
// returns the first fault with the answer that shows it.
func ledger(r *Record, ops []Op) []Violation {
	if o := wronglyRefused(r, ops); o != nil {
		return []Violation{{Check: "every unit accounted for", Record: r.ID, Text: "exists, and refused:", Ops: []Op{*o}}}
	}
	for _, item := range items(r, ops) {
		if v := account(r, ops, item); v != nil {
			return []Violation{*v}
		}
	}
	return nil
}

// wronglyRefused finds a refusal by a record that exists. An add is always possible.
func wronglyRefused(r *Record, ops []Op) *Op {
	made := slices.IndexFunc(ops, func(o Op) bool { return o.Command == r.Kind.Create && o.Outcome == Done })
	if made < 0 {
		return nil
	}
	at := slices.IndexFunc(ops, func(o Op) bool { return o.Outcome == Refused && o.Call > ops[made].Return })
	if at < 0 {
		return nil
	}
	return &ops[at]
}

// items are the items of all adds, successful or not.
func items(r *Record, ops []Op) []string {
	var all []string
	for i := range ops {
		if o := &ops[i]; r.adds(o) {
			if item, _ := r.Kind.Ledger.Added(o.Request); !slices.Contains(all, item) {
				all = append(all, item)
			}
		}
	}
	return all
}

// adds reports whether the operation is one of those that add.
func (r *Record) adds(o *Op) bool { return !o.Command.Reads && o.Command != r.Kind.Create }

// added is the item and the amount that an operation may have added.
func added(r *Record, o *Op) (string, int64) {
	if !r.adds(o) || !o.effect() {
		return "", 0
	}
	return r.Kind.Ledger.Added(o.Request)
}

// posting is an amount that counts from a moment on.
type posting struct {
	at     time.Duration
	amount int64
}

// account compares one item in every answer with its lower and upper bound.
func account(r *Record, ops []Op, item string) *Violation {
	var answered, asked []posting
	for i := range ops {
		o := &ops[i]
		if to, amount := added(r, o); to == item {
			asked = append(asked, posting{o.Call, amount})
			if o.Outcome == Done {
				answered = append(answered, posting{o.Return, amount})
			}
		}
	}
	must, may := running(answered), running(asked)
	for i := range ops {
		o := &ops[i]
		if o.Outcome != Done || o.Seen == nil {
			continue
		}
		held := r.Kind.Ledger.Held(o.Seen, item)
		minimum, maximum := must.earlierThan(o.Call), may.earlierThan(o.Return+1)
		if to, amount := added(r, o); to == item {
			minimum += amount
		}
		if held < minimum || held > maximum {
			return &Violation{
				Check: "every unit accounted for", Record: r.ID, Ops: []Op{*o},
				Text: fmt.Sprintf("has %d of %s, want at least the %d answered earlier and at most the %d asked for", held, item, minimum, maximum),
			}
		}
	}
	return nil
}

// sums are postings sorted by time, each with the sum up to it.
type sums []posting

func running(postings []posting) sums {
	slices.SortFunc(postings, func(a, b posting) int { return int(a.at - b.at) })
	for i := 1; i < len(postings); i++ {
		postings[i].amount += postings[i-1].amount
	}
	return postings
}

// earlierThan is the sum of the postings earlier than a moment.
func (s sums) earlierThan(at time.Duration) int64 {
	n, _ := slices.BinarySearchFunc(s, at, func(p posting, at time.Duration) int {
		if p.at < at {
			return -1
		}
		return 1
	})
	if n == 0 {
		return 0
	}
	return s[n-1].amount
}
