package commerce

import (
	"slices"
	"testing"

	"cartd/internal/dice"
)

// packScene is a shop whose tile is sold in a pack.
func packScene(t *testing.T, pack Pack) *scene {
	s := newScene(t)
	s.shop.Product(tile).Pack = &pack
	return s
}

// ofTwelve is the pack of the examples.
var ofTwelve = Pack{Min: 12 * One, Max: 60 * One, Step: 6 * One}

// wantFault runs a command that must be refused with one text for quantity, or for a path, and no code.
func (s *scene) wantFault(cmd cartCommand, field, text string) {
	s.Helper()
	_, _, r := s.try(cmd)
	if r == nil || r.Kind != Invalid || r.Code != "" || r.Message != text || len(r.Fields) != 1 || r.Fields[0].Field != field ||
		!slices.Equal(r.Fields[0].Texts(), []string{text}) {
		s.Errorf("%#v: got %s; want %s: %s", cmd, inWords(r), field, text)
	}
}

// docs/api/lines.md#packs, with its numbers.
func TestQuantitiesOfPacks(t *testing.T) {
	s := packScene(t, ofTwelve)
	s.wantFault(s.add(tile, 6*One), "quantity", "The quantity field must be at least 12.")
	s.wantFault(s.add(tile, 15*One), "quantity", "The quantity field must be a multiple of 6.")
	s.wantFault(s.add(tile, 66*One), "quantity", "The quantity field must not be greater than 60.")
	s.refuse(s.add(tile, 12_500), QuantityNotWhole)
	line := s.do(s.add(tile, 12*One)).Lines[0].ID.String()
	s.wantFault(s.add(tile, 3*One), "quantity", "The quantity field must be a multiple of 6.")
	s.do(s.add(tile, 6*One))
	s.wantLine(0, 18*One, 900)
	s.wantFault(s.add(tile, 48*One), "quantity", "The quantity field must not be greater than 60.")

	set := func(q Quantity) ChangeLine { return ChangeLine{LineID: line, Quantity: q} }
	s.wantFault(set(6*One), "quantity", "The quantity field must be at least 12.")
	s.wantFault(set(20*One), "quantity", "The quantity field must be a multiple of 6.")
	s.refuse(set(500), QuantityNotWhole)
	s.shop.Policy.MaxQuantityPerLine = 20 * One
	s.wantFault(set(66*One), "quantity", "The quantity field must not be greater than 60.") // ahead of the store's maximum
	s.refuse(set(24*One), QuantityAboveMaximum)
	s.do(set(12 * One))
}

func TestEntriesOfABatchAreJudgedAsPacksInTurn(t *testing.T) {
	s := packScene(t, ofTwelve)
	batch := func(all ...Quantity) (b AddLines) {
		for i, q := range all {
			l := s.add(tile, q)
			l.LineID = testID(0x4000 + i)
			b = append(b, BatchedAdd{AddLine: l})
		}
		return b
	}
	_, _, r := s.try(batch(6*One, 6*One))
	if len(r.Fields) != 2 || r.Fields[0].Field != "lines.0.quantity" || r.Fields[1].Field != "lines.1.quantity" ||
		r.Fields[1].Texts()[0] != "The lines.1.quantity field must be at least 12." {
		t.Errorf("a batch of 6 and 6: %s", inWords(r))
	}
	s.do(batch(12*One, 6*One))
	s.wantLine(0, 18*One, 900)

	basket := Basket{Lines: batch(12*One, 3*One, 6*One)}
	var e Evaluation
	priced := basket.Price(&e, s.shop, guest, nil, noon)
	if rows := priced.Rows; rows[0].Line == nil || rows[0].Line.Quantity != 18*One || rows[2].SameAs != 0 || rows[1].Refused == nil ||
		rows[1].Refused.Message != "The quantity field must be a multiple of 6." {
		t.Errorf("rows of a basket %+v", rows)
	}
}

// The later of two simultaneous adds and the sum of a claim are clamped to the greatest quantity of both maxima.
func TestPacksClamp(t *testing.T) {
	s := packScene(t, Pack{Step: 6 * One})
	s.shop.Policy.MaxQuantityPerLine = 20 * One
	other := other(0x100, 1)
	foreign := &scene{T: t, shop: s.shop, cart: other, in: s.in}
	foreign.do(foreign.add(tile, 12*One))
	s.in.Visitor = ada
	s.do(s.add(tile, 12*One))
	s.in.Others = []*Cart{foreign.cart}
	s.do(ClaimCart{})
	s.wantLine(0, 18*One, 900)
	if clamped := s.effects.Claim.Report[0].Clamped; len(clamped) != 1 || clamped[0].Requested != 24*One || clamped[0].Kept != 18*One {
		t.Errorf("the claim reports %+v", clamped)
	}

	s = packScene(t, Pack{Step: 6 * One})
	s.shop.Policy.MaxQuantityPerLine = 20 * One
	add := s.add(tile, 12*One)
	s.do(add)
	s.in.Seen = 0 // the connection has carried no answer
	s.do(add)
	s.wantLine(0, 18*One, 900)
	s.refuse(add, QuantityAboveMaximum) // a later one
	for _, pack := range []Pack{{Min: 18 * One, Step: 6 * One, Max: 16 * One}, {Step: 30 * One}} {
		s.shop.Product(tile).Pack = &pack
		s.in.Seen = 0
		s.refuse(s.add(tile, 12*One), QuantityAboveMaximum)
	}
	s.shop.Product(tile).Pack = &Pack{Max: 17 * One}
	s.in.Seen = 0
	s.do(s.add(tile, One))
	s.wantLine(0, 17*One, 900)
}

