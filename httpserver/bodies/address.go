package bodies

import (
	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/strictjson"
)

// AddressAdd is the body of a new address, AddressPatch that of a change. Spec: POST create body, PATCH body (Addresses).
var (
	AddressAdd = Object("AddressAdd",
		field.Nullable("type", field.Pointer(field.Default(Names(commerce.AddressTypes...), commerce.DefaultAddressType, commerce.DefaultAddressType)), "",
			func(a *commerce.AddressFields) **string { return &a.Texts[commerce.AddressType] }),
		addressText(commerce.AddressLabel),
		field.Nullable("is_default", field.Pointer(Boolean), "true makes this the default address of its type, in place of the earlier one. Absent is false.",
			func(a *commerce.AddressFields) **bool { return &a.IsDefault }),
		recipient)
	AddressPatch = AddressAdd.AllOptional("AddressPatch")

	checkoutAddress = Object("CheckoutAddress", addressText(commerce.AddressLabel), recipient)
)

var recipient = func() Field[*commerce.AddressFields] {
	var texts []Field[*commerce.AddressFields]
	for i := commerce.AddressRecipient; i < len(commerce.AddressTexts); i++ {
		texts = append(texts, addressText(i))
	}
	return field.Group(texts...)
}()

// addressText is the row of a text of commerce.AddressTexts.
func addressText(i int) Field[*commerce.AddressFields] {
	t := &commerce.AddressTexts[i]
	place := func(a *commerce.AddressFields) **string { return &a.Texts[i] }
	switch {
	case t.Min == t.Max:
		return field.Required(t.Name, field.Pointer(Characters(t.Max)), t.About, place)
	case t.Min > 0:
		return field.Required(t.Name, field.Pointer(Text(t.Max)), t.About, place)
	}
	return field.Nullable(t.Name, field.Pointer(TextOrNull(t.Max)), t.About, place)
}

// orderAddress is the kind of addresses in a checkout or an accept. An empty one counts as absent.
var orderAddress = Kind[commerce.AskedAddress]{
	Schema: checkoutAddress.Schema,
	Read: func(v value, into *commerce.AskedAddress) {
		if emptyContainer(v.Value) {
			return
		}
		into.Sent = true
		if v.Kind() != strictjson.Object {
			v.fault(commerce.MsgArray(v.name))
			return
		}
		var sent commerce.AddressFields
		checkoutAddress.below(v, &sent)
		sent.Set(&into.Address)
	},
}
