//go:build long

package blackbox_test

import (
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// An order that is not paid ends after its minute, with its events; its late payment is refused; a paid
// one stays. A node that is killed leaves the end to another one.
func TestLongUnpaidOrderEnds(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	v := newReceiver(t, takes)
	minute := setting("orders", object{"payment_minutes": 1})
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock, collected, office, minute, afterSaleHook(v))}, flags: []string{"--webhook-allow-private"}})
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
