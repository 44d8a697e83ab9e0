package storefile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// one is the list of a single fault.
func one(fault string) []string { return []string{fault} }

func TestSettingsFaults(t *testing.T) {
	check(t, []change{
		{`"name": "Northwind Blinds"`, `"name": null`, one("store.name: is required")},
		{`"name": "Northwind Blinds"`, `"name": ""`, one("store.name: must not be empty")},
		{`"11111111-1111-4111-8111-111111111111"`, `"00000000-0000-0000-0000-000000000000"`, one("store.id: must be a UUID")},
		{`"configurator", "sales"`, `"configurators", 5`, []string{"store.modules[2]: is not a known module", "store.modules[3]: must be a string"}},
		{`"rate_limit_per_minute": 600`, `"rate_limit_per_minute": 0`, one("store.rate_limit_per_minute: must be an integer of at least 1")},
		{`"rate_limit_per_minute": 600`, `"rate_limit_per_minute": 2000000001`, one("store.rate_limit_per_minute: must be an integer of at most 2000000000")},
		{`"rate_limit_per_minute": 600`, `"rate_limit_per_minute": 2000000000`, nil},
		{`"per_client": 90`, `"per_client": 0`, one("store.limits.per_client: must be an integer of at least 1")},
		{`"per_client": 90`, `"per_client": 2000000001`, one("store.limits.per_client: must be an integer of at most 2000000000")},
		{`"per_client": 90`, `"per_client": null`, nil},
		{`"reserved_for_carts": 200`, `"reserved_for_carts": -1`, one("store.limits.reserved_for_carts: must be an integer of at least 0")},
		{`"reserved_for_carts": 200`, `"reserved_for_carts": 2000000000`, nil},
		{`"client_limit": false`, `"client_limit": "no"`, one("api_keys[1].client_limit: must be true or false")},
		{`"client_limit": false`, `"client_limit": null`, nil},
		{`"login_required"`, `"members"`, one("store.policy.identity_mode: must be one of guest_allowed, login_required, guest_only")},
		{`"b2b_only"`, `true`, one("store.policy.audience: must be one of both, b2b_only, b2c_only")},
		{`"min_order_value_amount": 2500`, `"min_order_value_amount": 5.0`, nil},
		{`"min_order_value_amount": 2500`, `"min_order_value_amount": 5.5`, one("store.policy.min_order_value_amount: must be an integer of at least 0")},
		{`"min_order_value_amount": 2500`, `"min_order_value_amount": 1e-3`, one("store.policy.min_order_value_amount: must be an integer of at least 0")},
		{`"min_order_value_amount": 2500`, `"min_order_value_amount": "2500"`, one("store.policy.min_order_value_amount: must be an integer of at least 0")},
		{`"min_order_value_amount": 2500`, `"min_order_value_amount": 1000000000000`, nil},
		{`"min_order_value_amount": 2500`, `"min_order_value_amount": 1000000000001`,
			one("store.policy.min_order_value_amount: must be an integer of at most 1000000000000")},
		{`"max_lines": 50`, `"max_lines": 1001`, one("store.policy.max_lines: must be an integer of at most 1000")},
		{`"max_lines": 50`, `"max_lines": 0`, one("store.policy.max_lines: must be an integer of at least 1")},
		{`"max_discount_codes": 4`, `"max_discount_codes": 0`, one("store.policy.max_discount_codes: must be an integer of at least 1")},
		{`"max_discount_codes": 4`, `"max_discount_codes": 11`, one("store.policy.max_discount_codes: must be an integer of at most 10")},
		{`"max_quantity_per_line": 20`, `"max_quantity_per_line": 100000000`, one("store.policy.max_quantity_per_line: must be an integer of at most 99999999")},
		{`"show_tier_table": false`, `"show_tier_table": "false"`, one("store.policy.pricing.show_tier_table: must be true or false")},
		{`"show_tier_table": false`, `"show_tiers": false`, one("store.policy.pricing.show_tiers: is not a known field")},
		{`"valid_days": 14`, `"valid_days": 0`, one("store.quotes.valid_days: must be an integer of at least 1")},
		{`"signature"`, `"pen"`, one("store.quotes.acceptance_mode: must be one of click, signature")},
		{`"customer_group_ids": ["20000000-0000-4000-8000-000000000001"]`, `"customer_group_ids": ["20000000-0000-4000-8000-000000000009", null]`,
			[]string{"store.quotes.customer_group_ids[0]: is not the id of a customer group", "store.quotes.customer_group_ids[1]: must be a UUID"}},
		{`"payment_minutes": 1440`, `"payment_minutes": 0`, one("store.orders.payment_minutes: must be an integer of at least 1")},
		{`"payment_minutes": 1440`, `"payment_minutes": 43201`, one("store.orders.payment_minutes: must be an integer of at most 43200")},
		{`"payment_minutes": 1440`, `"payment_hours": 24`, one("store.orders.payment_hours: is not a known field")},
		{`"stock_hold_minutes": 30`, `"stock_hold_minutes": 0`, one("store.stock_hold_minutes: must be an integer of at least 1")},
	})
}

