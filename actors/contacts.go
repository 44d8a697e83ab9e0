package actors

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Contacts serves admitted requests on contacts.
type Contacts struct{ records[*commerce.Contact] }

// NewContacts starts a directory of contacts. It shares the actor system, stamps and budget of the
// carts. Close it first, then the carts.
func NewContacts(storage Storage[*commerce.Contact], carts *Carts) *Contacts {
	written := func(c *commerce.Contact) time.Time { return c.UpdatedAt }
	return &Contacts{newRecords(carts.directory.env.node, storage, engine.ContactKind, written, contactMemory, nil)}
}

// Read uses the contact that admission found. Errors: *Refusal, ErrUnavailable.
func (c *Contacts) Read(asked *engine.Request) (engine.Reply, error) {
	found, err := c.show(contactKey(asked), &asked.Contact, asked)
	return engine.Reply{Contact: found.State, Stamp: found.Stamp, Size: found.Size}, err
}

// Change applies a command. It needs no load if the request has found the contact. Errors: *Refusal,
// ErrUnavailable, ErrUnknownOutcome, ErrOutdated.
func (c *Contacts) Change(asked *engine.Request) (engine.Reply, error) {
	r := newRequest(asked, c.judge)
	r.found = asked.Contact.Record
	a, err := c.serve(contactKey(&r.Request), r)
	return engine.Reply{Contact: a.state, Part: a.part, Stamp: a.stamp, CommitIndex: a.commitIndex, Replayed: a.replayed, Facts: a.facts}, err
}

// Find returns a contact from this node's memory, possibly out of date, else from the storage; nil if
// there is none. If fresh is true, it reads the storage. Errors: engine.ErrUnavailable.
func (c *Contacts) Find(key engine.RecordKey, fresh bool, deadline time.Time) (*engine.Record[*commerce.Contact], error) {
	if known := c.directory.published(key); known != nil && !fresh {
		return known, nil
	}
	return c.fetch(key, deadline)
}

func contactKey(r *engine.Request) engine.RecordKey {
	return engine.RecordKey{Store: r.Store.ID, ID: r.ContactID}
}
