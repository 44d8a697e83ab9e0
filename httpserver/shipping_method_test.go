package httpserver

import (
	"net/url"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// A row shows what a shopper chooses by. The country is any two letters, blank is absent.
func TestShippingMethodRows(t *testing.T) {
	h := start(t)
	one, three := 1, 3
	store := h.engine.admission.Store
	product := *sampleBlind()
	product.RequiresShipping, product.Tax = true, &commerce.TaxRate{Rate: 21e9}
	store.Products = []*commerce.Product{&product}
	store.ShippingMethods = []commerce.ShippingMethod{
		{ID: uuid.MustParse(testCart), Name: "Parcel", Price: 695, Tax: &commerce.TaxRate{Rate: 9e9}, Description: "At your door", MinDays: &one, MaxDays: &three,
			Metadata: commerce.Metadata{{Key: "carrier", Value: commerce.Scalar{IsString: true, Text: "post"}}}, Countries: []commerce.Country{{'N', 'L'}}},
		{ID: uuid.MustParse(testLine), Name: "Pallet", Price: 8900, Tax: &commerce.TaxRate{Rate: 5_500_000_000}},
	}
	store.Index()
	h.engine.reply.Cart = &commerce.Cart{
		ID: uuid.MustParse(testCart), ExpiresAt: testNow.AddDate(0, 0, 1),
		Lines: []commerce.Line{{ProductID: product.ID, Quantity: commerce.One, UnitPrice: 1000}},
	}
	const parcel = `{"id":"` + testCart + `","name":"Parcel","price":{"amount":695,"currency":"EUR"},` +
		`"price_without_tax":{"amount":638,"currency":"EUR"},"price_with_tax":{"amount":695,"currency":"EUR"},"description":"At your door","min_days":1,"max_days":3,` +
		`"metadata":{"carrier":"post"},"tax_rate":9,"order_total":{"amount":1695,"currency":"EUR"}}`
	const pallet = `{"id":"` + testLine + `","name":"Pallet","price":{"amount":8900,"currency":"EUR"},` +
		`"price_without_tax":{"amount":8436,"currency":"EUR"},"price_with_tax":{"amount":8900,"currency":"EUR"},"description":null,"min_days":null,"max_days":null,` +
		`"metadata":null,"tax_rate":5.5,"order_total":{"amount":9900,"currency":"EUR"}}`
	path := cartsPath + "/" + testCart + "/shipping-methods"
	rows := func(query, rows string) {
		t.Helper()
		got := h.do(call{method: "GET", path: path + query})
		if want := `{"data":[` + rows + `],"links":`; got.status != 200 || len(got.body) < len(want) || got.body[:len(want)] != want {
			t.Errorf("%s: %d %s\nwant %s…", query, got.status, got.body, want)
		}
	}
	rows("", parcel+","+pallet)
	rows("?country=", parcel+","+pallet)
	rows("?country=%20", parcel+","+pallet)
	rows("?country=NL", parcel+","+pallet)
	rows("?country=DE&country=nl", parcel+","+pallet) // the last one counts
	rows("?country=de", pallet)
	rows("?per_page=1&page=2", pallet)
	for _, wrong := range []string{"N", "NLD", "N1", "é", "éé", "  N"} {
		h.expect(call{method: "GET", path: path + "?country=" + url.QueryEscape(wrong)}, 422,
			`{"message":"The country field must be 2 characters.","errors":{"country":["The country field must be 2 characters."]}}`)
	}
	h.expect(call{method: "GET", path: cartsPath + "/x/shipping-methods?country=N"}, 404, message("No query results for model [Cart] x")) // precedes 422
	quote := quotesPath + "/by-token/" + quoteToken + "/shipping-methods"
	if got := h.do(call{method: "GET", path: quote + "?country=N"}); got.status != 422 {
		t.Errorf("a quote's: %d", got.status)
	}
}
