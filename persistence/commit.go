package persistence

import (
	"slices"
	"strings"
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
	done func(*records.Result)

	// store has the webhooks that copy the visit's events; nil if no request's growth is judged.
	store *commerce.Store
	// facts are those that the visit checks.
	facts checkedFacts
	// planned are the items whose hold the script grants.
	planned []commerce.ItemChange
	// growth is the number of bytes that the visit adds to Redis: those by which its record grows, and
	// those of its other writes.
	growth int
	// events means that the visit writes an event, or an unpaid order, for the outbox's index, moves that it may move the store's head.
	events, moves bool

	// Few visits have these parts; without one it is nil. whole is what is granted whole or not at all. back is what a cancel or a return
	// gives back. fold belongs to a claim, sets to a store's change sets. short is what earlier sendings of the visit met.
	whole *whole
	sale  *commerce.Sale
	back  *commerce.Return
	fold  *checkedFold
	sets  *checkedSets
	short *short

	notSent bool
	call    *call
	index   int
}

// whole is what a visit is granted whole or not at all.
type whole struct {
	takes []commerce.StockAsk
	uses  []commerce.Use
	// usesFrom is the index of the first ask for a use.
	usesFrom int
}

// short is what the sendings of a visit met that were short of stock because of expired holds.
type short struct {
	times int
	// counted is the budget that the first of them found.
	counted engine.Budget
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
	// results are those of the visits, and err the error of the call; nil until the call has ended.
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

// Unready is part of engine.Storage. A node that can read no store is not ready either.
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

// SilentServers is part of engine.Storage.
func (d *DB) SilentServers() []string {
	addrs := d.client.SilentServers()
	slices.Sort(addrs)
	return addrs
}

func (d *DB) send(s *sending) {
	if !d.client.Queue(s.Key, s) {
		go s.done(endedBy(engine.Refused)) // on another goroutine: the sender is at work
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
	s.call.asks += s.Plan.Asks()
}

// joins reports whether the visit may join a call.
func (s *sending) joins(c *call) bool {
	return !s.alone && !c.alone && c.version == s.version && len(c.sendings) < maxVisits && c.asks+s.Plan.Asks() <= maxAsks
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
		s.done(endedBy(engine.Refused))
		return
	case s.notSent:
		s.done(endedBy(engine.NotSent))
		return
	}
	r := s.call.result(p, s)
	switch {
	case r.Kind == engine.Short && r.Expired:
		go s.retryAfterExpiry(r.Budget)
	case r.Kind == engine.Broken && !s.alone && r.Key == "":
		again := *s
		again.alone = true
		s.db.send(&again)
		go s.db.Flush(time.Time{})
	case r.Kind == engine.Broken && r.Key == "":
		go s.db.client.LogWrongType(s.version.Log, s.version.HeadKey)
		fallthrough
	default:
		s.logBeyond(r)
		s.done(r)
	}
}

// Lost is part of redisdb.Operation.
func (s *sending) Lost() { s.done(endedBy(engine.Unknown)) }

func endedBy(kind engine.OutcomeKind) *records.Result {
	r := records.EndedBy(kind)
	return &r
}

// result returns the result of one visit of the call.
func (c *call) result(p *redisdb.Pipeline, s *sending) *records.Result {
	if c.results == nil {
		results, reply, err := c.given.Ended(p.Result(c.command))
		if !reply.Now.IsZero() {
			c.version.Clock.Hear(reply.Now, c.asked)
			if c.version.InForce != nil && reply.Head == c.version.Head {
				c.version.InForce.Store(redisdb.SinceStart(c.asked))
			}
		}
		c.results, c.err = results, err
	}
	r := &c.results[s.index]
	if s.short != nil && !r.Counted && c.err == nil { // by an earlier sending that was short
		r.Counted, r.Budget = true, s.short.counted
	}
	if r.Kind == engine.Broken && r.Key != "" {
		c.db.client.Unreadable(redisdb.BrokenKey(r.Key), "")
	}
	return r
}

// retryAfterExpiry releases expired holds and sends a visit again that was short of stock. The
// earlier sending wrote nothing.
func (s *sending) retryAfterExpiry(counted engine.Budget) {
	if _, err := s.db.ExpireHolds(s.version.Store, time.Now().Add(stock.ExpireFor)); err != nil {
		s.done(endedBy(engine.Refused))
		return
	}
	again := *s
	again.call, again.alone = nil, true
	again.Count = 0
	again.short = &short{times: 1, counted: counted}
	if s.short != nil {
		again.short.times += s.short.times
	}
	if again.short.times > maxShort {
		again.Plan.GrantShort()
	}
	s.db.send(&again)
	s.db.Flush(time.Time{})
}

// maxShort is the number of times that a visit waits for the release of expired holds. After
// them it is granted what is left.
const maxShort = 5

// commit writes a visit of a counted request without an actor. Errors: ErrOutdated, ErrUnavailable,
// ErrUnknownOutcome.
func (d *DB) commit(r *engine.Request, w *sending) (records.Result, error) {
	made, _ := d.CarryOut(r.Store.ID, r.Deadline, &records.Call{
		Head: r.Version.Head, Judged: r.Now, Tolerance: max(engine.Drift, time.Until(r.Deadline)), Visits: []*records.Visit{&w.Visit},
	})
	switch made[0].Kind {
	case engine.OtherHead, engine.TooLate: // no sending can be applied any more
		return made[0], engine.ErrOutdated
	case engine.Broken:
		return made[0], d.client.Unreadable(redisdb.BrokenKey(made[0].Key), "")
	case engine.Refused:
		return made[0], engine.ErrUnavailable
	case engine.Unknown:
		return made[0], engine.ErrUnknownOutcome
	}
	return made[0], nil
}

// found decodes the values that a visit found, or the texts that the script made.
func (k *Kind[S]) found(d *DB, v *engine.Visit[S], w *sending, r *records.Result, o *engine.Outcome[S]) (err error) {
	switch r.Kind {
	case engine.Done:
		if r.Made != "" {
			o.Current = v.Next
			o.Current.Size += len(r.Made)
			if k.granted != nil {
				o.Current.State, err = k.granted(v.Next.State, w.planned, r.Made)
			}
		}
		if w.sale != nil && w.sale.Numbered() && err == nil {
			o.Number, err = lastNumber(r.Made)
		}
		if w.sale != nil && err == nil && w.sale.Order != nil && w.sale.Order.Ahead != nil {
			var left []commerce.Micros
			left, err = leftOf(w.sale, r.Made)
			o.Ahead = w.sale.Order.WithLeft(left)
		}
		if w.moves {
			d.Stores.Entry(v.Key.Store).Moved.Store(true)
		}
		return err
	case engine.Short:
		o.Shortage = w.whole.shortage(r.Granted)
		for _, use := range o.Shortage.Used {
			d.refusedUses[use.Counter].Add(1)
		}
		return nil
	case engine.OtherRecord, engine.OtherFacts:
	default:
		return nil
	}
	if r.Kind == engine.OtherFacts && k.held != nil && k.held(w, r) {
		o.Kind = engine.Held
		return nil
	}
	if r.Record != "" {
		if o.Current, err = k.Decode(v.Key, r.Record); err != nil {
			return err
		}
	}
	if r.Kind == engine.OtherFacts {
		o.Facts = make([]engine.VisitedFacts, len(v.Requests))
		for i, asked := range v.Requests {
			if o.Facts[i], err = k.facts(w, v.Key, asked, r.Values, r.Record, r.Now); err != nil {
				return err
			}
			if asked.Token != nil && !o.Facts[i].Unknown {
				d.Remember(v.Key.Store, *asked.Token, o.Facts[i].TokenText)
			}
		}
	}
	return nil
}

// onHandOf is the number of the made text with the stock on hand of the n-th item that came back. The
// next one is what came back.
func onHandOf(n int) int { return 2*n + 1 }

// logBeyond logs the stock that an order could not give back, because the item would have more
// than the maximum.
func (s *sending) logBeyond(r *records.Result) {
	if s.back == nil || r.Kind != engine.Done || r.Earlier {
		return
	}
	made := strings.Split(r.Made, "\n")
	for i, item := range s.back.Items {
		if rest := item.Quantity - stock.Micros(made[onHandOf(i)]); rest > 0 {
			s.db.log.Warn("an order does not give all its stock back: the item has the maximum",
				"store", s.version.Store.String(), "item", item.Item.String(), "beyond", string(rest.AppendJSON(nil)))
		}
	}
}
