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
	Quotes struct{ Waiting, Offered, Expiring int }
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

// The summary counts the quotes that wait for the merchant, the offers, and those of them that end within 7 days.
func TestSummaryCountsQuotes(t *testing.T) {
	t.Parallel()
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), desk)}}).client(t)
		merchant := shop.withKey(keyDesk)
		want := func(after string, waiting, offered, expiring int) {
			t.Helper()
			got := shop.withKey(keyReads).summary().Quotes
			if got.Waiting != waiting || got.Offered != offered || got.Expiring != expiring {
				t.Errorf("%s: %+v, want %d, %d, %d", after, got, waiting, offered, expiring)
			}
		}
		draft := func(days int) storeQuote {
			body := fmt.Sprintf(`{"email":"a@b.co","valid_until":%q,"lines":[{"name":"Work","quantity":1,"unit_price_amount":1000,"tax":"standard"}]}`,
				time.Now().UTC().AddDate(0, 0, days).Format(time.RFC3339))
			return merchant.post(quoteDesk, body).storeQuote(201)
		}
		offer := func(q storeQuote) storeQuote { return merchant.post(q.path("/offer"), `{}`).storeQuote(200) }
		want("an empty store", 0, 0, 0)
		path := shop.newCart()
		shop.add(path, fitting, "1")
		asked := shop.post(path+"/quote-request", buyer).quote(201)
		want("a request", 1, 0, 0)
		late, soon := draft(30), draft(3)
		want("two drafts", 3, 0, 0)
		late, soon = offer(late), offer(soon)
		want("two offers, one of them for 3 days", 1, 2, 1)
		shop.post(late.link()+"/change-request", `{"message":"Cheaper."}`).wantStatus(200)
		want("a change request", 2, 2, 1)
		merchant.patch(late.path(""), fmt.Sprintf(`{"valid_until":%q}`, time.Now().UTC().AddDate(0, 0, 2).Format(time.RFC3339))).storeQuote(200)
		offer(late)
		want("a new version for 2 days", 1, 2, 2)
		shop.post(soon.link()+"/decline", `{}`).wantStatus(200)
		want("a decline", 1, 1, 1)
		merchant.post(quoteDesk+"/"+asked.ID+"/withdraw", "").storeQuote(200)
		want("the request withdrawn", 0, 1, 1)
		shop.post(late.link()+"/accept", `{"version":2,"shipping_address":`+home+`}`).accepted(201)
		want("an accept", 0, 0, 0)
	})
}
