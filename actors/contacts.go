package actors

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Contacts serves admitted requests on contacts.
type Contacts struct{ records[*commerce.Contact] }

// NewContacts starts a directory of contacts beside the one of carts, whose actor
// system, stamps and budget it shares. Close ends it, before the carts'.
func NewContacts(store Store[*commerce.Contact], beside *Carts) *Contacts {
	written := func(c *commerce.Contact) time.Time { return c.UpdatedAt }
	return &Contacts{newRecords(beside.node, store, engine.ContactKind, written, contactSize)}
}

// Close ends the directory. No request may be under way.
func (c *Contacts) Close() { close(c.directory.stop) }

// Read answers a read of a contact. Errors: *Refusal, ErrUnavailable.
func (c *Contacts) Read(asked *engine.Request) (engine.Reply, error) {
	if a, ok := c.show(contactKey(asked), &asked.Contact, asked); ok {
		return engine.Reply{Contact: a.state, Stamp: a.stamp}, a.err
	}
	r := newRequest(asked, c.judge, asked.Contact)
	r.read = true
	return c.do(r)
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
func (c *Contacts) Change(asked *engine.Request) (engine.Reply, error) {
	return c.do(newRequest(asked, c.judge, asked.Contact))
}

func (c *Contacts) do(r *request[*commerce.Contact]) (engine.Reply, error) {
	a, err := c.serve(contactKey(r.Request), r)
	return engine.Reply{Contact: a.state, Part: a.part, Stamp: a.stamp, Place: a.place, Replayed: a.replayed}, err
}

func contactKey(r *engine.Request) engine.RecordKey {
	return engine.RecordKey{Store: r.Store.ID, ID: r.ContactID}
}
