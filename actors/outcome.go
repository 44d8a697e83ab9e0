package actors

import (
	"runtime"
	"slices"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// onOutcome deals with the outcome of one sending.
func (m *recordActor[S]) onOutcome(b *visitBatch[S], o *engine.Outcome[S]) {
	if b != m.underWay {
		return // of a batch that was given up
	}
	m.env.counters.Outcomes[o.Kind].Add(1)
	for _, r := range b.requests {
		r.Timing.End(engine.PhaseVisit, b.visit.SentAt)
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

// onDone answers a batch where everything stood.
func (m *recordActor[S]) onDone(b *visitBatch[S], o *engine.Outcome[S]) {
	b.counted(o.Budget)
	if b.visit.Writes {
		next := b.visit.Next // the visit's own is used again
		if !o.Current.Stamp.Zero() {
			next = o.Current
		}
		m.record = &next
	}
	if a := b.requests[0].answer(); a.sale != nil {
		a.number = o.Number
	}
	m.onCommitted(b)
}

// onShort has a batch judged again by what there is too little of. An earlier sending that is still
// on its way may yet find enough.
func (m *recordActor[S]) onShort(b *visitBatch[S], o *engine.Outcome[S]) {
	if b.visit.Resent {
		m.sendAgain(b)
		return
	}
	b.counted(o.Budget)
	for _, r := range b.requests {
		r.shortage, r.proven, r.at = o.Shortage, true, m.record.Stamp
	}
	m.retry(b)
}

// counted tells each request that was not counted yet what the limit left behind it.
func (b *visitBatch[S]) counted(budget engine.Budget) {
	for _, r := range b.requests {
		if !r.Counted {
			r.Counted, r.Budget = true, budget
			budget.Remaining--
		}
	}
}

// onOverLimit refuses the requests beyond the request limit; the others are judged again. An earlier
// sending that is still on its way may yet find room.
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
		moment := m.recentCommits.add(b.visit.Next.Stamp.Counter)
		for _, r := range b.requests {
			r.answer().answered = moment
		}
	}
	answered := len(b.requests)
	for _, r := range b.requests {
		m.release(r)
	}
	m.drop(b)
	if answered < crowd {
		m.advance()
		return
	}
	m.busy = true
	runtime.Gosched()
	m.env.root.Send(m.self, resume{}) // behind what has come meanwhile
}

// crowd is how many requests make a record a hot one: there those that have their
// answers, and those that follow them, go first, and the next visit is of more.
const crowd = 4

// onConflict takes over what a visit found in the place of what it was judged by. The writers table
// tells whether the visit was done before. If not, and had the table room for it all the
// time, it never can be, and all its requests are judged again and sent at once: one of two
// visits that meet is done, and whatever is done during a pause would be in the way of
// what follows it.
func (m *recordActor[S]) onConflict(b *visitBatch[S], o *engine.Outcome[S]) {
	current := o.Current // the batch's own is used again
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
		outdated = outdated || o.Facts[i].Unknown
	}
	if outdated {
		m.end(b, engine.ErrOutdated)
		return
	}
	m.retry(b)
}

// mayHaveForgotten reports whether a record may have forgotten that a commit is part of
// its history: clocks may jump, and a node that was suspended comes back late.
func (m *recordActor[S]) mayHaveForgotten(now, mine *engine.Record[S]) bool {
	return !now.Stamp.Zero() && m.env.written(now.State).Sub(m.env.written(mine.State)) >= engine.WriterMemory
}

// retry judges a batch's requests again, before those collected behind it. Its visit has done nothing.
// A request without the time for another trip is answered now.
func (m *recordActor[S]) retry(b *visitBatch[S]) {
	open := b.visit.Resent && !b.visit.Writes // whether what a repetition has found lasts
	if !open {
		unclaim(b.requests)
	}
	now := time.Now()
	back := now.Add(min(now.Sub(b.visit.SentAt), longestTrip))
	b.requests = slices.DeleteFunc(b.requests, func(r *request[S]) bool { return m.late(r, back, open && r.tells) })
	if len(b.requests) > 0 && b.requests[0].Carts != nil { // a claim lets the others go first
		m.queue = append(m.queue, b.requests...)
	} else {
		m.putBack(b.requests)
	}
	m.underWay = nil
	m.advance()
}

// longestTrip bounds how long a trip is taken for: a visit may have been sent many times.
const longestTrip = 250 * time.Millisecond

// late ends a request whose deadline is not after a moment: nothing was done of it, unless its outcome
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

// abort ends a batch whose sending certainly had no effect; an earlier one may have had one.
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

// sendAgain sends the same visit again after a pause, until the last deadline of
// its requests; then its outcome stays unknown and what is in memory is worthless.
func (m *recordActor[S]) sendAgain(b *visitBatch[S]) {
	m.refuseQueueIfUnreachable()
	b.attempts++
	if pause := engine.ResendPause(b.attempts); time.Now().Add(pause).Before(b.visit.Deadline) {
		m.env.counters.Resends.Add(1)
		m.pause(pause)
		return
	}
	m.giveUp(b)
}

// giveUp ends a batch whose outcome stays unknown; of a refusal nothing was done.
func (m *recordActor[S]) giveUp(b *visitBatch[S]) {
	m.underWay = nil
	m.forget()
	for _, r := range b.requests {
		err := engine.ErrUnavailable
		if r.tells {
			err = engine.ErrUnknownOutcome
		}
		m.finish(r, answer[S]{err: err})
	}
	m.advance()
}