func TestWebhookFaults(t *testing.T) {
	const aSecret = `"whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"`
	const hookSecret = `"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"`
	const url, secret = "store.webhooks[0].url: must be an absolute http or https URL", "store.webhooks[0].secret: must be whsec_ and the base64 of 24 to 64 bytes"
	check(t, []change{
		{`https://example.org/hook`, `/hook`, one(url)},
		{`https://example.org/hook`, `https:///hook`, one(url)},
		{`https://example.org/hook`, `https://%zz`, one(url)},
		{`https://example.org/hook`, `http://127.0.0.1:9000`, nil},
		{`whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, `whsec_MfKQ9r8GKYqrTwjUPD8ILP\nZIo2LaLaSw`, one(secret)},
		{`whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, `whsec_` + strings.Repeat("AAAA", 21) + "AA==", nil},
		{hookSecret, `"secrets": [` + aSecret + `]`, nil},
		{hookSecret, `"secrets": [` + aSecret + `, ` + aSecret + `]`, nil},
		{hookSecret, `"secrets": [` + aSecret + `, "x"]`, one("store.webhooks[0].secrets[1]: must be whsec_ and the base64 of 24 to 64 bytes")},
		{hookSecret, `"secrets": [` + aSecret + `, ` + aSecret + `, ` + aSecret + `]`, one("store.webhooks[0].secrets: must have at most 2 secrets")},
		{hookSecret, `"secrets": []`, one("store.webhooks[0].secrets: must not be empty")},
		{hookSecret, hookSecret + `, "secrets": [` + aSecret + `]`, one("store.webhooks[0]: must have exactly one of secret and secrets")},
		{hookSecret + `, `, ``, one("store.webhooks[0]: must have exactly one of secret and secrets")},
		{`["stock.adjusted"]`, `["stock.changed"]`,
			one("store.webhooks[0].events[0]: must be one of stock.adjusted, contact.password_reset_requested, order.placed, cart.converted, quote.requested, " +
				"quote.accepted, quote.declined, order.paid, order.cancelled, order.refunded, order.shipped, order.delivered, order.returned, " +
				"contact.registered, contact.approved, quote.offered, quote.withdrawn, quote.change_requested")},
		{`, "events": ["stock.adjusted"]`, ``, one("store.webhooks[0].events: is required")},
	})
}

