package blackbox_test

import (
	"fmt"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// summary is what a merchant sees first of a store.
type summary struct {
	Sales []struct {
		Hour      time.Time
		Orders    int
		Amount    int `json:"total_amount"`
		Cancelled int
		Lost      int `json:"cancelled_amount"`
	}
}

func (c client) summary() (s summary) {
	c.t.Helper()
	c.get("summary?days=2").wantStatus(200).decode(&s)
	return s
}

// The summary counts an order and its cancel once, each at its own hour, and takes nothing from the hour of the sale.
func TestSummaryCountsSales(t *testing.T) {
	t.Parallel()
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), desk, office, collected)}}).client(t)
		merchant := shop.withKey(keyOffice)
		began := time.Now()
		var last order
		for n := range 3 {
			path := shop.newCart()
			shop.add(path, hammer, fmt.Sprint(n+1))
			for range 2 { // a repetition changes nothing
				last = shop.once("sale-"+path).checkOut(path, buyer).order(201)
			}
		}
		for range 2 {
			merchant.post("orders/"+last.ID+"/cancel", `{}`).wantStatus(200)
		}
		var orders, amount, cancelled, lost int
		for _, h := range shop.withKey(keyReads).summary().Sales {
			if h.Hour != h.Hour.Truncate(time.Hour) || h.Hour.Before(began.Truncate(time.Hour)) || h.Hour.After(time.Now()) {
				t.Errorf("the hour %v of orders of %v", h.Hour, began)
			}
			orders, amount, cancelled, lost = orders+h.Orders, amount+h.Amount, cancelled+h.Cancelled, lost+h.Lost
		}
		if orders != 3 || amount != 6*1999 || cancelled != 1 || lost != 3*1999 {
			t.Errorf("%d orders of %d, %d cancelled of %d; want 3 of %d, 1 of %d", orders, amount, cancelled, lost, 6*1999, 3*1999)
		}
	})
}
