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
