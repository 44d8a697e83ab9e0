package commerce

import (
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"cartd/internal/dice"
)

func TestParseWhole(t *testing.T) {
	const maximum, minimum = math.MaxInt64, math.MinInt64
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"1200", 1200, true}, {"1200.0", 1200, true}, {"1200.000", 1200, true}, {"1.2e3", 1200, true}, {"1.2E+3", 1200, true}, {"120000e-2", 1200, true},
		{"0", 0, true}, {"-0", 0, true}, {"-0.0", 0, true}, {"0e9", 0, true}, {"-7", -7, true}, {"0.07e2", 7, true},
		{"999999999999999999", 999999999999999999, true}, {"-999999999999999999", -999999999999999999, true},
		{"1e18", maximum, true}, {"1e400", maximum, true}, {"-1e400", minimum, true}, {"1e99999999999999999999", maximum,
			true}, {strings.Repeat("9", 5000), maximum, true},
		{"1200.5", 0, false}, {"0.1", 0, false}, {"1e-1", 0, false}, {"1e-99999999999999999999", 0, false}, {"1234e-3", 0, false},
		{"", 0, false}, {"x", 0, false}, {"01", 0, false}, {"+1", 0, false}, {" 1", 0, false}, {`"1"`, 0, false},
	} {
		if got, ok := ParseWhole(c.text); got != c.want || ok != c.ok {
			t.Errorf("ParseWhole(%.40q) = %d, %v; want %d, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

func TestForAreaIsExactHalfUp(t *testing.T) {
	r := dice.New(t)
	for range 20_000 {
		price, area := Amount(upTo(r, 1_000_000_000_000)), upTo(r, 1_000_000_000_000_000_000)
		exact := price.decimal().Mul(decimal.New(area, -6))
		want, fits := MaxAmount, false
		if !exact.Round(0).GreaterThan(maxAmount) {
			want, fits = halfUp(exact), true
		}
		if got, ok := price.ForArea(area); got != want || ok != fits {
			t.Fatalf("%d for %d mm²: %d, %v; want %d, %v", price, area, got, ok, want, fits)
		}
	}
}
