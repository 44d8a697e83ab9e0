package commerce

import (
	"iter"
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
