package answers

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/catalogue"
)

var (
	testCart  = uuid.MustParse("5f0c6f0e-8f3a-4a53-9b1a-3a1c5d0e7f11")
	testLine  = uuid.MustParse("8f3a5f0c-6f0e-4a53-9b1a-3a1c5d0e7f22")
	testStore = &commerce.Store{
		PricesIncludeTax: true,
		Modules:          commerce.Modules(0).With(commerce.ModuleCatalog).With(commerce.ModuleCommerce).With(commerce.ModuleConfigurator).With(commerce.ModuleStock),
	}
)

// sampleShirt has a variant of each kind: with a price of its own, with the product's price,
// inactive.
func sampleShirt() *commerce.Product {
	amount := func(a commerce.Amount) *commerce.Amount { return &a }
	weight, light := commerce.Milligrams(1_200_500), commerce.Milligrams(0)
	return &commerce.Product{
		Weight: &weight,
		Display: commerce.Display{
			Media:      []commerce.Media{{URL: "/a\"b.svg", Alt: "A <shirt>"}, {URL: "https://cdn.example.org/b"}},
			Attributes: []commerce.Attribute{{Name: "Material", Values: []string{"Linen", "Wool"}, List: true}, {Name: "Brand", Values: []string{"É"}}},
			Metadata:   commerce.Metadata{{Key: "z", Value: commerce.Scalar{Text: "1.50"}}, {Key: "a", Value: commerce.Scalar{IsString: true, Text: "x"}}},
		},
		ID: testLine, Name: "Shirt <\"é\">", Slug: "shirt", SKU: "SH", Active: true, TrackStock: true, Tax: &commerce.TaxRate{Rate: 5.5 * 1e9},
		CategoryIDs: []uuid.UUID{testCart}, Pack: &commerce.Pack{Min: 12 * commerce.One, Step: 1500},
		TextFields: []commerce.TextField{
			{Key: "engraving", Label: "Engraving <\"é\">", Required: true, MaxLength: 20}, {Key: "gift-note", Label: "Note", MaxLength: 500},
		},
		Prices: commerce.Prices{Base: amount(900), Tiers: []commerce.Tier{{MinQuantity: 2500, Price: 800}}},
		Variants: []commerce.Variant{
			{ID: uuid.UUID{1}, Name: "White", SKU: "SH-W", Active: true,
				Prices: commerce.Prices{Base: amount(700), Tiers: []commerce.Tier{{MinQuantity: 10 * commerce.One, Price: 1}}}, Weight: &light,
				Display: commerce.Display{
					Media:      []commerce.Media{{URL: "/w1"}, {URL: "/w2"}},
					Attributes: []commerce.Attribute{{Name: "Size", Values: []string{"L"}}, {Name: "Colour", Values: []string{"White"}}},
				}},
			{ID: uuid.UUID{2}, Name: "Grey", Active: true, Display: commerce.Display{Attributes: []commerce.Attribute{{Name: "Colour", Values: []string{"Grey"}}}}},
			{ID: uuid.UUID{3}, Name: "Red"},
		},
	}
}

