package actors

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"cartd/commerce"
)

// environment is what all actors of a node share.
type environment[S any] struct {
	store Store[S]
	// writer is this start's id in every stamp; sequence counts its commits.
	writer   uint64
	sequence atomic.Uint64
	// now is the time of a state's last write, by the store's clock.
	now  func(S) time.Time
	root *actor.RootContext
	log  *slog.Logger
}

// machine is the actor of one record. It never waits: while a commit is in flight,
// a load runs or a pause lasts, it collects requests, and applies them together
// when that ends.
type machine[S any] struct {
	env   *environment[S]
	entry *entry[S]
	self  *actor.PID

	memory memory[S]
	queue  []*request[S] // collected, not looked at yet
	batch  []*request[S] // being judged
	flight *flight[S]
	// busy is true while a load or a pause will send its message.
	busy      bool
	conflicts int // in a row
}

// flight is a commit on its way, with the requests it answers.
type flight[S any] struct {
	commit   commerce.Commit[S]
	requests []*request[S]
	answers  []answer[S]
	deadline time.Time // the last one of its requests
	unknown  bool      // some sending of it may have had its effect
	attempts int
}

// The messages an actor receives beside *request[S].
type (
	loaded[S any] struct {
		record commerce.Record[S]
		asOf   time.Time
		err    error
	}
	outcome[S any] struct {
		flight *flight[S]
		result commerce.Outcome[S]
	}
	resume struct{}
)

func newMachine[S any](env *environment[S], e *entry[S]) *machine[S] {
	m := &machine[S]{env: env, entry: e}
	if r := e.published.Load(); r != nil {
		m.memory.adopt(*r, time.Time{})
	}
	return m
}

// Receive handles one message. A panic answers every request that waits and
// forgets the state; the actor goes on.
func (m *machine[S]) Receive(c actor.Context) {
	defer m.recovered()
	m.self = c.Self()
	switch msg := c.Message().(type) {
	case *request[S]:
		m.queue = append(m.queue, msg)
		m.advance()
	case outcome[S]:
		m.settle(msg.flight, msg.result)
	case loaded[S]:
		m.busy = false
		m.afterLoad(msg)
	case resume:
		m.busy = false
		m.afterPause()
	}
}

// advance applies what is collected, unless something is under way.
func (m *machine[S]) advance() {
	for m.flight == nil && !m.busy && len(m.queue) > 0 {
		m.batch = m.take()
		if m.lookedUp(m.batch) {
			m.apply(m.batch)
		}
		m.batch = nil
	}
}

// take empties the queue; requests that gave up are left out.
func (m *machine[S]) take() []*request[S] {
	batch := m.queue[:0:0]
	for _, r := range m.queue {
		if r.abandoned() {
			m.finish(r, answer[S]{err: commerce.ErrUnavailable})
		} else {
			batch = append(batch, r)
		}
	}
	m.queue = nil
	return batch
}

// lookedUp makes memory current for every request of the batch. False: a load has
// been started, and the batch waits for it.
func (m *machine[S]) lookedUp(batch []*request[S]) bool {
	for i, r := range batch {
		if m.memory.current(r) {
			continue
		}
		if seen, ok := r.whole(); ok {
			m.memory.adopt(seen, r.began)
			m.publish()
			if m.memory.currentForAll(batch[:i]) {
				continue
			} // else it is older than what a request before it saw
		}
		m.load(batch)
		return false
	}
	return true
}

// whole returns the record as the request's admission read it, if it did.
func (r *request[S]) whole() (commerce.Record[S], bool) {
	if r.seen.Record != nil {
		return *r.seen.Record, true
	}
	return commerce.Record[S]{}, r.seen.Stamp.Zero()
}

func (m *machine[S]) load(batch []*request[S]) {
	m.queue, m.busy = append(batch, m.queue...), true
	asOf, self, root := time.Now(), m.self, m.env.root
	m.env.store.Load(m.entry.key, func(record commerce.Record[S], err error) {
		root.Send(self, loaded[S]{record: record, asOf: asOf, err: err})
	})
}

