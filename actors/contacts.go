package actors

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Contacts serves admitted requests on contacts.
type Contacts struct{ *Records[*commerce.Contact] }

// NewContacts is NewRecords for contacts.
func NewContacts(storage Storage[*commerce.Contact], carts *Carts) *Contacts {
	return &Contacts{NewRecords(storage, carts)}
}

// Read uses the contact that admission found. Errors: *Refusal, ErrUnavailable.
func (c *Contacts) Read(asked *engine.Request) (engine.Reply, error) {
	found, err := c.show(c.kind.Key(asked), &asked.Contact, asked)
	return c.readReply(&found), err
}

// Change applies a command. It needs no load if the request has found the contact. Errors: *Refusal,
// ErrUnavailable, ErrUnknownOutcome, ErrOutdated.
func (c *Contacts) Change(asked *engine.Request) (engine.Reply, error) {
	r := newRequest(asked, c.judge)
	r.found = asked.Contact.Record
	return c.reply(r)
}

// Find returns a contact from this node's memory, possibly out of date, else from the storage; nil if
// there is none. If fresh is true, it reads the storage. Errors: engine.ErrUnavailable.
func (c *Contacts) Find(key engine.RecordKey, fresh bool, deadline time.Time) (*engine.Record[*commerce.Contact], error) {
	if known := c.directory.published(key); known != nil && !fresh {
		return known, nil
	}
	return c.Fetch(key, deadline)
}
