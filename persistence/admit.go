package persistence

import (
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
	record string // the key of the record in the path; empty: none
	held   bool   // the node holds the record: read only its stamp
	token  *commerce.KeyHash
	// contact asks for the whole record of the token's contact, onceName for the
	// entry of an Idempotency-Key in its scope.
	contact  bool
	onceName string
	once     string // the key of the Idempotency-Key's entry, read with the record; empty: none

	decision ratelimit.Decision
	now      time.Time
	head     string
	seen     commerce.Sighting[*commerce.Cart]
	owner    commerce.Sighting[*commerce.Contact] // the token's contact
	visitor  commerce.Visitor
	entry    *commerce.IdempotencyEntry
	done     chan error
}

// Admit tells a request all that its guards need, in one round trip that it
// shares with every other request that waits (one more for an API key or a store
// that the node does not know yet). Errors: ErrUnavailable.
func (d *DB) Admit(ask *commerce.Ask) (commerce.Admission, error) {
	var s *slot
	if ask.Key != nil {
		var err error
		if s, err = d.stores.find(ask); err != nil {
			return commerce.Admission{}, err
		}
	}
	if !d.Ready() {
		return d.admitAlone(ask, s)
	}
	if ask.Presume && s != nil {
		if admitted, ok := d.presume(ask, s); ok {
			return admitted, nil
		}
	}
	a, l, err := d.admit(ask, s)
	if err == nil && l != nil && !a.decision.Granted && l.store.RateLimit > a.decision.Limit {
		// Refused under the limit of a store that was replaced: where the limiter has
		// a Redis of its own it does not see the head's.
		a, l, err = d.admit(ask, s)
	}
	if err == commerce.ErrUnavailable && ask.Fallback {
		return d.admitAlone(ask, s)
	}
	if err != nil {
		return commerce.Admission{}, err
	}
	admitted := commerce.Admission{
		Now:     a.now.Truncate(time.Millisecond),
		Budget:  budget(a.decision),
		Seen:    a.seen,
		Contact: a.owner,
		Visitor: a.visitor,
		Entry:   a.entry,
	}
	if l != nil {
		admitted.Store, admitted.Key = l.store, l.key(*ask.Key)
	}
	return admitted, nil
}

// admit takes the round trip and returns, with its answers, the store as the request
// may see it; nil: no key resolves.
func (d *DB) admit(ask *commerce.Ask, s *slot) (*admission, *loaded, error) {
	a := d.newAdmission(ask, s)
	if err := d.await(a, ask); err != nil || s == nil {
		return a, nil, err
	}
	l, err := d.stores.follow(s, a.head, a.now)
	return a, l, err
}

// presume admits a write by what the node knows, so that its commit is its only round
// trip. False: it does not know enough.
func (d *DB) presume(ask *commerce.Ask, s *slot) (admitted commerce.Admission, ok bool) {
	l := s.current.Load()
	if l.presumed == nil || s.behind.Load() || d.limiter != d.main {
		return admitted, false
	}
	if ask.Cart != uuid.Nil {
		if admitted.Seen.Stamp, ok = d.config.Held(commerce.RecordKey{Store: s.id, ID: ask.Cart}); !ok {
			return admitted, false
		}
	}
	now, ok := d.clock.at(ask.Began)
	admitted.Now, admitted.Presumed = now.Truncate(time.Millisecond), l.presumed
	admitted.Budget.Granted = true
	admitted.Store, admitted.Key = l.store, l.key(*ask.Key)
	return admitted, ok && admitted.Key != nil
}

// admitAlone answers under the node's own window while Redis is away, where the
// route allows it.
func (d *DB) admitAlone(ask *commerce.Ask, s *slot) (commerce.Admission, error) {
	if !ask.Fallback {
		return commerce.Admission{}, commerce.ErrUnavailable
	}
	now := time.Now()
	a := d.newAdmission(ask, s)
	admitted := commerce.Admission{
		Now:    now.Truncate(time.Millisecond),
		Budget: budget(d.windows.Take(a.log, a.limit, commerce.RateWindow, now)),
	}
	if s != nil {
		l := s.current.Load()
		admitted.Store, admitted.Key = l.store, l.key(*ask.Key)
	}
	return admitted, nil
}

func budget(d ratelimit.Decision) commerce.Budget {
	return commerce.Budget{
		Granted: d.Granted, Limit: d.Limit, Remaining: d.Remaining,
		RetryAfter: d.RetryAfter, Reset: d.Reset,
	}
}

func (d *DB) newAdmission(ask *commerce.Ask, s *slot) *admission {
	if s == nil {
		return &admission{
			log:   d.clients.Key(ask.Client, time.Now()),
			limit: commerce.DefaultRateLimit,
			done:  make(chan error, 1),
		}
	}
	a := &admission{
		store: s.id,
		log:   s.log,
		limit: s.current.Load().store.RateLimit,
		token: ask.Token,
		done:  make(chan error, 1),
	}
	if a.contact = ask.Contact; a.contact && ask.Once != nil {
		a.onceName = hexText(ask.Once[:])
	}
	if ask.Cart != uuid.Nil {
		key := commerce.RecordKey{Store: s.id, ID: ask.Cart}
		a.record = cartKey(key)
		_, a.held = d.config.Held(key)
		if ask.Once != nil {
			a.once = onceKey(s.id, *ask.Once)
		}
	}
	return a
}

// await sends the admission with the next batch and waits for it, but never longer
// than Redis may be silent.
func (d *DB) await(a *admission, ask *commerce.Ask) error {
	if !d.admissions.add(a) {
		return commerce.ErrUnavailable
	}
	patience := min(d.config.Timeout, time.Until(ask.Deadline))
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-a.done:
		return err
	case <-timer.C:
		return commerce.ErrUnavailable
	}
}
