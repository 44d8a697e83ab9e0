package persistence

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/waiter"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// admission is one request's part of the round trip that counts it.
type admission struct {
	db *DB
	// log is the key of the limiter's log in which the request counts under the bound.
	log   string
	bound ratelimit.Bound
	// entry is the store whose head, record and token are read; nil if there is none.
	entry  *stores.StoreEntry
	store  uuid.UUID
	record string // the key of the record in the path; empty if there is none
	// resident is the record in memory, so that only its stamp is read; nil if there is none.
	resident *engine.CartRecord
	token    *commerce.KeyHash
	// contacts is the prefix of the store's contact keys.
	contacts string
	// contact means that the record of the token's contact is needed; contactResident that it is in
	// memory.
	contact, contactResident bool

	// ask counts the request with others; readRecord and readToken are its other commands of
	// the pipeline.
	ask        *budgetAsk
	index      int
	readRecord *redisdb.Command // GET, or readStamp
	readStamp  *redisdb.Command // GETRANGE of the stamp; kept in the pool
	readToken  *redisdb.Command

	decision    ratelimit.Decision
	now         time.Time
	head        string
	cartSeen    engine.Sighting[*commerce.Cart]
	contactSeen engine.Sighting[*commerce.Contact] // the record of the token's contact
	text        engine.TokenText
	visitor     commerce.Visitor
	// err is why the round trip failed. ended is true once it has ended; the waiter's answer follows.
	err   error
	ended bool
	*waiter.Waiter
}

// Identify is part of engine.Storage.
func (d *DB) Identify(r *engine.Request) error {
	found, err := d.Stores.Find(r)
	if err != nil || found == nil {
		return err
	}
	l := found.Current.Load()
	if key := l.Key(r.KeyHash); key != nil {
		r.Store, r.Key = l.Store, key
	}
	return nil
}

// Admit is part of engine.Storage. All waiting requests share the round trip. An API key or a store that the node does not know
// costs one more.
func (d *DB) Admit(r *engine.Request) error {
	var s *stores.StoreEntry
	if r.KeyHash != (commerce.KeyHash{}) {
		var err error
		if s, err = d.Stores.Find(r); err != nil {
			return err
		}
	}
	if d.Away() {
		return d.admitAlone(r, s)
	}
	if s != nil && !d.admitClient(r, s) {
		return nil
	}
	err := d.admit(r, s)
	if err == nil && s != nil && r.Key == nil {
		s, err = d.admitElsewhere(r, s)
	}
	if err == nil {
		d.followClient(r)
	}
	if errors.Is(err, engine.ErrUnavailable) && r.Guards.Fallback && d.Away() {
		return d.admitAlone(r, s)
	}
	return err
}

// admit counts the request and gathers its facts; without a store no key resolves. A key that the
// node did not know yet, or limits that it reads on this trip, may decide otherwise: the request then
// asks again. One that was granted too far stays counted.
func (d *DB) admit(r *engine.Request, s *stores.StoreEntry) error {
	if s == nil {
		return d.admitOnce(r, s)
	}
	known := boundOf(r, s)
	if err := d.admitOnce(r, s); err != nil {
		return err
	}
	more := boundOf(r, s).Beyond - known.Beyond
	switch {
	case r.Budget.Granted && r.Budget.Remaining+more < 0, !r.Budget.Granted && more > 0:
		return d.admitOnce(r, s)
	case r.Budget.Granted:
		r.Budget.Remaining += more
	}
	return nil
}

// boundOf is the bound of a request under the store that the node knows.
func boundOf(r *engine.Request, s *stores.StoreEntry) ratelimit.Bound {
	l := s.Current.Load()
	return ratelimit.Bound{Limit: l.Head.Limit, Beyond: l.Store.Limits.Beyond(l.Key(r.KeyHash), l.Head.Limit, r.Unreserved)}
}

// StoreClients is the number of clients that the node counts for limits of clients.
func (d *DB) StoreClients() int { return d.storeClients.Counted() }

