package engine

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// ContactKind says how contacts are judged. A session that ended since the request was admitted
// is one whose token does not resolve. Spec: Address errors.
var ContactKind = &Kind[*commerce.Contact]{
	command:  func(r *Request) commerce.Command[*commerce.Contact] { return r.ContactCommand },
	absent:   func(c *commerce.Contact, _ time.Time) bool { return c == nil },
	missing:  func(*Request) *commerce.Refusal { return commerce.InvalidCustomerToken },
	owner:    checkSession,
	readOnly: func(*commerce.Contact) bool { return false },
	stale:    commerce.AddressBookChanged,
	change:   commerce.ChangeContact,
	part:     findAddress,
}

func checkSession(c *commerce.Contact, f *Facts) *commerce.Refusal {
	if f.Visitor.Known && f.Visitor.Session.Number != c.Session {
		return commerce.InvalidCustomerToken
	}
	return nil
}

// findAddress refuses the replay of a request whose address is gone since.
func findAddress(c *commerce.Contact, id uuid.UUID) *commerce.Refusal {
	if id != uuid.Nil && c.Address(id) == nil {
		return commerce.NotFound("Address", id.String())
	}
	return nil
}

// ReadContact returns the contact Request.ContactID.
func (e *Engine) ReadContact(r *Request) (Reply, error) { return e.serveContact(r, e.contacts.Read) }

// ChangeContact applies Request.ContactCommand.
func (e *Engine) ChangeContact(r *Request) (Reply, error) {
	reply, err := e.serveContact(r, e.contacts.Change)
	return reply, e.replayed(r, reply.Replayed, err)
}

// serveContact serves a request on a contact. A change of the password ends all sessions but its
// own, which goes on under another number: what that session has under way meanwhile goes on
// with it.
func (e *Engine) serveContact(r *Request, serve func(*Request) (Reply, error)) (Reply, error) {
	for {
		reply, err := serve(r)
		reply.Facts = &r.Facts
		if err != error(commerce.InvalidCustomerToken) || !r.Visitor.Known {
			return reply, err
		}
		again := *r // the first one may still be with the contact's actor
		if err := e.renew(&again); err != nil {
			return Reply{}, err
		}
		r = &again
	}
}

// renew resolves a request's token once more, and reads what belongs to it. The session number
// may be the same as before: the request may have seen more than the record that it was judged
// by, which was current when the request came. Errors: *Refusal if the session has ended,
// ErrUnavailable.
func (e *Engine) renew(r *Request) error {
	began := time.Now()
	f, err := e.store.ResolveToken(r.Store.ID, r.Visitor.Session.Token, r.Idempotency, r.Now, r.Deadline)
	if err != nil {
		return err
	}
	if !f.Visitor.Known || f.Visitor.CustomerID != r.ContactID {
		return commerce.InvalidCustomerToken
	}
	r.Visitor, r.Contact, r.Entry, r.Began = f.Visitor, f.Contact, f.Entry, began
	return nil
}
