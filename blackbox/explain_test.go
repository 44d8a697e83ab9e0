package blackbox_test

import (
	"fmt"
	"strings"
	"testing"
)

// docs/api/discounts.md#explain: from unit price to grand total.
func TestACartIsExplained(t *testing.T) {
	t.Parallel()
	shop := serveDiscounts(t)
	path := shop.newCart()
	shop.add(path, nails, "12")
	shop.add(path, cable, "0.5")
	shop.attach(path, "TEN10").wantStatus(200)
	c := shop.get(path).cart(200)
	ids := strings.NewReplacer("{nails}", c.Lines[0].ID, "{cable}", c.Lines[1].ID)
	shop.get(path+"/explain").want(200, ids.Replace(`{"data":{"steps":[
		{"step":"line","line_id":"{nails}","name":"Nails","price_from":"tier","tier_min_quantity_thousandths":10000,"unit_price_amount":450,
			"quantity_thousandths":12000,"of":450,"multiply":12000,"divide":1000,"quotient":5400,"remainder":0,"extra":0,"amount":5400},
		{"step":"line","line_id":"{cable}","name":"Cable","price_from":"base","unit_price_amount":333,
			"quantity_thousandths":500,"of":333,"multiply":500,"divide":1000,"quotient":166,"remainder":500,"extra":1,"amount":167},
		{"step":"code","code":"TEN10","error":null},
		{"step":"discount","discount_id":"60000000-0000-4000-8000-000000000001","name":"Two nails, one free","code":null,"kind":"bogo","before":5567,
			"bought_thousandths":12000,"buy_min_quantity_thousandths":2000,"qualifies_times":6,"get_quantity_thousandths":1000,"get_percent":100,
			"reduced_thousandths":6000,"unit_price_amount":450,"amount":2700,"lines":[
			{"line_id":"{nails}","before":5400,"of":450,"multiply":6000,"divide":1000,"quotient":2700,"remainder":0,"extra":0,"amount":2700,"after":2700}]},
		{"step":"discount","discount_id":"60000000-0000-4000-8000-000000000004","name":"Ten","code":"Ten10","kind":"order","before":2867,
			"of":2867,"multiply":1,"divide":10,"quotient":286,"remainder":7,"extra":1,"amount":287,"lines":[
			{"line_id":"{nails}","before":2700,"of":2700,"multiply":287,"divide":2867,"quotient":270,"remainder":810,"extra":0,"amount":270,"after":2430},
			{"line_id":"{cable}","before":167,"of":167,"multiply":287,"divide":2867,"quotient":16,"remainder":2057,"extra":1,"amount":17,"after":150}]},
		{"step":"discount","discount_id":"60000000-0000-4000-8000-000000000003","name":"Free shipping","code":null,"kind":"shipping","before":2580,"amount":0,"lines":[]},
		{"step":"tax","rate":21,"sum":2580,"of":2580,"multiply":21,"divide":121,"quotient":447,"remainder":93,"extra":1,"base":2132,"tax":448},
		{"step":"totals","lines":5567,"discount_total":2987,"subtotal":2132,"tax_total":448,"total":2580}],"checks":[]}}`))
	if c.Totals.Total.Amount != 2580 || c.Totals.TaxTotal.Amount != 448 || c.Totals.DiscountTotal.Amount != 2987 {
		t.Errorf("the cart shows %+v", c.Totals)
	}
}

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
