package commerce

import (
	"time"

	"github.com/google/uuid"
)

// The maximum number of code points in a contact's profile fields.
const (
	MaxPersonName         = 255
	MaxPhone              = 50
	MaxCompanyName        = 255
	MaxRegistrationNumber = 50
	MaxVATID              = 50
)

// ProfileFields is a set of the fields that were changed outside the store document. An import keeps them.
type ProfileFields uint8

const (
	OwnFirstName ProfileFields = 1 << iota
	OwnLastName
	OwnPhone
	// The store's operator set these outside the document.
	OwnApproved
	OwnGroup
	// The merchant's server set these outside the document: OwnCompany stands for the kind, the company's
	// name, its registration number and its VAT id with its reverse charge. An operator may set the last too.
	OwnEmail
	OwnCompany
)

// Has reports whether the set has a field.
func (p ProfileFields) Has(field ProfileFields) bool { return p&field != 0 }

// PatchProfile changes the sent fields of a contact; an empty text is null.
type PatchProfile struct{ FirstName, LastName, Phone *string }

func (PatchProfile) Locate(*Contact) *Refusal { return nil }

func (p PatchProfile) Apply(next *Contact, _ *Input) (Effects, *Refusal) {
	next.set(&next.FirstName, p.FirstName, OwnFirstName)
	next.set(&next.LastName, p.LastName, OwnLastName)
	next.set(&next.Phone, p.Phone, OwnPhone)
	return Effects{}, nil
}

// set changes a field of the contact to a sent value; nil if it was not sent.
func (c *Contact) set(field, sent *string, own ProfileFields) {
	if sent != nil && *sent != *field {
		*field = *sent
		c.Own |= own
	}
}

// ChangeReverseCharge sets whether the account's VAT id is good for reverse charge. Imports then keep the
// company's fields. It returns false if nothing changes.
func (c *Contact) ChangeReverseCharge(to bool, now time.Time) bool {
	if c.ReverseCharge == to && c.Own.Has(OwnCompany) {
		return false
	}
	c.ReverseCharge, c.Own = to, c.Own|OwnCompany
	c.touch(now)
	return true
}

// Approve approves an account and, unless group is zero, sets its group. It returns false if nothing
// changes.
func (c *Contact) Approve(group uuid.UUID, now time.Time) bool {
	before := *c
	c.Approved, c.Own = true, c.Own|OwnApproved
	if group != uuid.Nil {
		c.GroupID, c.Own = group, c.Own|OwnGroup
	}
	if c.Approved == before.Approved && c.GroupID == before.GroupID && c.Own == before.Own {
		return false
	}
	c.touch(now)
	return true
}
