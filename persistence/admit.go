package persistence

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/ratelimit"
)

// admission is one request's share of the round trip in which it is admitted.
type admission struct {
	// log is the limiter's list that the request counts in, limit its budget.
	log   string
	limit int
	// store is the store whose head, record and token are read; zero: none.
	store  uuid.UUID
	record string         // the key of the record in the path; empty: none
	held   bool           // the node holds the record: read only its stamp
	holds  commerce.Stamp // the stamp that it holds
	token  *commerce.KeyHash
	// counted is the budget of a request that was counted before.
	counted *commerce.Budget
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

	decision ratelimit.Decision
	now      time.Time
	head     string
	seen     commerce.Sighting[*commerce.Cart]
	owner    commerce.Sighting[*commerce.Contact] // the token's contact
	visitor  commerce.Visitor
	entry    *commerce.IdempotencyEntry
	done     chan error
	timer    *time.Timer
}

// Admit tells a request all that its guards need, in one round trip that it
// shares with every other request that waits (one more for an API key or a store
// that the node does not know yet). Errors: ErrUnavailable.
func (d *DB) Admit(ask *commerce.Ask, admitted *commerce.Admission) error {
	var s *slot
	if ask.Key != nil {
		var err error
		if s, err = d.stores.find(ask); err != nil {
			return err
		}
	}
	if !d.reachable() {
		return d.admitAlone(ask, s, admitted)
	}
	if ask.Presume && s != nil && d.presume(ask, s, admitted) {
		return nil
	}
	err := d.admit(ask, s, admitted)
	if err == nil && ask.Counted == nil && admitted.Store != nil && !admitted.Budget.Granted && admitted.Store.RateLimit > admitted.Budget.Limit {
		// Refused under the limit of a store that was replaced: where the limiter has
		// a Redis of its own it does not see the head's.
		err = d.admit(ask, s, admitted)
	}
	if err == nil && s != nil && admitted.Key == nil {
		s, err = d.admitElsewhere(ask, s, admitted)
	}
	if err == commerce.ErrUnavailable && ask.Fallback {
		return d.admitAlone(ask, s, admitted)
	}
	return err
}

// admit takes the round trip; without a store no key resolves.
func (d *DB) admit(ask *commerce.Ask, s *slot, admitted *commerce.Admission) error {
	a := d.waiting.Get().(*admission)
	d.fill(a, ask, s)
	if err := d.await(a, ask); err != nil {
		return err
	}
	*admitted = commerce.Admission{
		Now:     a.now.Truncate(time.Millisecond),
		Budget:  a.budget(),
		Seen:    a.seen,
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
		ctx, cancel := context.WithDeadline(background, ask.Deadline)
		defer cancel()
		var err error
		if l, err = d.stores.follow(ctx, s, head, now); err != nil {
			return err
		}
	}
	l, err := d.stores.followUsage(ask.Deadline, s, l, now)
	if err == nil {
		admitted.Store, admitted.Key = l.store, l.key(*ask.Key)
	}
	return err
}

// admitElsewhere admits a request whose key has left the store that the node knew it of:
// it may have come into another's document. It returns the store.
func (d *DB) admitElsewhere(ask *commerce.Ask, left *slot, admitted *commerce.Admission) (*slot, error) {
	s, err := d.stores.find(ask)
	if err != nil || s == nil || s == left {
		return left, err
	}
	return s, d.admit(ask, s, admitted)
}

// presume admits a write by what the node knows, so that its commit is its only round
// trip. False: it does not know enough.
func (d *DB) presume(ask *commerce.Ask, s *slot, admitted *commerce.Admission) bool {
	l := s.current.Load()
	now, latest := d.clock.busyAt(ask.Began)
	key := l.key(*ask.Key)
	if key == nil || l.presumed == nil || s.behind.Load() || now.IsZero() || !l.counted(now) {
		return false
	}
	var seen commerce.Stamp
	if ask.Cart != uuid.Nil {
		var held bool
		if seen, held = d.config.Presumable(commerce.RecordKey{Store: s.id, ID: ask.Cart}); !held {
			return false
		}
	}
	*admitted = commerce.Admission{
		Presumed: l.presumed, Now: now.Truncate(time.Millisecond), Latest: latest,
		Budget: commerce.Budget{Granted: true}, Store: l.store, Key: key,
	}
	admitted.Seen.Stamp = seen
	return true
}

// admitAlone answers under the node's own window while Redis is away, where the
// route allows it.
func (d *DB) admitAlone(ask *commerce.Ask, s *slot, admitted *commerce.Admission) error {
	if !ask.Fallback {
		return commerce.ErrUnavailable
	}
	now, a := time.Now(), &admission{}
	d.fill(a, ask, s)
	*admitted = commerce.Admission{
		Now:    now.Truncate(time.Millisecond),
		Budget: budget(d.windows.Take(a.log, a.limit, commerce.RateWindow, now)),
	}
	if s != nil {
		l := s.current.Load()
		admitted.Store, admitted.Key = l.store, l.key(*ask.Key)
	}
	return nil
}

func budget(d ratelimit.Decision) commerce.Budget {
	return commerce.Budget{
		Granted: d.Granted, Limit: d.Limit, Remaining: d.Remaining,
		RetryAfter: d.RetryAfter, Reset: d.Reset,
	}
}

// budget is what the limiter said.
func (a *admission) budget() commerce.Budget {
	if a.counted != nil {
		return *a.counted
	}
	return budget(a.decision)
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
func (d *DB) fill(a *admission, ask *commerce.Ask, s *slot) {
	a.counted = ask.Counted
	if s == nil {
		a.log, a.limit = d.clients.Key(ask.Client, time.Now()), commerce.DefaultRateLimit
		return
	}
	a.store, a.log, a.limit, a.token = s.id, s.log, s.current.Load().store.RateLimit, ask.Token
	a.contacts, a.onces = s.contacts, s.onces
	if ask.Contact && ask.Token != nil {
		d.fillContact(a, ask)
	}
	if ask.Cart != uuid.Nil {
		key := commerce.RecordKey{Store: s.id, ID: ask.Cart}
		a.record = cartKey(key)
		a.holds, a.held = d.config.Held(key)
		if ask.Once != nil {
			a.once = onceKey(s.id, *ask.Once)
		}
	}
}

// fillContact asks for the token's contact: for its head only where the node holds it.
func (d *DB) fillContact(a *admission, ask *commerce.Ask) {
	a.contact, a.customer = true, d.owners.find(a.store, a.token)
	if a.customer != uuid.Nil {
		_, a.contactHeld = d.config.HeldContact(commerce.RecordKey{Store: a.store, ID: a.customer})
	}
	if ask.Once != nil {
		a.onceName = hexText(ask.Once[:])
	}
}

// await sends the admission with the next batch and waits for it, but never longer
// than Redis may be silent. After an error somebody else may still have it.
func (d *DB) await(a *admission, ask *commerce.Ask) error {
	patience := min(d.config.Timeout, time.Until(ask.Deadline))
	if !d.admissions.push(a) {
		return commerce.ErrUnavailable
	}
	if patience == d.config.Timeout { // else its flush may take longer than it waits
		d.admissions.lead()
	} else {
		d.admissions.start()
	}
	select {
	case err := <-a.done: // it was flushed on this goroutine
		return err
	default:
	}
	a.timer.Reset(patience)
	select {
	case err := <-a.done:
		a.timer.Stop()
		return err
	case <-a.timer.C:
		return commerce.ErrUnavailable
	}
}
