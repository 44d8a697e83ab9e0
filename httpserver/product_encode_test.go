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
	}
)

func eur(a commerce.Amount) *jsonMoney { return &jsonMoney{a, "EUR"} }

// sampleShirt has a variant of each kind: with a price of its own, with the product's price,
// inactive.
func sampleShirt() *commerce.Product {
	amount := func(a commerce.Amount) *commerce.Amount { return &a }
	return &commerce.Product{
		ID: uuid.MustParse(testLine), Name: "Shirt <\"é\">", Slug: "shirt", SKU: "SH", Active: true, TrackStock: true, Tax: 5.5 * 1e9,
		CategoryIDs: []uuid.UUID{uuid.MustParse(testCart)},
		Prices:      commerce.Prices{Base: amount(900), Tiers: []commerce.Tier{{MinQuantity: 2500, Price: 800}}},
		Variants: []commerce.Variant{
			{ID: uuid.UUID{1}, Name: "White", SKU: "SH-W", Active: true, Prices: commerce.Prices{Base: amount(700), Tiers: []commerce.Tier{{MinQuantity: 10 * commerce.One, Price: 1}}}},
			{ID: uuid.UUID{2}, Name: "Grey", Active: true},
			{ID: uuid.UUID{3}, Name: "Red"},
		},
	}
}

func TestProductJSON(t *testing.T) {
	store := sampleStore()
	sku, white := "SH", "SH-W"
	two, ten := []jsonTier{{"2.5", *eur(800)}}, []jsonTier{{"10", *eur(1)}}
	shirt := jsonProduct{
		ID: testLine, Slug: "shirt", Name: "Shirt <\"é\">", SKU: &sku, Capability: "standard", CapabilityActive: true, Unit: "piece",
		TrackStock: true, StockStatus: "in_stock", Purchasability: "direct", Price: eur(700), Net: eur(664), PriceIncludesTax: true, TaxRate: "5.5",
		TierPrices: two, CategoryIDs: []string{testCart},
		Variants: []jsonVariant{
			{uuid.UUID{1}.String(), "White", &white, eur(700), eur(664), "out_of_stock", ten},
			{uuid.UUID{2}.String(), "Grey", nil, eur(900), eur(853), "in_stock", two},
		},
		VariantsCount: 2,
	}
	blind := jsonProduct{
		ID: testCart, Name: "Blind", Capability: "made_to_measure", CapabilityActive: true, Unit: "piece", StockStatus: "untracked", Purchasability: "direct",
		PriceIncludesTax: true, TaxRate: "0", TierPrices: []jsonTier{}, CategoryIDs: []string{}, Variants: []jsonVariant{},
	}
	page := productPage{store: store, levels: []commerce.StockLevel{{OnHand: 5, Held: 5}, {OnHand: 5, Held: 4}}}
	for _, c := range []struct {
		product *commerce.Product
		want    jsonProduct
	}{{sampleBlind(), blind}, {sampleShirt(), shirt}, {sampleBlind(), blind}} {
		if got, want := string(page.appendProduct(nil, c.product, listedVariants)), viaJSON(t, c.want); got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.product.Name, got, want)
		}
	}
	if len(page.levels) != 0 {
		t.Errorf("%d stock levels are left", len(page.levels))
	}
}

// BenchmarkProductPage encodes 100 products with two variants and two tiers each.
func BenchmarkProductPage(b *testing.B) {
	b.ReportAllocs()
	store, shirt := sampleStore(), sampleShirt()
	levels := make([]commerce.StockLevel, 200)
	var out []byte
	for b.Loop() {
		page := productPage{store: store, levels: levels}
		out = out[:0]
		for range 100 {
			out = page.appendProduct(out, shirt, listedVariants)
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
