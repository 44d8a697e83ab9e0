package blackbox_test

import (
	"encoding/json"
)

// order is an order as a client reads it.
type order struct {
	ID         string
	Number     int
	CartID     string `json:"cart_id"`
	Email      string
	CustomerID *string `json:"customer_id"`
	PlacedAt   string  `json:"placed_at"`
	Lines      []line
	LinesCount int `json:"lines_count"`
	Discounts  []discountSeen
	Totals     struct {
		Subtotal, Total money
		ShippingTotal   money `json:"shipping_total"`
		TaxTotal        money `json:"tax_total"`
		DiscountTotal   money `json:"discount_total"`
	}
}

// order reads the answer of a checkout with the given status.
func (a answer) order(status int) order {
	a.t.Helper()
	a.wantStatus(status)
	var envelope struct{ Data order }
	if err := json.Unmarshal(a.body, &envelope); err != nil || envelope.Data.ID == "" {
		a.t.Fatalf("%v\nwant an order: %v", a, err)
	}
	return envelope.Data
}

func (c client) checkOut(path, body string) answer {
	c.t.Helper()
	return c.post(path+"/checkout", body)
}

// withLimit gives a store a code that three orders may use.
func withLimit(document object) {
	document["discounts"] = list{discountRow(1, "order", "First three", "THREE", object{"value": percentOff("10"), "usage_limit": 3})}
}