// admitClient counts the request for its client, if the store limits clients and the request is not counted
// yet. It returns false, with the facts of the node's memory, if the client has made all its requests.
func (d *DB) admitClient(r *engine.Request, s *stores.StoreEntry) bool {
	l := s.Current.Load()
	if l.Store.Limits.PerClient == 0 {
		return true
	}
	key := l.Key(r.KeyHash)
	limit := l.Store.ClientLimit(key)
	if limit == 0 {
		return true
	}
	now, _ := s.Clock.Now()
	if r.Client.Limit == 0 {
		r.Client = d.countClient(r, l.Store, key, limit, now)
	}
	if r.Client.Limit == 0 || r.Client.Granted {
		return true
	}
	r.Facts = engine.Facts{Version: l.Version, Store: l.Store, Key: key, Now: now.Truncate(time.Millisecond)}
	d.Stores.FollowInBackground(s)
	return false
}

// countClient counts a request, with its further ones, under the limit of its client.
func (d *DB) countClient(r *engine.Request, s *commerce.Store, key *commerce.APIKey, limit int, now time.Time) engine.Budget {
	return d.storeClients.Decide(s.ID, r.Caller.Addr, 1+r.FurtherRequests(s, key, now), limit, time.Now())
}

// followClient judges the request by the limit of a client that the node has read meanwhile. A request
// that is counted already is not counted again.
func (d *DB) followClient(r *engine.Request) {
	if r.Key == nil || r.Store.ClientLimit(r.Key) == r.Client.Limit {
		return
	}
	limit, used := r.Store.ClientLimit(r.Key), r.Client.Limit-r.Client.Remaining
	switch {
	case limit == 0:
		r.Client = engine.Budget{}
	case r.Client.Limit == 0 || used > limit:
		r.Client = d.countClient(r, r.Store, r.Key, limit, r.Now)
	default:
		r.Client.Limit, r.Client.Remaining = limit, limit-used
	}
}

// admitOnce makes the round trip. After an error a pipeline may still have the admission.
func (d *DB) admitOnce(r *engine.Request, s *stores.StoreEntry) error {
	a := d.waiting.Get().(*admission)
	a.db = d
	d.fill(a, r, s)
	if !d.client.Send(a.log, a, r.Deadline) {
		return engine.ErrUnavailable
	}
	answered, reusable := a.Wait(r.Deadline)
	if !answered {
		return engine.ErrUnavailable
	}
	if a.err != nil {
		return a.err
	}
	r.Facts = engine.Facts{
		Now:       a.now.Truncate(time.Millisecond),
		Counted:   true,
		Budget:    a.decision,
		Cart:      a.cartSeen,
		Contact:   a.contactSeen,
		Visitor:   a.visitor,
		TokenText: a.text,
	}
	head := a.head
	if a.readToken != nil {
		d.Remember(a.store, *a.token, a.text)
	}
	if reusable {
		d.release(a)
	}
	if s == nil {
		return nil
	}
	l := s.Under(head)
	if l == nil {
		var err error
		if l, err = d.readUnder(s, head, r.Deadline); err != nil {
			return err
		}
	}
	r.Version, r.Store, r.Key = l.Version, l.Store, l.Key(r.KeyHash)
	return nil
}

// readUnder is Stores.Follow until a deadline.
func (d *DB) readUnder(s *stores.StoreEntry, head string, deadline time.Time) (*stores.Loaded, error) {
	ctx, cancel := context.WithDeadline(background, deadline)
	defer cancel()
	return d.Stores.Follow(ctx, s, head)
}

// admitElsewhere admits a request whose key is no longer in the store that the node knew:
// another store's document may have it now. It returns that store.
func (d *DB) admitElsewhere(r *engine.Request, left *stores.StoreEntry) (*stores.StoreEntry, error) {
	s, err := d.Stores.Find(r)
	if err != nil || s == nil || s == left {
		return left, err
	}
	return s, d.admit(r, s)
}

// Recall is part of engine.Storage. A visit will compare the facts.
func (d *DB) Recall(r *engine.Request) (known bool, err error) {
	if r.KeyHash == (commerce.KeyHash{}) {
		return false, nil
	}
	s, err := d.Stores.Find(r)
	if err != nil || s == nil {
		return false, err
	}
	if d.Away() {
		return false, engine.ErrUnavailable
	}
	if !d.admitClient(r, s) {
		return true, nil
	}
	if s.Moved.CompareAndSwap(true, false) {
		return false, nil
	}
	l := s.Current.Load()
	now, ok := s.Clock.Now()
	if !ok || l.Version == nil || l.Key(r.KeyHash) == nil {
		return false, nil
	}
	return true, d.recall(r, s, l, now)
}

