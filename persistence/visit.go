package persistence

import (
	"slices"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
)

// sending is a visit on its way to Redis.
type sending struct {
	db    *DB
	visit *encodedVisit
	// version is the store version that it was judged under.
	version   *engine.StoreVersion
	judged    time.Time
	tolerance time.Duration
	claim     func() bool
	// alone means that it shares its call with no other visit.
	alone bool
	// done receives its outcome.
	done func(result)

	// short counts the sendings that were short of stock because of expired holds. counted is
	// the budget that the first of them found.
	short   int
	counted *engine.Budget

	unclaimed bool
	call      *call
	index     int
}

// result is the outcome of a sending.
type result struct {
	kind engine.OutcomeKind
	records.Result
	counted bool
	budget  engine.Budget
}

// call is one call of the script, shared by visits of one store.
type call struct {
	db       *DB
	version  *engine.StoreVersion
	alone    bool
	sendings []*sending
	asks     int
	command  *redisdb.Command
	given    records.Call
	asked    time.Time
	// read is true once results and err are set.
	read    bool
	results []records.Result
	err     error
}

// maxVisits and maxAsks bound the work of one call.
const (
	maxVisits = 32
	maxAsks   = 2000
)

// Away reports whether Redis is known to be unreachable.
func (d *DB) Away() bool { return d.client.Unreachable() }

// Unready returns the reason why requests cannot be served; empty if Redis can be reached and
// accepts writes.
func (d *DB) Unready() engine.Unavailable {
	switch {
	case d.Away():
		return engine.RedisAway
	case d.client.ReadOnly():
		return engine.RedisReadOnly
	}
	return ""
}

// SilentServers lists the addresses of the servers of a Redis Cluster that do not answer while
// others do.
func (d *DB) SilentServers() []string {
	addrs := d.client.SilentServers()
	slices.Sort(addrs)
	return addrs
}

func (d *DB) send(s *sending) {
	if !d.client.Queue(s.visit.Key, s) {
		go s.done(result{kind: engine.Refused}) // on another goroutine: the sender is at work
	}
}

// Flush sends the queued operations: on the caller's goroutine if the caller can wait at least
// a Timeout until its deadline.
func (d *DB) Flush(deadline time.Time) { d.client.Flush(deadline) }

// Join is part of redisdb.Operation.
func (s *sending) Join(p *redisdb.Pipeline) {
	if s.unclaimed = !s.claim(); s.unclaimed {
		return
	}
	s.call = redisdb.Shared(p, s.joins, func() *call {
		return &call{db: s.db, version: s.version, alone: s.alone, command: p.Reserve(true)}
	})
	s.index = len(s.call.sendings)
	s.call.sendings = append(s.call.sendings, s)
	s.call.asks += s.visit.asks
}

// joins reports whether the visit may join a call.
func (s *sending) joins(c *call) bool {
	return !s.alone && !c.alone && c.version == s.version && len(c.sendings) < maxVisits && c.asks+s.visit.asks <= maxAsks
}

// Complete is part of redisdb.SharedCall.
func (c *call) Complete() {
	c.asked = time.Now()
	all := &c.given
	*all = records.Call{
		Log: c.version.Log, HeadKey: c.version.HeadKey, Head: c.version.Head,
		Visits: make([]*records.Visit, 0, len(c.sendings)),
	}
	for _, s := range c.sendings {
		all.Visits = append(all.Visits, &s.visit.Visit)
		if all.Judged.IsZero() || s.judged.Before(all.Judged) {
			all.Judged = s.judged
		}
		all.Tolerance = max(all.Tolerance, s.tolerance)
	}
	c.command.Set(all.Args()...)
}

// Done is part of redisdb.Operation.
func (s *sending) Done(p *redisdb.Pipeline) {
	switch {
	case p.Err() != nil:
		s.done(result{kind: engine.Refused})
		return
	case s.unclaimed:
		s.done(result{kind: engine.NotSent})
		return
	}
	r := s.call.result(p, s)
	switch {
	case r.kind == engine.Short && r.Expired:
		s.counted = &r.budget
		go s.retryAfterExpiry()
	case r.kind == engine.Broken && !s.alone && r.Key == "":
		again := *s
		again.alone = true
		s.db.send(&again)
		go s.db.Flush(time.Time{})
	case r.kind == engine.Broken && r.Key == "":
		go s.db.client.LogWrongType(s.version.Log, s.version.HeadKey)
		fallthrough
	default:
		s.done(r)
	}
}

// Lost is part of redisdb.Operation.
func (s *sending) Lost() { s.done(result{kind: engine.Unknown}) }

