//go:build long

package shop

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const book = "10000000-0000-4000-8000-000000000901"

// adjust changes the stock of a product, as the merchant's back office does.
func adjust(t *testing.T, base, product string, by int) {
	t.Helper()
	merchant(t, http.MethodPost, base, "demo-back-office-key", "catalog/stock-adjustments",
		fmt.Sprintf(`{"product_id": %q, "quantity": %d, "reason": "test"}`, product, by))
}

// connections has enough of them for requests that are sent together.
var connections = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}

// merchant sends a request of the merchant's own systems.
func merchant(t *testing.T, method, base, key, path, body string) (said []byte) {
	t.Helper()
	request, err := http.NewRequest(method, base+"/v1/api/"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	answer, err := connections.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err = io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		t.Fatalf("%s %s: %s, %v\n%s", method, path, answer.Status, err, said)
	}
	return said
}

// wantNone fails the test if the view has a button or a link of this name.
func (p *tab) wantNone(name string) {
	p.t.Helper()
	if eval[bool](p, fmt.Sprintf("%s.press(%s) !== undefined", finder, quoted(name))) {
		p.t.Errorf("the page has %q:\n%s", name, eval[string](p, "document.querySelector('main').innerText"))
	}
}

// logIn logs in on the page for it.
func (p *tab) logIn(email, password string) {
	p.t.Helper()
	p.goTo("#/login")
	p.fill("E-mail", email)
	p.fill("Password", password)
	p.script(`document.querySelector("form.form button:not([type=button])").click()`)
}

// address fills in an address, and an e-mail where one is asked for.
func (p *tab) address(heading string) {
	p.t.Helper()
	p.sees(heading)
	if eval[bool](p, finder+`.field("E-mail") !== undefined`) {
		p.fill("E-mail", "grace@example.com")
	}
	p.fill("Name", "Grace Hopper")
	p.fill("Street and number", "Havenkade 3")
	p.fill("Postal code", "1011 AB")
	p.fill("City", "Amsterdam")
}

// order goes through the pages of the checkout, which has all that it needs, and orders.
func (p *tab) order() {
	p.t.Helper()
	p.press("Continue")
	p.sees("Anything else")
	p.press("Continue")
	p.sees("What you order")
	p.press("Order for")
}

// wantSums adds what the page shows: the prices of the lines are the goods, and the rows above the
// total are the total.
func (p *tab) wantSums(what string) {
	p.t.Helper()
	p.await("sums", `document.querySelector(".totals-total")`)
	type shown struct {
		Lines, Goods, Rows, Total int
	}
	got := eval[shown](p, `(() => {
		const cents = (text) => text === "free" ? 0 : Math.round(Number(text.replace("−", "-").replace(/[€,]/g, "")) * 100);
		const all = (where) => [...document.querySelectorAll(where)].filter((e) => e.getClientRects().length > 0).map((e) => cents(e.innerText));
		const sum = (amounts) => amounts.reduce((a, b) => a + b, 0);
		return {
			Lines: sum(all(".line-item-total b, .short-lines li > b")),
			Goods: sum(all(".totals-goods dd")),
			Rows: sum(all(".totals-goods dd, .totals-discount dd, .totals-rounding dd, .totals-delivery dd, .totals-tax dd")),
			Total: sum(all(".totals-total dd")),
		};
	})()`)
	if got.Lines == 0 || got.Lines != got.Goods || got.Rows != got.Total {
		p.t.Errorf("%s: the lines add up to %d, the goods are %d; the rows add up to %d, the total is %d\n%s",
			what, got.Lines, got.Goods, got.Rows, got.Total, eval[string](p, "document.querySelector('main').innerText"))
	}
}
