//go:build long

package blackbox_test

import (
	"fmt"
	"testing"

	"cartd/internal/redistest"
)

// growingShop is a store whose bucket hardly fills again during the test, with three webhooks of orders that nobody receives. It
// returns a visitor of an address, and the merchant.
func growingShop(t *testing.T) (from func(addr string) client, merchant client) {
	withHooks := func(document object) {
		withWords(document)
		collected(document)
		hook := object{"url": "http://127.0.0.1:1/", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": list{"order.placed"}}
		other, third := object{}, object{}
		for name, value := range hook {
			other[name], third[name] = value, value
		}
		other["url"], third["url"] = "http://127.0.0.1:2/", "http://127.0.0.1:3/"
		setting("webhooks", list{hook, other, third})(document)
		setting("limits", object{"per_client": 100_000})(document)
		document["api_keys"] = append(document["api_keys"].(list), apiKey("office", "secret-key-office", "orders:read", "orders:write"))
		delete(document["store"].(object), "quotes")
	}
	n := start(t, options{
		redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), withHooks, setting("rate_limit_per_minute", 488_000))},
		flags: []string{"--trusted-proxies", "127.0.0.1", "--store-growth", "1"},
	})
	shop := n.client(t)
	return func(addr string) client { return shop.withHeader("X-Forwarded-For", addr) }, shop.withKey("secret-key-office")
}

// copies makes copies of a cart with 64 KiB of texts until they are refused, then ever smaller ones, until no cart is possible. It
// returns the number of the large ones.
func (c client) copies() (large int) {
	c.t.Helper()
	for bytes := 4096; bytes >= 40; bytes /= 2 {
		path := c.newCartIfRoom()
		if path == "" || c.post(path+"/lines/batch", wordyLines(0, 16, bytes)).status != 201 {
			continue
		}
		for c.post(path+"/copy", "").status == 201 {
			if bytes == 4096 {
				large++
			}
		}
	}
	for c.newCartIfRoom() != "" {
	}
	return large
}

// newCartIfRoom is newCart; empty if the store may not grow.
func (c client) newCartIfRoom() string {
	c.t.Helper()
	made := c.post("commerce/carts", "")
	if made.status == 503 {
		return ""
	}
	return "commerce/carts/" + made.cart(201).ID
}

// buys makes a cart of eight lines and checks it out.
func (c client) buys(n int) order {
	c.t.Helper()
	path := c.newCart()
	for i, product := range []string{hammer, nails, drill, cable, sample, paper, booklet} {
		c.add(path, product, fmt.Sprint(i+1))
	}
	c.post(path+"/lines", wordyLine(n, 500)).wantStatus(201)
	return c.checkOut(path, `{"email":"shopper@example.com"}`).order(201)
}

// docs/operations.md#what-stays: one visitor in a loop of copies has a quarter of the store's growth, and no checkout of others is
// 503. Four of them use up all but the last eighth: carts are 503, checkouts and payments go on.
func TestLongCopiesOfOneVisitorStopNoCheckout(t *testing.T) {
	t.Parallel()
	from, merchant := growingShop(t)
	visitor := from("203.0.113.1")
	large := visitor.copies()
	if large < 180 || large > 300 { // 16 MiB
		t.Errorf("the visitor made %d copies of 64 KiB", large)
	}
	var paid []order
	for i := range 40 {
		paid = append(paid, from(fmt.Sprint("203.0.113.", 2+i%4)).buys(i))
		if i%4 == 0 {
			visitor.newCartIfRoom()
			visitor.copies()
		}
	}
	waiting := from("203.0.113.50").newCart()
	from("203.0.113.50").add(waiting, hammer, "2")
	for i := range 4 {
		from(fmt.Sprint("203.0.113.", 60+i)).copies()
	}
	if from("203.0.113.70").copies() > 0 {
		t.Error("five visitors leave room for copies: the test proves nothing")
	}
	paid = append(paid, from("203.0.113.50").checkOut(waiting, `{"email":"late@example.com"}`).order(201))
	for _, o := range paid {
		merchant.post("orders/"+o.ID+"/payment", fmt.Sprintf(`{"reference":"r","amount":%d}`, o.Totals.Total.Amount)).wantStatus(200)
	}
}
