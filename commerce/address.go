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
}

// Texts are the address's texts, in the order of its record.
func (a *Address) Texts() [8]*string {
	return [...]*string{&a.Type, &a.Label, &a.Name, &a.Street, &a.PostalCode, &a.City, &a.Country, &a.Phone}
}

// DeletedAddress is an address that disappeared from the API, and when.
// Spec: Address, rule 3.
type DeletedAddress struct {
	Address
	At time.Time
}

// AddressTypes are the types there are, the default first. Spec: Address.
var AddressTypes = []string{"shipping", "billing", "work"}

// DefaultAddressType is the type of an address that names none.
const DefaultAddressType = "shipping"

// The most code points of an address's fields; a country has exactly CountryLength.
// Spec: Limits, Address field lengths.
const (
	MaxAddressLabel      = 50
	MaxAddressName       = 150
	MaxAddressStreet     = 255
	MaxAddressPostalCode = 20
	MaxAddressCity       = 100
	CountryLength        = 2
	MaxAddressPhone      = 50
)

const (
	// MaxAddresses is how many addresses a contact may have, deleted ones not counted.
	MaxAddresses = 250
	// DeletedAddressLifetime is how long a deleted address is retained, and
	// MaxDeletedAddresses how many of a contact's at most: the latest ones.
	DeletedAddressLifetime = 180 * 24 * time.Hour
	MaxDeletedAddresses    = 250
)

// Listed ranges over the contact's addresses as the list shows them: defaults first,
// then the oldest first. Spec: GET list.
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

// Address returns the contact's address with this id, or nil: there is none, or
// it is deleted. It points into the contact.
func (c *Contact) Address(id uuid.UUID) *Address {
	for i := range c.Addresses {
		if a := &c.Addresses[i]; a.ID == id {
			return a
		}
	}
	return nil
}

// locateAddress is the 404 of a path id that names none of the contact's addresses.
// Spec: Address errors.
func locateAddress(c *Contact, addressID string) (*Address, *Refusal) {
	if id, ok := ParseID(addressID); ok {
		if a := c.Address(id); a != nil {
			return a, nil
		}
	}
	return nil, NotFound("Address", addressID)
}

// makeDefault clears the previous default of an address's type where the address
// is a default. Spec: Address, rule 2.
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

// remove deletes an address of the contact and returns what is retained of it.
// Spec: Address, rule 3.
func (c *Contact) remove(a *Address, now time.Time) []DeletedAddress {
	gone := DeletedAddress{Address: *a, At: now}
	gone.IsDefault = false
	c.Addresses = slices.DeleteFunc(c.Addresses, func(other Address) bool { return other.ID == gone.ID })
	return []DeletedAddress{gone}
}
