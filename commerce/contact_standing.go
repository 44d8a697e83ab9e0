package commerce

import (
	"time"

	"github.com/google/uuid"
)

// ChangeStanding changes what the merchant decides about an account: whether a business is approved, its group, its VAT id and
// whether that is good for reverse charge. Imports keep what it sets.
type ChangeStanding struct {
	// Faults are the faults that the decoder found in the fields.
	Faults Faults
	// The fields below are nil if they were not sent. A zero group is none, an empty text null.
	Approved      *bool
	Group         *uuid.UUID
	VATID         *string
	ReverseCharge *bool
}

// ContactNews is an event about a contact.
type ContactNews struct {
	Store   *Store
	Contact *Contact
	At      time.Time
}

// Locate refuses a guest.
func (*ChangeStanding) Locate(c *Contact) *Refusal {
	if c.Guest {
		return NotFound("Contact", c.ID.String())
	}
	return nil
}

// Apply is part of Command.
func (s *ChangeStanding) Apply(next *Contact, in *Input) (effects Effects, refusal *Refusal) {
	faults, was := s.Faults.clone(), next.Approved
	faults.check("approved", false, s.Approved != nil && !*s.Approved && !next.B2B)
	faults.check("customer_group_id", false, s.Group != nil && *s.Group != uuid.Nil && in.Store.Group(*s.Group) == nil)
	if s.Approved != nil {
		next.Approved, next.Own = *s.Approved, next.Own|OwnApproved
	}
	if s.Group != nil {
		next.GroupID, next.Own = *s.Group, next.Own|OwnGroup
	}
	charge := s.ReverseCharge
	if charge == nil && s.VATID != nil && *s.VATID != next.VATID { // the new VAT id has not been checked
		charge = new(bool)
	}
	next.set(&next.VATID, s.VATID, OwnCompany)
	next.setReverseCharge(charge)
	if s.ReverseCharge != nil {
		next.Own |= OwnCompany
	}
	faults.check("reverse_charge", false, s.ReverseCharge != nil && next.ReverseCharge && next.VATID == "")
	if refusal = faults.inOrder(standingFields).Refusal(); refusal != nil {
		return Effects{}, refusal
	}
	if next.Approved && !was {
		effects.ContactNews = &ContactNews{Store: in.Store, Contact: next, At: in.Now}
	}
	return effects, nil
}

// standingFields are the fields of ChangeStanding, in the order of their faults.
var standingFields = []string{"approved", "customer_group_id", "vat_id", "reverse_charge"}

// Awaits reports whether a contact is a business that awaits approval. nil is no contact.
func (c *Contact) Awaits() bool { return c != nil && !c.Guest && c.B2B && !c.Approved }
