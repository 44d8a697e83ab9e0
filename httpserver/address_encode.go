package httpserver

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// The shapes of addresses. Spec: Address.
var (
	addressShape = openapi.Object("Address").
			Has("id", openapi.UUID, "").
			Has("type", openapi.Names(commerce.AddressTypes...), "").
			Has("label", openapi.Text.OrNull(), "The customer's own name for it.").
			Has("is_default", openapi.Boolean, "At most one address of each type is the default.").
			Has("name", openapi.Text, "The recipient.").
			Has("street", openapi.Text, "Street and house number.").
			Has("postal_code", openapi.Text, "").
			Has("city", openapi.Text, "").
			Has("country", openapi.Text, "ISO 3166-1 alpha-2.").
			Has("phone", openapi.Text.OrNull(), "")
	addressAnswer   = openapi.Object("AddressAnswer").Has("data", addressShape, "")
	addressesAnswer = openapi.Object("AddressesAnswer").Has("data", openapi.List(addressShape), "Default addresses first.")
)

// appendAddresses writes the contact's addresses, not paginated. Spec: GET list.
func appendAddresses(dst []byte, c *commerce.Contact) []byte {
	dst = append(dst, `{"data":[`...)
	i := 0
	for a := range c.Listed() {
		dst = appendAddress(appendComma(dst, i), a)
		i++
	}
	return append(dst, `]}`...)
}

// appendAddress writes one address, in the order of the specification's table. Spec: Address.
func appendAddress(dst []byte, a *commerce.Address) []byte {
	dst = appendUUID(append(dst, `{"id":`...), a.ID)
	dst = appendString(append(dst, `,"type":`...), a.Type)
	dst = appendText(append(dst, `,"label":`...), a.Label)
	dst = strconv.AppendBool(append(dst, `,"is_default":`...), a.IsDefault)
	return appendRecipient(dst, a)
}

// appendRecipient writes the fields from name to phone, and ends the object.
func appendRecipient(dst []byte, a *commerce.Address) []byte {
	dst = appendString(append(dst, `,"name":`...), a.Name)
	dst = appendString(append(dst, `,"street":`...), a.Street)
	dst = appendString(append(dst, `,"postal_code":`...), a.PostalCode)
	dst = appendString(append(dst, `,"city":`...), a.City)
	dst = appendString(append(dst, `,"country":`...), a.Country)
	dst = appendText(append(dst, `,"phone":`...), a.Phone)
	return append(dst, '}')
}
