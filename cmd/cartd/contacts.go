package main

import (
	"time"

	"cartd/actors"
	"cartd/commerce"
	"cartd/persistence"
)

// contacts serves admitted requests on contacts. A change of the password ends all
// sessions but its own, which goes on under another number: what that session has under way
// meanwhile goes on with it.
type contacts struct {
	db     *persistence.DB
	actors *actors.Contacts
}

// Read answers a read of a contact. Errors: as Change.
func (c *contacts) Read(r *commerce.ContactRequest) (commerce.ContactReply, error) {
	return c.renewing(r, c.actors.Read)
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
func (c *contacts) Change(r *commerce.ContactRequest) (commerce.ContactReply, error) {
	return c.renewing(r, c.actors.Change)
}

func (c *contacts) renewing(r *commerce.ContactRequest, do func(*commerce.ContactRequest) (commerce.ContactReply, error)) (commerce.ContactReply, error) {
	for {
		reply, err := do(r)
		if err != error(commerce.InvalidCustomerToken) || !r.Visitor.Known {
			return reply, err
		}
		if err := c.renew(r); err != nil {
			return commerce.ContactReply{}, err
		}
	}
}

// renew admits a request's token once more, and what belongs to it. Its number may be the
// same as before: the request may have seen more than the record that it was judged by,
// which was current when it came. Errors: *Refusal where the session has ended,
// ErrUnavailable.
func (c *contacts) renew(r *commerce.ContactRequest) error {
	began := time.Now()
	a, err := c.db.ResolveToken(r.Store.ID, r.Visitor.Session.Token, r.Key, r.Now, r.Deadline)
	if err != nil {
		return err
	}
	if !a.Visitor.Known || a.Visitor.CustomerID != r.Contact {
		return commerce.InvalidCustomerToken
	}
	r.Visitor, r.Admission.Contact, r.Entry, r.Began = a.Visitor, a.Contact, a.Entry, began
	return nil
}
