package bodies

import (
	"slices"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// AddressAdd is the body of a new address, AddressPatch that of a change. Spec: POST create body, PATCH body (Addresses).
var (
	AddressAdd = Object("AddressAdd", slices.Concat(
		Rows(
			Optional("type", Pointer(Default(Names(commerce.AddressTypes...), commerce.DefaultAddressType)), "",
				func(a *commerce.AddressFields) **string { return &a.Type }),
			label,
			Optional("is_default", Pointer(Boolean), "true makes this the default address of its type, in place of the earlier one. Absent is false.",
				func(a *commerce.AddressFields) **bool { return &a.IsDefault })),
		recipient)...)
	AddressPatch = AddressAdd.AllOptional("AddressPatch")
)

var label = Optional("label", Pointer(TextOrNull(commerce.MaxAddressLabel)), "", func(a *commerce.AddressFields) **string { return &a.Label })

// recipient are the fields from name on.
var recipient = Rows(
	Required("name", Pointer(Text(commerce.MaxAddressName)), "The recipient.", func(a *commerce.AddressFields) **string { return &a.Name }),
	Required("street", Pointer(Text(commerce.MaxAddressStreet)), "Street and house number.", func(a *commerce.AddressFields) **string { return &a.Street }),
	Required("postal_code", Pointer(Text(commerce.MaxAddressPostalCode)), "", func(a *commerce.AddressFields) **string { return &a.PostalCode }),
	Required("city", Pointer(Text(commerce.MaxAddressCity)), "", func(a *commerce.AddressFields) **string { return &a.City }),
	Required("country", Pointer(Characters(commerce.CountryLength)), "ISO 3166-1 alpha-2.", func(a *commerce.AddressFields) **string { return &a.Country }),
	Optional("phone", Pointer(TextOrNull(commerce.MaxAddressPhone)), "", func(a *commerce.AddressFields) **string { return &a.Phone }),
	Optional("company", Pointer(TextOrNull(commerce.MaxAddressCompany)), "", func(a *commerce.AddressFields) **string { return &a.Company }),
	Optional("region", Pointer(TextOrNull(commerce.MaxAddressRegion)), "The state or province.",
		func(a *commerce.AddressFields) **string { return &a.Region }),
)

var checkoutAddress = Object("CheckoutAddress", append(Rows(label), recipient...)...)

// orderAddress is the kind of addresses in a checkout or an accept. An empty one counts as absent.
var orderAddress = Kind[commerce.AskedAddress]{
	Schema: checkoutAddress.Schema,
	read: func(f *fields, name string, value strictjson.Value, into *commerce.AskedAddress) {
		if emptyContainer(value) {
			return
		}
		into.Sent = true
		if value.Kind() != strictjson.Object {
			f.faults.Add(name, commerce.MsgArray(name))
			return
		}
		var sent commerce.AddressFields
		checkoutAddress.below(f, name, value, &sent)
		sent.Set(&into.Address)
	},
}
