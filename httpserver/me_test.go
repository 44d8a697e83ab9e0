package httpserver

import (
	"strings"
	"testing"

	"cartd/commerce"
)

// Spec: single-object endpoints such as GET /v1/api/me return a bare object.
func TestMe(t *testing.T) {
	h := start(t)
	h.expect(call{method: "GET", path: "/v1/api/me"}, 200, `{"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Northwind Blinds"},`+
		`"key":{"name":"storefront","scopes":["commerce:read","commerce:write","contacts:read","contacts:write","catalog:read","catalog:write","sales:read","sales:write","customers:read","customers:write","orders:read","orders:write","catalog:manage"]},"modules":["catalog","commerce","configurator","sales","stock","customers"],`+
		`"currency":"EUR","prices_include_tax":true,"policy":{"identity_mode":"guest_allowed","audience":"both","min_order_value_amount":null,`+
		`"max_lines":100,"max_quantity_per_line":100,"pricing":{"guest_price_visibility":"visible","vat_display":"inc","show_original_price":true,"show_tier_table":true}},`+
		`"shipping_countries":[],"rate_limit":{"limit":120,"window_seconds":60}}`)
}

// The countries of all methods, in the order of their first appearance.
func TestMeListsShippingCountries(t *testing.T) {
	h := start(t)
	h.engine.admission.Store.ShippingMethods = []commerce.ShippingMethod{{Countries: []commerce.Country{{'N', 'L'}, {'B', 'E'}}}, {Countries: []commerce.Country{{'D', 'E'}, {'N', 'L'}}}}
	got := h.do(call{method: "GET", path: "/v1/api/me"})
	if want := `"shipping_countries":["NL","BE","DE"],`; !strings.Contains(string(got.body), want) {
		t.Errorf("%s has no %s", got.body, want)
	}
}

// A store with a shipping method that has no list of countries delivers everywhere: null.
func TestMeOfAnotherStore(t *testing.T) {
	h := start(t)
	minimum := commerce.Amount(2500)
	h.engine.admission.Key = &commerce.APIKey{Name: `a "b"`}
	h.engine.admission.Store = &commerce.Store{Name: "Ä/<>&", RateLimit: 2_000_000_000, ShippingMethods: []commerce.ShippingMethod{{Name: "Post"}}, Policy: commerce.Policy{
		IdentityMode: "login_required", Audience: "b2b_only", MinOrderValue: &minimum, MaxLines: 7, MaxQuantityPerLine: 5_000,
		Pricing: commerce.PricingDisplay{GuestPriceVisibility: "hidden", VATDisplay: "ex", ShowTierTable: true},
	}}
	h.expect(call{method: "GET", path: "/v1/api/me"}, 200, `{"store":{"id":"00000000-0000-0000-0000-000000000000","name":"Ä/<>&"},`+
		`"key":{"name":"a \"b\"","scopes":[]},"modules":[],"currency":"EUR","prices_include_tax":false,"policy":{"identity_mode":"login_required","audience":"b2b_only","min_order_value_amount":2500,`+
		`"max_lines":7,"max_quantity_per_line":5,"pricing":{"guest_price_visibility":"hidden","vat_display":"ex","show_original_price":false,"show_tier_table":true}},`+
		`"shipping_countries":null,"rate_limit":{"limit":2000000000,"window_seconds":60}}`)
}
