package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// Address is an address of a contact. OrderAddress is one of an order. Spec: Address.
var (
	Address = field.Object("Address",
		field.Member("id", UUID, "", func(a *commerce.Address) *uuid.UUID { return &a.ID }),
		field.Member("type", Names(commerce.AddressTypes...), "", commerce.AddressTexts[commerce.AddressType].Place),
		field.Member("label", TextOrNull, "The customer's own name for it.", commerce.AddressTexts[commerce.AddressLabel].Place),
		field.Member("is_default", Boolean, "At most one address of each type is the default.", func(a *commerce.Address) *bool { return &a.IsDefault }),
		field.Group(addressTexts(commerce.AddressRecipient, func(t *commerce.AddressText) string { return t.About })...))
	OrderAddress = field.Object("OrderAddress", addressTexts(commerce.AddressLabel, func(t *commerce.AddressText) (about string) {
		if t.Extra {
			about = t.About
		}
		return about
	})...)

	AddressAnswer   = field.Object("AddressAnswer", field.Self("data", Address, ""))
	AddressesAnswer = field.Object("AddressesAnswer", field.Value("data", addresses, "Default addresses first.",
		(*commerce.Contact).Listed))
)

// addressTexts are the rows of commerce.AddressTexts from one of them on, with sentences about them.
func addressTexts(from int, about func(t *commerce.AddressText) string) (rows []Field[*commerce.Address]) {
	for i := from; i < len(commerce.AddressTexts); i++ {
		switch t := &commerce.AddressTexts[i]; {
		case t.Extra:
			rows = append(rows, field.IfSet(t.Name, Text, about(t), t.Place))
		case t.Min > 0:
			rows = append(rows, field.Member(t.Name, Text, about(t), t.Place))
		default:
			rows = append(rows, field.Member(t.Name, TextOrNull, about(t), t.Place))
		}
	}
	return rows
}

var addresses = field.Sequence(Address)
