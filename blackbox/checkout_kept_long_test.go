//go:build long

package blackbox_test

import (
	"fmt"
	"sync"
	"testing"

	"cartd/internal/redistest"
)

// shownCheckout is what a page shows of a kept checkout, and what an order has of it.
type shownCheckout struct {
	Note      string `json:"customer_note"`
	Reference string
	Shipping  *struct{ Name string } `json:"shipping_address"`
	Method    *string                `json:"shipping_method_id"`
	Totals    struct{ Total money }
}

func (a answer) shown() (s shownCheckout) {
	a.t.Helper()
	var envelope struct{ Data *shownCheckout }
	envelope.Data = &s
	a.decode(&envelope)
	return s
}

// Two shoppers change a kept checkout and add lines on two nodes while a third sells the cart with the
// ETag and the total of the page that they saw. The order is that page, once, and nothing is kept after it.
func TestLongKeptCheckoutIsSoldAsItWasShown(t *testing.T) {
	r := redistest.Real(t)
	one := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withShipping)}})
	two := start(t, options{redis: r.URL()})
	nodes := []client{one.client(t), two.client(t)}
	stale := 0
	for round := range 20 {
		path := nodes[round%2].newCart()
		nodes[0].add(path, cable, "1")
		nodes[1].patch(path+"/checkout", `{"email":"a@b.co","shipping_method_id":"`+parcel+`","shipping_address":`+
			`{"name":"page 0","street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL"}}`).wantStatus(200)
		sold := make(chan struct{})
		var others sync.WaitGroup
		for i, c := range nodes {
			others.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-sold:
						return
					default:
					}
					text := fmt.Sprintf("page %d of %d", n, i)
					if got := c.patch(path+"/checkout", `{"customer_note":"`+text+`","reference":"`+text+`"}`); got.status != 200 && got.status != 404 {
						t.Errorf("a PATCH of the checkout: %v", got)
					}
					if got := c.post(path+"/lines", `{"product_id":"`+cable+`","quantity":0.1}`); got.status != 201 && got.status != 404 && got.status != 422 {
						t.Errorf("an add: %v", got)
					}
				}
			})
		}
		seller := nodes[round%2]
		var page, order shownCheckout
		for {
			got := seller.get(path + "/checkout").wantStatus(200)
			page = got.shown()
			answer := seller.withHeader("If-Match", got.header.Get("ETag")).checkOut(path, fmt.Sprintf(`{"expected_total_amount":%d}`, page.Totals.Total.Amount))
			if answer.status == 412 {
				stale++
				continue
			}
			order = answer.wantStatus(201).shown()
			break
		}
		close(sold)
		others.Wait()
		if order.Note != page.Note || order.Reference != page.Note || order.Shipping == nil || order.Shipping.Name != "page 0" || order.Totals != page.Totals {
			t.Errorf("the order is %+v, the page was %+v", order, page)
		}
		for _, c := range nodes {
			if left := c.get(path + "/checkout").wantStatus(200).shown(); left.Note != "" || left.Reference != "" || left.Shipping != nil || left.Method != nil {
				t.Errorf("after the sale the cart keeps %+v", left)
			}
			c.checkOut(path, "{}").wantStatus(200)
		}
	}
	t.Logf("%d pages were stale", stale)
}
