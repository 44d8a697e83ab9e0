package storefile

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/strictjson"
)

const (
	MaxRateLimit = 2_000_000_000 // requests per window
	maxLines     = 1000
	// maxQuantityPerLine is the maximum whole quantity. Spec: Quantity rules 1.
	maxQuantityPerLine = int64(commerce.MaxQuantity / commerce.One)
	maxHoldMinutes     = 365 * 24 * 60
)

// storeObject are the store's settings.
var storeObject = objectKind("store",
	field.Required("id", anID, "", func(s *commerce.Store) *uuid.UUID { return &s.ID }),
	field.Required("name", marked(name, byMerchant), "", func(s *commerce.Store) *string { return &s.Name }),
	field.Optional("suspended", marked(boolean(false), byOperator), "", func(s *commerce.Store) *bool { return &s.Suspended }),
	field.Required("modules", marked(modules, byOperator), "", func(s *commerce.Store) *commerce.Modules { return &s.Modules }),
	field.Optional("prices_include_tax", marked(boolean(true), byOperator), "", func(s *commerce.Store) *bool { return &s.PricesIncludeTax }),
	field.Optional("country", marked(country, byOperator), "The store's own country, without which it does not tax by country.",
		func(s *commerce.Store) *commerce.Country { return &s.Country }),
	field.Optional("export_countries", marked(atMost(listOf(country), maxExportCountries, "countries"), byOperator), "Carts for these countries have no tax.",
		func(s *commerce.Store) *[]commerce.Country { return &s.ExportCountries }),
	field.Optional("reverse_charge_countries", marked(atMost(listOf(country), maxReverseChargeCountries, "countries"), byOperator),
		"Carts for these countries have no tax if the customer has reverse_charge.",
		func(s *commerce.Store) *[]commerce.Country { return &s.ReverseChargeCountries }),
	field.Optional("rate_limit_per_minute", marked(wholeOr(1, MaxRateLimit, commerce.DefaultRateLimit, 1), byOperator), "Requests with all keys of the store.",
		func(s *commerce.Store) *int { return &s.RateLimit }),
	field.Optional("limits", marked(limits, byOperator), "", func(s *commerce.Store) *commerce.Limits { return &s.Limits }),
	field.Optional("policy", marked(policy, byMerchant), "", func(s *commerce.Store) *commerce.Policy { return &s.Policy }),
	field.Optional("quotes", marked(quotes, byMerchant), "", func(s *commerce.Store) *commerce.QuoteSettings { return &s.Quotes }),
	field.Optional("stock_hold_minutes", marked(wholeOr(1, maxHoldMinutes, int64(commerce.DefaultHold/time.Minute), time.Minute), byMerchant),
		"A cart's stock hold expires this long after its last write.", func(s *commerce.Store) *time.Duration { return &s.StockHold }),
	field.Optional("languages", marked(languages, byMerchant), "Languages of the catalogue's texts (ISO 639-1): the search finds a word in all its forms.",
		func(s *commerce.Store) *commerce.Languages { return &s.Languages }),
	field.Optional("orders", marked(orders, byMerchant), "", func(s *commerce.Store) *time.Duration { return &s.PaymentTime }),
	field.Optional("webhooks", marked(atMost(listOf(webhook), maxWebhooks, "webhooks"), confidential), "",
		func(s *commerce.Store) *[]commerce.Webhook { return &s.Webhooks }),
	rule(judgeCountries),
)

// limits are the parts of the request limit. docs/api/limits.md#budgets-inside-a-store
var limits = objectKind("limits",
	field.Optional("per_client", wholeOf(1, MaxRateLimit, 1), "Requests of one client a minute, on each node; null if there is no such limit.",
		func(l *commerce.Limits) *int { return &l.PerClient }),
	field.Optional("reserved_for_carts", wholeOr(0, MaxRateLimit, 0, 1),
		"The last so many requests of the store's limit are not for the catalogue; at most half of the limit counts.",
		func(l *commerce.Limits) *int { return &l.ReservedForCarts }),
)

var modules = setOf("module", commerce.AllModules(), commerce.ParseModule)

var languages = field.Default(
	atMost(filled(setOf("language", commerce.AllLanguages(), commerce.ParseLanguage)), commerce.MaxLanguages, "languages"),
	commerce.Languages(0).With(commerce.English), []string{commerce.English.String()})

