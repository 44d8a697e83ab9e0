package commerce

import (
	"math/rand/v2"

	"github.com/shopspring/decimal"
)

// upTo returns a number from 0 to limit of a random length, so that small and
// large ones are equally likely.
func upTo(r *rand.Rand, limit int64) int64 {
	n := r.Int64N(limit + 1)
	for range r.IntN(16) {
		n /= 10
	}
	return n
}

// The slow, obvious model: every type is a decimal of its own unit.

func (a Amount) decimal() decimal.Decimal   { return decimal.NewFromInt(int64(a)) }
func (q Quantity) decimal() decimal.Decimal { return decimal.New(int64(q), -3) }
func (p Percent) decimal() decimal.Decimal  { return decimal.New(int64(p), -9) }

var (
	hundred   = decimal.NewFromInt(100)
	maxAmount = MaxAmount.decimal()
)

// halfUp rounds to a whole number. The numbers are never negative, so rounding up is away from
// zero.
func halfUp(d decimal.Decimal) Amount { return Amount(d.Round(0).IntPart()) }

// taxed is a tax rate without countries.
func taxed(rate Percent) *TaxRate { return &TaxRate{Rate: rate} }
