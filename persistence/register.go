package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
)

// Register makes an account with its first token, and reports it, if FindAccount's result is still true.
// Errors: engine.ErrOutdated, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) Register(r *engine.Request, seen engine.Account, c *commerce.Contact, s *commerce.Session) error {
	store, id := r.Store.ID, c.ID.String()
	record := engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1, Writer: records.NewWriter(), Sequence: 1}, State: c}
	w := &sending{Visit: records.NewVisit(records.Contacts, &engine.Visit[*commerce.Contact]{
		Key: engine.RecordKey{Store: store, ID: c.ID}, Writes: true, Next: record,
	}, nil)}
	w.store = r.Store
	w.Plan.CheckValue(accounts.EmailKey(store, c.Email), seen.Entry)
	w.Plan.Write("SET", accounts.EmailKey(store, c.Email), id)
	w.Plan.Write("SET", accounts.TokenKey(store, s.Token), accounts.SessionText(c.ID, s), "PXAT", s.ExpiresAt)
	w.Plan.Set("SADD", accounts.CustomersKey(store), id)
	w.announce(store, answers.ContactChanged(commerce.EventContactRegistered, r.Store, c, c.CreatedAt), 0)
	if !d.grows([]*engine.Request{r}, len(w.Record)+w.Plan.Bytes()+w.growth) {
		return engine.GrowthFull
	}
	made, err := d.commit(r, w)
	if err == nil && made.Kind != engine.Done {
		err = engine.ErrOutdated // the address has another entry
	}
	if err == nil && w.events {
		d.outbox.Announce(store)
	}
	return err
}
