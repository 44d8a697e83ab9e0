package commerce

import (
	"testing"

	"github.com/google/uuid"
)

// Spec: POST line errors, in the order in which they are judged.
func TestAddLineRefusals(t *testing.T) {
	const many = 101 * One
	fill := func(s *scene) {
		for _, p := range []uuid.UUID{gift, special, cord, tile} {
			s.do(s.add(p, One))
		}
	}
	without := func(m Module) func(*scene) {
		return func(s *scene) { s.shop.Modules &^= 1 << m }
	}
	for _, c := range []struct {
		rule    string
		prepare func(*scene)
		add     AddLine
		want    *Refusal
	}{
		{"product unknown", nil, AddLine{ProductID: nowhere, Quantity: One}, ProductUnavailable},
		{"product is the nil UUID", nil, AddLine{Quantity: One}, ProductUnavailable},
		{"product not active", nil, AddLine{ProductID: withdrawn, Quantity: One}, ProductUnavailable},
		{"product ahead of capability", without(ModuleCommerce), AddLine{ProductID: withdrawn, Quantity: One}, ProductUnavailable},
		{"standard without the commerce module", without(ModuleCommerce), AddLine{ProductID: tile, Quantity: One}, CapabilityInactive},
		{"made to measure without the configurator module", without(ModuleConfigurator),
			AddLine{ProductID: blind, Quantity: One, Configuration: linen}, CapabilityInactive},
		{"capability ahead of variant", without(ModuleConfigurator), AddLine{ProductID: blind, VariantID: white, Quantity: One}, CapabilityInactive},
		{"variant omitted", nil, AddLine{ProductID: drill, Quantity: One}, ChooseVariant},
		{"variant omitted, all inactive", nil, AddLine{ProductID: faded, Quantity: One}, ChooseVariant},
		{"variant inactive", nil, AddLine{ProductID: drill, VariantID: red, Quantity: One}, VariantUnavailable},
		{"variant unknown", nil, AddLine{ProductID: drill, VariantID: nowhere, Quantity: One}, VariantUnavailable},
		{"variant is the nil UUID", nil, AddLine{ProductID: drill, VariantSent: true, Quantity: One}, VariantUnavailable},
		{"variant sent, all inactive", nil, AddLine{ProductID: faded, VariantID: testID(41), Quantity: One}, VariantUnavailable},
		{"variant for a product without", nil, AddLine{ProductID: tile, VariantID: white, Quantity: One}, NoVariants},
		{"nil variant for a product without", nil, AddLine{ProductID: tile, VariantSent: true, Quantity: One}, NoVariants},
		{"variant for made to measure", nil, AddLine{ProductID: blind, VariantID: white, Quantity: One}, ConfigurableHasNoVariants},
		{"variant ahead of configuration, made to measure", nil, AddLine{ProductID: blind, VariantSent: true, Quantity: One, Configuration: linen},
			ConfigurableHasNoVariants},
		{"variant ahead of configuration, standard", nil, AddLine{ProductID: drill, Quantity: One, Configuration: linen}, ChooseVariant},
		{"configuration missing", nil, AddLine{ProductID: blind, Quantity: One}, ConfigurationMissing},
		{"configuration for standard", nil, AddLine{ProductID: tile, Quantity: One, Configuration: linen}, NotConfigurable},
		{"configuration ahead of price", nil, AddLine{ProductID: bulk, Quantity: One, Configuration: linen}, NotConfigurable},
		{"the configurator's errors, ahead of whole number", nil, AddLine{ProductID: blind, Quantity: 2500, Configuration: &Selection{}}, emptyRefused},
		{"fraction of a configured piece", nil, AddLine{ProductID: blind, Quantity: 2500, Configuration: linen}, QuantityNotWhole},
		{"configured above the maximum", nil, AddLine{ProductID: blind, Quantity: many, Configuration: linen}, QuantityAboveMaximum},
		{"one configured line too many", fill, AddLine{ProductID: blind, Quantity: One, Configuration: linen}, LineLimitReached},
		{"no price at this quantity", nil, AddLine{ProductID: bulk, Quantity: 9 * One}, NotPurchasable},
		{"price ahead of whole number", nil, AddLine{ProductID: bulk, Quantity: 2500}, NotPurchasable},
		{"fraction of a piece", nil, AddLine{ProductID: tile, Quantity: 2500}, QuantityNotWhole},
		{"whole number ahead of maximum", nil, AddLine{ProductID: tile, Quantity: many + 500}, QuantityNotWhole},
		{"above the maximum", nil, AddLine{ProductID: tile, Quantity: many}, QuantityAboveMaximum},
		{"merged above the maximum", fill, AddLine{ProductID: cord, Quantity: 99*One + 1}, QuantityAboveMaximum},
		{"maximum ahead of line limit", fill, AddLine{ProductID: dear, Quantity: many}, QuantityAboveMaximum},
		{"one line too many", fill, AddLine{ProductID: dear, Quantity: One}, LineLimitReached},
		{"line limit ahead of total limit", fill, AddLine{ProductID: dear, Quantity: 100 * One}, LineLimitReached},
		{"total above the integer range", nil, AddLine{ProductID: dear, Quantity: 100 * One}, TotalLimitReached},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			if c.prepare != nil {
				c.prepare(s)
			}
			s.refuse(c.add, c.want)
			maxima := map[*Refusal]string{QuantityAboveMaximum: "100", LineLimitReached: "4", TotalLimitReached: "9007199254740991"}
			if want := maxima[c.want]; want != "" {
				if _, _, got := s.try(c.add); s.maximum(got, c.want) != want {
					t.Errorf("the maximum is %s, want %s", s.maximum(got, c.want), want)
				}
			}
		})
	}
}