func TestKeyFaults(t *testing.T) {
	const hash = `"9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08"`
	check(t, []change{
		{`"key": "demo-storefront-key", `, ``, one("api_keys[0]: must have exactly one of key and key_sha256")},
		{`"key": "demo-storefront-key", `, `"key": "a", "key_sha256": ` + hash + `, `, one("api_keys[0]: must have exactly one of key and key_sha256")},
		{`"key": "demo-storefront-key"`, `"key": ""`, one("api_keys[0].key: must not be empty")},
		{`"key": "demo-storefront-key"`, `"key": "test"`, one("api_keys[1].key_sha256: is a duplicate of api_keys[0].key")},
		{hash, `"9f86"`, one("api_keys[1].key_sha256: must be a SHA-256 in hexadecimal")},
		{`"name": "office"`, `"name": "storefront"`, one("api_keys[1].name: is a duplicate of api_keys[0].name")},
		{`"commerce:write"`, `"commerce:admin", 1`, []string{"api_keys[0].scopes[1]: is not a known scope", "api_keys[0].scopes[2]: must be a string"}},
		{`, "scopes": []`, ``, one("api_keys[1].scopes: is required")},
	})
}

// dearHash is the fault of a hash of another kind or of a hash above the cost limits.
const dearHash = "customers[1].password_hash: must be a bcrypt hash of cost at most 12, or an argon2id hash of at most m=65536 (64 MiB), t=4, p=4"

func TestCustomerFaults(t *testing.T) {
	check(t, []change{
		{`"Ada@Example.com"`, `"ada"`, one("customers[0].email: must be an e-mail address")},
		{`"Ada@Example.com"`, `"a\u00addb@c"`, one("customers[0].email: must be an e-mail address")},
		{`"bob@example.com"`, `"ADA@example.COM"`, one("customers[1].email: is a duplicate of customers[0].email")},
		{`"30000000-0000-4000-8000-000000000002"`, `"30000000-0000-4000-8000-000000000001"`, one("customers[1].id: is a duplicate of customers[0].id")},
		{`"kind": "b2b"`, `"kind": "B2B"`, one("customers[0].kind: must be one of b2c, b2b")},
		{`"kind": "b2b", `, ``, one("customers[0].approved: is only for b2b customers")},
		{`"approved": false`, `"approved": "no"`, one("customers[0].approved: must be true or false")},
		{`"company_name": "Engines"`, `"company_name": 1`, one("customers[0].company_name: must be a string")},
		{`"group_id": "20000000-0000-4000-8000-000000000001", "approved"`, `"group_id": "20000000-0000-4000-8000-000000000003", "approved"`,
			one("customers[0].group_id: is not the id of a customer group")},
		{`"password": "secret"`, `"password": ""`, one("customers[0].password: must not be empty")},
		{`"password": "secret"`, `"password": "secret", "password_hash": "$2y$10$x"`, one("customers[0]: must have at most one of password and password_hash")},
		{`"$argon2id$v`, `"$argon2i$v`, one(dearHash)},
		{`m=65536,t=3,p=4`, `m=65536,t=4,p=4`, nil},
		{`m=65536,t=3,p=4`, `m=65537,t=3,p=4`, one(dearHash)},
		{`m=65536,t=3,p=4`, `m=99999999999999999999,t=3,p=4`, one(dearHash)},
		{`"$argon2id$v=19$m=65536,t=3,p=4$`, `"$2a$12$`, nil},
		{`"$argon2id$v=19$m=65536,t=3,p=4$`, `"$2a$13$`, one(dearHash)},
		{`"2030-01-01T01:00:00+01:00"`, `"2030-01-01"`, one("customers[0].tokens[0].expires_at: must be a time like 2030-01-01T00:00:00Z")},
		{`"2030-01-01T01:00:00+01:00"`, `null`, one("customers[0].tokens[0].expires_at: is required")},
		{`"token": "demo-token-ada", `, ``, one("customers[0].tokens[0]: must have exactly one of token and token_sha256")},
		{`"token_sha256": "0000000000000000000000000000000000000000000000000000000000000001"`, `"token": "demo-token-ada"`,
			one("customers[1].tokens[0].token: is a duplicate of customers[0].tokens[0].token")},
		{`{"id": "20000000-0000-4000-8000-000000000002"`, `{"id": "20000000-0000-4000-8000-000000000003"`, []string{
			`products[0].group_prices.20000000-0000-4000-8000-000000000002: names no customer group by its id`,
			`discounts[0].customer_group_ids[0]: is not the id of a customer group`,
		}},
	})
}

