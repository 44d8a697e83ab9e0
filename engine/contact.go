package engine

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// checkSession refuses a token whose session has ended since admission: it does not resolve. Spec: Address errors.
func checkSession(c *commerce.Contact, r *Request) *commerce.Refusal {
	if r.Visitor.Known && r.Visitor.Session.Number != c.Session {
		return commerce.InvalidCustomerToken
	}
	return nil
}

// findAddress refuses a replay if its address is gone.
func findAddress(c *commerce.Contact, id uuid.UUID) *commerce.Refusal {
	if id != uuid.Nil && c.Address(id) == nil {
		return commerce.NotFound("Address", id.String())
	}
	return nil
}

// ReadContact returns the contact Request.ContactID.
func (e *Engine) ReadContact(r *Request) (Reply, error) {
	reply, err := e.contacts.Read(r)
	reply.Facts = &r.Facts
	return reply, err
}

// ChangeContact applies Request.Command.
func (e *Engine) ChangeContact(r *Request) (Reply, error) { return e.write(r, e.contacts.Change) }
