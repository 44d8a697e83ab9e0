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
	size   func(S) int
	budget *budget
	root   *actor.RootContext
	log    *slog.Logger
	// flights are *flight[S] that nobody has any more.
	flights *sync.Pool
}

// machine is the actor of one record. It never waits: while a commit is in flight,
// a load runs or a pause lasts, it collects requests, and applies them together
// when that ends.
type machine[S any] struct {
	env   *environment[S]
	entry *entry[S]
	self  *actor.PID
	// runner has the actor run when something was sent to it from outside.
	runner *runner

	memory memory[S]
	// takeovers are the latest records that were taken over from the store, in order.
	takeovers []takeover

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
		// once is the key that was asked for, entry what is remembered under it.
		once  *engine.IdempotencyKey
		entry *engine.IdempotencyEntry
		asOf  time.Time
		err   error
	}
	resume struct{}
)

func newMachine[S any](env *environment[S], e *entry[S], run *runner) *machine[S] {
	m := &machine[S]{env: env, entry: e, runner: run}
	if r := e.published.Load(); r != nil {
		m.memory.adopt(r, time.Time{})
		m.tookOver(m.seenOf(r), takeover{}) // since a request was presumed, a read may have brought it
	}
	return m
}

// Receive handles one message. A panic answers every request that waits and
// forgets the state; the actor goes on.
func (m *machine[S]) Receive(c actor.Context) {
	defer m.recovered()
	switch msg := c.Message().(type) {
	case *request[S]:
		m.catchUp(msg)
		m.queue = append(m.queue, msg)
		m.advance()
	case *flight[S]:
		m.settle(msg, &msg.result)
	case loaded[S]:
		m.busy = false
		m.afterLoad(msg)
	case resume:
		m.busy = false
		m.afterPause()
	case *actor.Started: // before all others
		m.self = c.Self()
	}
}

// advance applies what is collected, unless something is under way.
func (m *machine[S]) advance() {
	for m.flight == nil && !m.busy && len(m.queue) > 0 {
		m.batch, m.queue = m.queue, m.batch
		m.batch = slices.DeleteFunc(m.batch, m.gaveUp)
		if len(m.batch) > 0 && m.lookedUp(m.batch) {
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

// lookedUp makes memory current for every request of the batch. False: a load has
// been started, and the batch waits for it.
func (m *machine[S]) lookedUp(batch []*request[S]) bool {
	for i, r := range batch {
		if m.memory.current(r) {
			continue
		}
		if seen, ok := r.whole(); ok {
			m.adopt(seen, r.began)
			m.publish()
			if m.memory.currentForAll(batch[:i]) {
				continue
			} // else it is older than what a request before it saw
		}
		m.load(batch, nil)
		return false
	}
	return true
}

// whole returns the record as the request's admission read it, if it did.
func (r *request[S]) whole() (*engine.Record[S], bool) {
	if r.seen.Record != nil {
		return r.seen.Record, true
	}
	return &engine.Record[S]{}, r.seen.Stamp.Zero() && !r.seen.Unread
}

// load asks the store for the record and, of the same moment, for what is remembered
// under a key (nil: none). The batch waits for it.
func (m *machine[S]) load(batch []*request[S], once *engine.IdempotencyKey) {
	m.putBack(batch)
	m.busy = true
	asOf := time.Now()
	m.env.store.Load(m.entry.key, once, func(record engine.Record[S], entry *engine.IdempotencyEntry, err error) {
		m.tell(loaded[S]{record: record, once: once, entry: entry, asOf: asOf, err: err})
	})
}

func (m *machine[S]) afterLoad(l loaded[S]) {
	if l.err != nil {
		m.refuseQueue()
		return
	}
	m.adopt(&l.record, l.asOf)
	m.publish()
	for _, r := range m.queue {
		if l.once != nil && r.Idempotency != nil && r.Idempotency.Name == l.once.Name && !l.asOf.Before(r.from()) {
			r.learn(l.entry, l.record.Stamp)
		}
	}
	m.advance()
}

func (m *machine[S]) afterPause() {
	if m.flight != nil {
		m.env.store.Send(&m.flight.commit)
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

// publish shows readers what memory holds now.
func (m *machine[S]) publish() {
	if m.memory.record.Stamp.Zero() {
		m.env.publish(m.entry, nil)
		return
	}
	m.env.publish(m.entry, m.memory.record)
}

// adopt takes over a record as the store held it at asOf or later.
func (m *machine[S]) adopt(r *engine.Record[S], asOf time.Time) {
	before := m.memory.record
	m.memory.adopt(r, asOf)
	if r.Stamp.Zero() {
		return
	}
	known := takeover{}
	if before != nil && !before.Stamp.Zero() {
		known = m.seenOf(before)
	}
	m.tookOver(m.seenOf(r), known)
	m.catchUp(m.batch...)
	m.catchUp(m.queue...)
	if m.flight != nil {
		m.catchUp(m.flight.requests...)
	}
}

// seenOf is a record as a takeover tells of it.
func (m *machine[S]) seenOf(r *engine.Record[S]) takeover {
	return takeover{counter: r.Stamp.Counter, written: m.env.written(r.State).UnixMilli()}
}

// forget drops what is in memory; the next request loads it.
func (m *machine[S]) forget() {
	m.memory = memory[S]{}
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
