package persistence

import (
	"errors"
	"slices"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
)

// sending is a visit on its way to Redis, in the form of the script.
type sending struct {
	db *DB
	records.Visit
	// version is the store version that it was judged under.
	version   *engine.StoreVersion
	judged    time.Time
	tolerance time.Duration
	maySend   func() bool
	// alone means that it shares its call with no other visit.
	alone bool
	// done receives its outcome.
	done func(records.Result)

	// planned are the items whose hold the script grants. asks is the number of the plan's
	// asks.
	planned []commerce.ItemChange
	asks    int
	// sale is the visit's sale, nil if there is none. usesFrom is the index of the first ask
	// for a use.
	sale     *commerce.Sale
	usesFrom int
	// growth is the number of bytes that the visit adds to Redis: those by which its record grows, and
	// those of its other writes.
	growth int
	// store has the webhooks that copy the visit's events; nil if no request's growth is judged.
	store *commerce.Store
	// back is what a cancelled order gives back, nil if the visit has none.
	back *commerce.Return
	// events means that the visit writes an event, or an unpaid order, for the outbox's index.
	events bool
	// moves means that the visit may move the store's head.
	moves bool
	// tokens and entries are the facts that the visit checks. checks is the number of those
	// checks.
	tokens  []checkedToken
	entries []checkedEntry
	checks  int
	// fold is the fold of a claim, nil if the visit has none. folded is the index of its first
	// check.
	fold   *engine.Fold
	folded int

	// short counts the sendings that were short of stock because of expired holds. counted is
	// the budget that the first of them found.
	short   int
	counted *engine.Budget

	notSent bool
	call    *call
	index   int
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
// accepts writes, and the program can read a store of it.
func (d *DB) Unready() engine.Unavailable {
	switch {
	case d.Away():
		return engine.RedisAway
	case d.client.ReadOnly():
		return engine.RedisReadOnly
	case d.noneReadable.Load():
		return engine.StoresUnreadable
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
	if !d.client.Queue(s.Key, s) {
		go s.done(ended(engine.Refused)) // on another goroutine: the sender is at work
	}
}

// Flush sends the queued operations: on the caller's goroutine if the caller can wait at least
// a Timeout until its deadline.
func (d *DB) Flush(deadline time.Time) { d.client.Flush(deadline) }

// Join is part of redisdb.Operation.
func (s *sending) Join(p *redisdb.Pipeline) {
	if s.notSent = !s.maySend(); s.notSent {
		return
	}
	s.call = redisdb.Shared(p, s.joins, func() *call {
		return &call{db: s.db, version: s.version, alone: s.alone, command: p.Reserve(true)}
	})
	s.index = len(s.call.sendings)
	s.call.sendings = append(s.call.sendings, s)
	s.call.asks += s.asks
}

// joins reports whether the visit may join a call.
func (s *sending) joins(c *call) bool {
	return !s.alone && !c.alone && c.version == s.version && len(c.sendings) < maxVisits && c.asks+s.asks <= maxAsks
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
		all.Visits = append(all.Visits, &s.Visit)
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
		s.done(ended(engine.Refused))
		return
	case s.notSent:
		s.done(ended(engine.NotSent))
		return
	}
	r := s.call.result(p, s)
	switch {
	case r.Kind == engine.Short && r.Expired:
		s.counted = &r.Budget
		go s.retryAfterExpiry()
	case r.Kind == engine.Broken && !s.alone && r.Key == "":
		again := *s
		again.alone = true
		s.db.send(&again)
		go s.db.Flush(time.Time{})
	case r.Kind == engine.Broken && r.Key == "":
		go s.db.client.LogWrongType(s.version.Log, s.version.HeadKey)
		fallthrough
	default:
		s.logBeyond(&r)
		s.done(r)
	}
}

// Lost is part of redisdb.Operation.
func (s *sending) Lost() { s.done(ended(engine.Unknown)) }

// result returns the outcome of one visit of the call.
func (c *call) result(p *redisdb.Pipeline, s *sending) records.Result {
	if !c.read {
		c.read = true
		v, err := p.Result(c.command)
		c.err = err
		if err == nil || errors.Is(err, redisdb.ErrTooFewReplicas) {
			all, reply, bad := c.given.Results(v)
			if c.results = all; bad != nil {
				c.err = bad
			} else {
				c.version.Clock.Hear(reply.Now, c.asked)
			}
		}
	}
	if c.err != nil && !errors.Is(c.err, redisdb.ErrTooFewReplicas) {
		return failed(c.err)
	}
	r := c.results[s.index]
	if s.counted != nil { // by an earlier sending that was short
		r.Counted, r.Budget = true, *s.counted
	}
	if c.err != nil && (r.Kind == engine.Done || r.Kind == engine.OtherRecord || r.Kind == engine.OtherFacts) {
		return ended(engine.Unknown) // without its replicas the write may be lost
	}
	if r.Kind == engine.Broken {
		c.db.client.Unreadable(redisdb.BrokenKey(r.Key), "")
	}
	return r
}

// ended is a result without values.
func ended(kind engine.OutcomeKind) records.Result {
	return records.Result{Ending: engine.Ending{Kind: kind}}
}

// failed returns the result of a call that Redis did not carry out. One visit of the call
// caused a script's own error, so each visit is sent alone.
func failed(err error) records.Result {
	switch {
	case redisdb.CertainlyRefused(err):
		return ended(engine.Refused)
	case redisdb.IsReply(err):
		return ended(engine.Broken)
	}
	return ended(engine.Unknown)
}

// retryAfterExpiry releases expired holds and sends a visit again that was short of stock. The
// earlier sending wrote nothing.
func (s *sending) retryAfterExpiry() {
	if _, err := s.db.ExpireHolds(s.version.Store, time.Now().Add(stock.ExpireFor)); err != nil {
		s.done(ended(engine.Refused))
		return
	}
	again := *s
	again.call, again.alone = nil, true
	again.Count = 0
	if again.short++; again.short > maxShort {
		again.Plan.GrantShort()
	}
	s.db.send(&again)
	s.db.Flush(time.Time{})
}

// maxShort is the number of times that a visit waits for the release of expired holds. After
// them it is granted what is left.
const maxShort = 5

// visit sends a visit without an actor, of a counted request, until Redis has answered it.
// Errors: ErrOutdated, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) visit(r *engine.Request, w *sending) (records.Result, error) {
	unknown := engine.ErrUnavailable
	for attempt := 1; ; attempt++ {
		made := d.visitOnce(r, w)
		switch made.Kind {
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

func (d *DB) visitOnce(r *engine.Request, w *sending) records.Result {
	done := make(chan records.Result, 1)
	s := *w
	s.db, s.version, s.judged, s.tolerance = d, r.Version, r.Now, max(engine.Drift, time.Until(r.Deadline))
	s.alone, s.maySend, s.done = true, func() bool { return true }, func(made records.Result) { done <- made }
	d.send(&s)
	d.Flush(r.Deadline)
	timer := time.NewTimer(time.Until(r.Deadline))
	defer timer.Stop()
	select {
	case made := <-done:
		return made
	case <-timer.C:
		return ended(engine.Unknown)
	}
}
