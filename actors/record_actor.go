package actors

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"cartd/engine"
)

// environment is shared by all actors of one kind of record.
type environment[S any] struct {
	*node
	storage Storage[S]
	kind    *engine.Kind[S] // the storage's
	// visitBatches has finished *visitBatch[S] for reuse.
	visitBatches *sync.Pool
	// present is that of the storage, if it is a presenter; else nil.
	present func(key engine.RecordKey, requests []*engine.Request) *engine.Record[S]
	// changed is Config.Changed for carts, else nil.
	changed func(engine.RecordKey, engine.Stamp)
}

// recordActor is the actor of one record. It never waits: during a visit, a load or a pause it
// collects requests, and judges them together after that.
type recordActor[S any] struct {
	env   *environment[S]
	entry *entry[S]
	box   *mailbox

	// record is the last known record, possibly out of date; nil if none is known. It is never
	// changed, for readers may have it.
	record *engine.Record[S]

	queue    []*request[S] // collected, not judged yet
	batch    []*request[S] // being judged; the two slices are swapped
	underWay *visitBatch[S]
	// busy is true while a load, a pause or a yield is under way. Each ends with a message.
	busy bool
}

// The actor also receives *request[S], and *visitBatch[S] with the outcome of a sending.
type (
	loaded[S any] struct {
		record engine.Record[S]
		err    error
	}
	// found is a record from a read.
	found[S any] struct{ record *engine.Record[S] }
	resume       struct{}
)

func newRecordActor[S any](env *environment[S], e *entry[S], box *mailbox) *recordActor[S] {
	return &recordActor[S]{env: env, entry: e, box: box, record: e.published.Load()}
}

// Receive handles one message. A panic answers every waiting request and drops the state; the actor
// goes on.
func (m *recordActor[S]) Receive(c actor.Context) {
	defer m.recovered()
	switch msg := c.Message().(type) {
	case *request[S]:
		m.queue = append(m.queue, msg)
		m.advance()
	case *visitBatch[S]:
		m.onOutcome(msg, &msg.result)
	case loaded[S]:
		m.busy = false
		m.afterLoad(msg)
	case found[S]:
		if m.underWay == nil && !m.busy {
			m.adopt(msg.record)
		}
	case resume:
		m.busy = false
		m.afterPause()
	}
}

// advance judges the collected requests, unless a visit, a load or a pause is under way.
func (m *recordActor[S]) advance() {
	for m.underWay == nil && !m.busy && len(m.queue) > 0 {
		m.batch, m.queue = m.queue, m.batch
		m.batch = slices.DeleteFunc(m.batch, m.gaveUp)
		if len(m.batch) > 0 && m.known(m.batch) {
			m.apply(m.batch)
		}
		clear(m.batch)
		m.batch = m.batch[:0]
	}
	if m.env.present != nil && m.underWay == nil {
		m.record = nil // the next batch takes the node's
	}
}

// gaveUp ends a request whose caller gave up.
func (m *recordActor[S]) gaveUp(r *request[S]) bool {
	if !r.abandoned() {
		return false
	}
	m.finish(r, answer[S]{err: engine.ErrUnavailable})
	return true
}

// putBack puts requests at the head of the queue.
func (m *recordActor[S]) putBack(requests []*request[S]) {
	m.queue = slices.Concat(requests, m.queue)
}

// known reports whether there is a record to judge the batch by. For a creation the record is
// presumed absent. Otherwise it starts a load, returns false, and the batch waits.
func (m *recordActor[S]) known(batch []*request[S]) bool {
	if m.env.present != nil {
		if m.present(batch); m.record == nil {
			m.failAll(batch, engine.ErrOutdated)
		}
		return m.record != nil
	}
	m.adoptFound(batch)
	if m.record != nil {
		return true
	}
	if batch[0].create {
		m.record = &engine.Record[S]{}
		return true
	}
	m.putBack(batch)
	m.busy = true
	m.env.storage.Load(m.entry.key, func(record engine.Record[S], err error) {
		m.post(loaded[S]{record: record, err: err})
	})
	return false
}

