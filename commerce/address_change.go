package commerce

import "slices"

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
