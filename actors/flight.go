package actors

import (
	"math/rand/v2"
	"runtime"
	"time"

	"cartd/commerce"
)

// flight is a commit on its way, with the requests it answers. One that has landed is
// used again: each of its sendings was settled, so that the store is through with it.
type flight[S any] struct {
	commit   commerce.Commit[S]
	requests []*request[S]
	changes  int       // how many of the requests change the record
	deadline time.Time // the last one of its requests
	unknown  bool      // some sending of it may have had its effect
	attempts int
	// result is what became of the last sending.
	result commerce.Outcome[S]
	// input is what the request at hand is judged with.
	input commerce.Input

	machine *machine[S] // whose it is
	claimed bool
	// claim and done are the commit's, bound once.
	claim func() bool
	done  func(commerce.Outcome[S])
}

func newFlight[S any]() any {
	f := &flight[S]{}
	f.claim, f.done = f.claimOnce, f.tell
	return f
}

// reuse leaves of a flight only the memory.
func (f *flight[S]) reuse() {
	clear(f.requests)
	*f = flight[S]{requests: f.requests[:0], claim: f.claim, done: f.done}
}

// claimOnce claims the requests for the first sending; the others have them.
func (f *flight[S]) claimOnce() bool {
	if f.claimed {
		return true
	}
	f.claimed = true
	return claim(f.requests)
}

// tell brings the outcome of a sending to the actor.
func (f *flight[S]) tell(result commerce.Outcome[S]) {
	f.result = result
	f.machine.tell(f)
}

// apply judges the batch against memory, one request after another, and sends one
// commit for all that changed it. An answer that rests on nothing uncommitted goes
// out at once.
func (m *machine[S]) apply(batch []*request[S]) {
	f := m.env.flights.Get().(*flight[S])
	committed := m.memory.record
	state := committed.State
	for i, r := range batch {
		if len(f.commit.Effects) >= maxEffects || !f.carries(r) {
			m.queue = append(m.queue, batch[i:]...)
			break
		}
		v := f.view(r, committed, state)
		after, err := r.judge(v)
		if r.presumed != nil && (err != nil || after.effects != (commerce.Effects{})) {
			m.finish(r, answer[S]{err: commerce.ErrPresumed})
			continue
		}
		if err != nil && r.doubtful(&v, committed.Stamp) {
			m.lookAgain(f, batch[i:])
			break
		}
		changed := err == nil && !after.replayed && !r.read
		if changed {
			f.changes++
			f.commit.Effects = appendEffects(f.commit.Effects, after.effects)
			state = after.state
		}
		a := answer[S]{state: after.state, about: after.about, replayed: after.replayed, err: err}
		if err != nil { // a version that does not match is answered with what stands there
			a.state = v.state
		}
		if f.changes == 0 || r.read {
			a.stamp = committed.Stamp
			m.finish(r, a)
			continue
		}
		f.add(r, a)
	}
	if f.changes > 0 {
		m.launch(f, state)
		return
	}
	m.drop(f)
}

// drop is for a flight that nobody has any more.
func (m *machine[S]) drop(f *flight[S]) {
	f.reuse()
	m.env.flights.Put(f)
}

// carries reports whether the request may join the flight's commit: requests that have
// still to be counted travel apart from those that were, as do presumptions.
func (f *flight[S]) carries(r *request[S]) bool {
	return f.changes == 0 || r.read || f.commit.Presumed == r.presumed && (f.commit.Uncounted > 0) == r.uncounted()
}

// uncounted reports whether the request limit has still to count the request.
func (r *request[S]) uncounted() bool { return r.presumed != nil && r.counted == nil }

// view is what the request after those in the flight is judged against.
func (f *flight[S]) view(r *request[S], committed *commerce.Record[S], state S) view[S] {
	v := view[S]{state: state, next: committed.Stamp.Counter + 1, entry: f.entry(r), input: &f.input}
	if r.read { // of what is committed
		v.state = committed.State
	}
	if f.changes == 0 {
		v.stamp = committed.Stamp
	}
	return v
}

