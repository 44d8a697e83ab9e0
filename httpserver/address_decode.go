package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
)

// booleanShape is a boolean in any of its spellings.
var booleanShape = openapi.Types("boolean", "integer", "string").OneOf(true, false, 1, 0, "1", "0")

// The bodies of the address routes. Spec: POST create body, PATCH body (Addresses).
var (
	addressAddShape = openapi.Object("AddressAdd").
			May("type", openapi.Names(commerce.AddressTypes...).Default(commerce.DefaultAddressType), "").
			May("label", openapi.Text.MaxLength(commerce.MaxAddressLabel).OrNull(), "").
			May("is_default", booleanShape, "true makes this the default address of its type, in place of the earlier one. Absent is false.").
			Has("name", openapi.Text.MaxLength(commerce.MaxAddressName), "The recipient.").
			Has("street", openapi.Text.MaxLength(commerce.MaxAddressStreet), "Street and house number.").
			Has("postal_code", openapi.Text.MaxLength(commerce.MaxAddressPostalCode), "").
			Has("city", openapi.Text.MaxLength(commerce.MaxAddressCity), "").
			Has("country", openapi.Text.MinLength(commerce.CountryLength).MaxLength(commerce.CountryLength), "ISO 3166-1 alpha-2.").
			May("phone", openapi.Text.MaxLength(commerce.MaxAddressPhone).OrNull(), "")
	addressPatchShape = addressAddShape.Optional("AddressPatch")
)

// decodeAddressAdd reads the body of a new address. A fault is returned with the address, not
// instead of it. Spec: POST create body.
func decodeAddressAdd(body sentBody) (commerce.Address, *commerce.Refusal) {
	f := decodeObject(body)
	a := commerce.Address{Type: commerce.DefaultAddressType}
	sent := f.addressFields(f.requiredText)
	sent.Set(&a)
	return a, f.refusal()
}

// decodeAddressPatch reads the body of an address's PATCH; absent fields stay as they are.
// Spec: PATCH body (Addresses).
func decodeAddressPatch(body sentBody) (commerce.AddressFields, *commerce.Refusal) {
	f := decodeObject(body)
	sent := f.addressFields(f.sentText)
	return sent, f.refusal()
}

// addressFields reads the fields in the order of the specification's table. text reads the fields
// that an address needs.
func (f *fields) addressFields(text func(name string, rule commerce.Length) *string) (sent commerce.AddressFields) {
	kind := f.oneOf("type", commerce.AddressTypes)
	label := f.nullableText("label", commerce.AtMost(commerce.MaxAddressLabel))
	isDefault := f.boolean("is_default")
	sent = f.recipientFields(text)
	sent.Type, sent.Label, sent.IsDefault = kind, label, isDefault
	return sent
}

// recipientFields reads the fields from name to phone.
func (f *fields) recipientFields(text func(name string, rule commerce.Length) *string) (sent commerce.AddressFields) {
	sent.Name = text("name", commerce.AtMost(commerce.MaxAddressName))
	sent.Street = text("street", commerce.AtMost(commerce.MaxAddressStreet))
	sent.PostalCode = text("postal_code", commerce.AtMost(commerce.MaxAddressPostalCode))
	sent.City = text("city", commerce.AtMost(commerce.MaxAddressCity))
	sent.Country = text("country", commerce.Exactly(commerce.CountryLength))
	sent.Phone = f.nullableText("phone", commerce.AtMost(commerce.MaxAddressPhone))
	return sent
}
