package actors

import (
	"errors"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// flight is a visit on its way, with the requests it answers. One that has landed is
// used again: each of its sendings was settled, so that the store is through with it.
type flight[S any] struct {
	visit    engine.Visit[S]
	requests []*request[S]
	changes  int // how many of the requests change the record
	attempts int
	// result is what became of the last sending.
	result engine.Outcome[S]
	// view and input are what the request at hand is judged with.
	view  engine.View[S]
	input commerce.Input

	machine *machine[S] // whose it is
	claimed bool
	// claim and done are the visit's, bound once.
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
	clear(f.visit.Requests)
	clear(f.visit.Effects)
	visited, effects := f.visit.Requests[:0], f.visit.Effects[:0]
	*f = flight[S]{requests: f.requests[:0], claim: f.claim, done: f.done}
	f.visit.Requests, f.visit.Effects = visited, effects
}

// claimOnce claims the requests for the first sending; the others have them.
func (f *flight[S]) claimOnce() bool {
	if f.claimed {
		return true
	}
	f.claimed = claim(f.requests)
	return f.claimed
}

// tell brings the outcome of a sending to the actor.
func (f *flight[S]) tell(result engine.Outcome[S]) {
	f.result = result
	f.machine.tell(f)
}

// apply judges the batch against memory, one request after another, and sends one visit for all
// of them. A refusal or a replay goes out at once if visits have returned all that it rests on.
func (m *machine[S]) apply(batch []*request[S]) {
	f := m.env.flights.Get().(*flight[S])
	state := m.record.State
	for i, r := range batch {
		if !f.carries(r) {
			m.queue = append(m.queue, batch[i:]...)
			break
		}
		v := m.show(f, r, state)
		after, err := m.judge(r, v)
		changes := err == nil && !after.Replayed
		r.tells = err == nil || errors.As(err, new(engine.Repeated))
		a := answer[S]{
			state: after.State, part: after.Part, replayed: after.Replayed, existing: after.Existing, sale: after.Effects.Sale,
			fold: after.Effects.Fold, facts: &r.Facts, err: err,
		}
		if err != nil { // a version that does not match is answered with what stands there
			a.state = v.State
		}
		if !changes && f.changes == 0 && r.Counted && r.proven && r.at == m.record.Stamp {
			a.stamp = m.record.Stamp
			m.finish(r, a)
			continue
		}
		if changes {
			f.changes++
			f.visit.Effects = appendEffects(f.visit.Effects, after.Effects)
			state = after.State
		}
		f.add(r, a)
	}
	if len(f.requests) == 0 {
		m.drop(f)
		return
	}
	m.launch(f, state)
}

// judge lets the request judge what it is shown, and the store the size of what comes of it.
func (m *machine[S]) judge(r *request[S], v *engine.View[S]) (engine.Change[S], error) {
	after, err := r.judge(&r.Request, v)
	if err != nil || after.Replayed {
		return after, err
	}
	return after, m.env.store.Fits(v.State, after.State)
}

// drop is for a flight that nobody has any more.
func (m *machine[S]) drop(f *flight[S]) {
	f.reuse()
	m.env.flights.Put(f)
}

// maxVisited bounds the work of one visit.
const maxVisited = 32

// carries reports whether the request may join the flight's visit. What waits behind a session's
// move is judged by its outcome.
func (f *flight[S]) carries(r *request[S]) bool {
	if len(f.requests) == 0 {
		return true
	}
	if r.alone || f.requests[0].alone {
		return false
	}
	if last := len(f.visit.Effects) - 1; last >= 0 && f.visit.Effects[last].Session != nil {
		return false
	}
	return len(f.requests) < maxVisited && f.visit.Version == r.Version && f.requests[0].patient == r.patient
}

// show is what the request after those in the flight is judged against, at this moment.
func (m *machine[S]) show(f *flight[S], r *request[S], state S) *engine.View[S] {
	if now, ok := r.Version.Clock.Now(); ok {
		r.Now = now.Truncate(time.Millisecond)
	}
	if !r.judged {
		r.judged, r.sight.First = true, m.record.Stamp.Counter
		r.sight.Unanswered = m.landings.since(r.Began)
	}
	f.view = engine.View[S]{State: state, Next: m.record.Stamp.Counter + 1, Sight: r.sight, Entry: f.entry(r), Input: &f.input}
	if f.changes == 0 {
		f.view.Stamp = m.record.Stamp
		if r.at == m.record.Stamp {
			f.view.Shortage = r.shortage
		}
	}
	return &f.view
}

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
	v := &f.visit
	v.Requests = append(v.Requests, &r.Request)
	v.Version = r.Version
	if v.Judged.IsZero() || r.Now.Before(v.Judged) {
		v.Judged = r.Now
	}
	if r.Deadline.After(v.Deadline) {
		v.Deadline = r.Deadline
	}
}

// entry is what is known to be remembered under a request's Idempotency-Key, by an
// earlier commit or by a request of this one. A visit compares a key once, with what its first
// request was judged by.
func (f *flight[S]) entry(r *request[S]) *engine.IdempotencyEntry {
	if r.Idempotency == nil || r.Entry != nil {
		return r.Entry
	}
	for _, other := range f.visit.Requests {
		if other.Idempotency != nil && other.Idempotency.Name == r.Idempotency.Name && other.Entry != nil {
			r.Entry = other.Entry
			return r.Entry
		}
	}
	for i := range f.visit.Effects {
		if e := &f.visit.Effects[i]; e.Idempotency != nil && e.Idempotency.Name == r.Idempotency.Name {
			return &engine.IdempotencyEntry{Request: e.Idempotency.Request, Status: e.Idempotency.Status, Made: e.Made}
		}
	}
	return nil
}

// launch stamps the flight and sends its visit for the first time.
func (m *machine[S]) launch(f *flight[S], state S) {
	v := &f.visit
	v.Key, v.Seen, v.Before, v.SentAt = m.entry.key, m.record.Stamp, m.record.State, time.Now()
	v.Tolerance = engine.Drift
	if f.requests[0].patient {
		for _, r := range f.requests {
			v.Tolerance = max(v.Tolerance, r.Deadline.Sub(v.SentAt))
		}
	}
	stamp := m.record.Stamp
	if v.Writes = f.changes > 0; v.Writes {
		stamp = engine.Stamp{Counter: stamp.Counter + 1, Writer: m.env.writer, Sequence: m.env.sequence.Add(1)}
		v.Next = engine.Record[S]{
			Stamp: stamp, State: state,
			Writers: m.record.Remember(stamp.Writer, m.env.written(state)),
		}
	}
	f.stamp(stamp)
	f.machine, v.Claim, v.Done = m, f.claim, f.done
	m.env.counters.Visits.Add(1)
	m.env.counters.Visited.Add(uint64(len(f.requests)))
	m.flight = f
	m.env.store.Send(v)
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