// policy is the cart policy. Spec: policy (evaluated live from store settings).
var policy = objectKind("policy",
	field.Optional("identity_mode", word("guest_allowed", "login_required", "guest_only"), "", func(p *commerce.Policy) *string { return &p.IdentityMode }),
	field.Optional("audience", word("both", "b2b_only", "b2c_only"), "", func(p *commerce.Policy) *string { return &p.Audience }),
	field.Optional("min_order_value_amount", field.Pointer(amount), "", func(p *commerce.Policy) **commerce.Amount { return &p.MinOrderValue }),
	field.Optional("max_lines", wholeOr(1, maxLines, 100, 1), "", func(p *commerce.Policy) *int { return &p.MaxLines }),
	field.Optional("max_quantity_per_line", wholeOr(1, maxQuantityPerLine, 100, commerce.One), "",
		func(p *commerce.Policy) *commerce.Quantity { return &p.MaxQuantityPerLine }),
	field.Optional("line_prices", picked[commerce.LinePrices](commerce.LinePricesNames()),
		"The unit price of a line whose price has moved since its last add or change: the stored one, the lower one, or the current one.",
		func(p *commerce.Policy) *commerce.LinePrices { return &p.LinePrices }),
	field.Optional("max_discount_codes", wholeOr(1, commerce.MaxDiscountCodes, 1, 1),
		"The number of discount codes that a cart can have. With more than 1, a code does not replace the earlier one.",
		func(p *commerce.Policy) *int { return &p.MaxDiscountCodes }),
	field.Optional("pricing", pricing, "", func(p *commerce.Policy) *commerce.PricingDisplay { return &p.Pricing }),
)

// pricing is the display of prices. Spec: policy.pricing.
var pricing = objectKind("pricing",
	field.Optional("guest_price_visibility", word("visible", "hidden"), "", func(p *commerce.PricingDisplay) *string { return &p.GuestPriceVisibility }),
	field.Optional("vat_display", word("inc", "ex"), "B2B customers always see ex.", func(p *commerce.PricingDisplay) *string { return &p.VATDisplay }),
	field.Optional("show_original_price", boolean(true), "", func(p *commerce.PricingDisplay) *bool { return &p.ShowOriginalPrice }),
	field.Optional("show_tier_table", boolean(true), "", func(p *commerce.PricingDisplay) *bool { return &p.ShowTierTable }),
)

// orders are the settings of orders: the time for which an order may stay unpaid.
var orders = objectKind("orders",
	field.Optional("payment_minutes", wholeOf(1, commerce.MaxPaymentMinutes, time.Minute),
		"How long an order may stay unpaid; null if orders are not paid through the API.", func(t *time.Duration) *time.Duration { return t }),
)

var quotes = objectKind("quotes",
	field.Optional("enabled", boolean(false), "", func(q *commerce.QuoteSettings) *bool { return &q.Enabled }),
	field.Optional("cart_threshold_amount", field.Pointer(amount), "A cart with this total or more needs a quote; null if there is no threshold.",
		func(q *commerce.QuoteSettings) **commerce.Amount { return &q.CartThreshold }),
	field.Optional("customer_group_ids", listOf(groupID), "The groups whose carts need a quote.",
		func(q *commerce.QuoteSettings) *[]uuid.UUID { return &q.GroupIDs }),
	field.Optional("acceptance_mode", word("click", "signature"), "", func(q *commerce.QuoteSettings) *string { return &q.AcceptanceMode }),
	field.Optional("valid_days", wholeOr(1, maxDays, 30, 1), "", func(q *commerce.QuoteSettings) *int { return &q.ValidDays }),
	field.Optional("mode", picked[commerce.QuoteMode](commerce.QuoteModeNames()),
		"reviewed: a request waits for the merchant's offer. instant: it is offered at once.",
		func(q *commerce.QuoteSettings) *commerce.QuoteMode { return &q.Mode }),
	field.Optional("hold_stock", boolean(false), "The default of the merchant's drafts: whether an offer holds its stock.",
		func(q *commerce.QuoteSettings) *bool { return &q.HoldStock }),
)

// SettingsIn reads the member store of the text of a page; nil if the page does not have it. What refers to other
// entries, as the groups of quotes do, is read as absent if they are not there.
func SettingsIn(page []byte) (*commerce.Store, error) {
	root, err := strictjson.Parse(page)
	if err != nil {
		return nil, err
	}
	settings, there := root.Get(storeMember)
	if !there {
		return nil, nil
	}
	d, store := newDocument(settings), &commerce.Store{}
	d.kept = true
	storeObject.Read(value{d: d, raw: settings}, store)
	return store, nil
}
