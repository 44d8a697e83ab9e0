package blackbox_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Support sees the stock of a product and of each variant, and the carts that hold it.
func TestShowStock(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock)}}).client(t).withKey(keyAll)
	first, second := shop.newCart(), shop.newCart()
	shop.add(first, hammer, "3")
	shop.add(second, hammer, "2")
	shop.add(second, gloves, "1", variant(glovesS))
	hold := func(cart, held string) string {
		return fmt.Sprintf(`(?m)^held by cart +%s: %s, until 20\d\d-\d\d-\d\d \d\d:\d\d:\d\dZ$`, strings.TrimPrefix(cart, "commerce/carts/"), held)
	}
	wantRows := func(id string, rows ...string) {
		t.Helper()
		text := operates(t, r, "show", "stock", id).wants(t, storeBase+" Base Tools")
		for _, row := range rows {
			if !regexp.MustCompile(row).MatchString(text) {
				t.Errorf("cartd show stock %s\n got: %s\nwant: a row %q", id, text, row)
			}
		}
	}
	wantRows(hammer, `(?m)^on hand +10$`, `(?m)^held +5$`, `(?m)^available +5$`, hold(first, "3"), hold(second, "2"))
	wantRows(glovesS, `(?m)^variant +`+glovesS+` `, `(?m)^on hand +4$`, `(?m)^held +1$`, hold(second, "1"))
	wantRows(gloves, glovesS, `(?m)^on hand +0$`)
	wantRows(paper, `(?m)^stock +is not tracked$`)
	operates(t, r, "show", "stock", unknownID).wantOneLine(t, "there is no stock "+unknownID)
	operates(t, r, "show", "stock", "x").wantUsage(t, "no id")
}

// Support sees the carts, orders and quotes of an account, and of a guest by the address alone.
func TestShowCustomerHasCartsOrdersAndQuotes(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	quotes := setting("quotes", object{"enabled": true, "acceptance_mode": "signature"})
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), collected, quotes)}})
	guest := n.client(t).withKey(keyAll)
	asAda := guest.withToken(tokenAda)
	cartOf := func(path string) string { return strings.TrimPrefix(path, "commerce/carts/") }
	open := asAda.newCart()
	asAda.add(open, hammer, "1")
	asAda.patch(open, `{"email":"`+adaEmail+`"}`).wantStatus(200)
	sold := asAda.sells(`{"email":"` + adaEmail + `"}`)
	_, asked := asAda.ask("1")
	guestOrder := guest.sells(`{"email":"Guest@Example.com"}`)
	_, guestQuote := guest.ask("2")
	guestCart := guest.newCart()
	guest.patch(guestCart, `{"email":"guest@example.com"}`).wantStatus(200)

	for _, word := range []string{ada, adaEmail} {
		shown := operates(t, r, "show", "customer", word).wants(t, "b2c", cartOf(open)+" active, 1 line,", sold+" number 1, ", asked.ID+" number 1, offered")
		if strings.Contains(shown, guestOrder) || strings.Contains(shown, guestQuote.ID) || strings.Contains(shown, cartOf(guestCart)) {
			t.Errorf("another customer's records are shown:\n%s", shown)
		}
	}
	shown := operates(t, r, "show", "--store", storeBase, "customer", "GUEST@example.com").wants(t, "guest", guestOrder+" number 2, ", cartOf(guestCart)+" active")
	if strings.Contains(shown, sold) {
		t.Errorf("another customer's order is shown:\n%s", shown)
	}
	operates(t, r, "show", "customer", "buyer@example.com").wants(t, guestQuote.ID+" number 2, offered")
	for _, key := range r.Client().Keys(t.Context(), "*:contact:*").Val() { // the guest's contact has expired
		if key != "{"+storeBase+"}:contact:"+ada {
			r.Client().Del(t.Context(), key)
		}
	}
	operates(t, r, "show", "customer", "guest@example.com").wants(t, "a guest without a contact", guestOrder)
}

// With --keep-invoices an order keeps its billing address, and loses everything else that is
// personal.
func TestEraseKeepsInvoices(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withShipping)}})
	guest := n.client(t).withKey(keyAll)
	address := func(name string) string {
		return `{"name":"` + name + `","street":"` + name + ` street","postal_code":"1012 JS","city":"Amsterdam","country":"NL"}`
	}
	path := guest.newCart()
	guest.add(path, hammer, "2")
	guest.patch(path, `{"metadata":{"gift":"for Lady Lovelace"}}`).wantStatus(200)
	o := guest.checkOut(path, `{"email":"ada@lovelace.example","customer_note":"ring twice","shipping_method_id":"`+parcel+`","shipping_address":`+
		address("Delivered")+`,"billing_address":`+address("Billed")+`}`).order(201)
	operates(t, r, "erase", "--store", storeBase, "--customer", "ada@lovelace.example", "--keep-invoices").
		wants(t, "orders: 1 (", "the billing address stays")
	shown := operates(t, r, "show", "order", o.ID).wants(t, "Billed, Billed street, 1012 JS Amsterdam, NL", "2 piece Hammer")
	all := contentOf(t, r.Client())
	for _, gone := range []string{"lovelace.example", "ring twice", "Delivered", "for Lady Lovelace"} {
		if strings.Contains(shown, gone) || strings.Contains(all, gone) {
			t.Errorf("%q is left:\n%s", gone, shown)
		}
	}
	operates(t, r, "erase", "--store", storeBase, "--customer", "ada@lovelace.example", "--keep-invoices").wants(t, "orders: 0 (")
	operates(t, r, "erase", "--store", storeBase, "--customer", "ada@lovelace.example").wants(t, "orders: 0 (") // nothing names the customer any more
}
