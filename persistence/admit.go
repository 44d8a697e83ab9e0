package persistence

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// admission is one request's share of the round trip in which it is admitted.
type admission struct {
	db *DB
	// log is the limiter's list that the request counts in, limit its budget.
	log   string
	limit int
	// store is the store whose head, record and token are read; zero: none.
	store  uuid.UUID
	record string       // the key of the record in the path; empty: none
	held   bool         // the node holds the record: read only its stamp
	holds  engine.Stamp // the stamp that it holds
	token  *commerce.KeyHash
	// contacts and onces are the prefixes of the store's keys of contacts and of entries.
	contacts, onces string
	// contact asks for the record of the token's contact, onceName for the entry of an
	// Idempotency-Key in its scope. The token was last seen to be of customer, whose
	// record the node holds or not.
	contact     bool
	onceName    string
	customer    uuid.UUID
	contactHeld bool
	once        string // the key of the Idempotency-Key's entry, read with the record; empty: none

	// at, readRecord and readToken are its parts of the pipeline.
	at         place
	readRecord *redisdb.Command // GET, GETRANGE of the stamp or, with an Idempotency-Key, MGET
	readToken  *redisdb.Command

	decision ratelimit.Decision
	now      time.Time
	head     string
	seen     engine.Sighting[*commerce.Cart]
	owner    engine.Sighting[*commerce.Contact] // the token's contact
	visitor  commerce.Visitor
	entry    *engine.IdempotencyEntry
	done     chan error
	timer    *time.Timer
}

// Admit tells a request all that its guards need, in one round trip that it
// shares with every other request that waits (one more for an API key or a store
// that the node does not know yet). Errors: ErrUnavailable.
func (d *DB) Admit(r *engine.Request) error {
	var s *slot
	if r.KeyHash != nil {
		var err error
		if s, err = d.stores.find(r); err != nil {
			return err
		}
	}
	if d.Away() {
		return d.admitAlone(r, s)
	}
	if r.Presume && s != nil && d.presume(r, s) {
		return nil
	}
	err := d.admit(r, s)
	if err == nil && s != nil && r.Key == nil {
		s, err = d.admitElsewhere(r, s)
	}
	if err == engine.ErrUnavailable && r.Guards.Fallback {
		return d.admitAlone(r, s)
	}
	return err
}

// admit takes the round trip; without a store no key resolves.
func (d *DB) admit(r *engine.Request, s *slot) error {
	a := d.waiting.Get().(*admission)
	a.db = d
	d.fill(a, r, s)
	if err := d.await(a, r); err != nil {
		return err
	}
	r.Facts = engine.Facts{
		Now:     a.now.Truncate(time.Millisecond),
		Budget:  budget(a.decision),
		Cart:    a.seen,
		Contact: a.owner,
		Visitor: a.visitor,
		Entry:   a.entry,
	}
	if a.contact && a.visitor.Known {
		d.owners.remember(a.store, a.token, a.visitor.CustomerID, a.customer)
	}
	head, now := a.head, a.now
	d.release(a)
	if s == nil {
		return nil
	}
	l := s.current.Load()
	if head != "" && head != l.head.text { // a Redis that lost its stores changes nothing here
		ctx, cancel := context.WithDeadline(background, r.Deadline)
		defer cancel()
		var err error
		if l, err = d.stores.follow(ctx, s, head, now); err != nil {
			return err
		}
	}
	l, err := d.stores.followUsage(r.Deadline, s, l, now)
	if err == nil {
		r.Store, r.Key = l.store, l.key(*r.KeyHash)
	}
	return err
}

// admitElsewhere admits a request whose key has left the store that the node knew it of:
// it may have come into another's document. It returns the store.
func (d *DB) admitElsewhere(r *engine.Request, left *slot) (*slot, error) {
	s, err := d.stores.find(r)
	if err != nil || s == nil || s == left {
		return left, err
	}
	return s, d.admit(r, s)
}

