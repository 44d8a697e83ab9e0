package faultsuite

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// endsWithin is the time from the last due order to its end.
const endsWithin = 2 * time.Minute

// officeOrder is the part of an order that the suite checks, as the merchant sees it.
type officeOrder struct {
	ID, Status string
	Number     int
	Payment    struct {
		Status    string
		Reference *string
	}
	Shipment     *struct{ Carrier *string }
	PlacedAt     time.Time  `json:"placed_at"`
	CancelledAt  *time.Time `json:"cancelled_at"`
	CancelReason *string    `json:"cancel_reason"`
	Restocked    bool
	Lines        []struct {
		Quantity  int
		Shipped   int `json:"shipped_quantity"`
		Cancelled int `json:"cancelled_quantity"`
		Returned  int `json:"returned_quantity"`
	}
	Refunded int `json:"refunded_amount"`
	Parts    []struct {
		Amount    int
		Breakdown []model.TaxRow `json:"tax_breakdown"`
	}
	TaxCountry   string `json:"tax_country"`
	TaxExemption string `json:"tax_exemption"`
	VATID        string `json:"vat_id"`
	Totals       struct {
		Total     struct{ Amount int }
		Breakdown []model.TaxRow `json:"tax_breakdown"`
	}
}

// state is as sale.state.
func (o *officeOrder) state() string {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	shown := sale{status: o.Status, payment: o.Payment.Status, reference: text(o.Payment.Reference), reason: text(o.CancelReason), restocked: o.Restocked}
	l := &o.Lines[0]
	shown.pieces = pieces{shipped: l.Shipped, cancelled: l.Cancelled, returned: l.Returned, refunded: o.Refunded}
	if o.Shipment != nil {
		shown.carrier = text(o.Shipment.Carrier)
	}
	return shown.state()
}

// audit compares orders, stock, uses and events with the answers.
func (s *Sales) audit(t testing.TB) {
	dice := rand.New(rand.NewPCG(s.Seed, 0))
	orders := s.ended(dice)
	s.checkOrders(dice, orders)
	s.checkSummary(dice, orders)
	s.checkParts(orders)
	s.checkTaxes(orders)
	s.checkSold(dice)
	s.checkUses(t)
	s.checkEvents()
	count := map[string]int{}
	for _, o := range orders {
		count[o.Status+" "+o.Payment.Status]++
	}
	taken, refused := s.lateOnes()
	s.shown = fmt.Sprintf("%d orders %v, %d late payments taken and %d refused, %s, %d orders without tax, %d changes of reverse charge, %d faults, "+
		"%d events", len(orders), count, taken, refused, s.used, s.exempt, len(s.charges), s.faults, s.receiver.total())
}

// lateOnes counts the payments at about the moment of an end.
func (s *Sales) lateOnes() (taken, refused int) {
	for _, o := range s.sales {
		switch {
		case o.late && o.payment == "paid":
			taken++
		case o.late:
			refused++
		}
	}
	return taken, refused
}

// ended waits for the ends of unpaid orders and returns all orders.
func (s *Sales) ended(dice *rand.Rand) []officeOrder {
	ends := map[string]bool{}
	last := time.Now()
	for _, o := range s.sales {
		if s.Ends && o.ends {
			ends[o.ID] = true
			if o.due.After(last) {
				last = o.due
			}
		}
	}
	for {
		orders, left := s.list(dice, ""), 0
		for _, o := range orders {
			if ends[o.ID] && o.Status == "placed" && o.Payment.Status == "due" {
				left++
			}
		}
		if left == 0 {
			return orders
		}
		if time.Now().After(last.Add(endsWithin)) {
			s.violate("payment against the end", "%d unpaid orders have not ended", left)
			return orders
		}
		<-time.After(500 * ms)
	}
}

// list reads the orders of the store by number, those of a filter only.
func (s *Sales) list(dice *rand.Rand, filter string) (all []officeOrder) {
	for after := 0; ; {
		var page struct {
			Data []officeOrder
			Meta struct {
				NextAfter *int `json:"next_after"`
			}
		}
		path := fmt.Sprintf("/v1/api/orders?per_page=100&after=%d%s", after, filter)
		a := s.repeat(dice, model.OfficeKey, path, model.Request{Method: http.MethodGet}, "", http.StatusOK)
		if err := json.Unmarshal(a.body, &page); err != nil {
			s.violate("an answer", "%s: %v", path, err)
			return all
		}
		all = append(all, page.Data...)
		if page.Meta.NextAfter == nil {
			return all
		}
		after = *page.Meta.NextAfter
	}
}

