package commerce

import "testing"

func TestTimesRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		price    Amount
		quantity Quantity
		want     Amount
	}{
		{1999, 3 * One, 5997},
		{1, 499, 0},
		{1, 500, 1},
		{1, 1499, 1},
		{1, 1500, 2},
		{333, 2500, 833}, // 832.5
		{0, MaxQuantity, 0},
		{MaxAmount, One, MaxAmount},
		{MaxAmount, 500, 4_503_599_627_370_496}, // half of an odd number
	} {
		if got, ok := c.price.Times(c.quantity); got != c.want || !ok {
			t.Errorf("%d × %s = %d, %v; want %d", c.price, c.quantity, got, ok, c.want)
		}
	}
}

func TestTimesIsCutOffAtMaxAmount(t *testing.T) {
	for _, c := range []struct {
		price    Amount
		quantity Quantity
	}{
		{MaxAmount, One + 1},
		{MaxAmount, MaxQuantity},
		{MaxAmount, 2_048_001}, // the quotient has one bit more than 64
		{MaxAmount, 1<<63 - 1},
		{1<<63 - 1, 1<<63 - 1},
		{MaxAmount/2 + 1, 2 * One},
		{6_004_799_503_160_661, 1500}, // MaxAmount and a half
	} {
		if got, ok := c.price.Times(c.quantity); got != MaxAmount || ok {
			t.Errorf("%d × %s = %d, %v; want %d, false", c.price, c.quantity, got, ok, MaxAmount)
		}
	}
}

func TestTimesIsTheDecimalProduct(t *testing.T) {
	r := dice(t)
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
	r := dice(t)
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
