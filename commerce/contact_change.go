package commerce

import "github.com/google/uuid"

// ContactCommand is one request to change a contact.
type ContactCommand interface {
	// locate checks the path ids below the contact. Nil: all there.
	locate(c *Contact) *Refusal
	// apply changes next, a private copy of the contact, or refuses.
	apply(next *Contact, in *Input) (Effects, *Refusal)
	// about is the address that the answer shows; zero: none.
	about() uuid.UUID
}

// ContactChanged is what a command made of a contact.
type ContactChanged struct {
	Contact *Contact
	Effects Effects
	// Address is the address that the answer shows; zero: none.
	Address uuid.UUID
	// Replayed: the request was applied before, and the contact is as it stands now.
	Replayed bool
}

// ReadContact judges a read of a contact; nil means no record.
func ReadContact(c *Contact, in *Input) *Refusal {
	if c == nil || in.Visitor.Known && in.Visitor.Session.Number != c.Session {
		return InvalidCustomerToken
	}
	return nil
}

// ChangeContact judges a command on a contact in the one order that every route
// shares, as Change does on a cart. The given contact is left as it was. A session
// that ended since the request was admitted is one whose token does not resolve.
// Spec: Address errors.
func ChangeContact(c *Contact, cmd ContactCommand, in *Input) (ContactChanged, *Refusal) {
	if r := ReadContact(c, in); r != nil {
		return ContactChanged{}, r
	}
	if settled, r := in.Entry.Settles(in.Key); r != nil {
		return ContactChanged{}, r
	} else if settled {
		return replay(c, cmd, in.Entry)
	}
	if r := cmd.locate(c); r != nil {
		return ContactChanged{}, r
	}
	if !in.Match.allows(in.Version) {
		return ContactChanged{}, AddressBookChanged
	}
	if in.Fault != nil {
		return ContactChanged{}, in.Fault
	}
	next := c.clone()
	effects, r := cmd.apply(next, in)
	if r != nil {
		return ContactChanged{}, r
	}
	next.touch(in.Now)
	if len(next.Deleted) > 0 {
		gone := next.Deleted
		effects.Deleted, next.Deleted = &gone, nil
	}
	effects.Key = in.Key
	return ContactChanged{Contact: next, Effects: effects, Address: cmd.about()}, nil
}

// replay answers a request that was applied before with the contact as it stands
// now; the address that it was about may be gone since.
func replay(c *Contact, cmd ContactCommand, entry *IdempotencyEntry) (ContactChanged, *Refusal) {
	about := cmd.about()
	if entry.Made != uuid.Nil {
		about = entry.Made
	}
	if about != uuid.Nil && c.Address(about) == nil {
		return ContactChanged{}, NotFound("Address", about.String())
	}
	return ContactChanged{Contact: c, Address: about, Replayed: true}, nil
}
