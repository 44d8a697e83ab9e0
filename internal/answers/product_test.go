package answers

import (
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

// productAnswers are a product with variants and one made to measure, as pages show them.
func productAnswers() (all []shown) {
	from := commerce.Amount(4900)
	shirt, blind := sampleShirt(), &commerce.Product{ID: testCart, Name: "Blind", Active: true, Capability: commerce.MadeToMeasure, PriceFrom: &from}
	page := ProductPage{Store: testStore, Catalogue: catalogue.New(&commerce.Store{Products: []*commerce.Product{shirt}})}
	page.Prices.Tax.Included = true
	may, _ := commerce.ParseDate("2027-05-12")
	show := func(name string, p *commerce.Product) {
		page.Stock = nil
		if p == shirt {
			page.Stock = []commerce.StockState{{Status: commerce.StockIn}, {}, {Status: commerce.StockBackorder, From: may}}
		}
		all = append(all, shown{name, Product.Append(nil, page.View(p))})
		if len(page.Stock) != 0 {
			panic("statuses are left")
		}
	}
	show("made to measure", blind)
	show("with variants", shirt)
	page.Listed = true
	show("in a list", shirt)
	// A variant's price of a period, which ends at a moment; the one that it takes the place of.
	dated := &shirt.Variants[0].Prices
	page.Prices.Pricing.Now = time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	higher := commerce.Amount(950)
	dated.Base, dated.Periods = &higher, []commerce.PricePeriod{{From: page.Prices.Pricing.Now, Until: page.Prices.Pricing.Now.Add(time.Hour), Price: 700}}
	show("in a period", shirt)
	showing := *testStore
	showing.Policy.Pricing.ShowOriginalPrice, page.Store = true, &showing
	show("in a period, with the original price", shirt)
	page.Prices.Hidden = true
	show("with hidden prices", blind)
	none := func(func(*ProductView) bool) {}
	list := ProductListView{PageView: PageView[*ProductView]{Rows: none, Pages: &Pages{First: "/1", Last: "/9", Prev: "/3", Next: "/5", Number: 4, LastNumber: 9,
		From: 61, To: 80, Path: "/p", Size: 20, Total: 175, Links: []PageLink{{URL: "/4", Label: "4", Active: true}, {Label: "..."}}}}}
	add := func(name string) { all = append(all, shown{name, ProductList.Append(nil, list)}) }
	add("a list")
	list.Facets = &catalogue.Facets{Attributes: []catalogue.AttributeFacet{{Name: "Colour", Values: []catalogue.ValueFacet{{Text: "Red", Count: 2}}}},
		Categories: []catalogue.CategoryFacet{{ID: testCart, Count: 3}}, Lowest: &from, Highest: &higher}
	list.Corrected, list.Partial = []catalogue.Correction{{Word: "shrit", By: "shirt"}}, true
	add("a list with all that it may have")
	return all
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
