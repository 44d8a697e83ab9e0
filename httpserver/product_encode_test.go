package httpserver

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The product as encoding/json writes it.
type (
	jsonMoney struct {
		Amount   commerce.Amount `json:"amount"`
		Currency string          `json:"currency"`
	}
	jsonTier struct {
		MinQuantity json.Number `json:"min_quantity"`
		UnitPrice   jsonMoney   `json:"unit_price"`
	}
	jsonVariant struct {
		ID          string     `json:"id"`
		Name        string     `json:"name"`
		SKU         *string    `json:"sku"`
		Price       *jsonMoney `json:"price"`
		Net         *jsonMoney `json:"price_without_tax"`
		StockStatus string     `json:"stock_status"`
		TierPrices  []jsonTier `json:"tier_prices"`
		jsonDisplay
		WeightGrams *json.Number `json:"weight_grams"`
	}
	jsonMedia struct {
		URL string  `json:"url"`
		Alt *string `json:"alt"`
	}
	jsonDisplay struct {
		Media      []jsonMedia     `json:"media"`
		Attributes json.RawMessage `json:"attributes"`
		Metadata   json.RawMessage `json:"metadata"`
	}
	jsonOption struct {
		Name   string   `json:"name"`
		Values []string `json:"values"`
	}
	jsonProduct struct {
		ID               string        `json:"id"`
		Slug             string        `json:"slug"`
		Name             string        `json:"name"`
		SKU              *string       `json:"sku"`
		Description      *string       `json:"description"`
		Capability       string        `json:"capability"`
		CapabilityActive bool          `json:"capability_active"`
		Unit             string        `json:"unit"`
		RequiresShipping bool          `json:"requires_shipping"`
		TrackStock       bool          `json:"track_stock"`
		StockStatus      string        `json:"stock_status"`
		Purchasability   string        `json:"purchasability"`
		Price            *jsonMoney    `json:"price"`
		Net              *jsonMoney    `json:"price_without_tax"`
		PriceIncludesTax bool          `json:"price_includes_tax"`
		TaxRate          json.Number   `json:"tax_rate"`
		TierPrices       []jsonTier    `json:"tier_prices"`
		CategoryIDs      []string      `json:"category_ids"`
		Variants         []jsonVariant `json:"variants"`
		VariantsCount    int           `json:"variants_count"`
		jsonDisplay
		Options     []jsonOption `json:"options"`
		WeightGrams *json.Number `json:"weight_grams"`
		PriceFrom   *jsonMoney   `json:"price_from"`
		MediaCount  int          `json:"media_count"`
	}
)

func eur(a commerce.Amount) *jsonMoney { return &jsonMoney{a, "EUR"} }

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
		ID: uuid.MustParse(testLine), Name: "Shirt <\"é\">", Slug: "shirt", SKU: "SH", Active: true, TrackStock: true, Tax: 5.5 * 1e9,
		CategoryIDs: []uuid.UUID{uuid.MustParse(testCart)},
		Prices:      commerce.Prices{Base: amount(900), Tiers: []commerce.Tier{{MinQuantity: 2500, Price: 800}}},
		Variants: []commerce.Variant{
			{ID: uuid.UUID{1}, Name: "White", SKU: "SH-W", Active: true, Prices: commerce.Prices{Base: amount(700), Tiers: []commerce.Tier{{MinQuantity: 10 * commerce.One, Price: 1}}}, Weight: &light,
				Display: commerce.Display{
					Media:      []commerce.Media{{URL: "/w1"}, {URL: "/w2"}},
					Attributes: []commerce.Attribute{{Name: "Size", Values: []string{"L"}}, {Name: "Colour", Values: []string{"White"}}},
				}},
			{ID: uuid.UUID{2}, Name: "Grey", Active: true, Display: commerce.Display{Attributes: []commerce.Attribute{{Name: "Colour", Values: []string{"Grey"}}}}},
			{ID: uuid.UUID{3}, Name: "Red"},
		},
	}
}

