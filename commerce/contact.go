package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Contact is the stored state of a customer. A Contact is never changed once another goroutine can
// see it: transitions change a copy.
type Contact struct {
	ID uuid.UUID
	// Guest is a row made by e-mail capture: it has no account and no token.
	Guest    bool
	B2B      bool // kind b2b
	Approved bool // b2b only; false while approval is pending
	// ReverseCharge is true if the VATID is good for reverse charge. The merchant has checked it.
	ReverseCharge bool
	GroupID       uuid.UUID
	// Session is the number that a token must carry to resolve. Raising it ends all tokens at once.
	Session uint64

	Email               string // Unicode-lowercased
	FirstName, LastName string // here and below an empty text is null
	Phone               string
	CompanyName         string
	RegistrationNumber  string
	VATID               string
	ExternalID          string
	PasswordHash        string // bcrypt or argon2id text; empty if the contact cannot log in
	// Own are the fields that were changed outside the store document. An import does not change them.
	Own ProfileFields
	// Resets are the password resets of the last hour, newest first, at most MaxResets. Expired ones
	// stay until the next request for a reset.
	Resets []PasswordReset
	// Addresses are in the order of their creation.
	Addresses []Address
	// Tokens are the sessions of the store document, kept for exports.
	Tokens    []CustomerToken
	CreatedAt time.Time
	UpdatedAt time.Time // the last committed write; zero if there is none
}

// Texts are the contact's texts without the addresses', in the order of its record.
func (c *Contact) Texts() [9]*string {
	return [...]*string{
		&c.Email, &c.FirstName, &c.LastName, &c.Phone,
		&c.CompanyName, &c.RegistrationNumber, &c.VATID, &c.ExternalID, &c.PasswordHash,
	}
}

// ChangeContact returns the contact after a command and the common steps of every write. The given
// contact stays as it was.
func ChangeContact(c *Contact, cmd Command[*Contact], in *Input) (*Contact, Effects, *Refusal) {
	next := c.clone()
	effects, r := cmd.Apply(next, in)
	if r != nil {
		return nil, Effects{}, r
	}
	next.touch(in.Now)
	return next, effects, nil
}

// clone returns a copy whose addresses can be changed. One address can be added without a new
// array.
func (c *Contact) clone() *Contact {
	next := *c
	next.Addresses = append(make([]Address, 0, len(c.Addresses)+1), c.Addresses...)
	return &next
}

// touch notes a write.
func (c *Contact) touch(now time.Time) {
	if now.After(c.UpdatedAt) {
		c.UpdatedAt = now
	}
}

// Kind returns the contact's kind as the API spells it.
func (c *Contact) Kind() string {
	if c.B2B {
		return "b2b"
	}
	return "b2c"
}

// DisplayName is the contact's name on a storefront: the company of a b2b contact, else the
// person's name, else the e-mail address.
func (c *Contact) DisplayName() string {
	if c.B2B && c.CompanyName != "" {
		return c.CompanyName
	}
	switch {
	case c.FirstName == "" && c.LastName == "":
		return c.Email
	case c.FirstName == "":
		return c.LastName
	case c.LastName == "":
		return c.FirstName
	}
	return c.FirstName + " " + c.LastName
}

// Group returns the store's group with this id; nil if the id is zero or the group is gone.
func (s *Store) Group(id uuid.UUID) *CustomerGroup {
	return find(s.Groups, func(g *CustomerGroup) bool { return g.ID == id && id != uuid.Nil })
}

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
