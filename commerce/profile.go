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
)

// Has reports whether the set has a field.
func (p ProfileFields) Has(field ProfileFields) bool { return p&field != 0 }

// PatchProfile changes the sent fields of a contact; an empty text is null.
type PatchProfile struct{ FirstName, LastName, Phone *string }

func (PatchProfile) Locate(*Contact) *Refusal { return nil }

func (p PatchProfile) Apply(next *Contact, _ *Input) (Effects, *Refusal) {
	for _, text := range []struct {
		from, to *string
		field    ProfileFields
	}{
		{p.FirstName, &next.FirstName, OwnFirstName}, {p.LastName, &next.LastName, OwnLastName}, {p.Phone, &next.Phone, OwnPhone},
	} {
		if text.from != nil && *text.from != *text.to {
			*text.to = *text.from
			next.Own |= text.field
		}
	}
	return Effects{}, nil
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
