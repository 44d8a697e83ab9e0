package actors

import (
	"runtime"
	"slices"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/outage"
)

// onOutcome handles the outcome of one sending.
func (m *recordActor[S]) onOutcome(b *visitBatch[S], o *engine.Outcome[S]) {
	if b != m.underWay {
		return // the batch was given up
	}
	m.env.counters.Outcomes[o.Kind].Add(1)
	if o.Counted && (o.Kind == engine.OtherHead || o.Kind == engine.TooLate) { // by a sending that was short
		b.counted(o.Budget)
	}
	for _, r := range b.requests {
		r.Timing.End(engine.PhaseVisit, b.lastSent)
	}
	switch o.Kind {
	case engine.Done:
		m.onDone(b, o)
	case engine.OtherRecord, engine.OtherFacts:
		m.onConflict(b, o)
	case engine.Short:
		m.onShort(b, o)
	case engine.OverLimit:
		m.onOverLimit(b, o)
	case engine.OtherHead:
		m.end(b, engine.ErrOutdated)
	case engine.Held:
		m.onHeld(b, o)
	case engine.TooLarge:
		m.end(b, engine.GrowthFull)
	case engine.TooLate:
		for _, r := range b.requests {
			r.patient = true
		}
		m.retry(b)
	case engine.NotSent:
		m.retry(b)
	case engine.Broken:
		m.forget()
		m.abort(b)
	case engine.Refused:
		m.abort(b)
	case engine.Unknown:
		b.visit.Resent = true
		m.sendAgain(b)
	}
}

// onDone answers a batch whose facts held.
func (m *recordActor[S]) onDone(b *visitBatch[S], o *engine.Outcome[S]) {
	b.counted(o.Budget)
	if b.visit.Writes {
		next := b.visit.Next // a copy, for the visit is reused
		if !o.Current.Stamp.Zero() {
			next = o.Current
		}
		m.record = &next
	}
	if a := b.requests[0].answer(); a.sale != nil {
		a.number, a.ahead = o.Number, o.Ahead
	} else if b.requests[0].alone && !o.Current.Stamp.Zero() {
		a.state = o.Current.State // with the number that the commit made
	}
	m.onCommitted(b)
}

// onShort judges a batch again with the shortage. An earlier sending that is still on its way may
// yet find enough.
func (m *recordActor[S]) onShort(b *visitBatch[S], o *engine.Outcome[S]) {
	if b.visit.Resent {
		m.sendAgain(b)
		return
	}
	b.counted(o.Budget)
	for _, r := range b.requests {
		if r.at == m.record.Stamp {
			o.Shortage.Join(r.shortage)
		}
		r.shortage, r.proven, r.at = o.Shortage, true, m.record.Stamp
	}
	m.retry(b)
}

// counted marks the requests as counted, and gives each new one its budget.
func (b *visitBatch[S]) counted(budget engine.Budget) {
	for _, r := range b.requests {
		if !r.Counted {
			r.Counted, r.Budget = true, budget
			budget.Remaining--
		}
	}
}

// onOverLimit refuses the requests beyond the request limit and judges the others again. An earlier
// sending that is still on its way may yet be within the limit.
func (m *recordActor[S]) onOverLimit(b *visitBatch[S], o *engine.Outcome[S]) {
	if b.visit.Resent {
		m.sendAgain(b)
		return
	}
	within := o.Within
	b.requests = slices.DeleteFunc(b.requests, func(r *request[S]) bool {
		if r.Counted {
			return false
		}
		if within--; within >= 0 {
			return false
		}
		r.Budget = o.Budget
		m.finish(r, answer[S]{facts: &r.Facts, err: commerce.TooManyAttempts})
		return true
	})
	m.retry(b)
}

// onCommitted answers a batch whose visit is done.
func (m *recordActor[S]) onCommitted(b *visitBatch[S]) {
	m.underWay = nil
	if b.visit.Writes {
		m.publish()
	}
	answered := len(b.requests)
	for _, r := range b.requests {
		m.release(r)
	}
	committed := b.visit.Writes
	m.drop(b)
	switch {
	case committed && m.env.kind.Rest > 0:
		m.pause(m.env.kind.Rest)
		return
	case answered < crowd:
		m.advance()
		return
	}
	m.busy = true
	runtime.Gosched()
	m.box.PostUserMessage(resume{}) // queued after the messages that have come meanwhile
}

// crowd is the number of requests in a visit that makes a record hot. There the actor yields: the
// answered callers send their next requests first, and the next visit carries more.
const crowd = 4

// heldPause is the pause until requests that met an import are judged again.
const heldPause = 50 * time.Millisecond

