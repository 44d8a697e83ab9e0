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
	// keyed is the part of the writes that carry an Idempotency-Key and are sent
	// again until they are settled; the others are never sent again.
	keyed = 0.5
	// resent is the part of the settled ones that are sent once more.
	resent = 0.1
	// breather is between a failure and the next attempt of a client.
	breather = 15 * time.Millisecond
)

// work sends commands until the storm is over.
func (w *worker) work() {
	for !w.storm.over() {
		switch slot, r := pick(w.storm.slots, w.dice); {
		case slot == nil:
			w.storm.pause(breather)
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

// command sends one command to a record and notes what came of it.
func (w *worker) command(r *record, c *model.Command, request model.Request) {
	key := ""
	if !c.Reads && w.dice.Float64() < keyed {
		key = w.newKey()
	}
	d := w.deliver(r.Kind, r.path, c, request, key)
	r.note(d.ops...)
	if key != "" && d.settled && w.dice.Float64() < resent {
		w.resend(r, d.ops[0])
	}
}

// create makes a record; nil: it came to nothing.
func (w *worker) create(k *model.Kind) *record {
	request, ok := k.Create.Make(w.dice, k.Absent)
	if !ok {
		w.storm.pause(breather)
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

// delivery is what came of sending a command until it was settled.
type delivery struct {
	id string // of the record that the answer showed
	// ops are the operations to note, the command itself first.
	ops []history.Op
	// settled: a success was answered.
	settled bool
}

// deliver sends a command to random nodes: with a key until it is settled, else
// until it has left.
func (w *worker) deliver(k *model.Kind, path string, c *model.Command, request model.Request, key string) delivery {
	o := history.Op{Command: c, Request: request, Key: key, Call: w.storm.now()}
	maybe := false // an earlier sending may have had its effect
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
			return w.settle(k, o, a, maybe)
		}
		if w.storm.lost() {
			w.storm.violate(history.Violation{Check: "recovery", Text: "a command was not settled when all was well again:", Ops: []history.Op{o}})
			return delivery{ops: unknown(o)}
		}
		w.storm.pause(breather)
	}
}

// settle turns the last answer into operations. maybe: an earlier sending, or this
// one, has an unknown outcome.
func (w *worker) settle(k *model.Kind, o history.Op, a answer, maybe bool) delivery {
	switch o.Outcome {
	case history.Done:
		return w.done(k, o, a, maybe)
	case history.Unknown:
		return delivery{ops: unknown(o)}
	}
	ops := []history.Op{o}
	ops[0].Call = o.Last
	if maybe { // the refusal is of the last sending, not of those before it
		ops = append(ops, unknown(o)...)
	}
	return delivery{ops: ops}
}

// unknown is the operation with an open end.
func unknown(o history.Op) []history.Op {
	o.Outcome, o.Return = history.Unknown, history.Open
	return []history.Op{o}
}

// done reads the answer of a success. A replay stands for two operations: the
// command, done at some time since its first sending, and a read.
func (w *worker) done(k *model.Kind, o history.Op, a answer, maybe bool) delivery {
	id, seen := w.storm.parse(k, &o, a)
	if !a.replayed {
		o.Seen, o.Version = seen, a.version
		return delivery{id: id, ops: []history.Op{o}, settled: true}
	}
	if !maybe {
		w.storm.violate(history.Violation{Check: "replays", Record: id, Text: "was answered with a replay of nothing:", Ops: []history.Op{o}})
	}
	return delivery{id: id, ops: []history.Op{o, readBy(k, o, seen, a)}, settled: true}
}

// readBy is the read that a replay is.
func readBy(k *model.Kind, o history.Op, seen model.State, a answer) history.Op {
	return history.Op{
		Command: k.Read, Node: o.Node, Attempts: 1, Call: o.Last, Last: o.Last, Return: o.Return,
		Status: http.StatusOK, Seen: seen, Version: a.version,
	}
}

// resend sends a settled command once more: it has to be a replay, unless a restore
// has taken away that it was settled.
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
	w.storm.notReplayed(r, first, w.settle(r.Kind, o, a, false).ops)
}

// newKey is an Idempotency-Key that nobody has used.
func (w *worker) newKey() string {
	return fmt.Sprintf("suite-%016x", w.dice.Uint64())
}
