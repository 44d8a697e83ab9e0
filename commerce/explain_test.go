package commerce

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// Every step's division holds, and the steps add up to the cart's amounts.
func TestTheStepsOfAnExplanationAddUp(t *testing.T) {
	r := dice.New(t)
	var e Evaluation
	for range 5_000 {
		s, c := someDiscounts(r)
		visitor := []Visitor{guest, trade}[r.IntN(2)]
		e.Evaluate(c, s, visitor, noon)
		x := Explain(c, s, visitor, noon, nil)
		left := map[uuid.UUID]Amount{}
		for i := range x.Lines {
			holds(t, &x.Lines[i].Division)
			if left[x.Lines[i].Line.ID] = x.Lines[i].Amount; rounded(&x.Lines[i].Division) != x.Lines[i].Amount {
				t.Fatalf("line %+v", x.Lines[i])
			}
		}
		follow(t, x.Discounts, left)
		var base, tax, lines Amount
		for i, step := range x.Taxes {
			holds(t, &step.Division)
			whole := step.Base
			if s.PricesIncludeTax {
				whole += step.Tax
			}
			if whole != step.Sum || rounded(&step.Division) != step.Tax || (TaxRow{step.Rate, step.Base, step.Tax}) != e.Breakdown[i] {
				t.Fatalf("tax %+v; the cart shows %+v", step, e.Breakdown[i])
			}
			base, tax = base+step.Base, tax+step.Tax
		}
		for i := range c.Lines {
			if left[c.Lines[i].ID] != e.LineTotals[i] {
				t.Fatalf("line %d ends at %d; the cart shows %d", i, left[c.Lines[i].ID], e.LineTotals[i])
			}
			lines += x.Lines[i].Amount
		}
		want := TotalsStep{lines, e.DiscountTotal, base, tax, base + tax}
		if x.Totals != want || e.Total != base+tax || !sameErrors(x.Codes, e.CodeErrors) {
			t.Fatalf("totals %+v and codes %+v; want %+v, %q", x.Totals, x.Codes, want, e.CodeErrors)
		}
		chosen(t, x)
	}
}

// chosen looks at the step of the exclusive discounts: the first of the greatest alternatives is what the steps of
// the discounts take off.
func chosen(t *testing.T, x *Explanation) {
	t.Helper()
	if x.Exclusive == nil {
		if slices.ContainsFunc(x.Discounts, func(d DiscountStep) bool { return d.Discount.Exclusive }) {
			t.Fatalf("an exclusive discount without a choice: %+v", x.Discounts)
		}
		return
	}
	all := x.Exclusive.Alternatives
	best := 0
	for i := range all {
		if all[i].Amount > all[best].Amount {
			best = i
		}
	}
	for i := range all {
		if all[i].Chosen != (i == best) || (all[i].Discount == nil) != (i == 0) {
			t.Fatalf("alternatives %+v", all)
		}
	}
	var amount Amount
	for _, d := range x.Discounts {
		amount += d.Amount
		if d.Discount.Exclusive != (best > 0) && !d.Discount.Kind.OfDelivery() || d.Discount.Exclusive && d.Discount != all[best].Discount {
			t.Fatalf("discount %+v beside the choice %+v", d.Discount, all[best])
		}
	}
	if amount != all[best].Amount || amount != x.Totals.DiscountTotal {
		t.Fatalf("the discounts take off %d, the choice %d, the total %d", amount, all[best].Amount, x.Totals.DiscountTotal)
	}
}

func sameErrors(steps []ExplainedCode, errors []string) bool {
	return slices.EqualFunc(steps, errors, func(s ExplainedCode, err string) bool { return s.Error == err })
}

// An explanation lists at most maxShares shares, of all discounts or of one of them. The amounts stay.
func TestTheSharesOfAnExplanationAreBounded(t *testing.T) {
	for _, discounts := range []int{50, 51} {
		s := newScene(t)
		for i := range discounts {
			s.shop.Discounts = append(s.shop.Discounts, Discount{ID: testID(0xd000 + i), Kind: DiscountProducts, Active: true, Value: DiscountValue{Percent: 1e9}})
		}
		s.shop.Index()
		for i := range maxShares / 50 {
			s.cart.Lines = append(s.cart.Lines, Line{ID: testID(0x1000 + i), ProductID: tile, Quantity: One, UnitPrice: 1_000_000})
		}
		var e Evaluation
		e.Evaluate(s.cart, s.shop, guest, noon)
		one, unknown := testID(0xd007), testID(0xdead)
		for _, only := range []*uuid.UUID{nil, &one, &unknown} {
			x := Explain(s.cart, s.shop, guest, noon, only)
			for i, step := range x.Discounts {
				listed := only == nil && discounts == 50 || only != nil && step.Discount.ID == *only
				if (step.Shares != nil) != listed || listed && len(step.Shares) != len(s.cart.Lines) || step.Amount != e.Discounts[i].Amount || step.Amount == 0 {
					t.Fatalf("of %d discounts, only %v: discount %d lists %d shares of %d", discounts, only, i, len(step.Shares), step.Amount)
				}
			}
			if len(x.Discounts) != discounts {
				t.Errorf("%d discounts of %d", len(x.Discounts), discounts)
			}
		}
	}
}

