package actors

import (
	"cartd/engine"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// environment is what all actors of one kind of records share.
type environment[S any] struct {
	store Store[S]
	// writer is this start's id in every stamp; sequence counts its commits.
	writer   uint64
	sequence *atomic.Uint64
	// written is the time of a state's last write, by the store's clock.
	written func(S) time.Time
	// size is the memory of a state in bytes.
	size     func(S) int
	budget   *budget
	counters *Counters
	root     *actor.RootContext
	log      *slog.Logger
	// flights are *flight[S] that nobody has any more.
	flights *sync.Pool
}

// machine is the actor of one record. It never waits: while a visit is under way, a load runs or
// a pause lasts, it collects requests, and judges them together when that ends.
type machine[S any] struct {
	env   *environment[S]
	entry *entry[S]
	self  *actor.PID
	// runner has the actor run when something was sent to it from outside.
	runner *runner

	// record is what is known of the record, possibly out of date; nil: nothing is. It is never
	// changed, for readers may have it.
	record   *engine.Record[S]
	landings landings

	queue  []*request[S] // collected, not looked at yet
	batch  []*request[S] // being judged; the two slices take turns
	flight *flight[S]
	// busy is true while a load or a pause will send its message, or a yield does.
	busy bool
}

// The messages an actor receives beside *request[S], and *flight[S] with the outcome
// of a sending.
type (
	loaded[S any] struct {
		record engine.Record[S]
		err    error
	}
	// found is the record as a read has just found it.
	found[S any] struct{ record *engine.Record[S] }
	resume       struct{}
)

func newMachine[S any](env *environment[S], e *entry[S], run *runner) *machine[S] {
	return &machine[S]{env: env, entry: e, runner: run, record: e.published.Load()}
}

// Receive handles one message. A panic answers every request that waits and
// forgets the state; the actor goes on.
func (m *machine[S]) Receive(c actor.Context) {
	defer m.recovered()
	switch msg := c.Message().(type) {
	case *request[S]:
		m.queue = append(m.queue, msg)
		m.advance()
	case *flight[S]:
		m.settle(msg, &msg.result)
	case loaded[S]:
		m.busy = false
		m.afterLoad(msg)
	case found[S]:
		if m.flight == nil && !m.busy {
			m.adopt(msg.record)
		}
	case resume:
		m.busy = false
		m.afterPause()
	case *actor.Started: // before all others
		m.self = c.Self()
	}
}

// advance judges what is collected, unless something is under way.
func (m *machine[S]) advance() {
	for m.flight == nil && !m.busy && len(m.queue) > 0 {
		m.batch, m.queue = m.queue, m.batch
		m.batch = slices.DeleteFunc(m.batch, m.gaveUp)
		if len(m.batch) > 0 && m.known(m.batch) {
			m.apply(m.batch)
		}
		clear(m.batch)
		m.batch = m.batch[:0]
	}
}

// gaveUp ends a request that was abandoned.
func (m *machine[S]) gaveUp(r *request[S]) bool {
	if !r.abandoned() {
		return false
	}
	m.finish(r, answer[S]{err: engine.ErrUnavailable})
	return true
}

// putBack has requests judged before those collected behind them.
func (m *machine[S]) putBack(requests []*request[S]) {
	m.queue = slices.Concat(requests, m.queue)
}

// known reports whether there is a record to judge the batch by; a record that is to be made is
// presumed absent. False: a load has been started, and the batch waits for it.
func (m *machine[S]) known(batch []*request[S]) bool {
	if m.record != nil {
		return true
	}
	if batch[0].create {
		m.record = &engine.Record[S]{}
		return true
	}
	m.putBack(batch)
	m.busy = true
	m.env.store.Load(m.entry.key, func(record engine.Record[S], err error) {
		m.tell(loaded[S]{record: record, err: err})
	})
	return false
}

func (m *machine[S]) afterLoad(l loaded[S]) {
	if l.err != nil {
		m.refuseQueue()
		return
	}
	m.adopt(&l.record)
	m.advance()
}

func (m *machine[S]) afterPause() {
	if m.flight != nil {
		m.env.store.Send(&m.flight.visit)
		return
	}
	m.advance()
}

func (m *machine[S]) pause(d time.Duration) {
	m.busy = true
	time.AfterFunc(d, func() { m.tell(resume{}) })
}

// tell sends the actor a message from outside and has it run. What it then commits is
// flushed by the store's own goroutine.
func (m *machine[S]) tell(message any) {
	m.env.root.Send(m.self, message)
	m.runner.run()
	m.env.store.Flush(time.Time{})
}

// ifAwayRefuseQueue answers what waits behind an unreachable store: nothing of it
// was sent.
func (m *machine[S]) ifAwayRefuseQueue() {
	if m.env.store.Away() {
		m.refuseQueue()
	}
}

func (m *machine[S]) refuseQueue() {
	queue := m.queue
	m.queue = nil
	m.finishAll(queue, engine.ErrUnavailable)
}

// finishAll answers requests with one error.
func (m *machine[S]) finishAll(requests []*request[S], err error) {
	for _, r := range requests {
		m.finish(r, answer[S]{err: err})
	}
}

// finish answers a request, unless that was done before.
func (m *machine[S]) finish(r *request[S], a answer[S]) {
	if !r.finished {
		*r.answer() = a
		m.release(r)
	}
}

// release lets a request's caller have its answer, once, whether it still listens or
// not. Its place in the mailbox is free before its caller knows.
func (m *machine[S]) release(r *request[S]) {
	if r.finished {
		return
	}
	r.finished = true
	m.entry.pending.Add(-1)
	r.waiter.woken <- answered
}

// adopt takes over a record as the store has it, for itself and for readers.
func (m *machine[S]) adopt(r *engine.Record[S]) {
	m.record = r
	m.publish()
}

// publish shows readers what memory holds now.
func (m *machine[S]) publish() {
	if m.record.Stamp.Zero() {
		m.env.publish(m.entry, nil)
		return
	}
	m.env.publish(m.entry, m.record)
}

// forget drops what is in memory; the next request loads it.
func (m *machine[S]) forget() {
	m.record = nil
	m.env.publish(m.entry, nil)
}

// recovered is Receive's safety net.
func (m *machine[S]) recovered() {
	cause := recover()
	if cause == nil {
		return
	}
	m.env.log.Error("actor panicked", "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
	m.forget() // first: once nothing is pending, another actor may take over
	if m.flight != nil {
		m.crash(m.flight.requests, cause)
	}
	m.crash(m.batch, cause)
	m.crash(m.queue, cause)
	m.flight, m.batch, m.queue, m.busy = nil, nil, nil, false
}

// crash answers requests that a panic left behind: what was sent may have had its
// effect.
func (m *machine[S]) crash(requests []*request[S], cause any) {
	for _, r := range requests {
		err := fmt.Errorf("panic in the actor: %v", cause)
		if r.phase.Load() == sent {
			err = engine.ErrUnknownOutcome
		}
		m.finish(r, answer[S]{err: err})
	}
}
