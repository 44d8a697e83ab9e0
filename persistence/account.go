package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
)

// Register is part of engine.Storage. It reports the account.
func (d *DB) Register(r *engine.Request, seen engine.Account, c *commerce.Contact, s *commerce.Session) error {
	return d.saveAccount(r, &engine.AccountChange{Next: c, Email: seen}, s)
}

// SaveExternal is part of engine.Storage. It reports a new account.
func (d *DB) SaveExternal(r *engine.Request, change *engine.AccountChange) error {
	return d.saveAccount(r, change, nil)
}

// saveAccount writes an account by the compare-and-set of its record and of its index entries, with its
// first token; nil for none. No actor takes part: the one of the account's record finds another stamp, as
// after a write of another node.
func (d *DB) saveAccount(r *engine.Request, change *engine.AccountChange, s *commerce.Session) error {
	store, c, id := r.Store.ID, change.Next, change.Next.ID.String()
	var before engine.Record[*commerce.Contact]
	if change.Before != nil {
		before = *change.Before
	}
	visit := engine.Visit[*commerce.Contact]{
		Key: engine.RecordKey{Store: store, ID: c.ID}, Seen: before.Stamp, Writes: true, Next: records.Next(records.MakeWriter(), &before, c, r.Now),
	}
	w := &sending{Visit: records.NewVisit(records.Contacts, &visit, nil)}
	w.store = r.Store
	email := accounts.EmailKey(store, c.Email)
	w.Plan.CheckValue(email, change.Email.Entry)
	if c.ExternalID != "" {
		w.Plan.CheckValue(accounts.ExternalKey(store, c.ExternalID), change.External.Entry)
	}
	if change.Former {
		w.Plan.CheckValue(accounts.EmailKey(store, before.State.Email), id)
		w.Plan.Write("DEL", accounts.EmailKey(store, before.State.Email))
	}
	w.Plan.Write("SET", email, id)
	if s != nil {
		w.Plan.Write("SET", accounts.TokenKey(store, s.Token), accounts.SessionText(c.ID, s), "PXAT", s.ExpiresAt)
	}
	if c.ExternalID != "" {
		w.Plan.Write("SET", accounts.ExternalKey(store, c.ExternalID), id)
	}
	w.Plan.Set("SADD", accounts.CustomersKey(store), id)
	accounts.IndexContact(&w.Plan, store, before.State, c)
	w.act(store, r.Act(c.ID), r.Now)
	if change.Before == nil {
		w.announce(store, answers.ContactChanged(commerce.EventContactRegistered, r.Store, c, c.CreatedAt), 0)
	}
	if !d.grows(d.growing([]*engine.Request{r}, len(w.Record)-before.Size+w.Plan.Bytes()+w.growth, false)) {
		return engine.GrowthFull
	}
	made, err := d.commit(r, w)
	if err == nil && made.Kind != engine.Done {
		err = engine.ErrOutdated // the account or an entry is another one
	}
	if err == nil && w.events {
		d.outbox.Announce(store)
	}
	return err
}
