package storefile

import (
	"time"

	"cartd/commerce"
)

const (
	MaxRateLimit = 2_000_000_000 // requests per window
	maxLines     = 1000
	// maxQuantityPerLine is the maximum whole quantity. Spec: Quantity rules 1.
	maxQuantityPerLine = int64(commerce.MaxQuantity / commerce.One)
	maxHoldMinutes     = 365 * 24 * 60
)

// store reads the store's settings.
func (d *document) store(f field) *commerce.Store {
	o := f.object()
	defer o.close()
	id, _ := o.required("id").id()
	return &commerce.Store{
		ID:               id,
		Name:             o.required("name").name(),
		Suspended:        o.get("suspended").boolean(false),
		Modules:          modules(o.required("modules")),
		PricesIncludeTax: o.get("prices_include_tax").boolean(true),
		RateLimit:        int(o.get("rate_limit_per_minute").integer(1, MaxRateLimit, commerce.DefaultRateLimit)),
		Policy:           policy(o.get("policy")),
		Quotes:           d.quotes(o.get("quotes")),
		StockHold:        time.Duration(o.get("stock_hold_minutes").integer(1, maxHoldMinutes, int64(commerce.DefaultHold/time.Minute))) * time.Minute,
		PaymentTime:      paymentTime(o.get("orders")),
		Webhooks:         webhooks(o.get("webhooks")),
	}
}

func modules(f field) (set commerce.Modules) {
	for item := range f.items() {
		name, ok := item.str()
		if !ok {
			continue
		}
		module, ok := commerce.ParseModule(name)
		if !ok {
			item.unknown(ofShape, "is not a known module", commerce.AllModules().Names())
			continue
		}
		set = set.With(module)
	}
	return set
}

// policy reads the cart policy. Spec: policy (evaluated live from store settings).
func policy(f field) commerce.Policy {
	o := f.object()
	defer o.close()
	perLine := o.get("max_quantity_per_line").integer(1, maxQuantityPerLine, 100)
	return commerce.Policy{
		IdentityMode:       o.get("identity_mode").word("guest_allowed", "login_required", "guest_only"),
		Audience:           o.get("audience").word("both", "b2b_only", "b2c_only"),
		MinOrderValue:      optional(o.get("min_order_value_amount"), field.amount),
		MaxLines:           int(o.get("max_lines").integer(1, maxLines, 100)),
		MaxQuantityPerLine: commerce.Quantity(perLine) * commerce.One,
		Pricing:            pricing(o.get("pricing")),
	}
}

// pricing reads the display of prices. Spec: policy.pricing.
func pricing(f field) commerce.PricingDisplay {
	o := f.object()
	defer o.close()
	return commerce.PricingDisplay{
		GuestPriceVisibility: o.get("guest_price_visibility").word("visible", "hidden"),
		VATDisplay:           o.get("vat_display").word("inc", "ex"),
		ShowOriginalPrice:    o.get("show_original_price").boolean(true),
		ShowTierTable:        o.get("show_tier_table").boolean(true),
	}
}

// paymentTime reads the settings of orders; 0 if an order need not be paid.
func paymentTime(f field) time.Duration {
	o := f.object()
	defer o.close()
	return time.Duration(o.get("payment_minutes").integer(1, commerce.MaxPaymentMinutes, 0)) * time.Minute
}

func (d *document) quotes(f field) commerce.QuoteSettings {
	o := f.object()
	defer o.close()
	return commerce.QuoteSettings{
		Enabled:        o.get("enabled").boolean(false),
		CartThreshold:  optional(o.get("cart_threshold_amount"), field.amount),
		GroupIDs:       o.get("customer_group_ids").references(d.groups, aGroup),
		AcceptanceMode: o.get("acceptance_mode").word("click", "signature"),
		ValidDays:      int(o.get("valid_days").integer(1, maxDays, 30)),
	}
}
