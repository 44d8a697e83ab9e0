package commerce

import (
	"testing"
)

// An order keeps what its lines were on that day: the variant's name, the unit, and what their
// delivery depends on.
func TestOrderLinesFreezeTheProduct(t *testing.T) {
	s := newScene(t)
	s.shop.Product(tile).Unit, s.shop.Product(tile).RequiresShipping, s.shop.Product(tile).Weight = UnitHour, true, grams(2500)
	s.shop.Product(drill).Weight, s.shop.Product(drill).Variant(white).Name = grams(1800), "White"
	s.shop.Product(drill).Variant(grey).Weight = grams(0)
	s.cart.Lines = []Line{
		{ProductID: tile, Quantity: One, Unit: UnitMetre}, {ProductID: drill, VariantID: white, Quantity: One},
		{ProductID: drill, VariantID: grey, Quantity: One}, {ProductID: drill, VariantID: nowhere, Quantity: One},
		{ProductID: nowhere, Quantity: One, Unit: UnitLitre},
	}
	var e Evaluation
	e.Evaluate(s.cart, s.shop, guest, noon)
	for i, want := range []struct {
		variant string
		unit    Unit
		freight Freight
	}{
		{"", UnitHour, Freight{RequiresShipping: true, UnitWeight: 2500}},
		{"White", UnitPiece, Freight{UnitWeight: 1800}},
		{"", UnitPiece, Freight{}},
		{"", UnitPiece, Freight{UnitWeight: 1800}},
		{"", UnitLitre, Freight{RequiresShipping: true}}, // gone
	} {
		if l := e.goods(s.shop).Lines[i]; l.VariantName != want.variant || l.Unit != want.unit || l.Freight != want.freight {
			t.Errorf("line %d: %q, %s, %+v; want %+v", i, l.VariantName, l.Unit, l.Freight, want)
		}
	}
}

// An order knows the basis of its prices, also one whose tax is 0: a free one, and one of a few cents.
func TestOrderKnowsTheBasisOfItsPrices(t *testing.T) {
	for _, total := range []Amount{0, 1, 1000} {
		for _, included := range []bool{true, false} {
			o := &Order{}
			o.fill(&Goods{Lines: []OrderLine{{Total: total, TaxRate: 21e9}}}, nil, Taxation{Included: included})
			if o.Tax.Included != included {
				t.Errorf("prices include tax: %v, want %v, of a total of %d", o.Tax.Included, included, total)
			}
		}
	}
}