// lookAgain asks for what is remembered under the first request's key before it is
// refused: what refuses it may be its own effect. Behind changes it waits for their
// commit first.
func (m *machine[S]) lookAgain(f *flight[S], rest []*request[S]) {
	if f.changes > 0 {
		m.queue = append(m.queue, rest...)
		return
	}
	m.load(rest, rest[0].key)
}

// maxEffects bounds the work of one commit script.
const maxEffects = 32

func appendEffects(all []commerce.Effects, e commerce.Effects) []commerce.Effects {
	if e == (commerce.Effects{}) {
		return all
	}
	return append(all, e)
}

func (f *flight[S]) add(r *request[S], a answer[S]) {
	a.place = f.changes
	if r.counted != nil {
		a.budget = *r.counted
	}
	*r.answer() = a
	f.requests = append(f.requests, r)
	if r.presumed != nil {
		f.commit.Presumed = r.presumed
	}
	if r.uncounted() {
		f.commit.Uncounted++
	}
	if r.deadline.After(f.deadline) {
		f.deadline = r.deadline
	}
}

// entry is what is known to be remembered under a request's Idempotency-Key, by an
// earlier commit or by a request of this one.
func (f *flight[S]) entry(r *request[S]) *commerce.IdempotencyEntry {
	if r.key == nil || r.entry != nil {
		return r.entry
	}
	for i := range f.commit.Effects {
		if e := &f.commit.Effects[i]; e.Key != nil && e.Key.Name == r.key.Name {
			return &commerce.IdempotencyEntry{Request: e.Key.Request, Status: e.Key.Status, Made: e.Made}
		}
	}
	return nil
}

// remember tells the flight's requests what the store remembers under their keys,
// beside the record that stands in the way.
func (f *flight[S]) remember(o *commerce.Outcome[S]) {
	entries := o.Entries
	for i := range f.commit.Effects {
		key := f.commit.Effects[i].Key
		if key == nil || len(entries) == 0 {
			continue
		}
		for _, r := range f.requests {
			if r.key != nil && r.key.Name == key.Name {
				r.learn(entries[0], o.Current.Stamp)
			}
		}
		entries = entries[1:]
	}
}

// launch stamps the flight and sends its commit for the first time.
func (m *machine[S]) launch(f *flight[S], state S) {
	current := m.memory.record
	stamp := commerce.Stamp{
		Counter:  current.Stamp.Counter + 1,
		Writer:   m.env.writer,
		Sequence: m.env.sequence.Add(1),
	}
	f.stamp(stamp)
	f.commit.Key, f.commit.Expect, f.commit.SentAt = m.entry.key, current.Stamp, time.Now()
	f.commit.Before = current.State
	f.commit.Next = commerce.Record[S]{
		Stamp: stamp, State: state,
		Writers: current.Remember(stamp.Writer, m.env.now(state)),
	}
	f.machine, f.commit.Claim, f.commit.Done = m, f.claim, f.done
	f.commit.Requests = len(f.requests)
	m.flight = f
	m.env.store.Send(&f.commit)
}

// stamp gives each answer its version: the state after the last change is the
// record's own, place 0.
func (f *flight[S]) stamp(stamp commerce.Stamp) {
	for _, r := range f.requests {
		a := r.answer()
		a.stamp = stamp
		if a.place == f.changes {
			a.place = 0
		}
	}
}

