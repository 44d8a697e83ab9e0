package commerce

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
