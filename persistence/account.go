package persistence

import (
	"crypto/sha256"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// emailKey leads from an account's e-mail address to its customer id:
// {<store>}:email:<sha256 of the lower-cased address>. Guests have none.
func emailKey(store uuid.UUID, email string) string {
	hash := sha256.Sum256([]byte(email))
	return keyPrefix(store, "email") + hexText(hash[:])
}

// FindAccount looks an account up. Errors: ErrUnavailable.
func (d *DB) FindAccount(store uuid.UUID, email string) (engine.Account, error) {
	v, err := d.runScript(emailScript, []string{emailKey(store, email)}, contactPrefix(store))
	if err != nil || len(v) != 2 {
		d.brokenReply(err, emailKey(store, email))
		return engine.Account{}, engine.ErrUnavailable
	}
	var texts [2]string
	for i := range texts {
		texts[i], _ = v[i].(string)
	}
	found := engine.Account{Entry: texts[0]}
	id, ok := commerce.ParseID(texts[0])
	if !ok || texts[1] == "" {
		return found, nil
	}
	record, err := decodeContact(engine.RecordKey{Store: store, ID: id}, texts[1])
	if err != nil {
		d.broken(contactPrefix(store) + texts[0])
		return engine.Account{}, engine.ErrUnavailable
	}
	if record.State.Email == email && !record.State.Guest {
		found.Record = &record
	}
	return found, nil
}

// Register makes an account with its first token, in the place of what FindAccount
// saw. Errors: engine.ErrTaken, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) Register(r *engine.Request, seen engine.Account, c *commerce.Contact, s *commerce.Session) error {
	store, id := r.Store.ID, c.ID.String()
	record := engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1, Writer: NewWriter(), Sequence: 1}, State: c}
	w := newWire(contactKind, &engine.Visit[*commerce.Contact]{
		Key: engine.RecordKey{Store: store, ID: c.ID}, Writes: true, Next: record,
	}, nil)
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
