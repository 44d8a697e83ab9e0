package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
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
			May("shipping_method_id", openapi.Text.OrNull(), "Needed if a product has to be shipped.").
			May("shipping_address", checkoutAddressShape.OrNull(), "Needed with a method, unless shipping_address_id is sent.").
			May("shipping_address_id", openapi.Text.OrNull(), "One of the customer's addresses.").
			May("billing_address", checkoutAddressShape.OrNull(), "").
			May("billing_address_id", openapi.Text.OrNull(), "").
			May("email", openapi.Text.MaxLength(commerce.MaxEmail).OrNull(), "Needed if neither cart nor account has one.").
			May("customer_note", openapi.Text.MaxLength(commerce.MaxCustomerNote).OrNull(), "May have several lines.").
			May("reference", openapi.Text.MaxLength(commerce.MaxReference).OrNull(), "The customer's own reference.").
			May("expected_total_amount", openapi.Integer.Min(0).OrNull(), "The total that the customer saw, in minor units. If the order's total differs, the answer is 409 CART_CHANGED.").
			May("payment_minutes", paymentMinutesShape, paymentMinutesAbout)
)

// paymentMinutesShape is the shape of payment_minutes.
var paymentMinutesShape = openapi.Integer.Min(1).Max(commerce.MaxPaymentMinutes).OrNull()

const paymentMinutesAbout = "The time in which the order must be paid, at most the store's, which holds if it is absent. Ignored where the store has none."

// decodeCheckout reads the body of a checkout; null and blank count as absent. The form carries its
// faults, because the cart decides which further fields are needed. The refusal is for a body that
// is not an object.
func decodeCheckout(body sentBody) (form commerce.CheckoutForm, refusal *commerce.Refusal) {
	f := decodeObject(body)
	if value, sent := f.text("email"); sent {
		form.Email = f.address("email", value)
	}
	form.Method = f.askedID("shipping_method_id")
	form.Shipping = f.askedAddress("shipping_address")
	form.Billing = f.askedAddress("billing_address")
	form.CustomerNote = textOf(f.nullableLines("customer_note", commerce.AtMost(commerce.MaxCustomerNote)))
	form.Reference = textOf(f.nullableText("reference", commerce.AtMost(commerce.MaxReference)))
	form.ExpectedTotal = f.amount("expected_total_amount")
	form.Payment = f.minutes("payment_minutes")
	form.Faults = f.faults
	return form, f.malformed
}

// text reads a text that may be absent, null or blank. It returns false in these cases, and for a
// faulty value.
func (f *fields) text(name string) (strictjson.Value, bool) {
	value, _ := f.object.Get(name)
	switch {
	case value.Kind() == strictjson.Null || blank(value):
		return nil, false
	case emptyContainer(value):
		f.faults.AddEmpty(name)
		return nil, false
	case value.Kind() != strictjson.String:
		f.faults.Add(name, commerce.MsgString(name))
		return nil, false
	}
	return value, true
}

// askedID reads an id. A value that is no UUID names nothing, but counts as sent.
func (f *fields) askedID(name string) (asked commerce.AskedID) {
	value, isText := f.text(name)
	if isText {
		asked.ID, _ = commerce.ParseID(commerce.Trim(value.Text()))
	}
	sent, _ := f.object.Get(name)
	asked.Sent = !missing(sent)
	return asked
}

// askedAddress reads an address and the id of an address in the book; a client may send either.
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
		sent := below.recipientFields(below.requiredText)
		sent.Label = label
		sent.Set(&asked.Address)
		f.faults.AddBelow(name, &below.faults)
	}
	return asked
}

// amount reads an integer of at least 0 that may be absent, null or blank. It returns nil in these
// cases, and for a faulty value.
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
