package blackbox_test

import (
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// The size of a cart: docs/decisions.md#limits.
const (
	maxCartSize   = 1 << 20
	sizeOfFields  = 176
	sizeOfLine    = 128
	sizeOfAnEntry = 32
)

// longSKUs gives two products SKUs that do not fit into one cart. With one of them and the hammer
// some 40 KB are left for metadata.
func longSKUs(document object) {
	products := document["products"].(list)
	findByID(products, hammer)["sku"] = strings.Repeat("h", maxCartSize-12_000)
	findByID(products, nails)["sku"] = strings.Repeat("n", 60_000)
}

// metadataBody sets metadata of this many bytes.
func metadataBody(size int) string { return `{"metadata":{"k":"` + strings.Repeat("v", size) + `"}}` }

// A cart has at most a mebibyte. Every write that would exceed it is refused.
func TestCartRecordIsBounded(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyLongSKUs)}).client(t).withKey(keyLongSKUs)
	path := shop.newCart()
	key := "{" + storeLongSKUs + "}:cart:" + strings.TrimPrefix(path, "commerce/carts/")
	size := func() int { return int(r.Client().StrLen(t.Context(), key).Val()) }
	line := shop.add(path, hammer, "1").Lines[0].ID

	added := shop.get(path).cart(http.StatusOK).Lines[0]
	fills := maxCartSize - sizeOfFields - sizeOfLine - len(added.Name) - len(*added.SKU) - sizeOfAnEntry - len("k")
	shop.patch(path, metadataBody(fills+1)).want(http.StatusUnprocessableEntity, tooLarge)
	shop.patch(path, metadataBody(fills)).wantStatus(http.StatusOK)
	full := shop.patch(path+"/lines/"+line, `{"quantity":99}`).wantStatus(http.StatusOK) // the size stays
	if got := size(); got > maxCartSize {
		t.Fatalf("the record has %d bytes, want %d at most", got, maxCartSize)
	}
	for _, c := range []struct{ method, path, body string }{
		{"PATCH", path, metadataBody(fills + 1)},
		{"PATCH", path, `{"email":"ada@example.com"}`},
		{"POST", path + "/lines", addBody(cable, "1")},
		{"POST", path + "/lines/batch", batchBody(addBody(hammer, "1"), addBody(cable, "1"))},
		{"POST", path + "/discount", `{"code":"FIVE"}`},
	} {
		shop.request(c.method, c.path, c.body).want(http.StatusUnprocessableEntity, tooLarge)
	}
	after := shop.get(path).wantHeader("ETag", full.header.Get("ETag"))
	if string(after.body) != string(full.body) {
		t.Error("a refused write has changed the cart")
	}

	retried := shop.withHeader("Idempotency-Key", "an add")
	retried.post(path+"/lines", addBody(cable, "1")).want(http.StatusUnprocessableEntity, tooLarge)
	shop.patch(path, metadataBody(fills/2)).wantStatus(http.StatusOK)
	if got := retried.post(path+"/lines", addBody(cable, "1")).cart(http.StatusCreated); len(got.Lines) != 2 {
		t.Errorf("the add after the cart became smaller: %d lines, want 2", len(got.Lines))
	}
}