// present takes the record that the node has, with the facts of the batch.
func (m *recordActor[S]) present(batch []*request[S]) {
	asked := make([]*engine.Request, len(batch))
	for i, r := range batch {
		asked[i] = &r.Request
	}
	m.record = m.env.present(m.entry.key, asked)
}

// adoptFound adopts the records that requests have found, unless the one in memory has the same
// counter or a greater one. If Redis has lost writes, either may be out of date: the visit then meets
// a conflict.
func (m *recordActor[S]) adoptFound(batch []*request[S]) {
	for _, r := range batch {
		if r.found != nil && (m.record == nil || r.found.Stamp.Counter > m.record.Stamp.Counter) {
			m.adopt(r.found)
		}
		r.found = nil
	}
}

func (m *recordActor[S]) afterLoad(l loaded[S]) {
	if l.err != nil {
		m.refuseQueue()
		return
	}
	m.adopt(&l.record)
	m.advance()
}

func (m *recordActor[S]) afterPause() {
	if m.underWay != nil {
		m.underWay.lastSent = time.Now()
		m.env.storage.Send(&m.underWay.visit)
		return
	}
	m.advance()
}

func (m *recordActor[S]) pause(d time.Duration) {
	m.busy = true
	time.AfterFunc(d, func() { m.post(resume{}) })
}

// post sends the actor a message from outside, runs it, and flushes the storage.
func (m *recordActor[S]) post(message any) {
	m.box.PostUserMessage(message)
	m.box.run()
	m.env.storage.Flush(time.Time{})
}

// refuseQueueIfUnreachable refuses the queued requests while the storage is unreachable. None of them
// was sent.
func (m *recordActor[S]) refuseQueueIfUnreachable() {
	if m.env.storage.Away() {
		m.refuseQueue()
	}
}

func (m *recordActor[S]) refuseQueue() {
	queue := m.queue
	m.queue = nil
	m.failAll(queue, engine.ErrUnavailable)
}

// failAll answers requests with one error.
func (m *recordActor[S]) failAll(requests []*request[S], err error) {
	for _, r := range requests {
		m.finish(r, answer[S]{err: err})
	}
}

// finish answers a request, unless it is answered already.
func (m *recordActor[S]) finish(r *request[S], a answer[S]) {
	if !r.finished {
		*r.answer() = a
		m.release(r)
	}
}

// release wakes a request's caller, once, whether it still waits or not. The request leaves the
// pending count first.
func (m *recordActor[S]) release(r *request[S]) {
	if r.finished {
		return
	}
	r.finished = true
	if m.record != nil {
		r.answer().size = m.record.Size
	}
	m.entry.pending.Add(-1)
	r.caller.Answer()
}

// adopt sets the record to the storage's, and shows it to readers.
func (m *recordActor[S]) adopt(r *engine.Record[S]) {
	m.record = r
	m.publish()
}

// publish shows readers the current record.
func (m *recordActor[S]) publish() {
	if m.env.present != nil {
		return // the node shows it by its own means
	}
	if m.record.Stamp.Zero() {
		m.env.publish(m.entry, nil)
		return
	}
	m.env.publish(m.entry, m.record)
}

// forget drops the state in memory; the next request loads it.
func (m *recordActor[S]) forget() {
	m.record = nil
	m.env.publish(m.entry, nil)
}

// recovered handles a panic in Receive.
func (m *recordActor[S]) recovered() {
	cause := recover()
	if cause == nil {
		return
	}
	m.env.config.Logger.Error("actor panicked", "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
	m.forget() // first: once nothing is pending, another actor may start
	if m.underWay != nil {
		m.crash(m.underWay.requests, cause)
	}
	m.crash(m.batch, cause)
	m.crash(m.queue, cause)
	m.underWay, m.batch, m.queue, m.busy = nil, nil, nil, false
}

// crash answers requests after a panic. A visit that was sent may have had its effect.
func (m *recordActor[S]) crash(requests []*request[S], cause any) {
	for _, r := range requests {
		err := fmt.Errorf("panic in the actor: %v", cause)
		if r.phase.Load() == sent {
			err = engine.ErrUnknownOutcome
		}
		m.finish(r, answer[S]{err: err})
	}
}
