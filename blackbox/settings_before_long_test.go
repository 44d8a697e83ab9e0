//go:build long

package blackbox_test

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Settings that the release before does not know: its node answers 503 for the store as long as the
// document has them, and today's node serves it. Without them both serve it.
func TestLongSettingsThatTheReleaseBeforeDoesNotKnow(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	plain := storeFile(t, base())
	o := options{redis: r.URL(), stores: []string{plain}}
	old := exec.Command(programBefore(t), o.args()...)
	old.Env = []string{"CARTD_REDIS_TIMEOUT=8s"}
	before, now := listens(t, old), start(t, options{redis: r.URL()})
	before.before = true
	shop := now.client(t)
	cart := shop.newCart()
	shop.add(cart, hammer, "1")
	follows := func(name, file string, status int) {
		t.Helper()
		if f := runs(t, "import", "--redis", r.URL(), file); f.code != 0 {
			t.Fatalf("%s: %s", name, f.stderr)
		}
		poll(t, name, func() bool {
			a, err := shop.on(before).try("GET", "me", "")
			return err == nil && a.status == status && (status != http.StatusOK || strings.Contains(string(a.body), quoted(name)))
		})
		shop.on(before).get(cart).wantStatus(status)
		shop.get(cart).wantStatus(http.StatusOK)
	}
	for name, edit := range unknownBefore() {
		follows(name, storeFile(t, base(), setting("name", name), edit, withCategories), http.StatusServiceUnavailable)
		follows("Base Tools", plain, http.StatusOK)
	}
	address := object{
		"id": itemID(1), "name": "Ada", "street": "Main Street 1", "postal_code": "1234AB", "city": "Utrecht", "country": "NL",
		"company": "Ada & Co", "region": "UT",
	}
	for name, edit := range map[string]func(object){
		"client_limit of a key":          func(d object) { d["api_keys"].(list)[0].(object)["client_limit"] = false },
		"company and region of a person": func(d object) { findByID(d["customers"].(list), ada)["addresses"] = list{address} },
	} {
		follows(name, storeFile(t, base(), setting("name", name), edit), http.StatusOK)
	}
}

// unknownBefore adds each member of a document for which a node of the release before answers 503.
// docs/operations.md#upgrade.
func unknownBefore() map[string]func(object) {
	row := func(kind, code string, members object) func(object) {
		return func(d object) { d["discounts"] = list{discountRow(1, kind, "New", code, members)} }
	}
	coded := func(name string, value any) func(object) {
		return row("order", "NEW-CODE-2026", object{"value": percentOff("10"), name: value})
	}
	automatic := func(name string, value any) func(object) {
		return row("products", "", object{"value": percentOff("10"), "product_ids": list{hammer}, name: value})
	}
	periods := list{object{"from": "2026-01-01T00:00:00Z", "until": "2096-01-01T00:00:00Z", "price_amount": 1500}}
	batches := list{object{"number": 1, "prefix": "NEW", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}}
	all := map[string]func(object){
		"line_prices":                 setting("policy", object{"line_prices": "follow"}),
		"max_discount_codes":          setting("policy", object{"max_discount_codes": 3}),
		"per_client":                  setting("limits", object{"per_client": 600}),
		"reserved_for_carts":          setting("limits", object{"reserved_for_carts": 30}),
		"price_periods":               changed(hammer, "price_periods", periods),
		"price_periods, empty":        changed(cable, "price_periods", list{}),
		"text_fields":                 changed(hammer, "text_fields", list{object{"key": "engraving", "label": "Engraving"}}),
		"text_fields, empty":          changed(hammer, "text_fields", list{}),
		"exclusive":                   automatic("exclusive", true),
		"exclusive, false":            automatic("exclusive", false),
		"usage_limit_per_customer":    coded("usage_limit_per_customer", 1),
		"code_batches":                coded("code_batches", batches),
		"category_ids":                automatic("category_ids", list{tools}),
		"category_ids, empty":         automatic("category_ids", list{}),
		"excluded_product_ids":        automatic("excluded_product_ids", list{cable}),
		"excluded_product_ids, empty": automatic("excluded_product_ids", list{}),
	}
	all["price_periods of a variant"] = func(d object) {
		findByID(findByID(d["products"].(list), gloves)["variants"].(list), glovesS)["price_periods"] = periods
	}
	for _, side := range []string{"buy", "get"} {
		for name, value := range map[string]any{"category_ids": list{tools}, "excluded_product_ids": list{cable}} {
			sides := object{"buy": object{"min_quantity": "1"}, "get": object{"product_ids": list{hammer}, "percent": "50"}}
			sides[side].(object)[name] = value
			all[side+"."+name] = row("bogo", "", sides)
		}
	}
	return all
}
