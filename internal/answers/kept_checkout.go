package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// IncludeChecks is the value of ?include= that adds the refusals that a checkout would get now.
const IncludeChecks = "checks"

// KeptCheckoutView is what is kept of a cart's checkout, for an answer. Checks are written if HasChecks is true.
type KeptCheckoutView struct {
	*commerce.PreparedCheckout
	HasChecks bool
	Checks    []commerce.CheckoutCheck
}

// KeptCheckoutAnswer is the envelope of what is kept of a cart's checkout.
var KeptCheckoutAnswer = field.Object("KeptCheckoutAnswer",
	field.Value("data", KeptCheckout, "", func(v KeptCheckoutView) *commerce.PreparedCheckout { return v.PreparedCheckout }),
	field.If(func(v KeptCheckoutView) bool { return v.HasChecks }, field.Value(IncludeChecks, field.List(CheckoutCheck),
		"With `include=checks`: the refusals that a checkout would get now, in order.", func(v KeptCheckoutView) []commerce.CheckoutCheck { return v.Checks })),
)

// KeptCheckout is what is kept of a cart's checkout, with what the order would come to.
var KeptCheckout = field.Object("KeptCheckout",
	field.Member("email", TextOrNull, "The cart's.", func(p *commerce.PreparedCheckout) *string { return &p.Cart.Email }),
	field.Member("shipping_address", keptAddress, "Shown until 24 hours after the last PATCH of the checkout; so are the next one and the note.",
		func(p *commerce.PreparedCheckout) *commerce.Address { return &p.Shipping }),
	field.Member("billing_address", keptAddress, "", func(p *commerce.PreparedCheckout) *commerce.Address { return &p.Billing }),
	field.Member("shipping_method_id", UUIDOrNull, "", func(p *commerce.PreparedCheckout) *uuid.UUID { return &p.Method }),
	field.Member("customer_note", TextOrNull, "", func(p *commerce.PreparedCheckout) *string { return &p.CustomerNote }),
	field.Member("reference", TextOrNull, "", func(p *commerce.PreparedCheckout) *string { return &p.Reference }),
	field.Member("shipping_methods", field.List(ShippingMethod),
		"The methods that can be chosen for the country of the kept address, else for the kept country, without both for any. Empty if no line requires shipping.",
		func(p *commerce.PreparedCheckout) *[]commerce.DeliveryOption { return &p.Methods }),
	field.Value("totals", OrderTotals, "Those of the order with the kept method, if it can be chosen.",
		func(p *commerce.PreparedCheckout) *commerce.OrderTotals { return &p.Totals }),
	field.Member("missing", field.Values(Names(commerce.CheckoutNeeds()...)), "The fields that a checkout without a body would call required, in its order.",
		func(p *commerce.PreparedCheckout) *[]string { return &p.Missing }),
	field.Value("ready", Boolean, "true if nothing is missing.", func(p *commerce.PreparedCheckout) bool { return len(p.Missing) == 0 }),
	field.Member("country", countryOrNull, "The shopper's until an address is kept, upper case; the country of the shipping methods and of the tax then.",
		func(p *commerce.PreparedCheckout) *commerce.Country { return &p.Country }),
	field.Of(taxation, func(p *commerce.PreparedCheckout) *commerce.Taxation { return &p.Tax }),
)

var keptAddress = field.OrNull(Kind[commerce.Address]{Schema: OrderAddress.Schema, Append: func(dst []byte, a commerce.Address) []byte {
	return OrderAddress.Append(dst, &a)
}})
