package actors

import (
	"errors"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// visitBatch is a visit on its way, with the requests that it answers. A finished batch is reused:
// all its sendings have an outcome, so the storage does not use it any more.
type visitBatch[S any] struct {
	visit    engine.Visit[S]
	requests []*request[S]
	changes  int // the number of requests that change the record
	attempts int
	// judged is the time of the last judgement, lastSent that of the last sending, by the node's monotonic
	// clock.
	judged, lastSent time.Time
	// result is the outcome of the last sending.
	result engine.Outcome[S]
	// view and input are memory for one judgement.
	view  engine.View[S]
	input commerce.Input

	owner  *recordActor[S]
	marked bool
	// markSent and done are the visit's callbacks, bound once.
	markSent func() bool
	done     func(engine.Outcome[S])
}

func newVisitBatch[S any]() any {
	b := &visitBatch[S]{}
	b.markSent, b.done = b.markSentOnce, b.deliver
	return b
}

// reuse empties a batch and keeps its memory.
func (b *visitBatch[S]) reuse() {
	clear(b.requests)
	clear(b.visit.Requests)
	clear(b.visit.Effects)
	visited, effects := b.visit.Requests[:0], b.visit.Effects[:0]
	*b = visitBatch[S]{requests: b.requests[:0], markSent: b.markSent, done: b.done}
	b.visit.Requests, b.visit.Effects = visited, effects
}

// markSentOnce marks the requests as sent at the first sending. They stay marked for the others.
func (b *visitBatch[S]) markSentOnce() bool {
	if b.marked {
		return true
	}
	b.marked = markSent(b.requests)
	return b.marked
}

// deliver sends the outcome of a sending to the actor.
func (b *visitBatch[S]) deliver(result engine.Outcome[S]) {
	b.result = result
	b.owner.post(b)
}

// apply judges the batch by the record in memory, one request after another, and sends one visit
// for all of them. A refusal or a replay is answered at once if visits have returned all its facts, a
// change that lacks uses of discounts so that they are read.
func (m *recordActor[S]) apply(batch []*request[S]) {
	b := m.env.visitBatches.Get().(*visitBatch[S])
	state := m.record.State
	for i, r := range batch {
		if !b.carries(r) {
			m.queue = append(m.queue, batch[i:]...)
			break
		}
		v := m.show(b, r, state)
		after, err := r.judge(&r.Request, v)
		changes := err == nil && !after.Replayed
		r.reportsChange = err == nil || errors.As(err, new(engine.Repeated))
		a := answer[S]{
			state: after.State, part: after.Part, replayed: after.Replayed, existing: after.Existing, sale: after.Effects.Sale,
			fold: after.Effects.Fold, facts: &r.Facts, err: err,
		}
		if err != nil { // the answer to a version that does not match has the current state
			a.state = v.State
		}
		proven := !changes && b.changes == 0 && r.Counted && r.proven && r.at == m.record.Stamp
		if proven || engine.ToRead(err) {
			a.stamp = m.record.Stamp
			m.finish(r, a)
			continue
		}
		if changes {
			b.changes++
			b.visit.Effects = appendEffects(b.visit.Effects, after.Effects)
			state = after.State
		}
		b.add(r, a)
	}
	if len(b.requests) == 0 {
		m.drop(b)
		return
	}
	m.launch(b, state)
}

// drop returns a finished batch to the pool.
func (m *recordActor[S]) drop(b *visitBatch[S]) {
	b.reuse()
	m.env.visitBatches.Put(b)
}

// maxVisited is the maximum number of requests in one visit.
const maxVisited = 32

// carries reports whether the request may join the batch's visit. A request after a session's move, or after stock
// or uses that come back, waits for that visit's outcome.
func (b *visitBatch[S]) carries(r *request[S]) bool {
	if len(b.requests) == 0 {
		return true
	}
	if r.alone || b.requests[0].alone {
		return false
	}
	if last := len(b.visit.Effects) - 1; last >= 0 && (b.visit.Effects[last].Session != nil || b.visit.Effects[last].Return != nil) {
		return false
	}
	first := b.requests[0]
	return len(b.requests) < maxVisited && b.visit.Version == r.Version && first.patient == r.patient && first.Beyond() == r.Beyond()
}

// show is the view of the next request in the batch, at this moment.
func (m *recordActor[S]) show(b *visitBatch[S], r *request[S], state S) *engine.View[S] {
	b.judged = time.Now()
	if now, ok := r.Version.Clock.At(b.judged); ok {
		came, _ := r.Version.Clock.At(r.Began)
		r.Now, r.Came = now.Truncate(time.Millisecond), came.Truncate(time.Millisecond)
	}
	b.view = engine.View[S]{State: state, Next: m.record.Stamp.Counter + 1, Entry: b.entry(r), Input: &b.input}
	if b.changes == 0 {
		b.view.Stamp = m.record.Stamp
		if r.at == m.record.Stamp {
			b.view.Shortage = r.shortage
		}
	}
	return &b.view
}

func appendEffects(all []engine.Effects, e engine.Effects) []engine.Effects {
	if e == (engine.Effects{}) {
		return all
	}
	return append(all, e)
}

func (b *visitBatch[S]) add(r *request[S], a answer[S]) {
	a.commitIndex = b.changes
	*r.answer() = a
	b.requests = append(b.requests, r)
	v := &b.visit
	v.Requests = append(v.Requests, &r.Request)
	v.Version = r.Version
	if v.Judged.IsZero() || r.Now.Before(v.Judged) {
		v.Judged = r.Now
	}
	if r.Deadline.After(v.Deadline) {
		v.Deadline = r.Deadline
	}
}

// entry is the idempotency entry of a request's key, from an earlier commit or from a request in
// this batch. A visit compares a key once, with the entry that its first request was judged by.
func (b *visitBatch[S]) entry(r *request[S]) *engine.IdempotencyEntry {
	if r.Idempotency == nil || r.Entry != nil {
		return r.Entry
	}
	for _, other := range b.visit.Requests {
		if other.Idempotency != nil && other.Idempotency.Name == r.Idempotency.Name && other.Entry != nil {
			r.Entry = other.Entry
			return r.Entry
		}
	}
	for i := range b.visit.Effects {
		if e := &b.visit.Effects[i]; e.Idempotency != nil && e.Idempotency.Name == r.Idempotency.Name {
			return &engine.IdempotencyEntry{Request: e.Idempotency.Request, Status: e.Idempotency.Status, Made: e.Made}
		}
	}
	return nil
}

// launch gives the batch its stamp and sends its visit for the first time.
func (m *recordActor[S]) launch(b *visitBatch[S], state S) {
	v := &b.visit
	v.Key, v.Seen, v.Before, v.SeenSize, v.SentAt = m.entry.key, m.record.Stamp, m.record.State, m.record.Size, b.judged
	v.Tolerance = engine.Drift
	if b.requests[0].patient {
		for _, r := range b.requests {
			v.Tolerance = max(v.Tolerance, r.Deadline.Sub(v.SentAt))
		}
	}
	stamp := m.record.Stamp
	if v.Writes = b.changes > 0; v.Writes {
		stamp = engine.Stamp{Counter: stamp.Counter + 1, Writer: m.env.config.Writer, Sequence: m.env.sequence.Add(1)}
		if complete := m.env.kind.Complete; complete != nil {
			var err error
			if state, err = complete(state, stamp, v.Judged); err != nil {
				m.failAll(b.requests, err)
				m.drop(b)
				return
			}
		}
		v.Next = engine.Record[S]{
			Stamp: stamp, State: state,
			Writers: m.record.Remember(stamp.Writer, m.env.kind.Written(state)),
		}
	}
	b.stamp(stamp)
	b.owner, v.MaySend, v.Done = m, b.markSent, b.done
	m.env.counters.Visits.Add(1)
	m.env.counters.Visited.Add(uint64(len(b.requests)))
	b.lastSent = v.SentAt
	m.underWay = b
	m.env.storage.Send(v)
}

// stamp gives each answer its version. An answer ahead of the first change shows the record as it
// was. The state after the last change is the record's own and has commit index 0.
func (b *visitBatch[S]) stamp(stamp engine.Stamp) {
	for _, r := range b.requests {
		a := r.answer()
		switch a.commitIndex {
		case 0:
			a.stamp = b.visit.Seen
		case b.changes:
			a.stamp, a.commitIndex = stamp, 0
		default:
			a.stamp = stamp
		}
	}
}
