package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// wantTotals compares subtotal, tax, total and the breakdown, written as
// "3304+694=3998 [21:3304+694]".
func (a answer) wantTotals(want string) {
	a.t.Helper()
	c := a.cart(a.status)
	t := c.Totals
	rows := make([]string, len(t.TaxBreakdown))
	for i, row := range t.TaxBreakdown {
		rows[i] = fmt.Sprintf("%s:%d+%d", row.Rate, row.Base, row.Tax)
	}
	got := fmt.Sprintf("%d+%d=%d [%s]", t.Subtotal.Amount, t.TaxTotal.Amount, t.Total.Amount, strings.Join(rows, " "))
	if got != want || t.DiscountTotal.Amount != 0 {
		a.t.Errorf("%v\n got totals: %s, discount %d\nwant totals: %s", a, got, t.DiscountTotal.Amount, want)
	}
}

// The store document, tax. Prices include tax: 3998 × 21 / 121 = 693.87;
// 1090 × 9 / 109 = 90; 1055 × 5.5 / 105.5 = 55.
func TestTotalsOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	for _, c := range []struct{ product, quantity, want string }{
		{sample, "3", "0+0=0 [0:0+0]"}, // a rate whose sum is 0 has its entry
		{hammer, "2", "3304+694=3998 [21:3304+694 0:0+0]"},
		{paper, "1", "4304+784=5088 [21:3304+694 9:1000+90 0:0+0]"},
		{booklet, "1", "5304+839=6143 [21:3304+694 9:1000+90 5.5:1000+55 0:0+0]"},
		{cable, "0.5", "5442+868=6310 [21:3442+723 9:1000+90 5.5:1000+55 0:0+0]"}, // 4165 × 21 / 121 = 722.85
	} {
		shop.post(path+"/lines", addBody(c.product, c.quantity)).wantTotals(c.want)
	}
	shop.get(path).wantTotals("5442+868=6310 [21:3442+723 9:1000+90 5.5:1000+55 0:0+0]")
}

// Prices exclude tax: 3998 × 21 / 100 = 839.58; 1090 × 9 / 100 = 98.1;
// 1055 × 5.5 / 100 = 58.025.
func TestTotalsOfPricesThatExcludeTax(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyExcludingTax)
	path := shop.newCart()
	for _, c := range []struct{ product, quantity, want string }{
		{hammer, "2", "3998+840=4838 [21:3998+840]"},
		{paper, "1", "5088+938=6026 [21:3998+840 9:1090+98]"},
		{booklet, "1", "6143+996=7139 [21:3998+840 9:1090+98 5.5:1055+58]"},
		{cable, "0.5", "6310+1031=7341 [21:4165+875 9:1090+98 5.5:1055+58]"}, // 4165 × 21 / 100 = 874.65
		{sample, "1", "6310+1031=7341 [21:4165+875 9:1090+98 5.5:1055+58 0:0+0]"},
	} {
		shop.post(path+"/lines", addBody(c.product, c.quantity)).wantTotals(c.want)
	}
}

// Tax is rounded once per rate: 7996 and 83 make 1679.16 and 17.43, together
// 1696.59; rounded line by line it would be 1696.
func TestTaxIsRoundedOncePerRate(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyExcludingTax)
	path := shop.newCart()
	shop.add(path, hammer, "4")
	shop.post(path+"/lines", addBody(cable, "0.25")).wantTotals("8079+1697=9776 [21:8079+1697]")
}

// Spec: policy (evaluated live from store settings).
func TestPolicyIsTheStores(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyExcludingTax)
	created := shop.post("commerce/carts", "")
	created.want(http.StatusCreated, emptyCart(created.cart(http.StatusCreated).ID, "null", "null",
		`{"identity_mode":"login_required","audience":"b2b_only","min_order_value_amount":2500,
		"max_lines":7,"max_quantity_per_line":50,"pricing":{"guest_price_visibility":"hidden","vat_display":"ex",
		"show_original_price":false,"show_tier_table":false}}`))
}

// The conventions: hidden prices hide catalogue prices only.
func TestHiddenPricesAreShownInCarts(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyExcludingTax)
	shop.post(shop.newCart()+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 1999 = 1999")
}

// Spec: requires_quote, quote_reasons.
func TestQuoteTriggers(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyQuotes, keyNoSales, keyShop)
	for _, c := range []struct {
		name, key, token string
		adds             []string
		want             string // reasons, in their order
	}{
		{"below the threshold", keyQuotes, "", []string{addBody(hammer, "1")}, ""},
		{"at the threshold", keyQuotes, "", []string{addBody(hammer, "2")}, "cart_threshold"},
		{"above the threshold", keyQuotes, "", []string{addBody(drill, "1")}, "cart_threshold"},
		{"group", keyQuotes, tokenQuinn, []string{addBody(hammer, "1")}, "customer_group"},
		{"another group", keyQuotes, tokenTess, []string{addBody(hammer, "1")}, ""},
		{"product", keyShop, "", []string{addBody(crane, "1")}, "product_purchasability"},
		{"all of them", keyQuotes, tokenQuinn, []string{addBody(crane, "1"), addBody(hammer, "1")}, "cart_threshold customer_group product_purchasability"},
		{"sales module off", keyNoSales, tokenQuinn, []string{addBody(crane, "1")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			shop := shop.in(t).withKey(c.key).withToken(c.token)
			path := shop.newCart()
			for _, body := range c.adds {
				shop.post(path+"/lines", body).wantStatus(http.StatusCreated)
			}
			wantReasons(shop.get(path), c.want)
		})
	}
}

func wantReasons(a answer, want string) {
	a.t.Helper()
	c := a.cart(http.StatusOK)
	if got := strings.Join(c.QuoteReasons, " "); got != want || c.RequiresQuote != (want != "") || c.QuoteReasons == nil {
		a.t.Errorf("%v\n got: requires_quote %v, reasons %q\nwant: reasons %q", a, c.RequiresQuote, got, want)
	}
}

// The group trigger looks at the pricing context of the request.
func TestTheGroupTriggerFollowsTheToken(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	shop.add(path, hammer, "1")
	wantReasons(shop.get(path), "")
	wantReasons(shop.withToken(tokenQuinn).get(path), "customer_group")
	wantReasons(shop.get(path), "")
}

// Quote requests switched off: nothing needs a quote.
func TestNoQuotesNoTriggers(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base(), setting("quotes", object{"enabled": false, "cart_threshold_amount": 1, "customer_group_ids": list{groupQuote}}))
	shop := serveFiles(t, file).withToken(tokenQuinn)
	path := shop.newCart()
	shop.add(path, crane, "1")
	wantReasons(shop.get(path), "")
}
