package commerce

import (
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
	// DeletedAt is when the address disappeared from the API; zero: it is there.
	// Spec: Address, rule 3.
	DeletedAt time.Time `json:",omitzero"`
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
	// maxDeleted how many of a contact's at most: the latest ones.
	DeletedAddressLifetime = 180 * 24 * time.Hour
	maxDeleted             = 250
)

// Deleted reports whether the address is gone from the API.
func (a *Address) Deleted() bool { return !a.DeletedAt.IsZero() }

// LiveAddresses returns the contact's addresses as the list shows them: defaults
// first, then the oldest first. Spec: GET list.
func (c *Contact) LiveAddresses() []Address {
	live := make([]Address, 0, len(c.Addresses))
	for _, isDefault := range []bool{true, false} {
		for i := range c.Addresses {
			if a := &c.Addresses[i]; !a.Deleted() && a.IsDefault == isDefault {
				live = append(live, *a)
			}
		}
	}
	return live
}

// Address returns the contact's address with this id, or nil: there is none, or
// it is deleted. It points into the contact.
func (c *Contact) Address(id uuid.UUID) *Address {
	for i := range c.Addresses {
		if a := &c.Addresses[i]; a.ID == id && !a.Deleted() {
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

// forgetDeleted drops deleted addresses whose time is over, and the oldest ones
// where there are too many.
func (c *Contact) forgetDeleted(now time.Time) {
	deleted := 0
	for i := range c.Addresses {
		if c.Addresses[i].Deleted() {
			deleted++
		}
	}
	for range deleted - maxDeleted {
		c.forgetOldest()
	}
	c.Addresses = slices.DeleteFunc(c.Addresses, func(a Address) bool {
		return a.Deleted() && now.Sub(a.DeletedAt) >= DeletedAddressLifetime
	})
}

// forgetOldest drops the address that was deleted first.
func (c *Contact) forgetOldest() {
	oldest := -1
	for i := range c.Addresses {
		a := &c.Addresses[i]
		if a.Deleted() && (oldest < 0 || a.DeletedAt.Before(c.Addresses[oldest].DeletedAt)) {
			oldest = i
		}
	}
	c.Addresses = slices.Delete(c.Addresses, oldest, oldest+1)
}
