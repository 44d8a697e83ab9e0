package blackbox_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownStore is a merchant's document with pictures of two servers, a webhook and a key of its own.
const ownStore = `{"format": 1,
	"store": {"id": "99999999-9999-4999-8999-999999999999", "name": "Tea & <Co>", "modules": ["catalog", "commerce", "customers"], "prices_include_tax": true,
		"rate_limit_per_minute": 6000,
		"webhooks": [{"url": "https://erp.example/hook", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": ["order.placed"]}]},
	"api_keys": [{"name": "own", "key": "own-storefront-key", "scopes": ["catalog:read"], "revoked": false}],
	"tax_rates": [{"code": "standard", "rate": "21"}],
	"categories": [{"id": "99999999-0000-4000-8000-000000000001", "name": "Green tea", "slug": "green", "media": [{"url": "https://pictures.example/green.jpg"}]}],
	"products": [{"id": "99999999-0000-4000-8000-000000000002", "name": "Sencha", "slug": "sencha", "capability": "standard", "unit": "piece", "price_amount": 900,
		"tax": "standard", "category_ids": ["99999999-0000-4000-8000-000000000001"],
		 "media": [{"url": "https://cdn.example:8443/sencha.jpg"}, {"url": "/local.jpg"}]}],
	"shipping_methods": [{"id": "99999999-0000-4000-8000-000000000003", "name": "Post", "price_amount": 500, "tax": "standard"}]}`

func ownDocument(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(file, []byte(ownStore), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// With --demo and --store the shop shows the merchant's document: its name, its pictures' servers in the
// policy, keys made for the demo, and no Northwind.
func TestTheDemoShowsAnOwnCatalogue(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", stores: []string{ownDocument(t)}, flags: []string{"--demo"}})
	answer, err := http.Get(n.base + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got, want := answer.Header.Get("Content-Security-Policy"), strings.Replace(shopPolicy, "img-src 'self'",
		"img-src 'self' https://cdn.example:8443 https://pictures.example", 1); got != want {
		t.Errorf("the policy is %s\nwant %s", got, want)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	if !strings.Contains(page, "<title>Tea &amp; &lt;Co&gt;</title>") || strings.Contains(page, "Northwind") {
		t.Errorf("the page does not say the store's name, or says Northwind:\n%s", page)
	}
	shop := n.client(t)
	for _, c := range []struct {
		key, path string
		status    int
	}{
		{"demo-storefront-key", "catalog/products/sencha", 200},
		{"demo-merchant-key", "orders", 200},
		{"demo-desk-key", "orders", 200},
		{"own-storefront-key", "catalog/products/sencha", 200},
		{"demo-read-only-key", "me", 401},
	} {
		shop.withKey(c.key).get(c.path).wantStatus(c.status)
	}
	if out := n.Log.String(); strings.Contains(out, "northwind") || !strings.Contains(out, "demo-merchant-key") {
		t.Errorf("the start prints:\n%s", out)
	}
}
