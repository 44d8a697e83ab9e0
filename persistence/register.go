package persistence

import (
	"cartd/commerce"
	"cartd/engine"
)

// Register makes an account with its first token, in the place of what FindAccount
// saw. Errors: engine.ErrTaken, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) Register(r *engine.Request, seen engine.Account, c *commerce.Contact, s *commerce.Session) error {
	store, id := r.Store.ID, c.ID.String()
	record := engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1, Writer: NewWriter(), Sequence: 1}, State: c}
	w := &wire{Visit: NewVisit(ContactCodec, &engine.Visit[*commerce.Contact]{
		Key: engine.RecordKey{Store: store, ID: c.ID}, Writes: true, Next: record,
	}, nil)}
	w.Plan.CheckValue(emailKey(store, c.Email), seen.Entry)
	w.Plan.Write("SET", emailKey(store, c.Email), id)
	w.Plan.Write("SET", tokenKey(store, s.Token), sessionText(c.ID, s), "PXAT", s.ExpiresAt)
	w.Plan.Set("SADD", customersKey(store), id)
	made, err := d.visit(r, w)
	if err == nil && made.kind != engine.Done {
		err = engine.ErrTaken
	}
	return err
}
