package blackbox_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// The conventions: a path id may have any letter case. An id that is no UUID is unknown.
func TestPathIDs(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	id := strings.TrimPrefix(path, "commerce/carts/")
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	upper := "commerce/carts/" + strings.ToUpper(id)
	shop.get(upper).want(http.StatusOK, string(shop.get(path).body))
	shop.patch(upper+"/lines/"+strings.ToUpper(lineID), `{"quantity":3}`).wantStatus(http.StatusOK)
	if id != strings.ToLower(id) || lineID != strings.ToLower(lineID) {
		t.Errorf("the ids %s and %s are not lower case", id, lineID)
	}
	for _, other := range []string{"abc", strings.ReplaceAll(id, "-", ""), "urn:uuid:" + id, id + "0", id[1:], "1", id[:35] + "g"} {
		want := `{"message":` + quoted("No query results for model [Cart] "+other) + `}`
		shop.get("commerce/carts/"+other).want(http.StatusNotFound, want)
		shop.post("commerce/carts/"+other+"/lines", addBody(hammer, "1")).want(http.StatusNotFound, want)
		want = strings.Replace(want, "[Cart]", "[CartLine]", 1)
		shop.remove(path+"/lines/"+other).want(http.StatusNotFound, want)
		shop.patch(path+"/lines/"+other, `{"quantity":1}`).want(http.StatusNotFound, want)
	}
	shop.get("commerce/carts/%7B" + id + "%7D").wantStatus(http.StatusNotFound)
}

// wantPlainHeaders wants the headers of every JSON answer.
func wantPlainHeaders(a answer) {
	a.t.Helper()
	a.wantHeader("Cache-Control", "no-cache, private")
	if got := a.header.Get("Content-Type"); got != "application/json" {
		a.t.Errorf("%v\nContent-Type: got %q, want application/json", a, got)
	}
}

// GET me shows the policy of a guest's cart, and the countries of the shipping methods.
func TestMeShowsPolicyAndCountries(t *testing.T) {
	t.Parallel()
	type seen struct {
		Policy    json.RawMessage `json:"policy"`
		Countries json.RawMessage `json:"shipping_countries"`
	}
	method := object{"id": itemID(9), "name": "Post", "price_amount": 495, "tax": "standard"}
	for countries, methods := range map[string]list{"[]": {}, "null": {method}} {
		shop := serveFiles(t, storeFile(t, base(), func(document object) { document["shipping_methods"] = methods }))
		got := decoded[seen](shop.get("me"))
		cart := decoded[struct{ Data seen }](shop.get(shop.newCart())).Data
		if string(got.Countries) != countries || len(got.Policy) == 0 || string(got.Policy) != string(cart.Policy) {
			t.Errorf("%d methods: shipping_countries %s, want %s; policy %s, want the cart's %s", len(methods), got.Countries, countries, got.Policy, cart.Policy)
		}
	}
}
