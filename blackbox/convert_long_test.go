//go:build long

package blackbox_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// The blocks of docs/migrating.md, pasted: the first makes a document from the template, which can be
// imported. The second, on the day of the move, leaves the shop as it was but for prices, products,
// pictures and the stock of new products.
func TestLongMovingIn(t *testing.T) {
	t.Parallel()
	catalogue, shown, day := migratingBlocks(t)
	dir := t.TempDir()
	if out := pasteIn(t, dir, catalogue); out != shown {
		t.Errorf("the first block prints\n%s\nthe document shows\n%s", out, shown)
	}
	store := filepath.Join(dir, "store.json")
	edit(t, store, func(d object) {
		d["api_keys"] = list{object{"name": "shop", "key": "the-key", "scopes": list{"commerce:read", "commerce:write"}}}
		d["shipping_methods"] = list{object{"id": itemID(1), "name": "Parcel", "price_amount": 695, "tax": "rate-21"}}
		d["discounts"] = list{object{"id": itemID(2), "name": "Welcome", "kind": "order", "code": "WELCOME-2026-01",
			"value": object{"type": "percent", "percent": "10"}}}
		d["customers"] = list{object{"id": itemID(3), "email": "ada@example.com"}}
		d["redirects"] = list{object{"from": "/old", "to": "/new"}}
		d["store"].(object)["policy"] = object{"max_lines": 7}
		d["store"].(object)["webhooks"] = list{object{"url": "https://example.org/hook", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
			"events": list{"order.placed"}}}
		d["products"].(list)[0].(object)["tiers"] = list{object{"min_quantity": "10", "price_amount": 700}}
	})
	r := redistest.Mini(t)
	imports(t, r, store).wantStores(t, "imported, 2 products, 1 customer, 1 key")
	exported := func() object {
		file := filepath.Join(t.TempDir(), "export.json")
		if f := runs(t, "export", "--redis", r.URL(), "--store", "e5000000-0000-4000-8000-000000000001", "--out", file); f.code != 0 {
			t.Fatalf("%+v", f)
		}
		return readDocument(t, file)
	}
	want := exported()

	table, err := os.ReadFile(filepath.Join(dir, "products.csv"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(",8.50,9.95,120,", ",8.95,9.95,3,", "mug.jpg", "cup.jpg").Replace(string(table)) +
		"pen,Pen,,P1,1.50,,9,21,,,,,,,,,\n"
	if err := os.WriteFile(filepath.Join(dir, "products.csv"), []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	out := pasteIn(t, dir, strings.ReplaceAll(day, "redis://127.0.0.1:6379/0", r.URL()))
	if !strings.Contains(out, "store.json: store e5000000-0000-4000-8000-000000000001 with 3 products and 5 categories, 0 left out, 0 changed\n") {
		t.Errorf("the second block prints\n%s", out)
	}
	got := exported()
	products, was := got["products"].(list), want["products"].(list)
	mug, pen := was[0].(object), products[2].(object)
	mug["price_amount"] = 895.0
	mug["media"].(list)[0].(object)["url"] = "https://example.com/cup.jpg"
	if pen["stock"] != "9" || pen["price_amount"] != 150.0 {
		t.Errorf("the new product is %v", pen)
	}
	got["products"] = products[:2]
	wantJSON(t, got, want)
}

// A second conversion over the first document keeps what was added to it, without --base too; a file
// that is no table leaves it as it is.
func TestLongASecondConversion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "store.json")
	table := fileOf(t, []byte("product,price,stock\nmug,8.50,1\n"))
	if f := runs(t, "convert", "csv", table, "--out", out); f.code != 0 || !strings.Contains(f.stdout, "The next conversion keeps all ids with --store ") {
		t.Fatalf("%+v", f)
	}
	edit(t, out, func(d object) { d["api_keys"] = list{object{"name": "shop", "key": "k", "scopes": list{}}} })
	before := readDocument(t, out)
	for name, content := range map[string]string{
		"workbook": "PK\x03\x04x", "HTML": "<html>", "no rows": "product,price\n", "no price": "product,name\na,b\n",
	} {
		if f := runs(t, "convert", "csv", table, fileOf(t, []byte(content)), "--out", out); f.code != 1 || !strings.Contains(f.stderr, "nothing was written") {
			t.Errorf("%s: %+v", name, f)
		}
	}
	wantJSON(t, readDocument(t, out), before)
	if f := runs(t, "convert", "csv", fileOf(t, []byte("product,price,stock\nmug,8.95,1\n")), "--out", out, "--name", "Mine"); f.code != 0 {
		t.Fatalf("%+v", f)
	}
	before["products"].(list)[0].(object)["price_amount"] = 895.0
	before["store"].(object)["name"] = "Mine"
	wantJSON(t, readDocument(t, out), before)
	if f := runs(t, "convert", "csv", table, "--out", filepath.Join(dir, "other.json"), "--base", out, "--store", storeBase); f.code != 2 {
		t.Errorf("--base of another store: %+v", f)
	}
	if f := runs(t, "convert", "csv", table, "--out", out, "--store", storeBase); f.code != 0 || readDocument(t, out)["api_keys"] != nil {
		t.Errorf("a document of another store is no base: %+v", f)
	}
	if err := os.WriteFile(out, []byte(`{"format": 1, "store": {`), 0o600); err != nil {
		t.Fatal(err)
	}
	if f := runs(t, "convert", "csv", table, "--out", out); f.code != 1 || !strings.Contains(f.stderr, "mend this earlier document, or name another --out") {
		t.Errorf("a damaged document: %+v", f)
	}
}

// Arguments that are none exit with 2, and nothing is written.
func TestLongArgumentsOfConvert(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "store.json")
	table := fileOf(t, []byte("product,price,unit\na,1.00,dozen\n"))
	for _, args := range [][]string{
		{}, {"excel", table}, {"csv"}, {"csv", table}, {"csv", table, "--out", out, "--store", "x"}, {"csv", table, "--out", out, "--tax", "x"},
		{"csv", table, "--out", out, "--name", strings.Repeat("x", 256)}, {"csv", table, "--out", table},
	} {
		if f := runs(t, append([]string{"convert"}, args...)...); f.code != 2 {
			t.Errorf("cartd convert %v: exit %d, want 2", args, f.code)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a document was written")
	}
}