func TestAddressFaults(t *testing.T) {
	const second = `{"name": "Ada", "street": "Side 2", "postal_code": "1", "city": "Delft", "country": "NL"}`
	const path = "customers[0].addresses[1]"
	check(t, []change{
		{second, `{}`, []string{
			path + ".name: is required", path + ".street: is required", path + ".postal_code: is required", path + ".city: is required", path + ".country: is required",
		}},
		{second, strings.Replace(second, `"Ada"`, "\" \u00a0\u200b\u200e\"", 1), one(path + ".name: is required")},
		{second, strings.Replace(second, `"Ada"`, `"`+strings.Repeat("é", 150)+`"`, 1), nil},
		{second, strings.Replace(second, `"Ada"`, `"`+strings.Repeat("é", 151)+`"`, 1), one(path + ".name: must be at most 150 characters")},
		{second, strings.Replace(second, `"Side 2"`, `"`+strings.Repeat("s", 256)+`"`, 1), one(path + ".street: must be at most 255 characters")},
		{second, strings.Replace(second, `"1"`, `"123456789012345678901"`, 1), one(path + ".postal_code: must be at most 20 characters")},
		{second, strings.Replace(second, `"Delft"`, `"`+strings.Repeat("c", 101)+`"`, 1), one(path + ".city: must be at most 100 characters")},
		{second, strings.Replace(second, `"NL"`, `"NLD"`, 1), one(path + ".country: must be 2 characters")},
		{second, strings.Replace(second, `"NL"`, `"éé"`, 1), nil},
		{second, strings.Replace(second, `{`, `{"label": "`+strings.Repeat("l", 51)+`", "phone": "`+strings.Repeat("1", 51)+`", `, 1), []string{
			path + ".label: must be at most 50 characters", path + ".phone: must be at most 50 characters",
		}},
		{second, strings.Replace(second, `{`, `{"type": "home", `, 1), one(path + ".type: must be one of shipping, billing, work")},
		{second, strings.Replace(second, `{`, `{"type": "billing", "is_default": true, `, 1), one(path + ".is_default: is a second default address of type billing")},
		{second, strings.Replace(second, `{`, `{"type": "work", "is_default": true, `, 1), nil},
		{second, strings.Replace(second, `{`, `{"id": "31000000-0000-4000-8000-000000000001", `, 1),
			one(path + ".id: is a duplicate of customers[0].addresses[0].id")},
		{second, second + strings.Repeat(","+second, 248), nil},
		{second, second + strings.Repeat(","+second, 249), one("customers[0].addresses: must have at most 250 addresses")},
	})
}

func TestTaxFaults(t *testing.T) {
	const want = "tax_rates[1].rate: must be a decimal string from 0 to 100 with at most 9 decimals"
	check(t, []change{
		{`"5.500000001"`, `"100.000"`, nil},
		{`"5.500000001"`, `"100.1"`, one(want)},
		{`"5.500000001"`, `5.5`, one(want)},
		{`"code": "reduced"`, `"code": "standard"`, []string{
			"tax_rates[1].code: is a duplicate of tax_rates[0].code", "products[1].tax: is not the code of a tax rate",
		}},
		{`"price_amount": 695, "tax": "standard"`, `"price_amount": 695, "tax": "Standard"`, one("shipping_methods[0].tax: is not the code of a tax rate")},
	})
}

func TestCategoryFaults(t *testing.T) {
	const first, second = "40000000-0000-4000-8000-000000000001", "40000000-0000-4000-8000-000000000002"
	check(t, []change{
		{`"parent_id": null`, `"parent_id": "` + first + `"`, one("categories[0].parent_id: makes a cycle of categories")},
		{`"parent_id": null`, `"parent_id": "` + second + `"`, one("categories[1].parent_id: makes a cycle of categories")},
		{`"parent_id": "` + second + `"`, `"parent_id": "` + first + `"`, one("categories[0].parent_id: makes a cycle of categories")},
		{`"parent_id": null`, `"parent_id": "40000000-0000-4000-8000-000000000003"`, one("categories[1].parent_id: is not the id of a category")},
		{`"slug": "blinds"`, `"slug": "roller"`, one("categories[1].slug: is a duplicate of categories[0].slug")},
		{`"category_ids": ["` + first + `"]`, `"category_ids": ["40000000-0000-4000-8000-000000000003"]`,
			one("products[0].category_ids[0]: is not the id of a category")},
	})
}

