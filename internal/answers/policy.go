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
	Member("identity_mode", Names("guest_allowed", "login_required", "guest_only"), "Who may check out.",
		func(v PolicyView) string { return v.Policy.IdentityMode }),
	Member("audience", Names("both", "b2b_only", "b2c_only"), "", func(v PolicyView) string { return v.Policy.Audience }),
	Member("min_order_value_amount", Pointer(Amount), "The minimum total of an order, in minor units; null if there is none.",
		func(v PolicyView) *commerce.Amount { return v.Policy.MinOrderValue }),
	Member("max_lines", Integer, "", func(v PolicyView) int { return v.Policy.MaxLines }),
	Member("max_quantity_per_line", Quantity.Shaped(openapi.Integer), "", func(v PolicyView) commerce.Quantity { return v.Policy.MaxQuantityPerLine }),
	Self("pricing", Object("PricingDisplay",
		Member("guest_price_visibility", Names("visible", "hidden"), "", func(v PolicyView) string { return v.Policy.Pricing.GuestPriceVisibility }),
		Member("vat_display", Names("inc", "ex"), "ex for every business customer.", func(v PolicyView) string { return v.VATDisplay }),
		Member("show_original_price", Boolean, "Show the price without the discount beside the new one.",
			func(v PolicyView) bool { return v.Policy.Pricing.ShowOriginalPrice }),
		Member("show_tier_table", Boolean, "Show tables of quantity prices.", func(v PolicyView) bool { return v.Policy.Pricing.ShowTierTable }),
	), "How prices are shown to this visitor."),
)
