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
	switch o.Kind {
	case engine.Committed:
		if !o.Current.Stamp.Zero() {
			f.commit.Next = o.Current
		}
		m.memory.committed(&f.commit)
		f.counted(o.Budget)
		m.land(f)
	case engine.Conflicted:
		m.overtaken(f, o)
	case engine.NotSent:
		m.retry(f)
	case engine.Exceeded:
		m.exceeded(f, o)
	case engine.Superseded:
		m.superseded(f)
	case engine.Refused:
		if !f.unknown {
			m.abort(f)
			return
		}
		m.sendAgain(f)
	case engine.Unknown:
		f.unknown = true
		m.sendAgain(f)
	}
}

// counted tells each request of a flight what the limit left behind it.
func (f *flight[S]) counted(b engine.Budget) {
	if b.Limit == 0 {
		return
	}
	for _, r := range f.requests {
		r.answer().budget = b
		b.Remaining--
	}
}

// exceeded refuses the requests beyond the request limit; the others are judged
// again. An earlier sending that is still on its way may yet find room.
func (m *machine[S]) exceeded(f *flight[S], o *engine.Outcome[S]) {
	if f.unknown {
		m.sendAgain(f)
		return
	}
	unclaim(f.requests)
	why := error(commerce.TooManyAttempts)
	if o.Budget.Limit == 0 {
		why = engine.ErrPresumed
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
	m.finishAll(f.requests, engine.ErrPresumed)
	m.advance()
}

// land answers a flight whose commit is part of the record's history.
func (m *machine[S]) land(f *flight[S]) {
	m.flight = nil
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

// overtaken takes over the record that stood in the commit's way. The writers table tells
// whether the commit was applied before. If not, and had the table room for it all the
// time, it never can be, and all its requests are judged again and sent at once: one of two
// commits that meet is done, and whatever is done during a pause would be in the way of
// what follows it.
func (m *machine[S]) overtaken(f *flight[S], o *engine.Outcome[S]) {
	current := o.Current // the flight's own is used again
	m.adopt(&current, f.commit.SentAt)
	switch {
	case o.Current.Applied(f.commit.Next.Stamp):
		f.counted(o.Budget)
		m.land(f)
		return
	case f.unknown && m.mayHaveForgotten(&o.Current, &f.commit.Next):
		m.giveUp(f)
		return
	}
	f.remember(o)
	m.publish()
	unclaim(f.requests)
	m.retry(f)
}

// mayHaveForgotten reports whether a record may have forgotten that a commit is part of
// its history: clocks may jump, and a node that was suspended comes back late.
func (m *machine[S]) mayHaveForgotten(now, mine *engine.Record[S]) bool {
	return !now.Stamp.Zero() && m.env.written(now.State).Sub(m.env.written(mine.State)) >= engine.WriterMemory
}

// retry judges a flight's requests again, before those collected behind it. Whoever has no
// time left for another trip is told now that nothing was done.
func (m *machine[S]) retry(f *flight[S]) {
	now := time.Now()
	back := now.Add(min(now.Sub(f.commit.SentAt), longestTrip))
	f.requests = slices.DeleteFunc(f.requests, func(r *request[S]) bool { return m.late(r, back) })
	m.putBack(f.requests)
	m.flight = nil
	m.advance()
}

// longestTrip bounds how long a trip is taken for: a commit may have been sent many times.
const longestTrip = 250 * time.Millisecond

// late ends a request that nothing was done of where its deadline is not after a moment.
func (m *machine[S]) late(r *request[S], moment time.Time) bool {
	if r.Deadline.After(moment) {
		return false
	}
	m.finish(r, answer[S]{err: engine.ErrUnavailable})
	return true
}

// abort ends a flight that certainly had no effect.
func (m *machine[S]) abort(f *flight[S]) {
	m.flight = nil
	m.finishAll(f.requests, engine.ErrUnavailable)
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
	m.giveUp(f)
}

// giveUp ends a flight whose outcome stays unknown.
func (m *machine[S]) giveUp(f *flight[S]) {
	m.flight = nil
	m.forget()
	m.finishAll(f.requests, engine.ErrUnknownOutcome)
	m.advance()
}

// resendPause grows from 5 ms to a quarter of a second.
func resendPause(attempt int) time.Duration {
	return min(5*time.Millisecond<<min(attempt-1, 10), 250*time.Millisecond)
}