// A claim changes no sum within the maxima, and lowers no line; the checkout judges the sum.
func TestACheckoutRefusesALineThatNoPackHas(t *testing.T) {
	s := newScene(t)
	s.in.Visitor = ada
	s.do(s.add(tile, 4*One))
	foreign := &scene{T: t, shop: s.shop, cart: other(0x100, 1), in: s.in}
	foreign.do(foreign.add(tile, 4*One))
	s.shop.Product(tile).Pack = &Pack{Step: 6 * One}
	s.in.Others = []*Cart{foreign.cart}
	s.do(ClaimCart{})
	s.in.Others = nil
	s.wantLine(0, 8*One, 1000)
	s.wantFault(&Checkout{OrderID: testID(1), CheckoutForm: CheckoutForm{Email: "a@b"}}, "lines.0.quantity", "The lines.0.quantity field must be a multiple of 6.")
	checks := CheckoutChecks(s.cart, s.shop, ada, noon, nil)
	if len(checks) != 1 || checks[0].Code != "" || checks[0].Message != "The quantity field must be a multiple of 6." || checks[0].LineID != s.cart.Lines[0].ID {
		t.Errorf("checks %+v", checks)
	}
	d := s.evaluate().LineDetails(s.shop, s.shop.PriceView(&ada, Country{}, noon), 0, nil)
	if d.Refused == nil || d.Refused.Reason() != "The quantity field must be a multiple of 6." || d.Pack() != (Pack{Step: 6 * One}) {
		t.Errorf("details %+v", d)
	}
	if e := s.evaluate(); e.Total != 8000 {
		t.Errorf("it costs %d", e.Total)
	}
	copied := CopyOfCart(s.cart)
	if _, left, r := copied.Make(testID(0xc0), &s.in); r != nil || len(left) != 1 || left[0].Reason != "The quantity field must be a multiple of 6." {
		t.Errorf("a copy leaves out %+v, %v", left, r)
	}
	s.do(ChangeLine{LineID: s.cart.Lines[0].ID.String(), Quantity: 12 * One})
	s.do(&Checkout{OrderID: testID(1), CheckoutForm: CheckoutForm{Email: "a@b"}})
}

// A product made to measure has packs, too; a line whose product is gone has none.
func TestPacksOfProductsMadeToMeasure(t *testing.T) {
	s := newScene(t)
	s.shop.Product(blind).Pack = &Pack{Min: 2 * One}
	add := s.add(blind, One)
	add.Configuration = linen
	s.wantFault(add, "quantity", "The quantity field must be at least 2.")
	add.Quantity = 2 * One
	s.do(add)
	s.shop.Products = nil
	s.shop.Index()
	s.do(ChangeLine{LineID: s.cart.Lines[0].ID.String(), Quantity: One})
}

// slowPack is the rule of a pack by counting its quantities up, in thousandths.
func slowPack(p Pack, q Quantity) bool {
	if p.Min > 0 && q < p.Min || p.Max > 0 && q > p.Max {
		return false
	}
	for n := p.Step; p.Step > 0 && n <= q; n += p.Step {
		if n == q {
			return true
		}
	}
	return p.Step == 0
}

// slowGreatest tries every quantity.
func slowGreatest(p Pack, limit Quantity) Quantity {
	for q := limit; q > 0; q-- {
		if slowPack(p, q) {
			return q
		}
	}
	return 0
}

// Random packs, line by line: adds, changes and clamps are those of a count.
func TestPacksMatchACount(t *testing.T) {
	r := dice.New(t)
	for range 3000 {
		small := func(p int) Quantity { return Quantity(r.IntN(3)/2*r.IntN(p)) * 100 }
		pack, limit := Pack{Step: small(30)}, Quantity(1+r.IntN(60))*100
		if step := max(pack.Step, 100); true {
			pack.Min = Quantity(r.IntN(4)) * step
			if r.IntN(2) == 0 {
				pack.Max = pack.Min + Quantity(1+r.IntN(4))*step
			}
		}
		q := Quantity(1+r.IntN(60)) * 100
		if got, want := (&pack).refuse(q) == nil, slowPack(pack, q); got != want {
			t.Fatalf("%+v takes %s: %v, want %v", pack, q, got, want)
		}
		if got, want := pack.Greatest(limit), slowGreatest(pack, limit); got != want {
			t.Fatalf("%+v in a store of %s: %s, want %s", pack, limit, got, want)
		}
	}
	var none *Pack
	if none.refuse(1) != nil || none.Greatest(7) != 7 || none.Of() != (Pack{}) {
		t.Error("no pack restricts a quantity")
	}
}
