package blackbox_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// An attribute without a facet is a warning: nearly all of its values differ.
func TestCheckWarnsOfIdentifyingAttributes(t *testing.T) {
	t.Parallel()
	var goods list
	for i := range 60 {
		goods = append(goods, product(itemID(i), fmt.Sprint("P", i), fmt.Sprint("p", i),
			object{"attributes": object{"EAN": fmt.Sprint("871", i), "Colour": "White"}}))
	}
	for count, warned := range map[int]bool{60: true, 50: false} {
		f := runs(t, "check", storeFile(t, base(), selling(goods[:count]...)))
		if got := strings.Contains(f.stdout, "warning: 1 attribute without a facet, because nearly all values differ: EAN (60 values) ("); f.code != 0 ||
			got != warned {
			t.Errorf("%d values: exit %d, warned %v\n%s%s", count, f.code, got, f.stdout, f.stderr)
		}
	}
}

// What breaks a bound that a later release brought is served as it is, and a change set that does not
// send it works.
func TestStoredTextsThatBreakBounds(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), managed, collected, office)}})
	n.client(t).withKey(keyAll).sells(`{"email":"a@b.example","reference":"RFQ 7 of A"}`)
	n.Stop()
	ctx, db := context.Background(), r.Client()
	for _, key := range db.Keys(ctx, "*:store:*").Val() {
		db.Set(ctx, key, packed(t, []byte(strings.Replace(unpacked(t, db.Get(ctx, key).Val()), `"Hammer"`, `"Ham\nmer"`, 1))), 0)
	}
	orders := db.Keys(ctx, "*:order:*").Val()
	for _, key := range orders {
		db.Set(ctx, key, strings.Replace(db.Get(ctx, key).Val(), "RFQ 7 of A", "RFQ\x017 of A", 1), redis.KeepTTL)
	}
	operates(t, r, "check").wants(t, "store "+storeBase+": ok", "orders: 1 read", "this release reads all that is in Redis")

	shop := start(t, options{redis: r.URL()}).client(t)
	if got := shop.get("catalog/products/" + hammer).wantStatus(200); !strings.Contains(string(got.body), `"name":"Ham\nmer"`) {
		t.Errorf("the product is served as %s", got.body)
	}
	if got := shop.withKey(keyOffice).get("orders").wantStatus(200); !strings.Contains(string(got.body), `"reference":"RFQ\u00017 of A"`) {
		t.Errorf("the order is served as %s", got.body)
	}
	erp := shop.withKey(keyManage)
	erp.patch("catalog/products/"+hammer, `{"sku":"H\u0001"}`).want(422, oneField("sku", "The sku field must not contain control characters.", ""))
	erp.patch("catalog/products/"+hammer, `{"price_amount":2600}`).wantStatus(200)
	erp.patch("catalog/products/"+hammer, `{"name":"Ham\nmer"}`).want(422, oneField("name", "The name field must not contain control characters.", ""))
	erp.patch("catalog", `{"format":1,"set":{"products":[`+hammerEntry(2500)+`]}}`).wantStatus(200)
}

func unpacked(t *testing.T, text string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
