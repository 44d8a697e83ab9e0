package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/internal/redistest"
)

const adjustCall = "POST catalog/stock-adjustments"

// adjustBody is the body of a stock adjustment; quantity is JSON text.
func adjustBody(product, quantity string, more ...string) string {
	return addBody(product, quantity, more...)
}

// stockCases are the refusals of a stock adjustment. The relic, with a stock of five, is the only
// tracked product of the base store.
var stockCases = []refusalCase{
	{name: "adjustment without the scope", row: commerce.InvalidAbility, key: keyShop, call: adjustCall, body: adjustBody(relic, "1"), status: 403,
		want: `{"message":"Invalid ability provided."}`},
	{name: "adjustment of an unknown product", row: commerce.ProductUnavailable, key: keyAll, call: adjustCall, body: adjustBody(unknownID, "1"), status: 422,
		want: oneField("product_id", noProduct, "")},
	{name: "adjustment of a product without stock", row: commerce.StockUntracked, key: keyAll, call: adjustCall, body: adjustBody(hammer, "1"), status: 422,
		want: oneField("product_id", "This product does not track stock.", "")},
	{name: "adjustment without the variant", key: keyAll, call: adjustCall, body: adjustBody(gloves, "1"), status: 422,
		want: oneField("variant_id", "Choose a variant for this product.", "")},
	{name: "adjustment below zero", row: commerce.StockBelowZero, key: keyAll, call: adjustCall, body: adjustBody(relic, "-5.001"), status: 422,
		want: oneField("quantity", "Stock on hand cannot go below zero.", "")},
	{name: "adjustment above the maximum", row: commerce.StockAboveMaximum, key: keyAll, call: adjustCall, body: adjustBody(relic, "8999999995.001"), status: 422,
		want: oneField("quantity", "Stock on hand cannot go above 9000000000.", "")},
	{name: "adjustment with a wrong idempotency key", row: commerce.IdempotencyKeyInvalid, key: keyAll, call: adjustCall, header: [2]string{"Idempotency-Key", strings.Repeat("k", 256)},
		body: "{", status: 400, want: wrongKey},
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

// docs/store-document.md#stock: a line holds its quantity, or the free part of it. A cart's own hold
// never counts against it. A removal releases the hold.
func TestStockIsHeldByCarts(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", stores: []string{storeFile(t, base(), withStock)}})
	shop := n.client(t)
	shop.wantStock("", "10 of "+hammer, "2.5 of "+cable, "null of "+nails, "4 of "+gloves, "4 of "+glovesS, "0 of "+glovesM)
	first, second := shop.newCart(), shop.newCart()
	line := shop.add(first, hammer, "7").Lines[0].ID
	shop.add(second, hammer, "5") // an add never fails for stock
	shop.wantStock("", "0 of "+hammer)
	shop.wantStock(first, "7 of "+hammer)
	shop.wantStock(second, "3 of "+hammer)
	shop.patch(first+"/lines/"+line, `{"quantity":2}`).wantStatus(http.StatusOK)
	shop.wantStock("", "5 of "+hammer)
	shop.patch(second, `{"metadata":{"a":1}}`).wantStatus(http.StatusOK) // asks for the missing part again
	shop.wantStock("", "3 of "+hammer)
	shop.remove(first + "/lines/" + line).wantStatus(http.StatusOK)
	shop.wantStock(unknownID, "5 of "+hammer)
	shop.wantStock("no-id", "5 of "+hammer)
}

// docs/api/stock.md#rules: the hold of a cart that the request may not read does not show.
func TestAvailabilityOfAnothersCart(t *testing.T) {
	t.Parallel()
	shop := start(t, options{redis: "embedded", stores: []string{storeFile(t, base(), withStock)}}).client(t)
	ada := shop.withToken(tokenAda)
	cart := ada.newCart()
	ada.add(cart, hammer, "7")
	shop.wantStock(cart, "10 of "+hammer) // a guest's
	ada.claim(cart)
	shop.wantStock(cart, "3 of "+hammer)
	shop.withToken(tokenTess).wantStock(cart, "3 of "+hammer)
	ada.wantStock(cart, "10 of "+hammer)
}

// docs/decisions.md#errors, Scope of an Idempotency-Key. Keys of the store's scope meet only on one
// route under one API key.
func TestKeysOfTheStoreBelongToARouteAndAnAPIKey(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	visitor := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock)}}).client(t)
	merchant, key := visitor.withKey(keyAll), "a key that both have sent"
	made := visitor.once(key).post("commerce/carts", "").wantStatus(201).body
	merchant.once(key).post("catalog/stock-adjustments", adjustBody(hammer, "1")).wantStatus(201).wantHeader("Idempotent-Replayed", "")
	other := merchant.once(key).post("commerce/carts", "").wantStatus(201).wantHeader("Idempotent-Replayed", "").body
	if string(made) == string(other) {
		t.Errorf("two API keys got one cart: %s", made)
	}
	visitor.once(key).post("commerce/carts", "").wantStatus(201).wantHeader("Idempotent-Replayed", "true")
	merchant.once(key).post("catalog/stock-adjustments", adjustBody(hammer, "1")).wantStatus(201).wantHeader("Idempotent-Replayed", "true")
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

// docs/api/contract.md#modules: only with the stock module.
func TestStockWithoutItsModule(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", stores: []string{storeFile(t, base(), withStock, without("stock"))}})
	shop := n.client(t)
	shop.add(shop.newCart(), hammer, "99")
	const off = `{"error":"Module not enabled: stock"}`
	shop.get("stock/availability").want(http.StatusForbidden, off)
	shop.withKey(keyAll).post("catalog/stock-adjustments", adjustBody(hammer, "1")).want(http.StatusForbidden, off)
}
