package history

import (
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"cartd/blackbox/faultsuite/model"
)

// verdict is the result of the search for a linear order.
type verdict = porcupine.CheckResult

// linear searches for an order of the operations, each between its call and its return, in which
// every answer agrees with the model from the state start on. The search ends after patience.
func linear(ops []Op, start model.State, patience time.Duration) verdict {
	operations := make([]porcupine.Operation, 0, len(ops))
	for i := range ops {
		o := &ops[i]
		if o.Outcome == Nothing || o.Outcome == Unknown && o.Command.Reads {
			continue // the answer proves nothing, and the command must not have had an effect
		}
		operations = append(operations, porcupine.Operation{Input: o, Call: int64(o.Call), Return: int64(o.Return)})
	}
	return porcupine.CheckOperationsTimeout(sequential(start), operations, patience)
}

// sequential is the model in porcupine's form.
func sequential(start model.State) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return start },
		Step: func(state, input, _ any) (bool, any) {
			after, ok := step(state.(model.State), input.(*Op))
			return ok, after
		},
		Equal: func(a, b any) bool { return a.(model.State).Same(b.(model.State)) },
	}
}

// step applies one operation. An unknown outcome is always possible: an operation that took effect
// after all others never did.
func step(before model.State, o *Op) (model.State, bool) {
	if o.Outcome == Refused {
		return before, o.Command.Refuses(before, o.Request, o.Status)
	}
	after, ok := o.Command.Apply(before, o.Request)
	if o.Outcome == Unknown {
		if !ok {
			after = before
		}
		return after, true
	}
	if !ok || o.Seen == nil {
		return after, ok
	}
	return after.Shows(o.Seen)
}

// smallest returns the smallest part of a history that has no linear order. The part ends with the
// first impossible answer. It begins with the last answer that showed the state while nothing else
// was under way.
func smallest(ops []Op, start model.State, patience time.Duration) []Op {
	ops = shortestPrefix(ops, start, patience)
	for at := len(ops) - 1; at > 0; at-- {
		if part, from, ok := tail(ops, at); ok && linear(part, from, patience) == porcupine.Illegal {
			return append([]Op{ops[at]}, part...)
		}
	}
	return ops
}

// shortestPrefix cuts a history off after the first return that makes it impossible. Operations
// under way at that time have an unknown outcome.
func shortestPrefix(ops []Op, start model.State, patience time.Duration) []Op {
	ends := make([]time.Duration, 0, len(ops))
	for i := range ops {
		if ops[i].Return != Open {
			ends = append(ends, ops[i].Return)
		}
	}
	slices.Sort(ends)
	at, _ := slices.BinarySearchFunc(ends, true, func(end time.Duration, _ bool) int {
		if linear(until(ops, end), start, patience) == porcupine.Illegal {
			return 0
		}
		return -1
	})
	if at < len(ends) {
		ops = until(ops, ends[at])
	}
	slices.SortStableFunc(ops, func(a, b Op) int { return int(a.Call - b.Call) })
	return ops
}

// until is the part of the history that was known at a moment.
func until(ops []Op, end time.Duration) []Op {
	var known []Op
	for _, o := range ops {
		switch {
		case o.Call > end:
		case o.Return <= end || o.Outcome == Unknown:
			known = append(known, o)
		case o.effect():
			known = append(known, o.opened())
		}
	}
	return known
}

// tail is the part of a history after the operation with index at, including those that may have
// taken effect after it, with the state that its answer showed. ok is false if another operation
// was answered meanwhile.
func tail(ops []Op, at int) (part []Op, from model.State, ok bool) {
	o := &ops[at]
	if o.Outcome != Done || o.Seen == nil || partial(o.Seen) {
		return nil, nil, false
	}
	for i := range ops {
		other := &ops[i]
		switch {
		case i == at || other.Return < o.Call:
		case other.Call > o.Return || other.Outcome == Unknown:
			part = append(part, *other)
		case other.Outcome == Done:
			return nil, nil, false
		}
	}
	return part, o.Seen, true
}

// partial reports whether an answer showed only a part of its record.
func partial(s model.State) bool {
	part, ok := s.(interface{ Partial() bool })
	return ok && part.Partial()
}
