package actors

import (
	"runtime"
	"slices"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// settle deals with the outcome of one sending.
func (m *machine[S]) settle(f *flight[S], o *engine.Outcome[S]) {
	if f != m.flight {
		return // of a flight that was given up
	}
	m.env.counters.Outcomes[o.Kind].Add(1)
	for _, r := range f.requests {
		r.Timing.End(engine.PhaseVisit, f.visit.SentAt)
	}
	switch o.Kind {
	case engine.Done:
		m.done(f, o)
	case engine.OtherRecord, engine.OtherFacts:
		m.overtaken(f, o)
	case engine.Short:
		m.short(f, o)
	case engine.OverLimit:
		m.overLimit(f, o)
	case engine.OtherHead:
		m.end(f, engine.ErrOutdated)
	case engine.TooLate:
		for _, r := range f.requests {
			r.patient = true
		}
		m.retry(f)
	case engine.NotSent:
		m.retry(f)
	case engine.Broken:
		m.forget()
		m.abort(f)
	case engine.Refused:
		m.abort(f)
	case engine.Unknown:
		f.visit.Resent = true
		m.sendAgain(f)
	}
}

// done lands a flight where everything stood.
func (m *machine[S]) done(f *flight[S], o *engine.Outcome[S]) {
	f.counted(o.Budget)
	if f.visit.Writes {
		next := f.visit.Next // the visit's own is used again
		if !o.Current.Stamp.Zero() {
			next = o.Current
		}
		m.record = &next
	}
	if a := f.requests[0].answer(); a.sale != nil {
		a.number = o.Number
	}
	m.land(f)
}

// short has a flight judged again by what there is too little of. An earlier sending that is still
// on its way may yet find enough.
func (m *machine[S]) short(f *flight[S], o *engine.Outcome[S]) {
	if f.visit.Resent {
		m.sendAgain(f)
		return
	}
	f.counted(o.Budget)
	for _, r := range f.requests {
		r.shortage, r.proven, r.at = o.Shortage, true, m.record.Stamp
	}
	m.retry(f)
}

// counted tells each request that was not counted yet what the limit left behind it.
func (f *flight[S]) counted(b engine.Budget) {
	for _, r := range f.requests {
		if !r.Counted {
			r.Counted, r.Budget = true, b
			b.Remaining--
		}
	}
}

// overLimit refuses the requests beyond the request limit; the others are judged again. An earlier
// sending that is still on its way may yet find room.
func (m *machine[S]) overLimit(f *flight[S], o *engine.Outcome[S]) {
	if f.visit.Resent {
		m.sendAgain(f)
		return
	}
	within := o.Within
	f.requests = slices.DeleteFunc(f.requests, func(r *request[S]) bool {
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
	m.retry(f)
}

// land answers a flight whose visit is done.
func (m *machine[S]) land(f *flight[S]) {
	m.flight = nil
	if f.visit.Writes {
		m.publish()
		moment := m.landings.add(f.visit.Next.Stamp.Counter)
		for _, r := range f.requests {
			r.answer().answered = moment
		}
	}
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
// answers, and those that follow them, go first, and the next visit is of more.
const crowd = 4

// overtaken takes over what a visit found in the place of what it was judged by. The writers table
// tells whether the visit was done before. If not, and had the table room for it all the
// time, it never can be, and all its requests are judged again and sent at once: one of two
// visits that meet is done, and whatever is done during a pause would be in the way of
// what follows it.
func (m *machine[S]) overtaken(f *flight[S], o *engine.Outcome[S]) {
	current := o.Current // the flight's own is used again
	m.adopt(&current)
	v := &f.visit
	switch {
	case v.Writes && v.Resent && current.Applied(v.Next.Stamp):
		f.counted(o.Budget)
		m.land(f)
		return
	case v.Writes && v.Resent && m.mayHaveForgotten(&current, &v.Next):
		m.giveUp(f)
		return
	}
	if o.Counted {
		f.counted(o.Budget)
	}
	outdated := false
	for i := range o.Facts {
		f.requests[i].learn(&o.Facts[i], current.Stamp)
		outdated = outdated || o.Facts[i].Unknown
	}
	if outdated {
		m.end(f, engine.ErrOutdated)
		return
	}
	m.retry(f)
}

// mayHaveForgotten reports whether a record may have forgotten that a commit is part of
// its history: clocks may jump, and a node that was suspended comes back late.
func (m *machine[S]) mayHaveForgotten(now, mine *engine.Record[S]) bool {
	return !now.Stamp.Zero() && m.env.written(now.State).Sub(m.env.written(mine.State)) >= engine.WriterMemory
}

// retry judges a flight's requests again, before those collected behind it. Its visit has done nothing.
// A request without the time for another trip is answered now.
func (m *machine[S]) retry(f *flight[S]) {
	open := f.visit.Resent && !f.visit.Writes // whether what a repetition has found lasts
	if !open {
		unclaim(f.requests)
	}
	now := time.Now()
	back := now.Add(min(now.Sub(f.visit.SentAt), longestTrip))
	f.requests = slices.DeleteFunc(f.requests, func(r *request[S]) bool { return m.late(r, back, open && r.tells) })
	if len(f.requests) > 0 && f.requests[0].Carts != nil { // a claim lets the others go first
		m.queue = append(m.queue, f.requests...)
	} else {
		m.putBack(f.requests)
	}
	m.flight = nil
	m.advance()
}

// longestTrip bounds how long a trip is taken for: a visit may have been sent many times.
const longestTrip = 250 * time.Millisecond

// late ends a request whose deadline is not after a moment: nothing was done of it, unless its outcome
// is open.
func (m *machine[S]) late(r *request[S], moment time.Time, open bool) bool {
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

// abort ends a flight whose sending certainly had no effect; an earlier one may have had one.
func (m *machine[S]) abort(f *flight[S]) {
	if f.visit.Resent && f.result.Kind == engine.Refused {
		m.sendAgain(f)
		return
	}
	if f.visit.Resent {
		m.giveUp(f)
		return
	}
	m.ifAwayRefuseQueue()
	m.end(f, engine.ErrUnavailable)
}

// end answers a flight's requests with one error.
func (m *machine[S]) end(f *flight[S], err error) {
	m.flight = nil
	for _, r := range f.requests {
		m.finish(r, answer[S]{facts: &r.Facts, err: err})
	}
	m.advance()
}

// sendAgain sends the same visit again after a pause, until the last deadline of
// its requests; then its outcome stays unknown and what is in memory is worthless.
func (m *machine[S]) sendAgain(f *flight[S]) {
	m.ifAwayRefuseQueue()
	f.attempts++
	if pause := resendPause(f.attempts); time.Now().Add(pause).Before(f.visit.Deadline) {
		m.env.counters.Resends.Add(1)
		m.pause(pause)
		return
	}
	m.giveUp(f)
}

// giveUp ends a flight whose outcome stays unknown; of a refusal nothing was done.
func (m *machine[S]) giveUp(f *flight[S]) {
	m.flight = nil
	m.forget()
	for _, r := range f.requests {
		err := engine.ErrUnavailable
		if r.tells {
			err = engine.ErrUnknownOutcome
		}
		m.finish(r, answer[S]{err: err})
	}
	m.advance()
}

// resendPause grows from 5 ms to a quarter of a second.
func resendPause(attempt int) time.Duration {
	return min(5*time.Millisecond<<min(attempt-1, 10), 250*time.Millisecond)
}