func TestAddLineTakesItsSnapshots(t *testing.T) {
	for _, c := range []struct {
		rule             string
		product, variant uuid.UUID
		quantity         Quantity
		want             Line
	}{
		{"plain", tile, uuid.Nil, 2 * One, Line{Name: "Tile", SKU: "TILE", UnitPrice: 1000, Tax: 21e9}},
		{"decimal unit", cord, uuid.Nil, 1500, Line{Name: "Cord", SKU: "CORD", UnitPrice: 250, Tax: 9e9, Unit: UnitMetre}},
		{"the variant's own price and SKU", drill, white, 2 * One, Line{Name: "Drill", SKU: "DRILL-W", UnitPrice: 5500, Tax: 21e9}},
		{"a variant without either has the product's", drill, grey, 2 * One, Line{Name: "Drill", SKU: "DRILL", UnitPrice: 4000, Tax: 21e9}},
		{"no SKU, price 0", gift, uuid.Nil, One, Line{Name: "Gift"}},
		{"a product for quotes can be carried", special, uuid.Nil, One, Line{Name: "Special", UnitPrice: 100, Tax: 21e9}},
		{"exactly the maximum", cord, uuid.Nil, 100 * One, Line{Name: "Cord", SKU: "CORD", UnitPrice: 199, Tax: 9e9, Unit: UnitMetre}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			want := c.want
			want.ID, want.ProductID, want.VariantID, want.Quantity = testID(77), c.product, c.variant, c.quantity
			want.Born, want.Made = s.in.Next, s.in.Now
			got := s.do(AddLine{LineID: testID(77), ProductID: c.product, VariantID: c.variant, Quantity: c.quantity}).Lines
			if len(got) != 1 || got[0] != want {
				t.Errorf("got %+v; want %+v", got, want)
			}
		})
	}
}

// Spec: Line behaviour 1.
func TestAddLineMergesIntoTheSameCombination(t *testing.T) {
	s := newScene(t)
	s.do(s.addVariant(drill, white, One))
	s.do(s.addVariant(drill, grey, One))
	s.do(s.add(tile, 4*One))
	first := s.cart.Lines[2]
	s.shop.Product(tile).Name, s.shop.Product(tile).SKU, s.shop.Product(tile).Tax = "Slab", "SLAB", taxed(9e9)

	s.do(s.add(tile, 6*One))
	s.wantLine(0, One, 5500)
	s.wantLine(1, One, 5000)
	s.wantLine(2, 10*One, 900) // the tier of the merged quantity
	want := first
	want.Quantity, want.UnitPrice, want.Tax = 10*One, 900, 9e9
	if got := s.cart.Lines[2]; len(s.cart.Lines) != 3 || got != want {
		t.Errorf("got %d lines, %+v; want 3, %+v", len(s.cart.Lines), got, want)
	}
	s.do(s.addVariant(drill, grey, One))
	s.wantLine(1, 2*One, 4000)
}

// A configured line and a plain one of the same product are two combinations.
func TestAddLineDoesNotMergeIntoAConfiguredLine(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, One))
	s.cart.Lines[0].Configuration = &Configuration{Hash: [32]byte{1}}
	s.do(s.add(tile, One))
	s.wantLine(0, One, 1000)
	s.wantLine(1, One, 1000)
}

// Spec: Line behaviour 3. The price at the merged quantity, in the request's context.
func TestAddLinePricesTheMergedQuantityInItsContext(t *testing.T) {
	for _, c := range []struct {
		rule    string
		visitor Visitor
		adds    []Quantity
		want    Amount
	}{
		{"guest, no tier of another group", guest, []Quantity{4 * One, One}, 1000},
		{"guest, tier", guest, []Quantity{4 * One, 6 * One}, 900},
		{"trade, group tier", trade, []Quantity{4 * One, One}, 850},
		{"trade, the lowest of both tiers", trade, []Quantity{5 * One, 5 * One}, 850},
		{"a token that does not resolve is a guest", badToken, []Quantity{5 * One}, 1000},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.in.Visitor = c.visitor
			var sum Quantity
			for _, q := range c.adds {
				s.do(s.add(tile, q))
				sum += q
			}
			s.wantLine(0, sum, c.want)
		})
	}
}

func TestAddLineReachesAPriceByMerging(t *testing.T) {
	s := newScene(t)
	s.do(s.add(bulk, 10*One))
	s.do(s.add(bulk, One)) // alone it has no price
	s.wantLine(0, 11*One, 500)
}
