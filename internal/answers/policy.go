package answers

import (
	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// PolicyView is a store's cart policy for a pricing context.
type PolicyView struct {
	Policy     *commerce.Policy
	VATDisplay string
}

// Policy is the store's cart policy. Spec: policy (evaluated live from store settings).
var Policy = field.Object("CartPolicy",
	field.Of(policyRules, func(v PolicyView) *commerce.Policy { return v.Policy }),
	field.Self("pricing", field.Object("PricingDisplay",
		field.Member("guest_price_visibility", Names("visible", "hidden"), "", func(v PolicyView) *string { return &v.Policy.Pricing.GuestPriceVisibility }),
		field.Value("vat_display", Names("inc", "ex"), "ex for every business customer.", func(v PolicyView) string { return v.VATDisplay }),
		field.Member("show_original_price", Boolean, "Show the price without the discount beside the new one.",
			func(v PolicyView) *bool { return &v.Policy.Pricing.ShowOriginalPrice }),
		field.Member("show_tier_table", Boolean, "Show tables of quantity prices.", func(v PolicyView) *bool { return &v.Policy.Pricing.ShowTierTable }),
	), "How prices are shown to this visitor."),
)

var policyRules = field.Rows(
	field.Member("identity_mode", Names("guest_allowed", "login_required", "guest_only"), "Who may check out.",
		func(p *commerce.Policy) *string { return &p.IdentityMode }),
	field.Member("audience", Names("both", "b2b_only", "b2c_only"), "", func(p *commerce.Policy) *string { return &p.Audience }),
	field.Member("min_order_value_amount", field.Pointer(Amount), "The minimum total of an order, in minor units; null if there is none.",
		func(p *commerce.Policy) **commerce.Amount { return &p.MinOrderValue }),
	field.Member("max_lines", Integer, "", func(p *commerce.Policy) *int { return &p.MaxLines }),
	field.Member("max_quantity_per_line", field.Shaped(Quantity, openapi.Integer), "",
		func(p *commerce.Policy) *commerce.Quantity { return &p.MaxQuantityPerLine }),
)