// follow subtracts each discount from the rest of the lines.
func follow(t *testing.T, steps []DiscountStep, left map[uuid.UUID]Amount) {
	t.Helper()
	for _, step := range steps {
		var before, amount Amount
		for _, a := range left {
			before += a
		}
		for i := range step.Shares {
			share := &step.Shares[i]
			rounded := share.Before
			if all := new(big.Int).Add(share.Quotient, big.NewInt(share.Extra)); all.Cmp(big.NewInt(int64(rounded))) < 0 {
				rounded = Amount(all.Int64())
			}
			holds(t, &share.Division)
			if share.Amount != rounded || share.Before != left[share.Line.ID] || share.After != share.Before-share.Amount {
				t.Fatalf("share %+v of %d", *share, left[share.Line.ID])
			}
			left[share.Line.ID] = share.After
			amount += share.Amount
		}
		if step.Before != before || step.Amount != amount || step.Whole != nil && rounded(step.Whole) != amount {
			t.Fatalf("discount %+v; want %d off %d", step, amount, before)
		}
		if b := step.Bogo; b != nil && (int64(b.Bought/b.Minimum) != b.Times || b.Units > Quantity(b.Times)*b.Each) {
			t.Fatalf("bogo %+v", *b)
		}
	}
}

// Steps hold also if the product of two of their numbers exceeds 64 bits.
func TestStepsHoldAtAnySize(t *testing.T) {
	for name, d := range map[string]Discount{
		"a fixed amount of every unit": {Kind: DiscountProducts, Active: true, Value: DiscountValue{Fixed: true, Amount: 1_000_000_000_000}},
		"a percentage with nine decimals": {
			Kind: DiscountBogo, Active: true, Buy: BogoBuy{MinQuantity: One}, Get: BogoGet{Quantity: 300_000 * One, Percent: 33_333_333_333},
		},
	} {
		s := newScene(t)
		s.shop.Discounts = []Discount{d}
		s.shop.Index()
		s.cart.Lines = []Line{{ID: testID(1), ProductID: tile, Quantity: 20_000_000 * One, UnitPrice: 3}}
		x := Explain(s.cart, s.shop, guest, noon, nil)
		if len(x.Discounts) != 1 || len(x.Discounts[0].Shares) != 1 {
			t.Fatalf("%s: %+v", name, x.Discounts)
		}
		follow(t, x.Discounts, map[uuid.UUID]Amount{testID(1): x.Lines[0].Amount})
		share := &x.Discounts[0].Shares[0].Division
		if share.Multiply.IsInt64() && share.Quotient.IsInt64() {
			t.Errorf("%s: %+v fits", name, *share)
		}
	}
}

func holds(t *testing.T, d *Division) {
	t.Helper()
	left := new(big.Int).Mul(d.Of, d.Multiply)
	right := new(big.Int).Mul(d.Quotient, d.Divide)
	right.Add(right, d.Remainder)
	if left.Cmp(right) != 0 || d.Remainder.Sign() < 0 || d.Remainder.Cmp(d.Divide) >= 0 || d.Extra>>1 != 0 {
		t.Fatalf("%+v does not hold", *d)
	}
}

func rounded(d *Division) Amount { return Amount(d.Quotient.Int64() + d.Extra) }

