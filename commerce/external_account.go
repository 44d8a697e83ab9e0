package commerce

import (
	"time"
	"unicode/utf8"
)

// MaxExternalID is the maximum number of code points of an external id in a path.
const MaxExternalID = 255

// ParseExternalID judges an external id in a path. It is one line that is kept as sent: a space around it is a
// part of it, as in a document.
func ParseExternalID(text string) (string, *Refusal) {
	var faults Faults
	switch {
	case Trim(text) == "":
		faults.Add(externalIDField, MsgRequired(externalIDField))
	case !utf8.ValidString(text):
		faults.Add(externalIDField, MsgString(externalIDField))
	default:
		faults.Line(externalIDField, text)
		AtMost(MaxExternalID)(&faults, externalIDField, text)
	}
	return text, faults.Refusal()
}

const externalIDField = "external_id"

// ExternalAccount is an account whose customer logs in elsewhere, as the merchant's server describes it.
// docs/api/customers.md#accounts-that-live-elsewhere
type ExternalAccount struct {
	// Faults are the faults that the decoder found in the fields.
	Faults     Faults
	ExternalID string
	// Email is valid and lower-cased; empty if it has a fault.
	Email string
	// The fields below are nil if they were not sent. An empty text is null.
	Password, FirstName, LastName, Phone   *string
	B2B                                    *bool
	CompanyName, RegistrationNumber, VATID *string
	ReverseCharge                          *bool
}

// Judge returns the faults of the fields, before the account is made or changed. before is nil for a new
// account. A body that sends the kind or the company's name must not leave a business without a name.
func (a *ExternalAccount) Judge(before *Contact) *Refusal {
	faults, next := a.Faults.clone(), Contact{}
	if before != nil {
		next = *before
	}
	a.describe(&next)
	nameless := next.B2B && next.CompanyName == ""
	faults.check("company_name", nameless && (a.B2B != nil || a.CompanyName != nil), false)
	faults.check("reverse_charge", false, a.ReverseCharge != nil && next.ReverseCharge && next.VATID == "")
	return faults.inOrder(externalFields).Refusal()
}

// externalFields are the fields of an ExternalAccount, in the order of their faults.
var externalFields = []string{
	"email", "password", "first_name", "last_name", "kind", "company_name", "registration_number", "vat_id", "reverse_charge", "phone",
}

// Make returns the new account, without its id. As a registration, a business starts unapproved.
func (a *ExternalAccount) Make(passwordHash string, now time.Time) *Contact {
	c := &Contact{Approved: true, ExternalID: a.ExternalID, PasswordHash: passwordHash, CreatedAt: now, UpdatedAt: now}
	a.describe(c)
	c.Own = 0 // no document has the account
	return c
}

// Change returns the account with the sent fields. It returns false if nothing changes. A password that
// is sent replaces the present one, and ends no session.
func (a *ExternalAccount) Change(c *Contact, passwordHash string, now time.Time) (*Contact, bool) {
	next := c.clone()
	a.describe(next)
	if passwordHash != "" {
		next.PasswordHash = passwordHash
	}
	if passwordHash == "" && next.profile() == c.profile() {
		return c, false
	}
	next.touch(now)
	return next, true
}

// describe sets the sent fields. A consumer that becomes a business awaits approval, unless the store's
// operator has approved the account.
func (a *ExternalAccount) describe(c *Contact) {
	c.set(&c.Email, &a.Email, OwnEmail)
	c.set(&c.FirstName, a.FirstName, OwnFirstName)
	c.set(&c.LastName, a.LastName, OwnLastName)
	c.set(&c.Phone, a.Phone, OwnPhone)
	if a.B2B != nil && *a.B2B != c.B2B {
		c.B2B, c.Own = *a.B2B, c.Own|OwnCompany
		c.Approved = !c.B2B || c.Own.Has(OwnApproved) && c.Approved
	}
	c.set(&c.CompanyName, a.CompanyName, OwnCompany)
	c.set(&c.RegistrationNumber, a.RegistrationNumber, OwnCompany)
	charge := a.ReverseCharge
	if charge == nil && a.VATID != nil && *a.VATID != c.VATID { // the new VAT id has not been checked
		charge = new(bool)
	}
	c.set(&c.VATID, a.VATID, OwnCompany)
	c.setReverseCharge(charge)
}

// setReverseCharge sets whether the VAT id is good for reverse charge; nil leaves it.
func (c *Contact) setReverseCharge(sent *bool) {
	if sent != nil && *sent != c.ReverseCharge {
		c.ReverseCharge, c.Own = *sent, c.Own|OwnCompany
	}
}

// profile is what an ExternalAccount can change, but for the password.
func (c *Contact) profile() any {
	texts := [...]string{c.Email, c.FirstName, c.LastName, c.Phone, c.Kind(), c.CompanyName, c.RegistrationNumber, c.VATID}
	return struct {
		texts         [len(texts)]string
		reverseCharge bool
	}{texts, c.ReverseCharge}
}

// EndSessions ends all sessions of an account.
type EndSessions struct{}

func (EndSessions) Locate(*Contact) *Refusal { return nil }

func (EndSessions) Apply(next *Contact, _ *Input) (Effects, *Refusal) {
	next.Session++
	return Effects{}, nil
}
