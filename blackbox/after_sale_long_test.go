//go:build long

package blackbox_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/internal/redistest"
)

func payment(o order, reference string) string {
	return fmt.Sprintf(`{"reference":%q,"amount":%d}`, reference, o.Totals.Total.Amount)
}

// An order that is not paid ends after its minute, with its events; its late payment is refused; a paid
// one stays. A node that is killed leaves the end to another one.
func TestLongUnpaidOrderEnds(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	v := newReceiver(t, takes)
	minute := setting("orders", object{"payment_minutes": 1})
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock, collected, office, minute, afterSaleHook(v))},
		flags: []string{"--webhook-allow-private"}})
	other := start(t, options{redis: r.URL(), flags: []string{"--webhook-allow-private"}})
	merchant := other.client(t).withKey(keyOffice)
	unpaid, paid := n.sellHammers(t, "3"), n.sellHammers(t, "3")
	merchant.post("orders/"+paid.ID+"/payment", payment(paid, "pi_1")).wantStatus(200)
	n.Kill()
	for end := time.Now().Add(90 * time.Second); merchant.get("orders/"+unpaid.ID).soldOrder().Status != "cancelled"; time.Sleep(time.Second) {
		if time.Now().After(end) {
			t.Fatal("the order does not end")
		}
	}
	got := merchant.get("orders/" + unpaid.ID).soldOrder()
	if *got.CancelReason != "unpaid" || !got.Restocked || got.Payment.Status != "due" {
		t.Errorf("the order is %+v", got)
	}
	merchant.post("orders/"+unpaid.ID+"/payment", payment(unpaid, "pi_2")).want(409, `{"message":"This order has been cancelled.","code":"ORDER_CANCELLED"}`)
	if got := merchant.get("orders/" + paid.ID).soldOrder(); got.Status != "placed" || got.Payment.Status != "paid" {
		t.Errorf("the paid order is %+v", got)
	}
	poll(t, "the events of the end", func() bool {
		all := strings.Join(v.events(), "\n")
		return strings.Contains(all, `"event":"order.cancelled"`) && strings.Contains(all, `"reason":"cancel"`)
	})
}

// sellHammers sells some hammers.
func (n *node) sellHammers(t *testing.T, quantity string) order {
	t.Helper()
	shop := n.client(t)
	path := shop.newCart()
	shop.add(path, hammer, quantity)
	return shop.checkOut(path, buyer).order(201)
}

func afterSaleHook(v *receiver) func(object) {
	return setting("webhooks", list{object{"url": v.URL, "secret": hookSecret, "events": list{
		"order.placed", "order.paid", "order.cancelled", "order.refunded", "order.shipped", "order.delivered", "stock.adjusted",
	}}})
}

// afterSaleEvents are the changes of an order with their events, and afterSaleNeeds the changes that
// each needs first.
var (
	afterSaleEvents = map[string]string{
		"payment": "order.paid", "refund": "order.refunded", "shipment": "order.shipped", "delivered": "order.delivered", "cancel": "order.cancelled",
	}
	afterSaleNeeds = map[string][]string{"refund": {"payment"}, "shipment": {"payment"}, "delivered": {"payment", "shipment"}}
)

// twoOffices are the merchant's systems on two nodes, and a shop.
func twoOffices(t *testing.T) (shop, one, two client) {
	t.Helper()
	r := redistest.Real(t)
	first := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), collected, office)}})
	second := start(t, options{redis: r.URL()})
	return first.client(t), first.client(t).withKey(keyOffice), second.client(t).withKey(keyOffice)
}

// race sends a request of each of two clients at once, and returns their answers.
func race(a, b func() answer) (x, y answer) {
	var both sync.WaitGroup
	both.Go(func() { x = a() })
	both.Go(func() { y = b() })
	both.Wait()
	return x, y
}

// Of two payments with different references, sent at once to two nodes, exactly one is taken.
func TestLongTwoPaymentsWithDifferentReferences(t *testing.T) {
	t.Parallel()
	shop, one, two := twoOffices(t)
	for range 20 {
		o := shop.sell(buyer)
		at := "orders/" + o.ID
		x, y := race(func() answer { return one.post(at+"/payment", payment(o, "pi_1")) }, func() answer { return two.post(at+"/payment", payment(o, "pi_2")) })
		want := "pi_1"
		if y.status == 200 {
			want = "pi_2"
		}
		if got := one.get(at).soldOrder(); x.status+y.status != 200+409 || *got.Payment.Reference != want {
			t.Errorf("two payments: %v, %v; the order is %+v", x, y, got)
		}
	}
}

// Of a cancel and a shipment, sent at once to two nodes, exactly one is done.
func TestLongCancelAgainstShipment(t *testing.T) {
	t.Parallel()
	shop, one, two := twoOffices(t)
	for range 20 {
		o := shop.sell(buyer)
		at := "orders/" + o.ID
		one.post(at+"/payment", payment(o, "pi_1")).wantStatus(200)
		x, y := race(func() answer { return one.post(at+"/cancel", "{}") }, func() answer { return two.post(at+"/shipment", `{"carrier":"PostNL"}`) })
		got := one.get(at).soldOrder()
		if x.status+y.status != 200+409 || (got.Status == "cancelled") != (x.status == 200) || (got.Shipment != nil) != (y.status == 200) {
			t.Errorf("cancel and shipment: %v, %v; the order is %+v", x, y, got)
		}
	}
}

