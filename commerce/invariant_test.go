package commerce

import "testing"

// An amount that is off by one breaks each invariant.
func TestABrokenInvariantIsFound(t *testing.T) {
	for _, c := range []struct {
		want  Invariant
		spoil func(*Evaluation)
	}{
		{SubtotalAndTax, func(e *Evaluation) { e.Total++ }},
		{LinesAddUp, func(e *Evaluation) { e.LineTotals[0]++ }},
		{DiscountsAddUp, func(e *Evaluation) { e.DiscountTotal++ }},
		{DiscountsAddUp, func(e *Evaluation) { e.Discounts[0].Amount-- }},
		{BreakdownAddsUp, func(e *Evaluation) { e.Breakdown[0].Base++ }},
		{NothingNegative, func(e *Evaluation) { e.LineTotals[0] -= 3000; e.LineTotals[1] += 3000 }},
	} {
		for _, included := range []bool{true, false} {
			auto := coded(DiscountOrder)
			auto.Code = ""
			s := withCode(t, auto)
			s.shop.PricesIncludeTax = included
			s.do(s.add(gift, One))
			e := s.evaluate()
			if broken, is := e.Broken(); is {
				t.Fatalf("%s does not hold of %+v", broken, e)
			}
			c.spoil(e)
			if broken, is := e.Broken(); !is || broken != c.want {
				t.Errorf("included %v: found %v %v; want %s", included, broken, is, c.want)
			}
			if e.Overflow = true; true {
				if broken, is := e.Broken(); is {
					t.Errorf("%s is said of a cart that is cut off", broken)
				}
			}
		}
	}
}

// The invariants know exemptions: the home tax came off the listed amounts.
func TestABrokenInvariantOfAnExemptCartIsFound(t *testing.T) {
	for _, included := range []bool{true, false} {
		for _, c := range []struct {
			want  Invariant
			spoil func(*Evaluation)
		}{
			{LinesAddUp, func(e *Evaluation) { e.LineTotals[0]++ }},
			{BreakdownAddsUp, func(e *Evaluation) { e.Breakdown[0].Base++ }},
			{ExemptWithoutTax, func(e *Evaluation) { e.Breakdown = append(e.Breakdown, TaxRow{}) }},
		} {
			s := taxScene(t)
			s.shop.PricesIncludeTax = included
			s.keepCountry("CH")
			e := s.evaluate()
			c.spoil(e)
			if broken, is := e.Broken(); !is || broken != c.want {
				t.Errorf("included %v: found %v %v; want %s", included, broken, is, c.want)
			}
		}
	}
}