// The products as encoding/json writes them.
func TestProductJSON(t *testing.T) {
	none := json.RawMessage(`{}`)
	tier := func(quantity json.Number, a commerce.Amount) []any {
		return []any{object{"min_quantity", quantity, "unit_price", euros(a), "unit_price_without_tax", euros(slowNet(a, 5.5*1e9, true))}}
	}
	picture := func(url string, alt any) object { return object{"url", url, "alt", alt} }
	var until, original, net any // net is the original price without tax
	// listed is true for a row of a list, which has the first pictures only.
	shirt := func(listed bool) string {
		media := []any{picture("/a\"b.svg", "A <shirt>"), picture("https://cdn.example.org/b", nil)}
		white := []any{picture("/w1", nil), picture("/w2", nil)}
		if listed {
			media, white = media[:1], white[:1]
		}
		return slowJSON(object{
			"id", testLine, "slug", "shirt", "name", "Shirt <\"é\">", "sku", "SH", "description", nil, "capability", "standard", "capability_active", true,
			"unit", "piece", "requires_shipping", false, "returnable", false, "lead_time_days", nil, "track_stock", true, "stock_status", "in_stock",
			"purchasability", "direct",
			"price", euros(700), "price_without_tax", euros(664), "price_until", until, "original_price", original,
			"original_price_without_tax", net, "price_includes_tax", true, "tax_rate", 5.5,
			"tier_prices", tier("2.5", 800),
			"category_ids", []any{testCart},
			"variants", []any{
				object{
					"id", uuid.UUID{1}, "name", "White", "sku", "SH-W", "price", euros(700), "price_without_tax", euros(664), "price_until", until, "original_price",
					original, "original_price_without_tax", net, "stock_status", "out_of_stock",
					"tier_prices", tier("10", 1), "media", white, "attributes", object{"Size", "L", "Colour", "White"}, "metadata", none, "weight_grams", 0,
					"available_from", nil,
				},
				object{
					"id", uuid.UUID{2}, "name", "Grey", "sku", nil, "price", euros(900), "price_without_tax", euros(853), "price_until", nil, "original_price", nil,
					"original_price_without_tax", nil, "stock_status", "backorder",
					"tier_prices", tier("2.5", 800), "media", []any{}, "attributes", object{"Colour", "Grey"}, "metadata", none, "weight_grams", nil,
					"available_from", "2027-05-12",
				},
			},
			"variants_count", 2, "media", media, "attributes", object{"Material", []string{"Linen", "Wool"}, "Brand", "É"},
			"metadata", json.RawMessage(`{"z":1.50,"a":"x"}`),
			"options", []any{object{"name", "Size", "values", []string{"L"}}, object{"name", "Colour", "values", []string{"White", "Grey"}}},
			"weight_grams", 1200.5, "price_from", nil, "price_from_without_tax", nil, "media_count", 2,
			"text_fields", []any{
				object{"key", "engraving", "label", "Engraving <\"é\">", "required", true, "max_length", 20},
				object{"key", "gift-note", "label", "Note", "required", false, "max_length", 500},
			},
			"min_quantity", 12, "max_quantity", nil, "quantity_step", 1.5, "available_from", nil,
		})
	}
	blind := func(from any) string {
		return slowJSON(object{
			"id", testCart, "slug", "", "name", "Blind", "sku", nil, "description", nil, "capability", "made_to_measure", "capability_active", true,
			"unit", "piece", "requires_shipping", false, "returnable", false, "lead_time_days", nil, "track_stock", false, "stock_status", "untracked",
			"purchasability", "direct",
			"price", nil, "price_without_tax", nil, "price_until", nil, "original_price", nil, "original_price_without_tax", nil,
			"price_includes_tax", true, "tax_rate", 0, "tier_prices", []any{},
			"category_ids", []any{},
			"variants", []any{}, "variants_count", 0, "media", []any{}, "attributes", none, "metadata", none, "options", []any{},
			"weight_grams", nil, "price_from", from, "price_from_without_tax", from, "media_count", 0, "text_fields", []any{},
			"min_quantity", nil, "max_quantity", nil, "quantity_step", nil, "available_from", nil,
		})
	}
	from := commerce.Amount(4900)
	shirtProduct, blindProduct := sampleShirt(), &commerce.Product{ID: testCart, Name: "Blind", Active: true, Capability: commerce.MadeToMeasure}
	blindProduct.PriceFrom = &from
	page := ProductPage{Store: testStore, Catalogue: catalogue.New(&commerce.Store{Products: []*commerce.Product{shirtProduct}})}
	page.Prices.Tax.Included = true
	may, _ := commerce.ParseDate("2027-05-12")
	states := []commerce.StockState{{Status: commerce.StockIn}, {}, {Status: commerce.StockBackorder, From: may}}
	write := func(p *commerce.Product, want string) {
		t.Helper()
		if got := string(Product.Append(nil, page.View(p))); got != want {
			t.Errorf("%s:\n got %s\nwant %s", p.Name, got, want)
		}
	}
	write(blindProduct, blind(euros(from)))
	for _, page.Listed = range []bool{false, true} {
		page.Stock = slices.Clone(states)
		write(shirtProduct, shirt(page.Listed))
		if len(page.Stock) != 0 {
			t.Errorf("%d statuses are left", len(page.Stock))
		}
	}
	// A variant's price of a period, which ends at a moment; the one that it takes the place of.
	dated := &shirtProduct.Variants[0].Prices
	page.Prices.Pricing.Now = time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	higher := commerce.Amount(950)
	dated.Base, dated.Periods = &higher, []commerce.PricePeriod{{From: page.Prices.Pricing.Now, Until: page.Prices.Pricing.Now.Add(time.Hour), Price: 700}}
	showing := *testStore
	for _, shows := range []bool{false, true} {
		if until = "2026-11-27T01:00:00Z"; shows {
			original, net = euros(950), euros(slowNet(950, 5.5*1e9, true))
		}
		showing.Policy.Pricing.ShowOriginalPrice = shows
		page.Store, page.Stock = &showing, slices.Clone(states)
		write(shirtProduct, shirt(true))
	}
	// Hidden prices hide the price that a product begins from.
	page.Prices.Hidden = true
	write(blindProduct, blind(nil))
}

// BenchmarkProductPage encodes 100 products with two variants and two tiers each.
func BenchmarkProductPage(b *testing.B) {
	b.ReportAllocs()
	store, shirt := testStore, sampleShirt()
	catalogue := catalogue.New(&commerce.Store{Products: []*commerce.Product{shirt}})
	states := make([]commerce.StockState, 300)
	var out []byte
	for b.Loop() {
		page := ProductPage{Store: store, Catalogue: catalogue, Listed: true, Stock: states}
		out = out[:0]
		for range 100 {
			out = Product.Append(out, page.View(shirt))
		}
	}
	b.ReportMetric(float64(len(out)), "bytes")
}

func TestSitemapRow(t *testing.T) {
	got := string(SitemapEntry.Append(nil, SitemapView{Type: "product", Folder: "/products/", Slug: "50 % off/é"}))
	want := `{"type":"product","id":"` + uuid.Nil.String() + `","slug":"50 % off/é","path":"/products/50%20%25%20off%2F%C3%A9"}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
