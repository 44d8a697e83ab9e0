package engine

import (
	"errors"

	"github.com/google/uuid"

	"cartd/commerce"
)

// ReadContact returns the contact Request.ContactID.
func (e *Engine) ReadContact(r *Request) (Reply, error) {
	reply, err := e.contacts.Read(r)
	reply.Facts = &r.Facts
	return reply, err
}

// ChangeContact applies Request.Command.
func (e *Engine) ChangeContact(r *Request) (Reply, error) { return e.write(r, e.contacts.Change) }

// ContactQuery asks for contacts by one of its members.
type ContactQuery struct {
	Email, ExternalID string
	// Name is the beginning of a name. Awaiting asks for the businesses that await approval, the oldest first.
	Name     string
	Awaiting bool
	// After is the end of the page before; empty for the first page.
	After string
	Size  int
}

// ContactPage is a page of contacts. NextAfter is empty at the end.
type ContactPage struct {
	Contacts  []*commerce.Contact
	NextAfter string
}

// FindContacts returns a page of contacts: docs/api/merchant.md#customers. Errors: *commerce.Refusal, ErrUnavailable.
func (e *Engine) FindContacts(r *Request, q *ContactQuery) (page ContactPage, err error) {
	switch {
	case q.Email != "":
		found, err := e.storage.FindAccount(r.Store.ID, q.Email, r.Deadline)
		if err != nil {
			return page, err
		}
		if found.Record != nil {
			page.Contacts = append(page.Contacts, found.Record.State)
		}
		guest, err := e.guest(r, r.Store.GuestID(q.Email))
		if guest != nil {
			page.Contacts = append(page.Contacts, guest.State)
		}
		return page, err
	case q.ExternalID != "":
		found, err := e.storage.FindExternal(r.Store.ID, q.ExternalID, r.Deadline)
		if found.Record != nil {
			page.Contacts = append(page.Contacts, found.Record.State)
		}
		return page, err
	}
	return e.storage.FindContacts(r, q)
}

// guest is the guest of an id: by its record, or by an order or a quote of its address; nil if there is none.
func (e *Engine) guest(r *Request, id uuid.UUID) (*Record[*commerce.Contact], error) {
	key := RecordKey{r.Store.ID, id}
	found, err := e.contacts.Find(key, true, r.Deadline)
	if err != nil || found != nil {
		return found, err
	}
	email, err := e.storage.GuestEmail(r, key)
	if err != nil || email == "" || r.Store.GuestID(email) != id {
		return nil, err
	}
	return &Record[*commerce.Contact]{State: &commerce.Contact{ID: id, Guest: true, Email: email}}, nil
}

// ReadStoreContact returns a contact by its id, a guest too. Errors: *commerce.Refusal (404), ErrUnavailable.
func (e *Engine) ReadStoreContact(r *Request, id string) (*Record[*commerce.Contact], error) {
	parsed, ok := commerce.ParseID(id)
	if !ok {
		return nil, commerce.NotFound("Contact", id)
	}
	found, err := e.guest(r, parsed)
	if err == nil && found == nil {
		err = commerce.NotFound("Contact", id)
	}
	return found, err
}

// ChangeStoreContact applies Request.Command, a *commerce.ChangeStanding, to the account Request.ContactID. With a refusal for a version that
// does not match, the reply has the current contact.
func (e *Engine) ChangeStoreContact(r *Request) (Reply, error) {
	reply, err := e.ChangeContact(r)
	switch {
	case errors.Is(err, commerce.AddressBookChanged):
		err = commerce.ContactChanged
	case errors.Is(err, ContactKind.missing(r)):
		err = commerce.NotFound("Contact", r.ContactID.String())
	}
	return reply, err
}

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
