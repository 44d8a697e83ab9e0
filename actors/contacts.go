package actors

import (
	"time"

	"cartd/commerce"
)

// Contacts serves admitted requests on contacts.
type Contacts struct{ records[*commerce.Contact] }

// NewContacts starts a directory of contacts beside the one of carts, whose actor
// system and stamps it shares. Close ends it, before the carts'.
func NewContacts(store Store[*commerce.Contact], beside *Carts) *Contacts {
	written := func(c *commerce.Contact) time.Time { return c.UpdatedAt }
	return &Contacts{newRecords(beside.node, store, written)}
}

// Close ends the directory. No request may be under way.
func (c *Contacts) Close() { close(c.directory.stop) }

// Read answers a read of a contact. Errors: *Refusal, ErrUnavailable.
func (c *Contacts) Read(req *commerce.ContactRequest) (commerce.ContactReply, error) {
	judge := func(v view[*commerce.Contact]) (verdict[*commerce.Contact], error) {
		in := contactInput(req, &v)
		if refusal := commerce.ReadContact(v.state, &in); refusal != nil {
			return verdict[*commerce.Contact]{}, refusal
		}
		return verdict[*commerce.Contact]{state: v.state}, nil
	}
	if a, ok := c.show(contactKey(req), &req.Admission.Contact, judge); ok {
		return commerce.ContactReply{Contact: a.state, Stamp: a.stamp}, a.err
	}
	r := newContactRequest(req)
	r.read, r.judge = true, judge
	return c.do(req, r)
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
func (c *Contacts) Change(req *commerce.ContactRequest) (commerce.ContactReply, error) {
	r := newContactRequest(req)
	r.judge = func(v view[*commerce.Contact]) (verdict[*commerce.Contact], error) {
		r.input = contactInput(req, &v)
		changed, refusal := commerce.ChangeContact(v.state, req.Command, &r.input)
		if refusal != nil {
			return verdict[*commerce.Contact]{}, refusal
		}
		return verdict[*commerce.Contact]{
			state: changed.Contact, effects: changed.Effects, about: changed.Address, replayed: changed.Replayed,
		}, nil
	}
	return c.do(req, r)
}

func newContactRequest(req *commerce.ContactRequest) *request[*commerce.Contact] {
	return asked(req.Admission.Contact, req.Began, req.Deadline, req.Key, req.Entry)
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
