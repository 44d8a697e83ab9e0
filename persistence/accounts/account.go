package accounts

import (
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Accounts are the customers' accounts of all stores. It remembers the tokens that the node has
// seen.
type Accounts struct {
	client *redisdb.Client
	tokens tokenCache
}

// New returns accounts without a remembered token.
func New(client *redisdb.Client) *Accounts { return &Accounts{client: client} }

// CustomersKey is the key of the set of a store's account ids: {<store>}:customers.
func CustomersKey(store uuid.UUID) string { return records.SingleKey(store, "customers") }

// EmailKey is the key of the customer id of an account's e-mail address:
// {<store>}:email:<sha256 of the lower-cased address>. Guests have none.
func EmailKey(store uuid.UUID, email string) string {
	hash := sha256.Sum256([]byte(email))
	return records.HashKey(store, "email", hash[:])
}

// ExternalKey is the key of the customer id of an account's external id:
// {<store>}:external:<sha256 of the external id>.
func ExternalKey(store uuid.UUID, externalID string) string {
	hash := sha256.Sum256([]byte(externalID))
	return records.HashKey(store, "external", hash[:])
}

// FindAccount finds an account by its e-mail address. Errors: ErrUnavailable.
func (a *Accounts) FindAccount(store uuid.UUID, email string, deadline time.Time) (engine.Account, error) {
	return a.findBy(store, EmailKey(store, email), deadline, func(c *commerce.Contact) bool { return c.Email == email })
}

// FindExternal finds an account by its external id. Errors: ErrUnavailable.
func (a *Accounts) FindExternal(store uuid.UUID, externalID string, deadline time.Time) (engine.Account, error) {
	return a.findBy(store, ExternalKey(store, externalID), deadline, func(c *commerce.Contact) bool { return c.ExternalID == externalID })
}

// findBy finds the account that an index entry names, if the account still is the one that the entry is for.
func (a *Accounts) findBy(store uuid.UUID, entry string, deadline time.Time, is func(*commerce.Contact) bool) (engine.Account, error) {
	v, err := a.client.RunScript(deadline, findAccountScript, []string{entry}, records.ContactPrefix(store))
	if err == nil && len(v) != 2 {
		err = redisdb.ErrReply
	}
	if err != nil {
		return engine.Account{}, a.client.Unreadable(err, entry)
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
	record, err := records.Contacts.Decode(engine.RecordKey{Store: store, ID: id}, texts[1])
	if err != nil {
		return engine.Account{}, a.client.Unreadable(err, records.ContactPrefix(store)+texts[0])
	}
	if is(record.State) && !record.State.Guest {
		found.Record = &record
	}
	return found, nil
}