func (m *machine[S]) afterLoad(l loaded[S]) {
	if l.err != nil {
		m.refuseQueue()
		return
	}
	m.memory.adopt(l.record, l.asOf)
	m.publish()
	m.advance()
}

// apply judges the batch against memory, one request after another, and sends one
// commit for all that changed it. An answer that rests on nothing uncommitted goes
// out at once.
func (m *machine[S]) apply(batch []*request[S]) {
	var f *flight[S]
	state, next := m.memory.record.State, m.memory.record.Stamp.Counter+1
	for i, r := range batch {
		if f.full() {
			m.queue = append(m.queue, batch[i:]...)
			break
		}
		if r.read { // of what is committed
			m.finish(r, m.judged(r, m.memory.record.State, next))
			continue
		}
		changed, effects, err := r.judge(state, next)
		if err != nil && f == nil {
			m.finish(r, answer[S]{err: err})
			continue
		}
		if f == nil {
			f = &flight[S]{}
		}
		if err == nil {
			state = changed
			f.commit.Effects = appendEffects(f.commit.Effects, effects)
		}
		f.add(r, answer[S]{state: changed, err: err})
	}
	if f != nil {
		m.launch(f, state)
	}
}

// maxEffects bounds the work of one commit script.
const maxEffects = 16

func (f *flight[S]) full() bool { return f != nil && len(f.commit.Effects) >= maxEffects }

func appendEffects(all []commerce.Effects, e commerce.Effects) []commerce.Effects {
	if e == (commerce.Effects{}) {
		return all
	}
	return append(all, e)
}

func (f *flight[S]) add(r *request[S], a answer[S]) {
	f.requests = append(f.requests, r)
	f.answers = append(f.answers, a)
	if r.deadline.After(f.deadline) {
		f.deadline = r.deadline
	}
}

func (m *machine[S]) judged(r *request[S], state S, next uint64) answer[S] {
	state, _, err := r.judge(state, next)
	return answer[S]{state: state, stamp: m.memory.record.Stamp, err: err}
}

// launch stamps the flight and sends its commit for the first time.
func (m *machine[S]) launch(f *flight[S], state S) {
	current := &m.memory.record
	stamp := commerce.Stamp{
		Counter:  current.Stamp.Counter + 1,
		Writer:   m.env.writer,
		Sequence: m.env.sequence.Add(1),
	}
	f.stamp(stamp)
	f.commit.Key, f.commit.Expect, f.commit.SentAt = m.entry.key, current.Stamp, time.Now()
	f.commit.Next = commerce.Record[S]{
		Stamp: stamp, State: state,
		Writers: current.Remember(stamp.Writer, m.env.now(state)),
	}
	first := true
	f.commit.Claim = func() bool {
		if !first {
			return true
		}
		first = false
		return claim(f.requests)
	}
	self, root := m.self, m.env.root
	f.commit.Done = func(result commerce.Outcome[S]) {
		root.Send(self, outcome[S]{flight: f, result: result})
	}
	m.flight = f
	m.env.store.Send(&f.commit)
}

// stamp gives each answer its version: the last successful one is the record's own.
func (f *flight[S]) stamp(stamp commerce.Stamp) {
	last := true
	for i := len(f.answers) - 1; i >= 0; i-- {
		a := &f.answers[i]
		a.stamp = stamp
		if a.err != nil {
			continue
		}
		if !last {
			a.place = i + 1
		}
		last = false
	}
}

// settle deals with the outcome of one sending.
func (m *machine[S]) settle(f *flight[S], o commerce.Outcome[S]) {
	if f != m.flight {
		return // of a flight that was given up
	}
	switch o.Kind {
	case commerce.Committed:
		m.memory.committed(&f.commit)
		m.land(f)
	case commerce.Conflicted:
		m.overtaken(f, o.Current)
	case commerce.NotSent:
		m.retry(f)
	case commerce.Refused:
		if !f.unknown {
			m.abort(f)
			return
		}
		m.sendAgain(f)
	case commerce.Unknown:
		f.unknown = true
		m.sendAgain(f)
	}
}

