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
				func(a *commerce.AddressFields) **string { return &a.Texts[commerce.AddressType] }),
			addressText(commerce.AddressLabel),
			Optional("is_default", Pointer(Boolean), "true makes this the default address of its type, in place of the earlier one. Absent is false.",
				func(a *commerce.AddressFields) **bool { return &a.IsDefault })),
		recipient())...)
	AddressPatch = AddressAdd.AllOptional("AddressPatch")

	checkoutAddress = Object("CheckoutAddress", append(Rows(addressText(commerce.AddressLabel)), recipient()...)...)
)

func recipient() (rows []Field[commerce.AddressFields]) {
	for i := commerce.AddressRecipient; i < len(commerce.AddressTexts); i++ {
		rows = append(rows, addressText(i))
	}
	return rows
}

// addressText is the row of a text of commerce.AddressTexts.
func addressText(i int) Field[commerce.AddressFields] {
	t := &commerce.AddressTexts[i]
	place := func(a *commerce.AddressFields) **string { return &a.Texts[i] }
	switch {
	case t.Min == t.Max:
		return Required(t.Name, Pointer(Characters(t.Max)), t.About, place)
	case t.Min > 0:
		return Required(t.Name, Pointer(Text(t.Max)), t.About, place)
	}
	return Optional(t.Name, Pointer(TextOrNull(t.Max)), t.About, place)
}

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