// The reply of a commit is lost, of each change of an order: it is done once, with one event, and
// answered. A repetition with its key is a replay.
func TestLongReplyLostAfterEachCommitOfAnOrder(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	v := newReceiver(t, takes)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock, collected, office, afterSaleHook(v))},
		flags: []string{"--webhook-allow-private"}})
	merchant := n.client(t).withKey(keyOffice)
	lost := interceptCommitsOf(t, r, "order")
	want := map[string]int{}
	for _, route := range []string{"payment", "refund", "shipment", "delivered", "cancel"} { // the stock of the last one comes back: no two events are equal
		o := n.sellHammers(t, "1")
		want["order.placed"]++
		want["stock.adjusted"]++
		send := func(c client, route string) answer {
			body := "{}"
			if route == "payment" {
				body = payment(o, "pi_1")
			}
			return c.post("orders/"+o.ID+"/"+route, body).wantStatus(200)
		}
		for _, before := range afterSaleNeeds[route] {
			send(merchant, before)
			want[afterSaleEvents[before]]++
		}
		sendings := 0
		lost.set(func(args []string) bool {
			if sendings++; sendings > 1 {
				return true
			}
			lost.run(args)
			return false
		})
		once := merchant.once(retryKey + route)
		first := send(once, route)
		lost.set(nil)
		if sendings < 2 {
			t.Errorf("%s: sent %d times, want it again after the lost reply", route, sendings)
		}
		if again := send(once, route).wantReplay(200); string(again.body) != string(first.body) {
			t.Errorf("%s: again %s\nwant %s", route, again.body, first.body)
		}
		want[afterSaleEvents[route]]++
	}
	want["stock.adjusted"]++ // of the cancel
	total := 0
	for _, n := range want {
		total += n
	}
	poll(t, "all events", func() bool { return len(v.events()) >= total })
	got := map[string]int{}
	for _, event := range v.events() {
		var e struct {
			Event string
			Order *struct{ Lines []any }
		}
		if err := json.Unmarshal([]byte(event), &e); err != nil {
			t.Fatal(err)
		}
		if e.Order != nil && (len(e.Order.Lines) > 0) != (e.Event == "order.placed") {
			t.Errorf("%s has %d lines", e.Event, len(e.Order.Lines))
		}
		got[e.Event]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("the events are %v, want %v", got, want)
	}
}

// Of the shopper's cancels, by the order's id and by its token, the merchant's cancel and a payment, all pairs
// at once on two nodes, exactly one wins.
func TestLongShopperCancelsAgainstTheMerchant(t *testing.T) {
	t.Parallel()
	shop, one, two := twoOffices(t)
	type side struct {
		name string
		do   func(merchant client, o order, token string) answer
	}
	sides := []side{
		{"customer", func(c client, o order, _ string) answer {
			return c.withKey(keyAll).withToken(tokenAda).post("commerce/orders/"+o.ID+"/cancel", "")
		}},
		{"customer", func(c client, _ order, token string) answer {
			return c.withKey(keyAll).post("commerce/orders/by-token/"+token+"/cancel", "")
		}},
		{"Called", func(c client, o order, _ string) answer {
			return c.post("orders/"+o.ID+"/cancel", `{"reason":"Called"}`)
		}},
		{"paid", func(c client, o order, _ string) answer { return c.post("orders/"+o.ID+"/payment", payment(o, "pi")) }},
	}
	for i, a := range sides {
		for _, b := range sides[i+1:] {
			for range 6 {
				path := shop.withToken(tokenAda).newCart()
				shop.withToken(tokenAda).add(path, hammer, "1")
				sold := shop.withToken(tokenAda).checkOut(path, "{}")
				o, token := sold.order(201), sold.header.Get("X-Order-Token")
				x, y := race(func() answer { return a.do(one, o, token) }, func() answer { return b.do(two, o, token) })
				got := one.get("orders/" + o.ID).soldOrder()
				won := "paid"
				if got.CancelReason != nil {
					won = *got.CancelReason
				}
				if a.name == "Called" && b.name == "paid" { // a merchant may cancel a paid order
					if x.status != 200 || y.status != 200 && y.status != 409 || got.Status != "cancelled" || (y.status == 200) != (got.Payment.Status == "paid") {
						t.Errorf("the merchant's cancel against a payment: %v, %v; the order is %+v", x, y, got)
					}
				} else if b.name == "paid" { // one of the two is refused
					if x.status+y.status != 200+409 || (x.status == 200) != (won == a.name) || (won == "paid") != (got.Payment.Status == "paid") {
						t.Errorf("%s against a payment: %v, %v; the order is %+v", a.name, x, y, got)
					}
				} else if x.status != 200 || y.status != 200 || won != a.name && won != b.name || got.Status != "cancelled" {
					t.Errorf("%s against %s: %v, %v; the order is %+v", a.name, b.name, x, y, got)
				}
			}
		}
	}
}
