//go:build long

package blackbox_test

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Records whose lines have the shopper's own words, beside a node of the release before. It answers 503
// for the store while a product has text_fields, and afterwards for these records and the lists and claims
// that need them. It changes nothing of them, and serves all others.
func TestLongWordsThatTheReleaseBeforeDoesNotKnow(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	quotes := setting("quotes", object{"enabled": true})
	office := func(d object) {
		d["api_keys"] = append(d["api_keys"].(list), apiKey("office", "secret-key-office", "orders:read"))
	}
	plain := storeFile(t, base(), managed, office, collected, quotes)
	words := storeFile(t, base(), managed, office, collected, quotes, changed(hammer, "text_fields", list{object{"key": "engraving", "label": "Engraving"}}))
	o := options{redis: r.URL(), stores: []string{plain}}
	old := exec.Command(programBefore(t), o.args()...)
	old.Env = []string{"CARTD_REDIS_TIMEOUT=8s"}
	before, now := listens(t, old), start(t, options{redis: r.URL()})
	before.before = true
	guest := now.client(t).withKey(keyAll)
	shop := guest.withToken(tokenAda)
	use := func(file string, status int) {
		t.Helper()
		if f := runs(t, "import", "--redis", r.URL(), file); f.code != 0 {
			t.Fatal(f.stderr)
		}
		poll(t, file, func() bool {
			a, err := guest.on(before).try("GET", "me", "")
			return err == nil && a.status == status
		})
	}
	cart := func(c client, member ...string) string {
		path := c.newCart()
		c.patch(path, `{"email":"a@example.com"}`).wantStatus(200)
		c.add(path, hammer, "1", member...)
		return path
	}
	engraved := `"properties":{"engraving":"Ada"}`

	use(words, http.StatusServiceUnavailable)
	kept, sold := cart(shop, engraved), cart(shop, engraved)
	orders := []string{"commerce/orders/" + shop.checkOut(sold, "{}").order(201).ID}
	quote := shop.post(cart(guest, engraved)+"/quote-request", "{}").quote(201)
	use(plain, http.StatusOK)
	other := cart(guest)
	orders = append(orders, "commerce/orders/"+shop.checkOut(cart(shop), "{}").order(201).ID)

	wants := func(c client, paths map[string]int) {
		t.Helper()
		for path, status := range paths {
			if got := c.get(path); got.status != status {
				t.Errorf("%s: %v, want %d", path, got, status)
			}
		}
	}
	shown := map[string]answer{}
	for _, path := range []string{kept, sold, orders[0], quote.path()} {
		shown[path] = shop.get(path).wantStatus(200)
	}
	there := shop.on(before)
	wants(there, map[string]int{
		kept: 503, sold: 503, orders[0]: 503, quote.path(): 503, "commerce/orders": 503, "commerce/carts": 503,
		orders[1]: 200, other: 200, "catalog/products/" + hammer: 200,
	})
	for _, c := range []answer{
		there.withKey("secret-key-office").get("orders"), there.withKey("secret-key-office").get(strings.TrimPrefix(orders[0], "commerce/")),
		there.post(kept+"/lines", addBody(cable, "1")), there.patch(kept, `{"metadata":null}`), there.checkOut(kept, "{}"), there.checkOut(sold, "{}"),
		there.post(quote.path()+"/accept", "{}"), there.post(other+"/claim", ""), there.post(kept+"/claim", ""), there.post(orders[0]+"/copy", ""),
	} {
		c.wantStatus(503)
	}
	for path, was := range shown {
		shop.get(path).want(200, string(was.body))
	}

	// New routes and members at the node of the release before.
	for _, c := range []answer{there.get(other + "/checkout"), there.patch(other+"/checkout", `{"reference":"R-1"}`)} {
		c.wantStatus(http.StatusMethodNotAllowed)
	}
	shop.post(other+"/lines", addBody(cable, "1", engraved)).wantStatus(422)
	there.post(other+"/lines", addBody(cable, "1", engraved)).wantStatus(201)
	there.withKey(keyManage).patch("catalog/products/"+hammer, `{"text_fields":[]}`).wantStatus(422)
	if me := string(there.get("me").body); strings.Contains(me, `"offers"`) {
		t.Errorf("the release before shows %s", me)
	}

	// Without the words both nodes serve the cart.
	line := shop.get(kept).cart(200).Lines[0].ID
	shop.remove(kept + "/lines/" + line).wantStatus(200)
	shop.get(kept).want(200, string(there.get(kept).wantStatus(200).body))
	there.add(kept, cable, "1")
	there.checkOut(kept, "{}").order(201)
}
