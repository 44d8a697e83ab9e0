package blackbox_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cartd/internal/redistest"
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

// The demo's keys are public: they replace no store, and a store without them is not taken for the demo's.
func TestTheDemoTakesNoStoreOver(t *testing.T) {
	t.Parallel()
	file := ownDocument(t)
	refused := runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo", "--store", file, "--store-replace")
	refused.wantUsage(t, "leave --store-replace out")
	r := redistest.Mini(t)
	start(t, options{redis: r.URL(), stores: []string{file}}).client(t).withKey("own-storefront-key").get("me").wantStatus(200)
	runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", r.URL(), "--demo", "--store", file).wantOneLine(t, "in Redis already, with other content")
	shop := start(t, options{redis: r.URL()}).client(t)
	shop.withKey("demo-storefront-key").get("me").wantStatus(401)
}

// An own document has a mailbox with --demo-mailbox only: its mails let a reader log in as any customer.
func TestTheDemoShowsNoMailsOfAnOwnCatalogue(t *testing.T) {
	t.Parallel()
	file := ownDocument(t)
	for _, c := range []struct {
		flags, stores []string
		box, deliver  int
	}{
		{[]string{"--demo"}, []string{file}, 404, 404},
		{[]string{"--demo", "--demo-mailbox"}, []string{file}, 200, 401},
		{[]string{"--demo"}, nil, 200, 401},
	} {
		n := start(t, options{redis: "embedded", stores: c.stores, flags: c.flags})
		for path, status := range map[string]int{"/mail/box": c.box, "/mail": c.deliver} {
			answer, err := http.Post(n.base+path, "application/json", strings.NewReader(`{"email":"ada@example.com"}`))
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != status {
				t.Errorf("%v: POST %s: got %d, want %d", c.flags, path, answer.StatusCode, status)
			}
		}
	}
	runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo", "--demo-mailbox").wantUsage(t, "--demo-mailbox belongs to --demo with --store")
}
