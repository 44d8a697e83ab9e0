package bodies

import (
	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// Checkout is the body of a checkout.
var Checkout = Form("CheckoutRequest", func(c *commerce.CheckoutForm) *commerce.Faults { return &c.Faults },
	field.Of(askedDelivery, func(c *commerce.CheckoutForm) *commerce.CheckoutFields { return &c.CheckoutFields }),
	field.Optional("email", Email, "Needed if neither cart nor account has one.", func(c *commerce.CheckoutForm) *string { return &c.Email }),
	field.Of(ownWords, func(c *commerce.CheckoutForm) *commerce.CheckoutFields { return &c.CheckoutFields }),
	expectedTotal(func(c *commerce.CheckoutForm) **commerce.Amount { return &c.ExpectedTotal }),
	paymentMinutes(func(c *commerce.CheckoutForm) *commerce.AskedMinutes { return &c.Payment }),
)

// KeptCheckout is the body of a PATCH of the checkout that is kept with a cart.
var KeptCheckout = Form("KeptCheckoutPatch", func(c *commerce.KeepCheckout) *commerce.Faults { return &c.Faults },
	field.Of(askedDelivery, func(c *commerce.KeepCheckout) *commerce.CheckoutFields { return &c.CheckoutFields }),
	field.Nullable("email", field.Pointer(Email), "The cart's; it binds the cart as a PATCH of the cart does.",
		func(c *commerce.KeepCheckout) **string { return &c.Email }),
	field.Of(ownWords, func(c *commerce.KeepCheckout) *commerce.CheckoutFields { return &c.CheckoutFields }),
	field.Nullable("country", countryOrNone, "The country of delivery and of the tax until an address is kept, two letters in any case.",
		func(c *commerce.KeepCheckout) **commerce.Country { return &c.Country }),
)

// askedDelivery and ownWords are the fields of a checkout that a cart can keep.
var askedDelivery = field.Rows(
	present(field.Optional("shipping_method_id", AskedID, "Needed if a product has to be shipped.",
		func(c *commerce.CheckoutFields) *commerce.AskedID { return &c.Method }),
		func(c *commerce.CheckoutFields) *bool { return &c.Method.Present }),
	present(field.Optional("shipping_address", orderAddress, "Needed with a method, unless shipping_address_id is sent.",
		func(c *commerce.CheckoutFields) *commerce.AskedAddress { return &c.Shipping }),
		func(c *commerce.CheckoutFields) *bool { return &c.Shipping.Present }),
	present(field.Optional("shipping_address_id", AskedID, "One of the customer's addresses.",
		func(c *commerce.CheckoutFields) *commerce.AskedID { return &c.Shipping.InBook }),
		func(c *commerce.CheckoutFields) *bool { return &c.Shipping.InBook.Present }),
	present(field.Optional("billing_address", orderAddress, "", func(c *commerce.CheckoutFields) *commerce.AskedAddress { return &c.Billing }),
		func(c *commerce.CheckoutFields) *bool { return &c.Billing.Present }),
	present(field.Optional("billing_address_id", AskedID, "", func(c *commerce.CheckoutFields) *commerce.AskedID { return &c.Billing.InBook }),
		func(c *commerce.CheckoutFields) *bool { return &c.Billing.InBook.Present }),
)

var ownWords = field.Rows(
	present(field.Nullable("customer_note", LinesOrNull(commerce.MaxCustomerNote), "May have several lines.",
		func(c *commerce.CheckoutFields) *string { return &c.CustomerNote }),
		func(c *commerce.CheckoutFields) *bool { return &c.CustomerNoteSent }),
	present(field.Nullable("reference", TextOrNull(commerce.MaxReference), "The customer's own reference.",
		func(c *commerce.CheckoutFields) *string { return &c.Reference }),
		func(c *commerce.CheckoutFields) *bool { return &c.ReferenceSent }),
)

func expectedTotal[T any](at func(into T) **commerce.Amount) Field[T] {
	return field.Optional("expected_total_amount", field.Pointer(Amount), "The total that the customer saw, in minor units. "+
		"If the order's total differs, the answer is 409 CART_CHANGED.", at)
}

func paymentMinutes[T any](at func(into T) *commerce.AskedMinutes) Field[T] {
	return field.Optional("payment_minutes", minutes, "The time in which the order must be paid, at most the store's, which holds if it is absent. "+
		"Ignored where the store has none.", at)
}

// minutes is the kind of payment_minutes. The store decides whether it counts, and judges it then.
var minutes = Kind[commerce.AskedMinutes]{
	Schema: openapi.Integer.Min(1).Max(commerce.MaxPaymentMinutes),
	Read: func(v value, into *commerce.AskedMinutes) {
		into.Sent, into.Number = true, numberOf(v.Value)
	},
}