// onHeld lets the requests wait for the end of an import. At its deadline each has done nothing.
func (m *recordActor[S]) onHeld(b *visitBatch[S], o *engine.Outcome[S]) {
	if o.Counted {
		b.counted(o.Budget)
	}
	unmarkSent(b.requests)
	m.underWay = nil
	m.putBack(b.requests)
	m.drop(b)
	m.pause(heldPause)
}

// onConflict takes over the facts that a visit found in Redis. The writers table shows whether an
// earlier sending was done. If it was not, and the table cannot have forgotten it, it never will
// be, and all requests are judged again and sent at once. There is no pause: of two visits that
// meet, one is done, and a commit of another node during a pause would be the next conflict.
func (m *recordActor[S]) onConflict(b *visitBatch[S], o *engine.Outcome[S]) {
	current := o.Current // a copy, for the batch is reused
	m.adopt(&current)
	v := &b.visit
	switch {
	case v.Writes && v.Resent && current.Applied(v.Next.Stamp):
		b.counted(o.Budget)
		m.onCommitted(b)
		return
	case v.Writes && v.Resent && m.mayHaveForgotten(&current, &v.Next):
		m.giveUp(b)
		return
	}
	if o.Counted {
		b.counted(o.Budget)
	}
	outdated := false
	for i := range o.Facts {
		b.requests[i].learn(&o.Facts[i], current.Stamp)
		outdated = outdated || o.Facts[i].Unknown || b.requests[i].LacksContact()
	}
	if outdated {
		m.end(b, engine.ErrOutdated)
		return
	}
	m.retry(b)
}

// mayHaveForgotten reports whether the record's writers table may have dropped the commit: clocks
// may jump, and a suspended node comes back late.
func (m *recordActor[S]) mayHaveForgotten(now, mine *engine.Record[S]) bool {
	return !now.Stamp.Zero() && m.env.kind.Written(now.State).Sub(m.env.kind.Written(mine.State)) >= engine.WriterMemory
}

// retry judges a batch's requests again, ahead of the queue. Its visit has done nothing. A request
// without time for another trip is answered now.
func (m *recordActor[S]) retry(b *visitBatch[S]) {
	open := b.visit.Resent && !b.visit.Writes // a replay that was sent again may be true: its outcome is open
	if !open {
		unmarkSent(b.requests)
	}
	now := time.Now()
	back := now.Add(min(now.Sub(b.visit.SentAt), maxTrip))
	b.requests = slices.DeleteFunc(b.requests, func(r *request[S]) bool { return m.late(r, back, open && r.reportsChange) })
	if len(b.requests) > 0 && b.requests[0].Carts != nil { // a claim lets the others go first
		m.queue = append(m.queue, b.requests...)
	} else {
		m.putBack(b.requests)
	}
	m.underWay = nil
	m.advance()
}

// maxTrip bounds the expected time of the next trip, because a visit that was sent many times took
// longer.
const maxTrip = 250 * time.Millisecond

// late ends a request if its deadline is not after a moment. Nothing was done, unless its outcome
// is open.
func (m *recordActor[S]) late(r *request[S], moment time.Time, open bool) bool {
	if r.Deadline.After(moment) {
		return false
	}
	err := engine.ErrUnavailable
	if open {
		err = engine.ErrUnknownOutcome
	}
	m.finish(r, answer[S]{err: err})
	return true
}

// abort ends a batch after a sending that certainly had no effect. An earlier sending may have had
// one.
func (m *recordActor[S]) abort(b *visitBatch[S]) {
	if b.visit.Resent && b.result.Kind == engine.Refused {
		m.sendAgain(b)
		return
	}
	if b.visit.Resent {
		m.giveUp(b)
		return
	}
	m.refuseQueueIfUnreachable()
	m.end(b, engine.ErrUnavailable)
}

// end answers a batch's requests with one error.
func (m *recordActor[S]) end(b *visitBatch[S], err error) {
	m.underWay = nil
	for _, r := range b.requests {
		m.finish(r, answer[S]{facts: &r.Facts, err: err})
	}
	m.advance()
}

// sendAgain sends the same visit again after a pause, until the last deadline of its requests.
// After that the outcome stays unknown, and the actor drops its state.
func (m *recordActor[S]) sendAgain(b *visitBatch[S]) {
	m.refuseQueueIfUnreachable()
	b.attempts++
	if pause := outage.Pause(b.attempts); time.Now().Add(pause).Before(b.visit.Deadline) {
		m.env.counters.Resends.Add(1)
		m.pause(pause)
		return
	}
	m.giveUp(b)
}

// giveUp ends a batch whose outcome stays unknown. A refused command has certainly done nothing.
func (m *recordActor[S]) giveUp(b *visitBatch[S]) {
	m.underWay = nil
	m.forget()
	for _, r := range b.requests {
		err := engine.ErrUnavailable
		if r.reportsChange {
			err = engine.ErrUnknownOutcome
		}
		m.finish(r, answer[S]{err: err})
	}
	m.advance()
}
