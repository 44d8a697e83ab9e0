package commerce

import (
	"math/rand/v2"
	"testing"

	"cartd/internal/dice"
)

func TestSplitTaxRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		sum       Amount
		rate      Percent
		included  bool
		base, tax Amount
	}{
		{1999, 21e9, true, 1652, 347}, // 346.93
		{1, 100e9, true, 0, 1},        // 0.5
		{50, 9e9, false, 50, 5},       // 4.5
		{MaxAmount, 100e9, true, 4_503_599_627_370_495, 4_503_599_627_370_496},
		{MaxAmount, 100e9, false, MaxAmount, MaxAmount},
	} {
		if base, tax := splitTax(c.sum, c.rate, c.included); base != c.base || tax != c.tax {
			t.Errorf("%d at %s %%, included %v: %d + %d; want %d + %d", c.sum, c.rate, c.included, base, tax, c.base, c.tax)
		}
	}
}

func TestSplitTaxIsTheDecimalOne(t *testing.T) {
	r := dice.New(t)
	for range 20_000 {
		sum, rate, included := Amount(upTo(r, int64(MaxAmount))), someRate(r), r.IntN(2) == 0
		wantBase, wantTax := modelTax(sum, rate, included)
		if base, tax := splitTax(sum, rate, included); base != wantBase || tax != wantTax {
			t.Fatalf("%d at %s %%, included %v: %d + %d; want %d + %d", sum, rate, included, base, tax, wantBase, wantTax)
		}
	}
}

// modelTax is the rule of the store document in decimals.
func modelTax(sum Amount, rate Percent, included bool) (base, tax Amount) {
	share := sum.decimal().Mul(rate.decimal())
	if included {
		tax = halfUp(share.DivRound(hundred.Add(rate.decimal()), 0))
		return sum - tax, tax
	}
	return sum, halfUp(share.Shift(-2))
}

func someRate(r *rand.Rand) Percent {
	usual := []Percent{0, 21e9, 9e9, 5_500_000_000, Hundred}
	if r.IntN(2) == 0 {
		return usual[r.IntN(len(usual))]
	}
	return Percent(upTo(r, int64(Hundred)))
}