// presume admits a write by what the node knows, so that its commit is its only round
// trip. False: it does not know enough.
func (d *DB) presume(r *engine.Request, s *slot) bool {
	l := s.current.Load()
	now, latest := d.clock.busyAt(r.Began)
	key := l.key(*r.KeyHash)
	if key == nil || l.presumed == nil || s.behind.Load() || now.IsZero() || !l.counted(now) {
		return false
	}
	var seen engine.Stamp
	if r.CartID != uuid.Nil {
		var held bool
		if seen, held = d.config.Presumable(engine.RecordKey{Store: s.id, ID: r.CartID}); !held {
			return false
		}
	}
	r.Facts = engine.Facts{
		Presumed: l.presumed, Now: now.Truncate(time.Millisecond), Latest: latest,
		Budget: engine.Budget{Granted: true}, Store: l.store, Key: key,
	}
	r.Cart.Stamp = seen
	return true
}

// admitAlone answers under the node's own window while Redis is away, where the
// route allows it.
func (d *DB) admitAlone(r *engine.Request, s *slot) error {
	if !r.Guards.Fallback {
		return engine.ErrUnavailable
	}
	now, a := time.Now(), &admission{}
	d.fill(a, r, s)
	r.Facts = engine.Facts{
		Now:    now.Truncate(time.Millisecond),
		Budget: budget(d.windows.Take(a.log, a.limit, commerce.RateWindow, now)),
	}
	if s != nil {
		l := s.current.Load()
		r.Store, r.Key = l.store, l.key(*r.KeyHash)
	}
	return nil
}

func budget(d ratelimit.Decision) engine.Budget {
	return engine.Budget{
		Granted: d.Granted, Limit: d.Limit, Remaining: d.Remaining,
		RetryAfter: d.RetryAfter, Reset: d.Reset,
	}
}

// release gives an admission back that nobody else has any more.
func (d *DB) release(a *admission) {
	*a = admission{done: a.done, timer: a.timer}
	d.waiting.Put(a)
}

// newAdmission is one that is used again and again.
func newAdmission() any {
	a := &admission{done: make(chan error, 1), timer: time.NewTimer(time.Hour)}
	a.timer.Stop()
	return a
}

// fill says what is to be asked; s is nil where no key resolves.
func (d *DB) fill(a *admission, r *engine.Request, s *slot) {
	if s == nil {
		a.log, a.limit = d.clients.Key(r.Caller.Addr, time.Now()), commerce.DefaultRateLimit
		return
	}
	a.store, a.log, a.limit, a.token = s.id, s.log, s.current.Load().store.RateLimit, r.Token
	a.contacts, a.onces = s.contacts, s.onces
	if r.OfContact && r.Token != nil {
		d.fillContact(a, r)
	}
	if r.CartID != uuid.Nil {
		key := engine.RecordKey{Store: s.id, ID: r.CartID}
		a.record = cartKey(key)
		a.holds, a.held = d.config.Held(key)
		if r.Idempotency != nil {
			a.once = onceKey(s.id, r.Idempotency.Name)
		}
	}
}

// fillContact asks for the token's contact: for its head only where the node holds it.
func (d *DB) fillContact(a *admission, r *engine.Request) {
	a.contact, a.customer = true, d.owners.find(a.store, a.token)
	if a.customer != uuid.Nil {
		_, a.contactHeld = d.config.HeldContact(engine.RecordKey{Store: a.store, ID: a.customer})
	}
	if r.Idempotency != nil {
		a.onceName = hexText(r.Idempotency.Name[:])
	}
}

// await sends the admission with the next pipeline and waits for it until the deadline. After an
// error somebody else may still have it.
func (d *DB) await(a *admission, r *engine.Request) error {
	if !d.main.Send(a.log, a, r.Deadline) {
		return engine.ErrUnavailable
	}
	select {
	case err := <-a.done: // it was flushed on this goroutine
		return err
	default:
	}
	a.timer.Reset(time.Until(r.Deadline))
	select {
	case err := <-a.done:
		a.timer.Stop()
		return err
	case <-a.timer.C:
		return engine.ErrUnavailable
	}
}
