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

// Texts are the address's texts, in the order of its record.
func (a *Address) Texts() [10]*string {
	return [...]*string{&a.Type, &a.Label, &a.Name, &a.Street, &a.PostalCode, &a.City, &a.Country, &a.Phone, &a.Company, &a.Region}
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

// The maximum number of code points in an address's fields; a country has exactly CountryLength.
// Spec: Limits, Address field lengths.
const (
	MaxAddressLabel      = 50
	MaxAddressName       = 150
	MaxAddressStreet     = 255
	MaxAddressPostalCode = 20
	MaxAddressCity       = 100
	CountryLength        = 2
	MaxAddressPhone      = 50
	MaxAddressCompany    = 150
	MaxAddressRegion     = 100
)

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

// AddressFields are valid fields; nil if not sent. An empty label, phone, company or region is null.
type AddressFields struct {
	Type, Label                             *string
	IsDefault                               *bool
	Name, Street, PostalCode, City, Country *string
	Phone, Company, Region                  *string
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
	for _, text := range []struct{ from, to *string }{
		{f.Type, &a.Type}, {f.Label, &a.Label}, {f.Name, &a.Name}, {f.Street, &a.Street},
		{f.PostalCode, &a.PostalCode}, {f.City, &a.City}, {f.Country, &a.Country}, {f.Phone, &a.Phone},
		{f.Company, &a.Company}, {f.Region, &a.Region},
	} {
		if text.from != nil {
			*text.to = *text.from
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
