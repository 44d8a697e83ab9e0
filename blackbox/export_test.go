package blackbox_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// exports returns a store's document.
func exports(t *testing.T, r *redistest.Server, store string) string {
	t.Helper()
	f := runs(t, "export", "--redis", r.URL(), "--store", store)
	if f.code != 0 || f.stderr != "" {
		t.Fatalf("cartd %v\n got: exit %d\n%s\nwant: exit 0", f.args, f.code, f.stderr)
	}
	return f.stdout
}

// fullStore has every part of a store that an export includes.
func fullStore(document object) {
	withPassword(ada, adaPassword)(document)
	customer := findByID(document["customers"].(list), ada)
	customer["phone"], customer["external_id"] = "+31 6 \"1\" <&> é漢", "x y"
	findByID(document["products"].(list), hammer)["metadata"] = object{"lines": "x\u2028y\r\n"}
	customer["addresses"] = list{
		object{"type": "billing", "is_default": true, "label": "Home", "name": "Ada", "street": "One 1", "postal_code": "1", "city": "A",
			"country": "NL", "phone": "1"},
		object{"id": "f0000000-0000-4000-8000-000000000001", "name": "Ada", "street": "Two 2", "postal_code": "2", "city": "B", "country": "BE"},
	}
	findByID(document["customers"].(list), bob)["approved"] = false
	document["discounts"] = list{object{"id": unknownID, "name": "Welcome", "kind": "order", "code": "W", "value": object{"type": "percent", "percent": "10"}}}
	document["shipping_methods"] = list{object{"id": unknownID, "name": "Parcel", "price_amount": 695, "tax": "standard"}}
	document["redirects"] = list{object{"from": "/old", "to": "/new"}}
	exPolicy(document)
}

// Secrets of webhooks are in clear: an export to standard output says so, a file is its owner's alone,
// and --without-secrets leaves them out.
func TestExportSaysThatItHasSecrets(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	hooks := list{object{"url": "https://example.com/", "secret": secret, "events": list{"order.placed"}}}
	imports(t, r, storeFile(t, base(), setting("webhooks", hooks))).wantStores(t, storeBase)
	args := []string{"export", "--redis", r.URL(), "--store", storeBase}
	open := runs(t, args...)
	const note = "the document has 1 secret of webhooks or of batches of codes in clear text"
	if open.code != 0 || !strings.Contains(open.stdout, secret) || !strings.Contains(open.stderr, note) {
		t.Errorf("an export: exit %d, %s\nwant the secret, and a note", open.code, open.stderr)
	}
	without := runs(t, append(args, "--without-secrets")...)
	if without.code != 0 || without.stderr != "" || strings.Contains(without.stdout, "whsec_") ||
		!strings.Contains(without.stdout, `"url": "https://example.com/"`) {
		t.Errorf("an export without secrets: exit %d, %s\n%s", without.code, without.stderr, without.stdout)
	}
	file := filepath.Join(t.TempDir(), "store.json")
	if f := runs(t, append(args, "--out", file)...); f.code != 0 {
		t.Fatal(f)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, want 0600 (%v)", info.Mode(), err)
	}
}
