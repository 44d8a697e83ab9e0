package faultsuite

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// worker is one client: it sends one command after another, each to a random node.
type worker struct {
	storm *Storm
	dice  *rand.Rand
}

const (
	// keyed is the share of the writes with an Idempotency-Key. Clients repeat these until they
	// have a definite answer, and never repeat the others.
	keyed = 0.5
	// resent is the share of the answered writes that are sent once more.
	resent = 0.1
	// retryPause is the pause between a failure and the next attempt of a client.
	retryPause = 15 * time.Millisecond
)

// work sends commands until the storm is over.
func (w *worker) work() {
	for !w.storm.over() {
		switch slot, r := pick(w.storm.slots, w.dice); {
		case slot == nil:
			w.storm.pause(retryPause)
		case r == nil:
			slot.fill(w.create(slot.kind))
		default:
			w.choose(r)
		}
	}
}

// choose sends one of the commands that the record's state allows.
func (w *worker) choose(r *record) {
	c := r.Kind.Choose(w.dice)
	if request, ok := c.Make(w.dice, r.last()); ok {
		w.command(r, c, r.as(request))
	}
}

// command sends one command to a record and notes the result.
func (w *worker) command(r *record, c *model.Command, request model.Request) {
	key := ""
	if !c.Reads && w.dice.Float64() < keyed {
		key = w.newKey()
	}
	d := w.deliver(r.Kind, r.path, c, request, key)
	r.note(d.ops...)
	if key != "" && d.succeeded && w.dice.Float64() < resent {
		w.resend(r, d.ops[0])
	}
}

// create makes a record; nil if that failed.
func (w *worker) create(k *model.Kind) *record {
	request, ok := k.Create.Make(w.dice, k.Absent)
	if !ok {
		w.storm.pause(retryPause)
		return nil
	}
	d := w.deliver(k, k.Collection, k.Create, request, w.newKey())
	if d.id == "" {
		return nil
	}
	r := &record{Record: history.Record{ID: d.id, Kind: k}, path: k.Collection, token: request.Token}
	if !k.Single {
		r.path += "/" + d.id
	}
	r.note(d.ops...)
	w.storm.keep(r)
	return r
}

// delivery is the result of sending a command until it has a definite answer.
type delivery struct {
	id string // of the record that the answer showed
	// ops are the resulting operations, the command itself first.
	ops []history.Op
	// succeeded: the answer is a success.
	succeeded bool
}

// deliver sends a command to random nodes: with a key until it has a definite answer, else until it
// was sent.
func (w *worker) deliver(k *model.Kind, path string, c *model.Command, request model.Request, key string) delivery {
	o := history.Op{Command: c, Request: request, Key: key, Call: w.storm.now()}
	maybe := false // an earlier sending may have taken effect
	for {
		o.Node = w.dice.IntN(len(w.storm.lines))
		o.Last = w.storm.now()
		a := w.storm.lines[o.Node].send(model.StoreKey, path, request, key)
		o.Return, o.Status = w.storm.now(), a.status
		if !a.unsent {
			o.Attempts++
			w.storm.tally.count(a)
		}
		outcome := w.storm.classify(c, a)
		again := key != "" && (outcome == history.Nothing || outcome == history.Unknown) || a.unsent
		maybe = maybe || outcome == history.Unknown
		if !again {
			o.Outcome = outcome
			return w.operations(k, o, a, maybe)
		}
		if w.storm.late() {
			w.storm.violate(history.Violation{Check: "recovery", Text: "a command had no definite answer after the faults:", Ops: []history.Op{o}})
			return delivery{ops: unknown(o)}
		}
		w.storm.pause(retryPause)
	}
}

// operations turns the last answer into operations. maybe: this sending or an earlier one has an
// unknown outcome.
func (w *worker) operations(k *model.Kind, o history.Op, a answer, maybe bool) delivery {
	switch o.Outcome {
	case history.Done:
		return w.done(k, o, a, maybe)
	case history.Unknown:
		return delivery{ops: unknown(o)}
	}
	ops := []history.Op{o}
	ops[0].Call = o.Last
	if maybe { // the refusal is of the last sending, not of an earlier one
		ops = append(ops, unknown(o)...)
	}
	return delivery{ops: ops}
}

// unknown is the operation without a return.
func unknown(o history.Op) []history.Op {
	o.Outcome, o.Return = history.Unknown, history.Open
	return []history.Op{o}
}

// done reads the answer of a success. A replay becomes two operations: the command, done at some
// time after its first sending, and a read.
func (w *worker) done(k *model.Kind, o history.Op, a answer, maybe bool) delivery {
	id, seen := w.storm.parse(k, &o, a)
	if !a.replayed {
		o.Seen, o.Version = seen, a.version
		return delivery{id: id, ops: []history.Op{o}, succeeded: true}
	}
	if !maybe {
		w.storm.violate(history.Violation{Check: "replays", Record: id, Text: "was answered with a replay of nothing:", Ops: []history.Op{o}})
	}
	return delivery{id: id, ops: []history.Op{o, readBy(k, o, seen, a)}, succeeded: true}
}

// readBy is the read that a replay stands for.
func readBy(k *model.Kind, o history.Op, seen model.State, a answer) history.Op {
	return history.Op{
		Command: k.Read, Node: o.Node, Attempts: 1, Call: o.Last, Last: o.Last, Return: o.Return,
		Status: http.StatusOK, Seen: seen, Version: a.version,
	}
}

// resend sends an answered command once more. The answer must be a replay, unless a restore has
// removed the first answer from Redis.
func (w *worker) resend(r *record, first history.Op) {
	o := history.Op{Command: first.Command, Request: first.Request, Key: first.Key, Attempts: 1, Node: w.dice.IntN(len(w.storm.lines))}
	o.Call = w.storm.now()
	o.Last = o.Call
	a := w.storm.lines[o.Node].send(model.StoreKey, r.path, first.Request, first.Key)
	o.Return, o.Status = w.storm.now(), a.status
	if a.unsent {
		return
	}
	w.storm.tally.count(a)
	o.Outcome = w.storm.classify(o.Command, a)
	if o.Outcome == history.Done && a.replayed {
		_, seen := w.storm.parse(r.Kind, &o, a)
		r.note(readBy(r.Kind, o, seen, a))
		return
	}
	if o.Outcome == history.Refused && a.status == r.Kind.Gone {
		return
	}
	w.storm.notReplayed(r, first, w.operations(r.Kind, o, a, false).ops)
}

// newKey is an unused Idempotency-Key.
func (w *worker) newKey() string {
	return fmt.Sprintf("suite-%016x", w.dice.Uint64())
}
