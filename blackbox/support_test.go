package blackbox_test

import (
	"strings"
	"testing"

	"cartd/internal/redistest"
)

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
	shown := operates(t, r, "show", "order", o.ID).wants(t, `"street": "Billed street"`, `"postal_code": "1012 JS"`, `"name": "Hammer"`)
	all := contentOf(t, r.Client())
	for _, gone := range []string{"lovelace.example", "ring twice", "Delivered", "for Lady Lovelace"} {
		if strings.Contains(shown, gone) || strings.Contains(all, gone) {
			t.Errorf("%q is left:\n%s", gone, shown)
		}
	}
	operates(t, r, "erase", "--store", storeBase, "--customer", "ada@lovelace.example", "--keep-invoices").wants(t, "orders: 0 (")
	operates(t, r, "erase", "--store", storeBase, "--customer", "ada@lovelace.example").wants(t, "orders: 0 (") // nothing names the customer any more
}
