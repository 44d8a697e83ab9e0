package commerce

import (
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Address is one postal address of a contact. Spec: Address.
type Address struct {
	ID         uuid.UUID
	Type       string // one of AddressTypes
	Label      string // empty: null
	IsDefault  bool
	Name       string
	Street     string
	PostalCode string
	City       string
	Country    string
	Phone      string // empty: null
	// Company and Region are no members of the specification: an address shows one only if it is not empty.
	Company, Region string
}

// AddressText is one of an address's texts, as bodies, the store document, answers and records have it.
type AddressText struct {
	Name string
	// About is a sentence about it; empty if the name says enough.
	About string
	// Min and Max are its bounds in code points. A text with a Min is required.
	Min, Max int
	// Extra is true if it is no member of the specification: an address shows it only if it is not empty. Other empty texts are null.
	Extra bool
	Place func(a *Address) *string
}

// AddressTexts are an address's texts, in the order of its members and of its record. Spec: Address; Limits, Address field lengths.
var AddressTexts = [...]AddressText{
	{Name: "type", Place: func(a *Address) *string { return &a.Type }}, // one of AddressTypes
	{Name: "label", Max: 50, Place: func(a *Address) *string { return &a.Label }},
	{Name: "name", About: "The recipient.", Min: 1, Max: 150, Place: func(a *Address) *string { return &a.Name }},
	{Name: "street", About: "Street and house number.", Min: 1, Max: 255, Place: func(a *Address) *string { return &a.Street }},
	{Name: "postal_code", Min: 1, Max: 20, Place: func(a *Address) *string { return &a.PostalCode }},
	{Name: "city", Min: 1, Max: 100, Place: func(a *Address) *string { return &a.City }},
	{Name: "country", About: "ISO 3166-1 alpha-2.", Min: CountryLength, Max: CountryLength, Place: func(a *Address) *string { return &a.Country }},
	{Name: "phone", Max: 50, Place: func(a *Address) *string { return &a.Phone }},
	{Name: "company", Max: 150, Extra: true, Place: func(a *Address) *string { return &a.Company }},
	{Name: "region", About: "The state or province.", Max: 100, Extra: true, Place: func(a *Address) *string { return &a.Region }},
}

// The places in AddressTexts of the first texts; the recipient's are from AddressRecipient on.
const (
	AddressType = iota
	AddressLabel
	AddressRecipient
)

// Texts are the address's texts, in the order of AddressTexts.
func (a *Address) Texts() (all [len(AddressTexts)]*string) {
	for i := range AddressTexts {
		all[i] = AddressTexts[i].Place(a)
	}
	return all
}

// DeletedAddress is an address that the API does not show any more. Spec: Address, rule 3.
type DeletedAddress struct {
	Address
	At time.Time
}

// AddressTypes are all types, the default first. Spec: Address.
var AddressTypes = []string{"shipping", "billing", "work"}

// DefaultAddressType is the type of an address that is sent without a type.
const DefaultAddressType = "shipping"

// CountryLength is the number of letters of a country.
const CountryLength = 2

const (
	// MaxAddresses is the maximum number of a contact's addresses, without the deleted ones.
	MaxAddresses = 250
	// DeletedAddressLifetime is the time that a deleted address is kept. MaxDeletedAddresses is the
	// maximum number kept for a contact; the oldest are dropped first.
	DeletedAddressLifetime = 180 * 24 * time.Hour
	MaxDeletedAddresses    = 250
)

// Listed ranges over the contact's addresses in the list's order: defaults first, then by age, the
// oldest first. Spec: GET list.
func (c *Contact) Listed() iter.Seq[*Address] {
	return func(yield func(*Address) bool) {
		for _, isDefault := range [...]bool{true, false} {
			for i := range c.Addresses {
				if a := &c.Addresses[i]; a.IsDefault == isDefault && !yield(a) {
					return
				}
			}
		}
	}
}

// Address returns the contact's address with this id, or nil if there is none or it is deleted. It
// points into the contact.
func (c *Contact) Address(id uuid.UUID) *Address {
	return find(c.Addresses, func(a *Address) bool { return a.ID == id })
}

// locateAddress finds the address of a path id. The refusal is a 404. Spec: Address errors.
func locateAddress(c *Contact, addressID string) (*Address, *Refusal) {
	if id, ok := ParseID(addressID); ok {
		if a := c.Address(id); a != nil {
			return a, nil
		}
	}
	return nil, NotFound("Address", addressID)
}

// AddAddress makes an address. Spec: POST create body.
type AddAddress struct {
	// Address is valid and has its id.
	Address Address
}

func (AddAddress) Locate(*Contact) *Refusal { return nil }

func (a AddAddress) Apply(next *Contact, _ *Input) (Effects, *Refusal) {
	if len(next.Addresses) >= MaxAddresses {
		return Effects{}, AddressBookFull
	}
	next.Addresses = append(next.Addresses, a.Address)
	next.makeDefault(&a.Address)
	return Effects{Made: a.Address.ID}, nil
}

// PatchAddress changes the sent fields of an address. Spec: PATCH body (Addresses).
type PatchAddress struct {
	// AddressID is the path's, as sent.
	AddressID string
	Fields    AddressFields
}

// AddressFields are valid fields; nil if not sent.
type AddressFields struct {
	// Texts are in the order of AddressTexts.
	Texts     [len(AddressTexts)]*string
	IsDefault *bool
}

func (p PatchAddress) Locate(c *Contact) *Refusal {
	_, r := locateAddress(c, p.AddressID)
	return r
}

func (p PatchAddress) Apply(next *Contact, _ *Input) (Effects, *Refusal) {
	a, r := locateAddress(next, p.AddressID)
	if r != nil {
		return Effects{}, r
	}
	p.Fields.Set(a)
	next.makeDefault(a)
	return Effects{}, nil
}

// Set writes the sent fields into an address.
func (f *AddressFields) Set(a *Address) {
	for i, to := range a.Texts() {
		if from := f.Texts[i]; from != nil {
			*to = *from
		}
	}
	if f.IsDefault != nil {
		a.IsDefault = *f.IsDefault
	}
}

// RemoveAddress deletes an address; no other address becomes the default. Spec: Address, rule 3.
type RemoveAddress struct {
	// AddressID is the path's, as sent.
	AddressID string
}

func (d RemoveAddress) Locate(c *Contact) *Refusal {
	_, r := locateAddress(c, d.AddressID)
	return r
}

func (d RemoveAddress) Apply(next *Contact, in *Input) (Effects, *Refusal) {
	a, r := locateAddress(next, d.AddressID)
	if r != nil {
		return Effects{}, r
	}
	gone := DeletedAddress{Address: *a, At: in.Now}
	gone.IsDefault = false
	next.Addresses = slices.DeleteFunc(next.Addresses, func(other Address) bool { return other.ID == gone.ID })
	return Effects{Deleted: &[]DeletedAddress{gone}}, nil
}

// makeDefault clears the previous default of an address's type, if the address is a default.
// Spec: Address, rule 2.
func (c *Contact) makeDefault(a *Address) {
	if !a.IsDefault {
		return
	}
	for i := range c.Addresses {
		if other := &c.Addresses[i]; other.ID != a.ID && other.Type == a.Type {
			other.IsDefault = false
		}
	}
}

// Country is an ISO 3166-1 alpha-2 code in upper case.
type Country [2]byte

// ParseCountry reads a code in any letter case. It returns false if the text is not two ASCII
// letters.
func ParseCountry(text string) (Country, bool) {
	if len(text) != CountryLength {
		return Country{}, false
	}
	c := Country{text[0] &^ 0x20, text[1] &^ 0x20}
	for _, letter := range c {
		if letter < 'A' || letter > 'Z' {
			return Country{}, false
		}
	}
	return c, true
}

// String returns the code; empty for zero.
func (c Country) String() string {
	if c == (Country{}) {
		return ""
	}
	return string(c[:])
}

// Country checks a country of delivery: two letters, or blank. It returns nil without one.
func (f *Faults) Country(field, text string) *Country {
	if text == "" {
		return nil
	}
	f.Line(field, text)
	country, ok := ParseCountry(text)
	if !ok {
		f.Add(field, MsgSize(field, CountryLength))
	}
	return &country
}