// result returns the outcome of one visit of the call.
func (c *call) result(p *redisdb.Pipeline, s *sending) result {
	if !c.read {
		c.read = true
		v, err := p.Result(c.command)
		c.err = err
		if err == nil || err == redisdb.ErrTooFewReplicas {
			all, reply, bad := c.given.Results(v)
			if c.results = all; bad != nil {
				c.err = bad
			} else {
				c.version.Clock.Hear(reply.Now, c.asked)
			}
		}
	}
	if c.err != nil && c.err != redisdb.ErrTooFewReplicas {
		return failed(c.err)
	}
	r := result{Result: c.results[s.index]}
	r.kind, r.counted = outcomes[r.Outcome], r.Counted
	r.budget = visitBudget(&r.Result, s.visit.Count)
	if s.counted != nil { // by an earlier sending that was short
		r.counted, r.budget = true, *s.counted
	}
	if c.err != nil && (r.kind == engine.Done || r.kind == engine.OtherRecord || r.kind == engine.OtherFacts) {
		return result{kind: engine.Unknown} // without its replicas the write may be lost
	}
	if r.kind == engine.Broken {
		c.db.client.Broken(r.Key)
	}
	return r
}

// outcomes maps the script's outcomes to the engine's.
var outcomes = [...]engine.OutcomeKind{
	records.Done: engine.Done, records.OtherRecord: engine.OtherRecord, records.OtherFacts: engine.OtherFacts,
	records.OtherHead: engine.OtherHead, records.TooLate: engine.TooLate, records.OverLimit: engine.OverLimit,
	records.Short: engine.Short, records.Broken: engine.Broken,
}

// failed returns the result of a call that Redis did not carry out. One visit of the call
// caused a script's own error, so each visit is sent alone.
func failed(err error) result {
	switch {
	case redisdb.CertainlyRefused(err):
		return result{kind: engine.Refused}
	case redisdb.IsReply(err):
		return result{kind: engine.Broken, Result: records.Result{Outcome: records.Broken}}
	}
	return result{kind: engine.Unknown}
}

// visitBudget returns the budget of a visit's first request. An earlier sending's requests are
// among the counted.
func visitBudget(r *records.Result, requests int) engine.Budget {
	if r.Outcome == records.OverLimit {
		refused := r.Reply
		refused.Granted = 0
		if refused.Oldest.IsZero() { // the limit is below one visit's requests: those within the limit are sent first
			refused.Oldest = refused.Now
		}
		return refused.Decide(0, refused.Limit(0), commerce.RateWindow)
	}
	counted := r.Reply
	first := 0
	if r.Earlier || !r.Counted {
		first = -requests
	}
	counted.Granted = first + 1
	return counted.Decide(first, counted.Limit(0), commerce.RateWindow)
}

// retryAfterExpiry releases expired holds and sends a visit again that was short of stock. The
// earlier sending wrote nothing.
func (s *sending) retryAfterExpiry() {
	if _, err := s.db.ExpireHolds(s.version.Store, time.Now().Add(stock.ExpireFor)); err != nil {
		s.done(result{kind: engine.Refused})
		return
	}
	again := *s
	again.call, again.alone = nil, true
	again.visit.Count = 0
	if again.short++; again.short > maxShort {
		again.visit.Plan.GrantShort()
	}
	s.db.send(&again)
	s.db.Flush(time.Time{})
}

// maxShort is the number of times that a visit waits for the release of expired holds. After
// them it is granted what is left.
const maxShort = 5

// visit sends a visit without an actor, of a counted request, until Redis has answered it.
// Errors: ErrOutdated, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) visit(r *engine.Request, w *encodedVisit) (result, error) {
	unknown := engine.ErrUnavailable
	for attempt := 1; ; attempt++ {
		made := d.visitOnce(r, w)
		switch made.kind {
		case engine.Done, engine.OtherRecord, engine.OtherFacts:
			return made, nil
		case engine.Short:
			if unknown == engine.ErrUnavailable { // an earlier sending may still be granted enough
				return made, nil
			}
		case engine.Broken:
			return made, unknown
		case engine.OtherHead, engine.TooLate: // no earlier sending can be applied any more
			return made, engine.ErrOutdated
		case engine.Unknown:
			unknown = engine.ErrUnknownOutcome
		}
		pause := engine.ResendPause(attempt)
		if unknown == engine.ErrUnavailable || time.Until(r.Deadline) < pause {
			return made, unknown
		}
		time.Sleep(pause)
	}
}

func (d *DB) visitOnce(r *engine.Request, w *encodedVisit) result {
	done := make(chan result, 1)
	s := &sending{
		db: d, visit: w, version: r.Version, judged: r.Now, tolerance: max(engine.Drift, time.Until(r.Deadline)),
		alone: true, claim: func() bool { return true }, done: func(made result) { done <- made },
	}
	d.send(s)
	d.Flush(r.Deadline)
	timer := time.NewTimer(time.Until(r.Deadline))
	defer timer.Stop()
	select {
	case made := <-done:
		return made
	case <-timer.C:
		return result{kind: engine.Unknown}
	}
}
