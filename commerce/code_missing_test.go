package commerce

import (
	"slices"
	"testing"

	"github.com/google/uuid"
)

// An explanation says what the cart lacks for each code that has no effect, and nothing of one that applies or that no change helps.
func TestExplainSaysWhatACodeLacks(t *testing.T) {
	minimum, other := Amount(5000), testID(0xee)
	range1 := ProductRange{ProductIDs: []uuid.UUID{drill}}
	buy := BogoBuy{range1, 5 * One}
	get := func(of ...uuid.UUID) BogoGet { return BogoGet{ProductRange{ProductIDs: of}, 2 * One, 50e9} }
	half := DiscountValue{Percent: 50e9}
	for name, c := range map[string]struct {
		discount Discount
		want     *CodeMissing
	}{
		"applies":        {Discount{Kind: DiscountOrder, Value: half}, nil},
		"an amount":      {Discount{Kind: DiscountOrder, Value: half, MinOrder: &minimum}, &CodeMissing{Kind: MissingAmount, Amount: 2000}},
		"a product":      {Discount{Kind: DiscountProducts, Value: half, ProductRange: range1}, &CodeMissing{Kind: MissingProducts, Quantity: One, Range: range1}},
		"what is bought": {Discount{Kind: DiscountBogo, Buy: buy, Get: get(tile)}, &CodeMissing{Kind: MissingProducts, Quantity: 5 * One, Range: range1}},
		"what is reduced": {Discount{Kind: DiscountBogo, Buy: BogoBuy{ProductRange{}, One}, Get: get(drill)},
			&CodeMissing{Kind: MissingProducts, Quantity: 2 * One, Range: range1}},
		"a group":      {Discount{Kind: DiscountOrder, Value: half, GroupIDs: []uuid.UUID{other}}, &CodeMissing{Kind: MissingGroup}},
		"other offers": {Discount{Kind: DiscountOrder, Value: half, Exclusive: true}, nil},
		"nothing":      {Discount{Kind: DiscountOrder, Value: half, EndsAt: noon}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			c.discount.ID, c.discount.Code, c.discount.Active = testID(0xd1), "CODE", true
			s.shop.Discounts = []Discount{c.discount}
			if c.discount.Exclusive {
				s.shop.Discounts = append(s.shop.Discounts, Discount{ID: testID(0xd2), Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 60e9}})
			}
			s.shop.Index()
			s.cart.Lines = []Line{{ID: testID(1), ProductID: tile, Quantity: 3 * One, UnitPrice: 1000}}
			s.cart.Codes = []AttachedCode{{Code: "code"}}
			got := Explain(s.cart, s.shop, guest, noon, nil).Codes[0].Missing
			if (got == nil) != (c.want == nil) || got != nil && (got.Kind != c.want.Kind || got.Amount != c.want.Amount ||
				got.Quantity != c.want.Quantity || !slices.Equal(got.Range.ProductIDs, c.want.Range.ProductIDs)) {
				t.Errorf("the code lacks %+v, want %+v", got, c.want)
			}
		})
	}
}