// Refresh is part of engine.Storage. It reads the store's head and the request's token.
func (d *DB) Refresh(store uuid.UUID, r *engine.Request) error {
	s := d.Stores.Entry(store)
	ctx, cancel := context.WithDeadline(background, r.Deadline)
	defer cancel()
	if s.Current.Load() == nil { // it was evicted meanwhile
		if _, err := d.Stores.LoadUnder(ctx, s, ""); err != nil {
			return d.Stores.Unavailable(s, err)
		}
	}
	now, _ := s.Clock.Now()
	head, err := d.client.ReadKey(ctx, stores.HeadKey(s.ID))
	if err != nil {
		return err
	}
	l, err := d.Stores.Follow(ctx, s, head)
	if err != nil {
		return err
	}
	if r.Token != nil {
		if err := d.ReadToken(s.ID, r); err != nil {
			return err
		}
	}
	err = d.recall(r, s, l, now)
	if err == nil && r.Write {
		d.followClient(r)
	}
	return err
}

func (d *DB) recall(r *engine.Request, s *stores.StoreEntry, l *stores.Loaded, now time.Time) error {
	text := r.TokenText
	if r.Token != nil {
		var known bool
		if text, known = d.KnownToken(s.ID, r.Token); !known {
			if err := d.ReadToken(s.ID, r); err != nil {
				return err
			}
			text = r.TokenText
		}
	}
	r.Facts = engine.Facts{
		Version: l.Version, Store: l.Store, Key: l.Key(r.KeyHash), Now: now.Truncate(time.Millisecond),
		Budget: engine.Budget{Granted: true}, TokenText: text,
	}
	if r.Token != nil {
		r.Visitor = accounts.ResolveToken(*r.Token, text, now)
	}
	return nil
}

// admitAlone counts a request in the node's own window while Redis is unreachable, if the route
// allows it.
func (d *DB) admitAlone(r *engine.Request, s *stores.StoreEntry) error {
	if !r.Guards.Fallback || r.Token != nil { // a token is resolved in Redis only
		return engine.ErrUnavailable
	}
	if s != nil && !d.admitClient(r, s) {
		return nil
	}
	now, a := time.Now(), &admission{}
	d.fill(a, r, s)
	r.Facts = engine.Facts{
		Now:     now.Truncate(time.Millisecond),
		Counted: true,
		Budget:  d.windows.Decide(a.log, a.bound, commerce.RateWindow, now),
	}
	if s != nil {
		l := s.Current.Load()
		r.Version, r.Store, r.Key = l.Version, l.Store, l.Key(r.KeyHash)
	}
	return nil
}

// release returns to the pool an admission that no pipeline has any more.
func (d *DB) release(a *admission) {
	*a = admission{Waiter: a.Waiter, readStamp: a.readStamp}
	d.waiting.Put(a)
}

// newAdmission makes an admission for the pool.
func newAdmission() any {
	a := &admission{Waiter: waiter.New()}
	a.readStamp = redisdb.NewCommand(false, "GETRANGE", &a.record, records.StampFrom, records.HeadFrom-1)
	return a
}

// fill sets an admission's commands; s is nil if no key resolves.
func (d *DB) fill(a *admission, r *engine.Request, s *stores.StoreEntry) {
	if s == nil {
		a.log, a.bound = d.clients.Key(r.Caller.Addr, time.Now()), ratelimit.Bound{Limit: commerce.DefaultRateLimit}
		return
	}
	a.entry, a.store, a.log, a.bound, a.token = s, s.ID, s.Log, boundOf(r, s), r.Token
	a.contacts = s.Contacts
	if r.OfContact && r.Token != nil {
		a.contact = true
		if customer := d.CustomerOf(a.store, a.token); customer != uuid.Nil {
			a.contactResident = d.config.ResidentContact(engine.RecordKey{Store: a.store, ID: customer})
		}
	}
	if r.CartID != uuid.Nil && !r.Write {
		key := engine.RecordKey{Store: s.ID, ID: r.CartID}
		a.record = records.Carts.Key(key)
		a.resident = d.config.ResidentCart(key)
	}
}
