package httpserver

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Refusals of a checkout add fields to the body.
func TestRefusalsOfACheckout(t *testing.T) {
	total := commerce.Amount(1234)
	product, variant := uuid.MustParse(testLine), uuid.MustParse(testCart)
	for _, c := range []struct {
		refusal commerce.Refusal
		want    string
	}{
		{commerce.Refusal{Reasons: []string{"a", "b"}}, `"reasons":["a","b"]`},
		{commerce.Refusal{CurrentTotal: &total}, `"current_total":1234`},
		{commerce.Refusal{OutOfStock: []commerce.StockShort{{ProductID: product, Requested: 2_500_000},
			{ProductID: product, VariantID: variant, Requested: 1_000_000, Available: 125_000}}},
			`"out_of_stock":[{"product_id":"` + testLine + `","variant_id":null,"requested":2.5,"available":0},` +
				`{"product_id":"` + testLine + `","variant_id":"` + testCart + `","requested":1,"available":0.125}]`},
	} {
		c.refusal.Message, c.refusal.Code = "m", "c"
		if got, want := string(appendRefusal(nil, &c.refusal, false)), `{"message":"m","code":"c",`+c.want+"}"; got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
