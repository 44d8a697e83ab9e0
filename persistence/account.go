package persistence

import (
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// emailKey leads from an account's e-mail address to its customer id:
// {<store>}:email:<sha256 of the lower-cased address>. Guests have none.
func emailKey(store uuid.UUID, email string) string {
	hash := sha256.Sum256([]byte(email))
	return keyPrefix(store, "email") + hexText(hash[:])
}

// FindAccount looks an account up. Errors: ErrUnavailable.
func (d *DB) FindAccount(store uuid.UUID, email string) (engine.Account, error) {
	v, err := d.runScript(d.soon(), false, emailScript, []string{emailKey(store, email)}, contactPrefix(store))
	if err != nil || len(v) != 2 {
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
		d.log.Error("record", "key", contactPrefix(store)+texts[0], "error", err.Error())
		return engine.Account{}, engine.ErrUnavailable
	}
	if record.State.Email == email && !record.State.Guest {
		found.Record = &record
	}
	return found, nil
}

// Register makes an account with its first token, in the place of what FindAccount
// saw. Errors: engine.ErrTaken, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) Register(store uuid.UUID, seen engine.Account, c *commerce.Contact, s *commerce.Session, deadline time.Time) error {
	record := engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1, Writer: NewWriter(), Sequence: 1}, State: c}
	id := c.ID.String()
	keys := []string{
		contactKey(engine.RecordKey{Store: store, ID: c.ID}), emailKey(store, c.Email), tokenKey(store, s.Token), customersKey(store),
	}
	args := []any{seen.Entry, id, appendContact(nil, &record), sessionText(c.ID, s), s.ExpiresAt}
	made, err := d.insist(deadline, redisdb.Call{Script: registerScript, Keys: keys, Args: args})
	if err == nil && made != int64(1) {
		err = engine.ErrTaken
	}
	return err
}