func TestProductJSON(t *testing.T) {
	store := sampleStore()
	sku, white, alt := "SH", "SH-W", "A <shirt>"
	weight, light := json.Number("1200.5"), json.Number("0")
	two, ten := []jsonTier{{"2.5", *eur(800)}}, []jsonTier{{"10", *eur(1)}}
	none := jsonDisplay{[]jsonMedia{}, json.RawMessage(`{}`), json.RawMessage(`{}`)}
	shirt := jsonProduct{
		ID: testLine, Slug: "shirt", Name: "Shirt <\"é\">", SKU: &sku, Capability: "standard", CapabilityActive: true, Unit: "piece",
		TrackStock: true, StockStatus: "in_stock", Purchasability: "direct", Price: eur(700), Net: eur(664), PriceIncludesTax: true, TaxRate: "5.5",
		TierPrices: two, CategoryIDs: []string{testCart},
		Variants: []jsonVariant{
			{uuid.UUID{1}.String(), "White", &white, eur(700), eur(664), "out_of_stock", ten,
				jsonDisplay{[]jsonMedia{{"/w1", nil}, {"/w2", nil}}, json.RawMessage(`{"Size":"L","Colour":"White"}`), json.RawMessage(`{}`)}, &light},
			{uuid.UUID{2}.String(), "Grey", nil, eur(900), eur(853), "in_stock", two,
				jsonDisplay{[]jsonMedia{}, json.RawMessage(`{"Colour":"Grey"}`), json.RawMessage(`{}`)}, nil},
		},
		VariantsCount: 2,
		jsonDisplay: jsonDisplay{
			[]jsonMedia{{"/a\"b.svg", &alt}, {"https://cdn.example.org/b", nil}},
			json.RawMessage(`{"Material":["Linen","Wool"],"Brand":"É"}`), json.RawMessage(`{"z":1.50,"a":"x"}`),
		},
		Options:     []jsonOption{{"Size", []string{"L"}}, {"Colour", []string{"White", "Grey"}}},
		WeightGrams: &weight, MediaCount: 2,
	}
	blind := jsonProduct{
		ID: testCart, Name: "Blind", Capability: "made_to_measure", CapabilityActive: true, Unit: "piece", StockStatus: "untracked", Purchasability: "direct",
		PriceIncludesTax: true, TaxRate: "0", TierPrices: []jsonTier{}, CategoryIDs: []string{}, Variants: []jsonVariant{},
		jsonDisplay: none, Options: []jsonOption{}, PriceFrom: eur(4900),
	}
	from := commerce.Amount(4900)
	shirtProduct, blindProduct := sampleShirt(), sampleBlind()
	blindProduct.PriceFrom = &from
	catalogue := commerce.NewCatalogue(&commerce.Store{Products: []*commerce.Product{shirtProduct}})
	page := productPage{store: store, catalogue: catalogue, levels: []commerce.StockLevel{{OnHand: 5, Held: 5}, {OnHand: 5, Held: 4}}}
	write := func(p *commerce.Product, want jsonProduct) {
		t.Helper()
		if got, want := string(page.appendProduct(nil, p)), viaJSON(t, want); got != want {
			t.Errorf("%s:\n got %s\nwant %s", p.Name, got, want)
		}
	}
	write(blindProduct, blind)
	write(shirtProduct, shirt)
	if len(page.levels) != 0 {
		t.Errorf("%d stock levels are left", len(page.levels))
	}
	// A row of a list has the first pictures only.
	page.listed, page.levels = true, []commerce.StockLevel{{OnHand: 5, Held: 5}, {OnHand: 5, Held: 4}}
	shirt.Media, shirt.Variants[0].Media = shirt.Media[:1], shirt.Variants[0].Media[:1]
	write(shirtProduct, shirt)
	// Hidden prices hide the price that a product begins from.
	page.view.Hidden, blind.PriceFrom = true, nil
	write(blindProduct, blind)
}

// BenchmarkProductPage encodes 100 products with two variants and two tiers each.
func BenchmarkProductPage(b *testing.B) {
	b.ReportAllocs()
	store, shirt := sampleStore(), sampleShirt()
	catalogue := commerce.NewCatalogue(&commerce.Store{Products: []*commerce.Product{shirt}})
	levels := make([]commerce.StockLevel, 200)
	var out []byte
	for b.Loop() {
		page := productPage{store: store, catalogue: catalogue, listed: true, levels: levels}
		out = out[:0]
		for range 100 {
			out = page.appendProduct(out, shirt)
		}
	}
	b.ReportMetric(float64(len(out)), "bytes")
}

func TestSitemapRow(t *testing.T) {
	got := string(appendSitemapRow(nil, "product", "/products/", uuid.Nil, "50 % off/é"))
	want := `{"type":"product","id":"` + uuid.Nil.String() + `","slug":"50 % off/é","path":"/products/50%20%25%20off%2F%C3%A9"}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
