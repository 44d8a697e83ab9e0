package blackbox_test

import (
	"fmt"
	"strings"
	"testing"
)

// Each discount of the demo store can be tried.
func TestTheDemosDiscounts(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", flags: []string{"--demo"}})
	shop := n.client(t).withKey("demo-storefront-key")
	const (
		sample, sand   = "10000000-0000-4000-8000-000000000701", "20000000-0000-4000-8000-000007010002"
		level, long    = "10000000-0000-4000-8000-000000000404", "20000000-0000-4000-8000-000004040003"
		bit, thin      = "10000000-0000-4000-8000-000000000402", "20000000-0000-4000-8000-000004020001"
		paint, brushes = "10000000-0000-4000-8000-000000000501", "10000000-0000-4000-8000-000000000405"
		motor, trade   = "10000000-0000-4000-8000-000000000302", "demo-token-trade"
	)
	for _, c := range []struct{ code, token, want, add string }{
		{"", "", "Three samples for the price of two 100", addBody(sample, "3", variant(sand))},
		{"", "", "Ten per cent off measuring tools 350", addBody(level, "1", variant(long))},
		{"", "", "Free shipping from 250 euro 0", addBody(motor, "4")},
		{"", trade, "Trade bonus", addBody(motor, "20")},
		{"PAINTDAY", "", "Half-price brush set with five litres of paint 748", addBody(paint, "5") + "\n" + addBody(brushes, "1")},
		{"DRILLBITS", "", "Fifty cents off every drill bit 150", addBody(bit, "3", variant(thin))},
		{"WELCOME10", "", "Welcome 1000", addBody(motor, "1")},
		{"FRIENDS15", "", "Friends and family 1185", addBody(motor, "1")},
		{"SOLO20", "", "A fifth off, in place of other offers 1580; ", addBody(motor, "1")},
		{"SOLO20", "", "not_eligibleThree samples for the price of two 100", addBody(sample, "3", variant(sand))},
		{"SHIP3", "", "Three euro off shipping 0", addBody(motor, "1")},
		{"TRADEFAIR", trade, "Trade fair", addBody(motor, "1")},
		{"FIRST100", "", "usage_limit", addBody(motor, "1")},
		{"SUMMER25", "", "expired", addBody(motor, "1")},
		{"TRADEFAIR", "", "not_eligible", addBody(motor, "1")},
		{"OPENING", "", "invalid", addBody(motor, "1")},
		{"WELCOME10", "", "min_order", addBody(brushes, "1")},
	} {
		shop := shop.withToken(c.token)
		path := shop.newCart()
		shop.post(path+"/lines/batch", batchBody(strings.Split(c.add, "\n")...)).wantStatus(201)
		if c.code != "" {
			shop.attach(path, c.code).wantStatus(200)
		}
		got := shop.get(path).cart(200)
		seen := ""
		if got.DiscountCodeError != nil {
			seen = *got.DiscountCodeError
		}
		for _, d := range got.Discounts {
			seen += fmt.Sprintf("%s %d; ", d.Name, d.Amount)
		}
		if !strings.Contains(seen, c.want) {
			t.Errorf("%s with %q: %s; want %s", c.add, c.code, seen, c.want)
		}
	}
}
