package actors

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// flight is a commit on its way, with the requests it answers. One that has landed is
// used again: each of its sendings was settled, so that the store is through with it.
type flight[S any] struct {
	commit   engine.Commit[S]
	requests []*request[S]
	changes  int       // how many of the requests change the record
	deadline time.Time // the last one of its requests
	unknown  bool      // some sending of it may have had its effect
	attempts int
	// result is what became of the last sending.
	result engine.Outcome[S]
	// view and input are what the request at hand is judged with.
	view  engine.View[S]
	input commerce.Input

	machine *machine[S] // whose it is
	claimed bool
	// claim and done are the commit's, bound once.
	claim func() bool
	done  func(engine.Outcome[S])
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
func (f *flight[S]) tell(result engine.Outcome[S]) {
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
		v := f.show(r, committed, state)
		after, err := m.judge(r, v)
		if r.Presumed != nil && (err != nil || after.Effects != (engine.Effects{})) {
			m.finish(r, answer[S]{err: engine.ErrPresumed})
			continue
		}
		if err != nil && r.doubtful(v, committed.Stamp) {
			m.lookAgain(f, batch[i:])
			break
		}
		changed := err == nil && !after.Replayed && !r.read
		if changed {
			f.changes++
			f.commit.Effects = appendEffects(f.commit.Effects, after.Effects)
			state = after.State
		}
		a := answer[S]{state: after.State, part: after.Part, replayed: after.Replayed, err: err}
		if err != nil { // a version that does not match is answered with what stands there
			a.state = v.State
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

// judge lets the request judge what it is shown, and the store the size of what comes of it.
func (m *machine[S]) judge(r *request[S], v *engine.View[S]) (engine.Change[S], error) {
	after, err := r.judge(r.Request, v)
	if err != nil || after.Replayed || r.read {
		return after, err
	}
	return after, m.env.store.Fits(v.State, after.State)
}

// drop is for a flight that nobody has any more.
func (m *machine[S]) drop(f *flight[S]) {
	f.reuse()
	m.env.flights.Put(f)
}

// carries reports whether the request may join the flight's commit: requests that have
// still to be counted travel apart from those that were.
func (f *flight[S]) carries(r *request[S]) bool {
	return f.changes == 0 || r.read || f.commit.Presumed == r.Presumed
}

// show is what the request after those in the flight is judged against.
func (f *flight[S]) show(r *request[S], committed *engine.Record[S], state S) *engine.View[S] {
	f.view = engine.View[S]{State: state, Next: committed.Stamp.Counter + 1, Seen: r.sight, Entry: f.entry(r), Input: &f.input}
	if r.read { // of what is committed
		f.view.State = committed.State
	}
	if f.changes == 0 {
		f.view.Stamp = committed.Stamp
	}
	return &f.view
}

// lookAgain asks for what is remembered under the first request's key before it is
// refused: what refuses it may be its own effect. Behind changes it waits for their
// commit first.
func (m *machine[S]) lookAgain(f *flight[S], rest []*request[S]) {
	if f.changes > 0 {
		m.queue = append(m.queue, rest...)
		return
	}
	m.load(rest, rest[0].Idempotency)
}

// maxEffects bounds the work of one commit script.
const maxEffects = 32

func appendEffects(all []engine.Effects, e engine.Effects) []engine.Effects {
	if e == (engine.Effects{}) {
		return all
	}
	return append(all, e)
}

func (f *flight[S]) add(r *request[S], a answer[S]) {
	a.place = f.changes
	*r.answer() = a
	f.requests = append(f.requests, r)
	if r.Presumed != nil {
		f.commit.Presumed = r.Presumed
		f.commit.Uncounted++
	}
	if r.Deadline.After(f.deadline) {
		f.deadline = r.Deadline
	}
}

// entry is what is known to be remembered under a request's Idempotency-Key, by an
// earlier commit or by a request of this one.
func (f *flight[S]) entry(r *request[S]) *engine.IdempotencyEntry {
	if r.Idempotency == nil || r.entry != nil {
		return r.entry
	}
	for i := range f.commit.Effects {
		if e := &f.commit.Effects[i]; e.Idempotency != nil && e.Idempotency.Name == r.Idempotency.Name {
			return &engine.IdempotencyEntry{Request: e.Idempotency.Request, Status: e.Idempotency.Status, Made: e.Made}
		}
	}
	return nil
}

// remember tells the flight's requests what the store remembers under their keys,
// beside the record that stands in the way.
func (f *flight[S]) remember(o *engine.Outcome[S]) {
	entries := o.Entries
	for i := range f.commit.Effects {
		key := f.commit.Effects[i].Idempotency
		if key == nil || len(entries) == 0 {
			continue
		}
		for _, r := range f.requests {
			if r.Idempotency != nil && r.Idempotency.Name == key.Name {
				r.learn(entries[0], o.Current.Stamp)
			}
		}
		entries = entries[1:]
	}
}

// launch stamps the flight and sends its commit for the first time.
func (m *machine[S]) launch(f *flight[S], state S) {
	current := m.memory.record
	stamp := engine.Stamp{
		Counter:  current.Stamp.Counter + 1,
		Writer:   m.env.writer,
		Sequence: m.env.sequence.Add(1),
	}
	f.stamp(stamp)
	f.commit.Key, f.commit.Expect, f.commit.SentAt = m.entry.key, current.Stamp, time.Now()
	f.commit.Before = current.State
	f.commit.Next = engine.Record[S]{
		Stamp: stamp, State: state,
		Writers: current.Remember(stamp.Writer, m.env.written(state)),
	}
	f.machine, f.commit.Claim, f.commit.Done = m, f.claim, f.done
	f.commit.Requests = len(f.requests)
	m.flight = f
	m.env.store.Send(&f.commit)
}

// stamp gives each answer its version: the state after the last change is the
// record's own, place 0.
func (f *flight[S]) stamp(stamp engine.Stamp) {
	for _, r := range f.requests {
		a := r.answer()
		a.stamp = stamp
		if a.place == f.changes {
			a.place = 0
		}
	}
}