// checkOrders compares every order with what its seller knows, and the lists of a state with each
// other: each order stands in one of them.
func (s *Sales) checkOrders(dice *rand.Rand, orders []officeOrder) {
	seen := map[string]string{}
	for i, o := range orders {
		if o.Number != i+1 || seen[o.ID] != "" {
			s.violate("one state an order", "order %d of the list is number %d, %s", i+1, o.Number, o.ID)
		}
		seen[o.ID] = o.state()
	}
	for _, o := range s.sales {
		check := "one state an order"
		if o.late {
			check = "payment against the end"
		}
		if got := seen[o.ID]; got != o.state() {
			s.violate(check, "%s is\n%s\nwant\n%s", o.ID, got, o.state())
		}
	}
	if len(orders) != len(s.sales) {
		s.violate("one state an order", "%d orders are in the list, %d were sold", len(orders), len(s.sales))
	}
	for _, states := range [][]string{
		{"&status=placed", "&status=cancelled", "&status=completed"},
		{"&payment_status=due", "&payment_status=paid", "&payment_status=partially_refunded", "&payment_status=refunded", "&payment_status=not_required"},
	} {
		count := map[string]int{}
		for _, filter := range states {
			for _, o := range s.list(dice, filter) {
				count[o.ID]++
				if o.state() != seen[o.ID] {
					s.violate("one state an order", "%s is %s, and with %s %s", o.ID, seen[o.ID], filter, o.state())
				}
			}
		}
		for id := range seen {
			if count[id] != 1 {
				s.violate("one state an order", "%s stands in %d of the lists %v", id, count[id], states)
			}
		}
	}
}

// hourSales are the sales of an hour in the merchant's summary.
type hourSales struct {
	Orders          int
	Amount          int `json:"total_amount"`
	Cancelled       int
	CancelledAmount int `json:"cancelled_amount"`
}

// checkSummary compares the sales that the store counts by hours with its orders.
func (s *Sales) checkSummary(dice *rand.Rand, orders []officeOrder) {
	want, got := map[time.Time]hourSales{}, map[time.Time]hourSales{}
	for _, o := range orders {
		hour := o.PlacedAt.Truncate(time.Hour)
		h := want[hour]
		h.Orders, h.Amount = h.Orders+1, h.Amount+o.Totals.Total.Amount
		want[hour] = h
		if o.CancelledAt != nil {
			hour = o.CancelledAt.Truncate(time.Hour)
			h = want[hour]
			h.Cancelled, h.CancelledAmount = h.Cancelled+1, h.CancelledAmount+o.Totals.Total.Amount
			want[hour] = h
		}
	}
	var summary struct {
		Sales []struct {
			Hour time.Time
			hourSales
		}
	}
	a := s.repeat(dice, model.OfficeKey, "/v1/api/summary?days=3", model.Request{Method: http.MethodGet}, "", http.StatusOK)
	if err := json.Unmarshal(a.body, &summary); err != nil {
		s.violate("an answer", "the summary: %v", err)
	}
	for _, row := range summary.Sales {
		got[row.Hour] = row.hourSales
	}
	if !maps.Equal(got, want) {
		s.violate("sales add up", "the summary has %v, the orders %v", got, want)
	}
}

// checkSold compares stock: on hand + sold and not returned = the stock at the start.
func (s *Sales) checkSold(dice *rand.Rand) {
	sold := map[string]int{}
	for _, o := range s.sales {
		sold[o.product] += o.quantity - o.back
	}
	for _, product := range model.SalesProducts {
		var level struct {
			OnHand int `json:"on_hand"`
		}
		body := fmt.Sprintf(`{"product_id":%q,"quantity":1}`, product)
		a := s.repeat(dice, model.OfficeKey, "/v1/api/catalog/stock-adjustments", model.Request{Method: http.MethodPost, Body: body}, product, http.StatusCreated)
		s.expected[stockEvent(product, "", 1)]++
		if err := json.Unmarshal(a.body, &level); err != nil || sold[product]+level.OnHand-1 != model.SalesStock {
			s.violate("stock adds up", "%d of %s are sold and %d on hand, of %d", sold[product], product, level.OnHand-1, model.SalesStock)
		}
	}
}

// checkEvents compares the events with the changes. Each comes under one id, and no other event comes.
func (s *Sales) checkEvents() { s.repeater.checkEvents(s.receiver, s.expected) }

// String is the run in one line, with its violations.
func (s *Sales) String() string { return s.summary("%s", s.shown) }
