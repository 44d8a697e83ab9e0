package answers

import (
	"cartd/commerce"
	"cartd/internal/openapi"
)

// PolicyView is a store's cart policy for a pricing context.
type PolicyView struct {
	Policy     *commerce.Policy
	VATDisplay string
}

// Policy is the store's cart policy. Spec: policy (evaluated live from store settings).
var Policy = Object("CartPolicy",
	Of(policyRules, func(v PolicyView) *commerce.Policy { return v.Policy }),
	Self("pricing", Object("PricingDisplay",
		Member("guest_price_visibility", Names("visible", "hidden"), "", func(v PolicyView) *string { return &v.Policy.Pricing.GuestPriceVisibility }),
		Value("vat_display", Names("inc", "ex"), "ex for every business customer.", func(v PolicyView) string { return v.VATDisplay }),
		Member("show_original_price", Boolean, "Show the price without the discount beside the new one.",
			func(v PolicyView) *bool { return &v.Policy.Pricing.ShowOriginalPrice }),
		Member("show_tier_table", Boolean, "Show tables of quantity prices.", func(v PolicyView) *bool { return &v.Policy.Pricing.ShowTierTable }),
	), "How prices are shown to this visitor."),
)

var policyRules = Rows(
	Member("identity_mode", Names("guest_allowed", "login_required", "guest_only"), "Who may check out.",
		func(p *commerce.Policy) *string { return &p.IdentityMode }),
	Member("audience", Names("both", "b2b_only", "b2c_only"), "", func(p *commerce.Policy) *string { return &p.Audience }),
	Member("min_order_value_amount", Pointer(Amount), "The minimum total of an order, in minor units; null if there is none.",
		func(p *commerce.Policy) **commerce.Amount { return &p.MinOrderValue }),
	Member("max_lines", Integer, "", func(p *commerce.Policy) *int { return &p.MaxLines }),
	Member("max_quantity_per_line", Shaped(Quantity, openapi.Integer), "", func(p *commerce.Policy) *commerce.Quantity { return &p.MaxQuantityPerLine }),
)
