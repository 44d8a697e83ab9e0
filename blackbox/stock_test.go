package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// adjustBody is the body of a stock adjustment; quantity is JSON text.
func adjustBody(product, quantity string, more ...string) string {
	return addBody(product, quantity, more...)
}

// withStock tracks hammers and cable, and gloves by their variants.
func withStock(document object) {
	for product, stock := range map[string]string{hammer: "10", cable: "2.5", gloves: "0"} {
		changed(product, "track_stock", true)(document)
		changed(product, "stock", stock)(document)
	}
	variants := findByID(document["products"].(list), gloves)["variants"].(list)
	findByID(variants, glovesS)["stock"] = "4"
}

// wantStock compares rows of the stock list, each as "available of product or variant".
func (c client) wantStock(cart string, want ...string) {
	c.t.Helper()
	var rows, query []string
	for _, text := range want {
		available, id, _ := strings.Cut(text, " of ")
		product, variant, name := id, "null", "product_ids[]="
		if strings.HasPrefix(id, "b") {
			product, variant, name = gloves, quoted(id), "variant_ids%5B%5D="
		}
		status := "in_stock"
		switch available {
		case "0":
			status = "out_of_stock"
		case "null":
			status = "untracked"
		}
		query = append(query, name+id)
		rows = append(rows, fmt.Sprintf(`{"product_id":%q,"variant_id":%s,"stock_status":%q,"available":%s}`, product, variant, status, available))
	}
	if cart != "" {
		query = append(query, "cart_id="+strings.TrimPrefix(cart, "commerce/carts/"))
	}
	got := c.get("stock/availability?" + strings.Join(query, "&")).wantStatus(http.StatusOK)
	if prefix := `{"data":[` + strings.Join(rows, ",") + `],"links":{"first":"` + c.node.base + "/v1/api/stock/availability?"; !strings.HasPrefix(string(got.body), prefix) {
		c.t.Errorf("%v\nwant: %s…", got, prefix)
	}
}

// docs/api/stock.md#rules. An import does not change stock that adjustments change.
func TestStockIsAdjusted(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	file := storeFile(t, base(), withStock)
	a, b := start(t, options{redis: r.URL(), stores: []string{file}}), start(t, options{redis: r.URL()})
	shop, merchant := a.client(t), a.client(t).withKey(keyAll)
	cart := shop.newCart()
	shop.add(cart, hammer, "4")
	merchant.post("catalog/stock-adjustments", adjustBody(hammer, `"-2.5"`, `"reason":"broken"`)).
		want(http.StatusCreated, `{"product_id":`+quoted(hammer)+`,"variant_id":null,"on_hand":7.5,"available":3.5}`)
	merchant.post("catalog/stock-adjustments", adjustBody(gloves, "6", variant(glovesM))).
		want(http.StatusCreated, `{"product_id":`+quoted(gloves)+`,"variant_id":`+quoted(glovesM)+`,"on_hand":6,"available":6}`)
	merchant.on(b).post("catalog/stock-adjustments", adjustBody(hammer, "-6")).
		want(http.StatusCreated, `{"product_id":`+quoted(hammer)+`,"variant_id":null,"on_hand":1.5,"available":0}`)
	shop.wantStock(cart, "1.5 of "+hammer)

	keyed := merchant.withHeader("Idempotency-Key", "count-1")
	for _, replayed := range []string{"", "true"} {
		keyed.on(b).post("catalog/stock-adjustments", adjustBody(hammer, "3")).
			want(http.StatusCreated, `{"product_id":`+quoted(hammer)+`,"variant_id":null,"on_hand":4.5,"available":0.5}`).
			wantHeader("Idempotent-Replayed", replayed)
	}
	keyed.post("catalog/stock-adjustments", adjustBody(hammer, "4")).want(http.StatusUnprocessableEntity, keyReused)

	imports(t, r, storeFile(t, base(), withStock, changed(hammer, "stock", "99"), changed(paper, "track_stock", true), changed(paper, "stock", "8"))).wantStores(t, "imported")
	elsewhere := redistest.Mini(t)
	imports(t, elsewhere, fileOf(t, []byte(exports(t, r, storeBase)))).wantStores(t, "imported") // with the present stock
	start(t, options{redis: elsewhere.URL()}).client(t).wantStock("", "4.5 of "+hammer, "8 of "+paper, "2.5 of "+cable, "6 of "+glovesM)
	c := start(t, options{redis: r.URL()}).client(t)
	c.wantStock("", "0.5 of "+hammer, "8 of "+paper, "10 of "+gloves)

	imports(t, r, storeFile(t, base())).wantStores(t, "imported") // only the relic is tracked for now
	products := exported(t, r)["products"].(list)
	if got := findByID(products, hammer)["stock"]; got != "4.5" {
		t.Errorf("the export says %v of an untracked product's stock, want 4.5", got)
	}
	if got := findByID(findByID(products, gloves)["variants"].(list), glovesM)["stock"]; got != "6" {
		t.Errorf("the export says %v of an untracked variant's stock, want 6", got)
	}
}

// exported is the base store's present document.
func exported(t *testing.T, r *redistest.Server) (document object) {
	t.Helper()
	if err := json.Unmarshal([]byte(exports(t, r, storeBase)), &document); err != nil {
		t.Fatal(err)
	}
	return document
}
