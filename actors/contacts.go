package actors

import (
	"time"

	"cartd/commerce"
)

// Contacts serves admitted requests on contacts.
type Contacts struct{ records[*commerce.Contact] }

// NewContacts starts a directory of contacts beside the one of carts, whose actor
// system, stamps and budget it shares. Close ends it, before the carts'.
func NewContacts(store Store[*commerce.Contact], beside *Carts) *Contacts {
	written := func(c *commerce.Contact) time.Time { return c.UpdatedAt }
	return &Contacts{newRecords(beside.node, store, written, contactSize)}
}

// Close ends the directory. No request may be under way.
func (c *Contacts) Close() { close(c.directory.stop) }

// Read answers a read of a contact. Errors: *Refusal, ErrUnavailable.
func (c *Contacts) Read(req *commerce.ContactRequest) (commerce.ContactReply, error) {
	if a, ok := c.show(contactKey(req), &req.Admission.Contact, contactRead{req}); ok {
		return commerce.ContactReply{Contact: a.state, Stamp: a.stamp}, a.err
	}
	r := newContactRequest(req, contactRead{req})
	r.read = true
	return c.do(req, r)
}

// contactRead judges a read.
type contactRead struct{ *commerce.ContactRequest }

func (req contactRead) judge(v view[*commerce.Contact]) (verdict[*commerce.Contact], error) {
	in := contactInput(req.ContactRequest, &v)
	if refusal := commerce.ReadContact(v.state, &in); refusal != nil {
		return verdict[*commerce.Contact]{}, refusal
	}
	return verdict[*commerce.Contact]{state: v.state}, nil
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
func (c *Contacts) Change(req *commerce.ContactRequest) (commerce.ContactReply, error) {
	return c.do(req, newContactRequest(req, contactChange{req}))
}

// contactChange judges a command.
type contactChange struct{ *commerce.ContactRequest }

func (req contactChange) judge(v view[*commerce.Contact]) (verdict[*commerce.Contact], error) {
	*v.input = contactInput(req.ContactRequest, &v)
	changed, refusal := commerce.ChangeContact(v.state, req.Command, v.input)
	if refusal != nil {
		return verdict[*commerce.Contact]{}, refusal
	}
	return verdict[*commerce.Contact]{
		state: changed.Contact, effects: changed.Effects, about: changed.Address, replayed: changed.Replayed,
	}, nil
}

func newContactRequest(req *commerce.ContactRequest, does act[*commerce.Contact]) *request[*commerce.Contact] {
	return asked(does, req.Admission.Contact, req.Began, req.Deadline, req.Key, req.Entry)
}

func (c *Contacts) do(req *commerce.ContactRequest, r *request[*commerce.Contact]) (commerce.ContactReply, error) {
	a, err := c.serve(contactKey(req), r)
	return commerce.ContactReply{Contact: a.state, Address: a.about, Stamp: a.stamp, Place: a.place, Replayed: a.replayed}, err
}

func contactKey(req *commerce.ContactRequest) commerce.RecordKey {
	return commerce.RecordKey{Store: req.Store.ID, ID: req.Contact}
}

func contactInput(req *commerce.ContactRequest, v *view[*commerce.Contact]) commerce.Input {
	return commerce.Input{
		Store: req.Store, Visitor: req.Visitor, Now: req.Now, Next: v.next, Fault: req.Fault,
		Key: req.Key, Entry: v.entry, Match: req.Match, Version: v.version(req.Match),
	}
}
