package commerce

import (
	"testing"

	"cartd/internal/dice"
)

// The borders of rounding, and of the greatest amount, at which a product is cut off.
func TestTimesAtItsBorders(t *testing.T) {
	for _, c := range []struct {
		price    Amount
		quantity Quantity
		want     Amount
		fits     bool
	}{
		{1, 499, 0, true},
		{1, 500, 1, true},
		{333, 2500, 833, true}, // 832.5
		{MaxAmount, One, MaxAmount, true},
		{MaxAmount, 500, 4_503_599_627_370_496, true}, // half of an odd number
		{MaxAmount, One + 1, MaxAmount, false},
		{MaxAmount, 2_048_001, MaxAmount, false}, // the quotient has one bit more than 64
		{1<<63 - 1, 1<<63 - 1, MaxAmount, false},
		{6_004_799_503_160_661, 1500, MaxAmount, false}, // MaxAmount and a half
	} {
		if got, fits := c.price.Times(c.quantity); got != c.want || fits != c.fits {
			t.Errorf("%d × %s = %d, %v; want %d, %v", c.price, c.quantity, got, fits, c.want, c.fits)
		}
	}
}

func TestTimesIsTheDecimalProduct(t *testing.T) {
	r := dice.New(t)
	for range 20_000 {
		price, quantity := Amount(upTo(r, int64(MaxAmount))), Quantity(upTo(r, int64(MaxQuantity)))
		exact := price.decimal().Mul(quantity.decimal()).Round(0)
		want, wantOK := MaxAmount, exact.LessThanOrEqual(maxAmount)
		if wantOK {
			want = halfUp(exact)
		}
		if got, ok := price.Times(quantity); got != want || ok != wantOK {
			t.Fatalf("%d × %s = %d, %v; want %d, %v", price, quantity, got, ok, want, wantOK)
		}
	}
}

func TestPercentIsTheDecimalShare(t *testing.T) {
	r := dice.New(t)
	for range 20_000 {
		amount, percent := Amount(upTo(r, int64(MaxAmount))), Percent(upTo(r, int64(Hundred)))
		want := halfUp(amount.decimal().Mul(percent.decimal()).Shift(-2))
		if got := amount.Percent(percent); got != want {
			t.Fatalf("%s %% of %d = %d; want %d", percent, amount, got, want)
		}
	}
}

func BenchmarkTimes(b *testing.B) {
	b.ReportAllocs()
	var sum Amount
	for i := range b.N {
		total, _ := Amount(1999).Times(Quantity(i & 0xffff))
		sum += total
	}
	if sum < 0 {
		b.Fatal("amounts are never negative")
	}
}
