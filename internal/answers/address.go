package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// Address is an address of a contact. OrderAddress is one of an order. Spec: Address.
var (
	Address = Object("Address", Join(
		Rows(
			Member("id", UUID, "", func(a *commerce.Address) *uuid.UUID { return &a.ID }),
			Member("type", Names(commerce.AddressTypes...), "", func(a *commerce.Address) *string { return &a.Type }),
			label("The customer's own name for it."),
			Member("is_default", Boolean, "At most one address of each type is the default.", func(a *commerce.Address) *bool { return &a.IsDefault })),
		recipient("The recipient.", "Street and house number.", "ISO 3166-1 alpha-2."))...)
	OrderAddress = Object("OrderAddress", Join(Rows(label("")), recipient("", "", ""))...)

	AddressAnswer   = Object("AddressAnswer", Self("data", Address, ""))
	AddressesAnswer = Object("AddressesAnswer", Value("data", addresses, "Default addresses first.",
		(*commerce.Contact).Listed))
)

func label(about string) Field[*commerce.Address] {
	return Member("label", TextOrNull, about, func(a *commerce.Address) *string { return &a.Label })
}

// recipient are the fields from name on, with the sentences that differ.
func recipient(aboutName, aboutStreet, aboutCountry string) []Field[*commerce.Address] {
	return Rows(
		Member("name", Text, aboutName, func(a *commerce.Address) *string { return &a.Name }),
		Member("street", Text, aboutStreet, func(a *commerce.Address) *string { return &a.Street }),
		Member("postal_code", Text, "", func(a *commerce.Address) *string { return &a.PostalCode }),
		Member("city", Text, "", func(a *commerce.Address) *string { return &a.City }),
		Member("country", Text, aboutCountry, func(a *commerce.Address) *string { return &a.Country }),
		Member("phone", TextOrNull, "", func(a *commerce.Address) *string { return &a.Phone }),
		IfSet("company", Text, "", func(a *commerce.Address) *string { return &a.Company }),
		IfSet("region", Text, "The state or province.", func(a *commerce.Address) *string { return &a.Region }),
	)
}

var addresses = Sequence(Address)