// settle deals with the outcome of one sending.
func (m *machine[S]) settle(f *flight[S], o *commerce.Outcome[S]) {
	if f != m.flight {
		return // of a flight that was given up
	}
	f.countedBefore(o)
	switch o.Kind {
	case commerce.Committed:
		if !o.Current.Stamp.Zero() {
			f.commit.Next = o.Current
		}
		m.memory.committed(&f.commit)
		f.counted(o.Budget)
		m.land(f)
	case commerce.Conflicted:
		m.overtaken(f, o)
	case commerce.NotSent:
		m.retry(f)
	case commerce.Exceeded:
		m.exceeded(f, o)
	case commerce.Superseded:
		m.superseded(f)
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

// counted tells each request of a flight what the limit left behind it.
func (f *flight[S]) counted(b commerce.Budget) {
	if b.Limit == 0 {
		return
	}
	for _, r := range f.requests {
		r.answer().budget = b
		b.Remaining--
	}
}

// countedBefore notes which requests the limit has counted before the sending.
func (f *flight[S]) countedBefore(o *commerce.Outcome[S]) {
	left := o.Counted
	if left.Limit == 0 || f.commit.Uncounted == 0 {
		return
	}
	counted := f.requests
	if o.Kind == commerce.Exceeded {
		counted = counted[:o.Within]
	}
	budgets := make([]commerce.Budget, len(counted))
	for i, r := range counted {
		budgets[i] = left
		r.counted, r.answer().budget = &budgets[i], left
		left.Remaining--
	}
	f.commit.Uncounted = 0
}

// exceeded refuses the requests beyond the request limit; the others are judged
// again. An earlier sending that is still on its way may yet find room.
func (m *machine[S]) exceeded(f *flight[S], o *commerce.Outcome[S]) {
	if f.unknown {
		m.sendAgain(f)
		return
	}
	unclaim(f.requests)
	why := error(commerce.TooManyAttempts)
	if o.Budget.Limit == 0 {
		why = commerce.ErrPresumed
	}
	for _, r := range f.requests[o.Within:] {
		m.finish(r, answer[S]{err: why, budget: o.Budget})
	}
	f.requests = f.requests[:o.Within]
	m.retry(f)
}

// superseded has the requests admitted by the store itself. Where an earlier sending
// may have been in time, the commit goes on without being counted.
func (m *machine[S]) superseded(f *flight[S]) {
	if f.unknown {
		f.commit.Uncounted, f.commit.Presumed = 0, nil
		m.env.store.Send(&f.commit)
		return
	}
	m.flight = nil
	for _, r := range f.requests {
		m.finish(r, answer[S]{err: commerce.ErrPresumed})
	}
	m.advance()
}

// land answers a flight whose commit is part of the record's history.
func (m *machine[S]) land(f *flight[S]) {
	m.flight, m.conflicts = nil, 0
	m.publish()
	answered := len(f.requests)
	for _, r := range f.requests {
		m.release(r)
	}
	m.drop(f)
	if answered < crowd {
		m.advance()
		return
	}
	m.busy = true
	runtime.Gosched()
	m.env.root.Send(m.self, resume{}) // behind what has come meanwhile
}

// crowd is how many requests make a record a hot one: there those that have their
// answers, and those that follow them, go first, and the next commit is of more.
const crowd = 4

// overtaken takes over the record that stood in the commit's way. The writers
// table tells whether the commit was applied before; if not it never can be, and
// all its requests are judged again, after a pause from the second time on.
func (m *machine[S]) overtaken(f *flight[S], o *commerce.Outcome[S]) {
	current := o.Current // the flight's own is used again
	m.memory.adopt(&current, f.commit.SentAt)
	if o.Current.Applied(f.commit.Next.Stamp) {
		f.counted(o.Budget)
		m.land(f)
		return
	}
	f.remember(o)
	m.publish()
	unclaim(f.requests)
	m.conflicts++
	if m.conflicts > 1 {
		m.putBack(f.requests)
		m.flight = nil
		m.pause(conflictPause(m.conflicts))
		return
	}
	m.retry(f)
}

// retry judges a flight's requests again, before those collected behind it.
func (m *machine[S]) retry(f *flight[S]) {
	m.putBack(f.requests)
	m.flight = nil
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

// resendPause grows from 5 ms to a quarter of a second.
func resendPause(attempt int) time.Duration {
	return min(5*time.Millisecond<<min(attempt-1, 10), 250*time.Millisecond)
}

// conflictPause is random, so that two nodes do not keep step.
func conflictPause(conflicts int) time.Duration {
	return rand.N(time.Millisecond << min(conflicts, 5))
}
