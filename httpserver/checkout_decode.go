package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/openapi"
	"cartd/internal/strictjson"
)

// checkoutShape is the body of a checkout.
var (
	checkoutAddressShape = openapi.Object("CheckoutAddress").
				May("label", openapi.Text.MaxLength(commerce.MaxAddressLabel).OrNull(), "").
				Has("name", openapi.Text.MaxLength(commerce.MaxAddressName), "The recipient.").
				Has("street", openapi.Text.MaxLength(commerce.MaxAddressStreet), "Street and house number.").
				Has("postal_code", openapi.Text.MaxLength(commerce.MaxAddressPostalCode), "").
				Has("city", openapi.Text.MaxLength(commerce.MaxAddressCity), "").
				Has("country", openapi.Text.MinLength(commerce.CountryLength).MaxLength(commerce.CountryLength), "ISO 3166-1 alpha-2.").
				May("phone", openapi.Text.MaxLength(commerce.MaxAddressPhone).OrNull(), "")
	checkoutShape = openapi.Object("CheckoutRequest").
			May("shipping_method_id", openapi.Text.OrNull(), "Needed where a product has to be shipped.").
			May("shipping_address", checkoutAddressShape.OrNull(), "Needed with a method, unless shipping_address_id is sent.").
			May("shipping_address_id", openapi.Text.OrNull(), "One of the customer's addresses.").
			May("billing_address", checkoutAddressShape.OrNull(), "").
			May("billing_address_id", openapi.Text.OrNull(), "").
			May("email", openapi.Text.MaxLength(commerce.MaxEmail).OrNull(), "Needed where neither cart nor account has one.").
			May("customer_note", openapi.Text.MaxLength(commerce.MaxCustomerNote).OrNull(), "").
			May("reference", openapi.Text.MaxLength(commerce.MaxReference).OrNull(), "The customer's own.").
			May("expected_total_amount", openapi.Integer.Min(0).OrNull(), "What the customer was shown, in minor units: 409 CART_CHANGED if the order comes to another total.")
)

// decodeCheckout reads the body of a checkout, in which null and blank are absent. Its faults travel
// with the form, for the cart decides what else is wrong; the refusal is of a body that is none.
func decodeCheckout(body []byte) (form commerce.CheckoutForm, refusal *commerce.Refusal) {
	f := decodeObject(body)
	if value, sent := f.text("email"); sent {
		form.Email = f.address("email", value)
	}
	form.Method = f.askedID("shipping_method_id")
	form.Shipping = f.askedAddress("shipping_address")
	form.Billing = f.askedAddress("billing_address")
	form.CustomerNote = textOf(f.nullableText("customer_note", commerce.AtMost(commerce.MaxCustomerNote)))
	form.Reference = textOf(f.nullableText("reference", commerce.AtMost(commerce.MaxReference)))
	form.ExpectedTotal = f.amount("expected_total_amount")
	form.Faults = f.faults
	return form, f.malformed
}

// text reads a text that may be absent, null or blank: false then, and if it is none.
func (f *fields) text(name string) (strictjson.Value, bool) {
	value, _ := f.object.Get(name)
	switch {
	case value.Kind() == strictjson.Null || blank(value):
		return nil, false
	case value.Kind() != strictjson.String:
		f.faults.Add(name, commerce.MsgString(name))
		return nil, false
	}
	return value, true
}

// askedID reads an id; what is no UUID names nothing, but was sent.
func (f *fields) askedID(name string) (asked commerce.AskedID) {
	value, isText := f.text(name)
	if isText {
		asked.ID, _ = commerce.ParseID(trim(value.Text()))
	}
	sent, _ := f.object.Get(name)
	asked.Sent = sent.Kind() != strictjson.Null && !blank(sent)
	return asked
}

// askedAddress reads an address, and the id of one in the address book.
func (f *fields) askedAddress(name string) commerce.AskedAddress {
	asked := f.givenAddress(name)
	asked.InBook = f.askedID(name + "_id")
	return asked
}

// givenAddress reads an address that may be absent, null or empty.
func (f *fields) givenAddress(name string) (asked commerce.AskedAddress) {
	value, _ := f.object.Get(name)
	switch {
	case missing(value):
	case value.Kind() != strictjson.Object:
		f.faults.Add(name, commerce.MsgArray(name))
		asked.Sent = true
	default:
		asked.Sent = true
		below := fields{object: value}
		label := below.nullableText("label", commerce.AtMost(commerce.MaxAddressLabel))
		sent := below.placeFields(below.requiredText)
		sent.Label = label
		sent.Set(&asked.Address)
		f.faults.AddBelow(name, &below.faults)
	}
	return asked
}

// amount reads an integer of at least 0 that may be absent, null or blank; nil then, and if it is
// faulty.
func (f *fields) amount(name string) *commerce.Amount {
	value, _ := f.object.Get(name)
	if value.Kind() == strictjson.Null || blank(value) {
		return nil
	}
	number := ""
	if value.Kind() == strictjson.Number {
		number = string(value)
	}
	return f.faults.Amount(name, number)
}
