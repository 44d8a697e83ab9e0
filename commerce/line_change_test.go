package commerce

import (
	"testing"

	"github.com/google/uuid"
)

// Spec: PATCH line errors.
func TestChangeLineRefusals(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, 2*One))
	s.do(s.add(dear, One))
	pieces, metres := s.cart.Lines[0].ID.String(), s.cart.Lines[1].ID.String()
	for _, c := range []struct {
		rule     string
		line     string
		quantity Quantity
		want     *Refusal
	}{
		{"line not in this cart", anID, One, NotFound("CartLine", anID)},
		{"line id that is none", "1", One, NotFound("CartLine", "1")},
		{"line ahead of quantity", anID, 101 * One, NotFound("CartLine", anID)},
		{"fraction of a piece", pieces, 2500, QuantityNotWhole},
		{"whole number ahead of maximum", pieces, 100*One + 1, QuantityNotWhole},
		{"above the maximum", pieces, 101 * One, QuantityAboveMaximum},
		{"above the maximum by a thousandth", metres, 100*One + 1, QuantityAboveMaximum},
		{"total above the integer range", metres, 100 * One, TotalLimitReached},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s.T = t
			s.refuse(ChangeLine{LineID: c.line, Quantity: c.quantity}, c.want)
		})
	}
}

// Spec: Line behaviour 4.
func TestChangeLineReprices(t *testing.T) {
	for _, c := range []struct {
		rule             string
		product, variant uuid.UUID
		prepare          func(*scene)
		visitor          Visitor
		quantity         Quantity
		want             Amount
	}{
		{"up into a tier", tile, uuid.Nil, nil, guest, 10 * One, 900},
		{"down out of a tier", cord, uuid.Nil, nil, guest, 500, 250},
		{"in the group's context", tile, uuid.Nil, nil, trade, 5 * One, 850},
		{"at the price of today", tile, uuid.Nil, func(s *scene) { s.shop.Product(tile).Prices.Base = price(1100) }, guest, 4 * One, 1100},
		{"kept: variant deactivated", drill, white, func(s *scene) { s.shop.Product(drill).Variants[0].Active = false }, guest, 3 * One, 42},
		{"kept: variant gone", drill, white, func(s *scene) { s.shop.Product(drill).Variants = nil }, guest, 3 * One, 42},
		{"kept: product not active", tile, uuid.Nil, func(s *scene) { s.shop.Product(tile).Active = false }, guest, 10 * One, 42},
		{"kept: product gone", tile, uuid.Nil, func(s *scene) { s.shop.Products = nil; s.shop.Index() }, guest, 10 * One, 42},
		{"kept: no price at this quantity", bulk, uuid.Nil, nil, guest, 9 * One, 42},
		{"kept: configured", tile, uuid.Nil, func(s *scene) { s.cart.Lines[0].Configuration = &Configuration{} }, guest, 10 * One, 42},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.do(s.addVariant(c.product, c.variant, 10*One))
			s.cart.Lines[0].UnitPrice = 42 // a price that the shop does not have
			if c.prepare != nil {
				c.prepare(s)
			}
			s.in.Visitor = c.visitor
			before := s.cart.Lines[0]
			s.do(ChangeLine{LineID: before.ID.String(), Quantity: c.quantity})
			s.wantLine(0, c.quantity, c.want)
			before.Quantity, before.UnitPrice = c.quantity, c.want
			if got := s.cart.Lines[0]; got != before {
				t.Errorf("got %+v; want %+v", got, before)
			}
		})
	}
}

func TestChangeLineUsesTheProductsCurrentUnit(t *testing.T) {
	s := newScene(t)
	s.do(s.add(cord, 1500))
	change := ChangeLine{LineID: s.cart.Lines[0].ID.String(), Quantity: 2500}
	s.shop.Product(cord).Unit = UnitPiece
	s.refuse(change, QuantityNotWhole)
	s.shop.Products = nil
	s.shop.Index()
	s.do(change) // gone: its last unit was the metre
	s.wantLine(0, 2500, 250)
}

func TestChangeLineFindsItsLineInAnyLetterCase(t *testing.T) {
	s := newScene(t)
	line := s.add(tile, One)
	line.LineID = uuid.MustParse(anID)
	s.do(line)
	s.do(ChangeLine{LineID: "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", Quantity: 3 * One})
	s.wantLine(0, 3*One, 1000)
}

// Spec: DELETE line errors.
func TestRemoveLineRefusals(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, One))
	for _, id := range []string{anID, "", "no id", testID(0xca).String()} {
		s.refuse(RemoveLine{id}, NotFound("CartLine", id))
	}
}

func TestRemoveLineLeavesTheOthersInTheirOrder(t *testing.T) {
	for at, want := range [][]uuid.UUID{{cord, gift}, {tile, gift}, {tile, cord}} {
		s := newScene(t)
		for _, p := range []uuid.UUID{tile, cord, gift} {
			s.do(s.add(p, One))
		}
		s.do(RemoveLine{s.cart.Lines[at].ID.String()})
		if l := s.cart.Lines; len(l) != 2 || l[0].ProductID != want[0] || l[1].ProductID != want[1] {
			t.Errorf("without line %d: %+v; want %v", at, l, want)
		}
	}
}

// After every import a line can be removed, also if the cart exceeds the maximum total.
func TestRemoveLineIsNotStoppedByTheTotal(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, One))
	s.do(s.add(gift, One))
	s.cart.Lines[0].UnitPrice, s.cart.Lines[1].UnitPrice = MaxAmount, MaxAmount
	s.refuse(s.add(tile, 100*One), QuantityAboveMaximum)
	s.do(RemoveLine{s.cart.Lines[1].ID.String()})
	s.wantLine(0, One, MaxAmount)
}
