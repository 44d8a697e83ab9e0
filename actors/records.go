package actors

import (
	"sync"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// records serves requests on one kind of record; what they mean is for those who
// embed it.
type records[S any] struct {
	directory *directory[S]
	node      *node
	kind      *engine.Kind[S]
	judge     judgement[S] // the kind's
	waiters   *sync.Pool
}

// newRecords starts a directory over a store. written is the time of a state's last
// write, by the store's clock, and size the state's memory in bytes.
func newRecords[S any](n *node, store Store[S], kind *engine.Kind[S], written func(S) time.Time, size func(S) int) records[S] {
	env := &environment[S]{
		store: store, writer: n.config.Writer, sequence: &n.sequence,
		root: n.system.Root, log: n.config.Logger, written: written,
		budget: &n.budget, size: size,
		flights: &sync.Pool{New: newFlight[S]},
	}
	return records[S]{directory: newDirectory(n, env), node: n, kind: kind, judge: judged(kind), waiters: &sync.Pool{New: newWaiter[S]}}
}

// Held returns the stamp of a record whose state this node has in memory.
func (n *records[S]) Held(key engine.RecordKey) (engine.Stamp, bool) {
	if held := n.directory.published(key); held != nil {
		return held.Stamp, true
	}
	return engine.Stamp{}, false
}

// Resident counts the records in memory and, of them, those with a running actor.
func (n *records[S]) Resident() (records, actors int) { return n.directory.resident() }

// show answers a read without the actor. False: the node does not hold the admitted
// state.
func (n *records[S]) show(key engine.RecordKey, seen *engine.Sighting[S], asked *engine.Request) (answer[S], bool) {
	held := n.held(key, seen)
	if held == nil {
		return answer[S]{}, false
	}
	_, refusal := engine.Judge(n.kind, asked, &engine.View[S]{State: held.State})
	if refusal != nil {
		return answer[S]{err: refusal}, true
	}
	return answer[S]{state: held.State, stamp: held.Stamp}, true
}

// serve answers a request, at once where there is no record for it.
func (n *records[S]) serve(key engine.RecordKey, r *request[S]) (a answer[S], err error) {
	if !r.create && !r.seen.Unread && r.seen.Stamp.Zero() && n.directory.published(key) == nil {
		_, err = r.judge(r.Request, &engine.View[S]{Input: &commerce.Input{}}) // there is no record, and nothing in memory to drop
		return a, err
	}
	w := n.waiters.Get().(*waiter[S])
	r.waiter = w
	if err := n.directory.submit(key, r); err != nil {
		n.waiters.Put(w)
		n.directory.env.store.Flush(time.Time{}) // of what ran here of others
		if r.Presumed != nil {                   // the request limit comes first
			err = engine.ErrPresumed
		}
		return a, err
	}
	n.directory.env.store.Flush(r.Deadline)
	defer n.node.budget.makeRoom()
	if r.wait(&a) {
		w.answer = answer[S]{}
		n.waiters.Put(w)
	}
	return a, a.err
}

// held returns the state that a read may be answered from at once, or nil.
func (n *records[S]) held(key engine.RecordKey, seen *engine.Sighting[S]) *engine.Record[S] {
	if seen.Record != nil {
		n.directory.keep(key, seen.Record)
		return seen.Record
	}
	if held := n.directory.published(key); held != nil && held.Stamp == seen.Stamp && !seen.Unread {
		return held
	}
	return nil
}