// docs/api/discounts.md#explain: the origin of a line's price.
func TestOriginOfALinesPrice(t *testing.T) {
	s := newScene(t)
	other := Visitor{Known: true, GroupID: otherGroup}
	for _, c := range []struct {
		rule   string
		who    Visitor
		line   Line
		source PriceSource
		tier   Quantity
	}{
		{"base", guest, Line{ProductID: tile, Quantity: One, UnitPrice: 1000}, FromBase, 0},
		{"group", trade, Line{ProductID: tile, Quantity: One, UnitPrice: 950}, FromGroup, 0},
		{"tier", guest, Line{ProductID: tile, Quantity: 10 * One, UnitPrice: 900}, FromTier, 10 * One},
		{"a group's tier", trade, Line{ProductID: tile, Quantity: 5 * One, UnitPrice: 850}, FromTier, 5 * One},
		{"a tier of another group", other, Line{ProductID: tile, Quantity: 5 * One, UnitPrice: 850}, FromStored, 0},
		{"a tier that is not reached", guest, Line{ProductID: tile, Quantity: 9 * One, UnitPrice: 900}, FromStored, 0},
		{"the base that the group's price replaces", trade, Line{ProductID: tile, Quantity: One, UnitPrice: 1000}, FromStored, 0},
		{"a price of yesterday", guest, Line{ProductID: tile, Quantity: One, UnitPrice: 1001}, FromStored, 0},
		{"variant", guest, Line{ProductID: drill, VariantID: white, Quantity: One, UnitPrice: 5500}, FromVariant, 0},
		{"a variant without prices", guest, Line{ProductID: drill, VariantID: grey, Quantity: 2 * One, UnitPrice: 4000}, FromTier, 2 * One},
		{"a variant's price of yesterday", guest, Line{ProductID: drill, VariantID: white, Quantity: One, UnitPrice: 5000}, FromStored, 0},
		{"a variant that is gone", guest, Line{ProductID: drill, VariantID: nowhere, Quantity: One, UnitPrice: 5000}, FromStored, 0},
		{"a product that is gone", guest, Line{ProductID: nowhere, Quantity: One, UnitPrice: 5000}, FromStored, 0},
		{"configuration", guest, Line{ProductID: blind, Quantity: One, UnitPrice: 5, Configuration: &Configuration{Breakdown: []PricePart{{"a", 2}, {"b", 3}}}},
			FromConfiguration, 0},
	} {
		cart := NewCart(cartID, noon)
		cart.Lines = []Line{c.line}
		got := Explain(cart, s.shop, c.who, noon.Add(time.Minute), nil).Lines[0].From
		if got != (PriceOrigin{c.source, c.tier}) {
			t.Errorf("%s: %s from %s on; want %s from %s on", c.rule, got.Source, got.Tier, c.source, c.tier)
		}
	}
}

// Without the customers module a token decides what cart and explain show, as ever. A checkout ignores it,
// and so do the deliveries, the kept checkout and the checks: they say what the order will be.
func TestATokenWithoutTheCustomersModule(t *testing.T) {
	for _, on := range []bool{true, false} {
		s := checkoutScene(t)
		s.shop.Product(tile).RequiresShipping = true
		s.shop.Policy.LinePrices, s.shop.Policy.Audience = FollowPrices, "b2b_only"
		goods, order := Amount(950), Amount(950+695)
		refusal := ""
		if !on {
			s.shop.Modules &^= 1 << ModuleCustomers
			order, refusal = 1000+695, LoginRequired.Code
		}
		s.in.Visitor = trade
		if e := s.evaluate(); e.Total != goods {
			t.Errorf("module %v: the cart comes to %d, want %d", on, e.Total, goods)
		}
		if got := Explain(s.cart, s.shop, trade, s.in.Now, nil).Totals.Total; got != goods {
			t.Errorf("module %v: explain comes to %d, want %d", on, got, goods)
		}
		code := ""
		for _, check := range CheckoutChecks(s.cart, s.shop, trade, s.in.Now, nil) {
			code = check.Code
		}
		if code != refusal {
			t.Errorf("module %v: the checks name %q, want %q", on, code, refusal)
		}
		s.shop.Policy.Audience = "both"
		if got := DeliveryOptions(s.cart, s.shop, trade, s.in.Now, nil); len(got) != 1 || got[0].OrderTotal != order {
			t.Errorf("module %v: the deliveries are %+v, want the total %d", on, got, order)
		}
		s.do(keepAll())
		if got := PrepareCheckout(s.cart, s.shop, trade, s.in.Now).Totals.Total; got != order {
			t.Errorf("module %v: the kept checkout comes to %d, want %d", on, got, order)
		}
		if _, effects, r := s.try(&Checkout{OrderID: orderID}); r != nil || effects.Sale.Order.Totals.Total != order {
			t.Errorf("module %v: the order is %+v, %v; want %d", on, effects.Sale, r, order)
		}
	}
}
