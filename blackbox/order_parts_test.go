package blackbox_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"cartd/internal/redistest"
)

// Eight cancels of a piece each, sent at once, each twice, give eight pieces back, and the last one ends the order.
func TestPartsAtOnce(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), withStock, collected, office)}})
	shop, merchant := n.client(t), n.client(t).withKey(keyOffice)
	path := shop.newCart()
	shop.add(path, hammer, "8")
	at := "orders/" + shop.checkOut(path, buyer).order(201).ID
	o := merchant.get(at).soldOrder()
	merchant.post(at+"/payment", fmt.Sprintf(`{"reference":"pi_1","amount":%d}`, o.Totals.Total.Amount)).wantStatus(200)
	answers := make([]answer, 16)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			answers[i] = merchant.post(at+"/cancel", fmt.Sprintf(`{"lines":[{"line_id":%q,"quantity":1}],"reference":"C%d"}`, o.Lines[0].ID, i/2))
		})
	}
	all.Wait()
	for _, a := range answers {
		a.wantStatus(200)
	}
	got := merchant.get(at)
	if parts := strings.Count(string(got.body), `"kind":"cancel"`); parts != 8 || got.soldOrder().Status != "cancelled" || !got.soldOrder().Restocked {
		t.Errorf("%d parts: %v", parts, got)
	}
	shop.get("stock/availability?product_ids[]=" + hammer).wantStatus(200).has(`"available":10`)
}
