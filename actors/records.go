package actors

import (
	"sync"
	"time"

	"cartd/commerce"
)

// records serves requests on one kind of record; what they mean is for those who
// embed it.
type records[S any] struct {
	directory *directory[S]
	node      *node
	waiters   *sync.Pool
}

// newRecords starts a directory over a store. written is the time of a state's last
// write, by the store's clock, and size the state's memory in bytes.
func newRecords[S any](n *node, store Store[S], written func(S) time.Time, size func(S) int) records[S] {
	env := &environment[S]{
		store: store, writer: n.config.Writer, sequence: &n.sequence,
		root: n.system.Root, log: n.config.Logger, written: written,
		budget: &n.budget, size: size,
		flights: &sync.Pool{New: newFlight[S]},
	}
	return records[S]{directory: newDirectory(n, env), node: n, waiters: &sync.Pool{New: newWaiter[S]}}
}

// Held returns the stamp of a record whose state this node has in memory.
func (n *records[S]) Held(key commerce.RecordKey) (commerce.Stamp, bool) {
	if held := n.directory.published(key); held != nil {
		return held.Stamp, true
	}
	return commerce.Stamp{}, false
}

// Resident counts the records in memory and, of them, those with a running actor.
func (n *records[S]) Resident() (records, actors int) { return n.directory.resident() }

// show answers a read without the actor. False: the node does not hold the admitted
// state.
func (n *records[S]) show(key commerce.RecordKey, seen *commerce.Sighting[S], read act[S]) (answer[S], bool) {
	held := n.held(key, seen)
	if held == nil {
		return answer[S]{}, false
	}
	after, err := read.judge(view[S]{state: held.State})
	return answer[S]{state: after.state, stamp: held.Stamp, err: err}, true
}

// serve answers a request, at once where there is no record for it.
func (n *records[S]) serve(key commerce.RecordKey, r *request[S]) (a answer[S], err error) {
	if !r.create && !r.seen.Unread && r.seen.Stamp.Zero() && n.directory.published(key) == nil {
		_, err = r.judge(view[S]{input: &commerce.Input{}}) // there is no record, and nothing in memory to drop
		return a, err
	}
	w := n.waiters.Get().(*waiter[S])
	r.waiter = w
	if err := n.directory.submit(key, r); err != nil {
		n.waiters.Put(w)
		n.directory.env.store.Flush(time.Time{}) // of what ran here of others
		if r.presumed != nil {                   // the request limit comes first
			err = commerce.ErrPresumed
		}
		return a, err
	}
	n.directory.env.store.Flush(r.deadline)
	defer n.node.budget.makeRoom()
	if r.wait(&a) {
		w.answer = answer[S]{}
		n.waiters.Put(w)
	}
	return a, a.err
}

// held returns the state that a read may be answered from at once, or nil.
func (n *records[S]) held(key commerce.RecordKey, seen *commerce.Sighting[S]) *commerce.Record[S] {
	if seen.Record != nil {
		n.directory.keep(key, seen.Record)
		return seen.Record
	}
	if held := n.directory.published(key); held != nil && held.Stamp == seen.Stamp && !seen.Unread {
		return held
	}
	return nil
}