// A cycle is one fault, at its first category. A category whose parent is on the cycle has no fault.
func TestLongCategoryCycle(t *testing.T) {
	var categories []string
	for i, parent := range []int{1, 2, 3, 1} { // 0 is a child of 1, on the cycle 1 2 3
		categories = append(categories, fmt.Sprintf(
			`{"id":"40000000-0000-4000-8000-%012d","name":"C","slug":"c%d","parent_id":"40000000-0000-4000-8000-%012d"}`, i+1, i, parent+1))
	}
	got := faultsOf(t, strings.TrimSuffix(minimal, "}")+`,"categories":[`+strings.Join(categories, ",")+`]}`)
	if want := one("categories[1].parent_id: makes a cycle of categories"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestShippingAndRedirectFaults(t *testing.T) {
	const tiers = `[{"min_goods_amount": 0, "price_amount": 595}, {"min_goods_amount": 5000, "price_amount": 0}]`
	tiersUpTo := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"min_goods_amount": %d, "price_amount": 1}`, i)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	country := func(i int) []string {
		return one(fmt.Sprintf("shipping_methods[0].countries[%d]: must be two letters", i))
	}
	check(t, []change{
		{`"price_amount": 695, `, ``, one("shipping_methods[0].price_amount: is required")},
		{`["nl", "BE"]`, `["nl", "NL"]`, nil},
		{`["nl", "BE"]`, `null`, nil},
		{`["nl", "BE"]`, `["NL", "N1"]`, country(1)},
		{`["nl", "BE"]`, `[null]`, country(0)},
		{`"min_goods_amount": 100`, `"min_goods_amount": 90000`, nil},
		{`"min_goods_amount": 100`, `"min_goods_amount": 90001`, one("shipping_methods[0].min_goods_amount: must be at most max_goods_amount, which is 90000")},
		{`"min_days": 1`, `"min_days": 4`, one("shipping_methods[0].min_days: must be at most max_days, which is 3")},
		{`"max_days": 3`, `"max_days": 36501`, one("shipping_methods[0].max_days: must be an integer of at most 36500")},
		{`"20000.5"`, `20000.125`, nil},
		{`"20000.5"`, `"0.0001"`, one("shipping_methods[0].max_weight_grams: must be a number or a decimal string from 0 to 1000000000 with at most 3 decimals")},
		{tiers, tiersUpTo(20), nil},
		{tiers, tiersUpTo(21), one("shipping_methods[0].price_tiers: must have at most 20 price tiers")},
		{tiers, `[{"min_goods_amount": 5, "price_amount": 1}, {"min_goods_amount": 5, "price_amount": 0}]`,
			one("shipping_methods[0].price_tiers[1].min_goods_amount: must be above that of the tier before")},
		{tiers, `[{"min_goods_amount": 5}]`, one("shipping_methods[0].price_tiers[0].price_amount: is required")},
		{tiers, `[{"price_amount": 5}]`, one("shipping_methods[0].price_tiers[0].min_goods_amount: is required")},
		{`{"carrier": "post"}`, `{"carrier": []}`, one("shipping_methods[0].metadata.carrier: must be a string, number, boolean or null")},
		{`"At your door"`, `7`, one("shipping_methods[0].description: must be a string")},
		{`"status": 308`, `"status": 303`, one("redirects[0].status: must be one of 301, 302, 307, 308")},
		{`"status": 308}`, `"status": 307}, {"from": "/old", "to": ""}`, []string{
			"redirects[1].from: is a duplicate of redirects[0].from", "redirects[1].to: must not be empty",
		}},
	})
}