// land answers a flight whose commit is part of the record's history.
func (m *machine[S]) land(f *flight[S]) {
	m.flight, m.conflicts = nil, 0
	m.publish()
	for i, r := range f.requests {
		m.finish(r, f.answers[i])
	}
	m.advance()
}

// overtaken takes over the record that stood in the commit's way. The writers
// table tells whether the commit was applied before; if not it never can be, and
// all its requests are judged again, after a pause from the second time on.
func (m *machine[S]) overtaken(f *flight[S], current commerce.Record[S]) {
	m.memory.adopt(current, f.commit.SentAt)
	if current.Applied(f.commit.Next.Stamp) {
		m.land(f)
		return
	}
	m.publish()
	unclaim(f.requests)
	m.conflicts++
	if m.conflicts > 1 {
		m.queue, m.flight = append(f.requests, m.queue...), nil
		m.pause(conflictPause(m.conflicts))
		return
	}
	m.retry(f)
}

// retry judges a flight's requests again, before those collected behind it.
func (m *machine[S]) retry(f *flight[S]) {
	m.queue, m.flight = append(f.requests, m.queue...), nil
	m.advance()
}

// abort ends a flight that certainly had no effect.
func (m *machine[S]) abort(f *flight[S]) {
	m.flight = nil
	for _, r := range f.requests {
		m.finish(r, answer[S]{err: commerce.ErrUnavailable})
	}
	m.ifAwayRefuseQueue()
	m.advance()
}

// sendAgain sends the same commit again after a pause, until the last deadline of
// its requests; then its outcome stays unknown and what is in memory is worthless.
func (m *machine[S]) sendAgain(f *flight[S]) {
	m.ifAwayRefuseQueue()
	f.attempts++
	if pause := resendPause(f.attempts); time.Now().Add(pause).Before(f.deadline) {
		m.pause(pause)
		return
	}
	m.flight = nil
	m.forget()
	for _, r := range f.requests {
		m.finish(r, answer[S]{err: commerce.ErrUnknownOutcome})
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
	self, root := m.self, m.env.root
	time.AfterFunc(d, func() { root.Send(self, resume{}) })
}

// resendPause grows from 5 ms to a quarter of a second.
func resendPause(attempt int) time.Duration {
	return min(5*time.Millisecond<<min(attempt-1, 10), 250*time.Millisecond)
}

// conflictPause is random, so that two nodes do not keep step.
func conflictPause(conflicts int) time.Duration {
	return rand.N(time.Millisecond << min(conflicts, 5))
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
	for _, r := range queue {
		m.finish(r, answer[S]{err: commerce.ErrUnavailable})
	}
}

// finish answers a request, once, whether its caller still listens or not. Its
// place in the mailbox is free before its caller knows.
func (m *machine[S]) finish(r *request[S], a answer[S]) {
	if r.finished {
		return
	}
	r.finished = true
	m.entry.pending.Add(-1)
	r.answer <- a
}

// publish shows readers what memory holds now.
func (m *machine[S]) publish() {
	if m.memory.record.Stamp.Zero() {
		m.entry.published.Store(nil)
		return
	}
	record := m.memory.record
	m.entry.published.Store(&record)
}

// forget drops what is in memory; the next request loads it.
func (m *machine[S]) forget() {
	m.memory = memory[S]{}
	m.entry.published.Store(nil)
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
	m.flight, m.batch, m.queue, m.busy, m.conflicts = nil, nil, nil, false, 0
}

// crash answers requests that a panic left behind: what was sent may have had its
// effect.
func (m *machine[S]) crash(requests []*request[S], cause any) {
	for _, r := range requests {
		err := fmt.Errorf("panic in the actor: %v", cause)
		if r.phase.Load() == sent {
			err = commerce.ErrUnknownOutcome
		}
		m.finish(r, answer[S]{err: err})
	}
}
