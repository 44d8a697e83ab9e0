package httpserver

import (
	"testing"

	"cartd/commerce"
)

// Spec: single-object endpoints such as GET /v1/api/me return a bare object.
func TestMe(t *testing.T) {
	h := start(t)
	h.expect(call{method: "GET", path: "/v1/api/me"}, 200, `{"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Northwind Blinds"},`+
		`"key":{"name":"storefront","scopes":["commerce:read","commerce:write","contacts:read","contacts:write","catalog:read","catalog:write","sales:read","sales:write","customers:read","customers:write"]},"modules":["catalog","commerce","configurator","sales","stock","customers"],`+
		`"currency":"EUR","prices_include_tax":true,"rate_limit":{"limit":120,"window_seconds":60}}`)
}

func TestMeOfABareStore(t *testing.T) {
	h := start(t)
	h.engine.admission.Key = &commerce.APIKey{Name: `a "b"`}
	h.engine.admission.Store = &commerce.Store{Name: "Ä/<>&", RateLimit: 2_000_000_000}
	h.expect(call{method: "GET", path: "/v1/api/me"}, 200, `{"store":{"id":"00000000-0000-0000-0000-000000000000","name":"Ä/<>&"},`+
		`"key":{"name":"a \"b\"","scopes":[]},"modules":[],"currency":"EUR","prices_include_tax":false,"rate_limit":{"limit":2000000000,"window_seconds":60}}`)
}
