//go:build long

package shop

import (
	"encoding/json"
	"strings"
	"testing"
)

const deskKey = "demo-desk-key"

// enter enters the desk, which is open, with a key.
func (p *tab) enter(key string) *tab {
	p.t.Helper()
	p.fill("Your key", key)
	p.press("Enter")
	p.await("the desk", `document.querySelector(".frame h1")`)
	return p
}

// ask sends a request and returns the answer, which must be a success.
func ask(t *testing.T, method, base, key, path string, body any) map[string]any {
	t.Helper()
	read := map[string]any{}
	if err := json.Unmarshal(merchant(t, method, base, key, path, quotedJSON(t, body)), &read); err != nil {
		t.Fatal(err)
	}
	if data, ok := read["data"].(map[string]any); ok {
		return data
	}
	return read
}

func quotedJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type object map[string]any

// sold is an order of the demo.
type sold struct {
	id     string
	number int
	total  int
	line   string
}

// sell sells a product of the demo to a guest, whose texts are all of one kind.
func sell(t *testing.T, base, product string, quantity int, text string) sold {
	t.Helper()
	cart := ask(t, "POST", base, "demo-storefront-key", "commerce/carts", object{})["id"].(string)
	ask(t, "POST", base, "demo-storefront-key", "commerce/carts/"+cart+"/lines", object{"product_id": product, "quantity": quantity})
	order := ask(t, "POST", base, "demo-storefront-key", "commerce/carts/"+cart+"/checkout", object{
		"email": "guest@example.com", "reference": text[:min(100, len(text))], "customer_note": text, "shipping_method_id": parcel,
		"shipping_address": object{"name": text[:min(150, len(text))], "street": text, "postal_code": "1012 JS", "city": text[:min(100, len(text))], "country": "NL"},
	})
	total := order["totals"].(map[string]any)["total"].(map[string]any)["amount"].(float64)
	line := order["lines"].([]any)[0].(map[string]any)["id"].(string)
	return sold{order["id"].(string), int(order["number"].(float64)), int(total), line}
}

const parcel = "70000000-0000-4000-8000-000000000001"

// pay records the payment of an order.
func (s sold) pay(t *testing.T, base string) {
	t.Helper()
	ask(t, "POST", base, deskKey, "orders/"+s.id+"/payment", object{"reference": "pi " + s.id, "amount": s.total})
}

// wantOwnOnly fails the test if the desk has asked anything of another server, or has made a text of a customer a part of the page.
func (p *tab) wantOwnOnly() {
	p.t.Helper()
	if eval[bool](p, `document.getElementById("desk") === null`) {
		return
	}
	if foreign := eval[string](p, `performance.getEntriesByType("resource").map((one) => one.name).filter((name) => !name.startsWith(location.origin + "/")).join("\n")`); foreign != "" {
		p.t.Errorf("the page has asked others:\n%s", foreign)
	}
	if broken := eval[bool](p, `document.title === "broken" || document.querySelector("#desk img") !== null`); broken {
		p.t.Error("a text of a customer has become a part of the page")
	}
}

// wantForgotten fails the test if a key is anywhere but in the page's memory.
func (p *tab) wantForgotten(key string) {
	p.t.Helper()
	kept := eval[string](p, `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.cookie, document.documentElement.outerHTML])`)
	if strings.Contains(kept, key) {
		p.t.Errorf("the key is kept: %s", kept)
	}
}
