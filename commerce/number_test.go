package commerce

import (
	"errors"
	"fmt"
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

// Percentages and quantities of stock are plain decimals: how they are read and printed, or why not.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		micros  bool // else a percentage
		text    string
		units   int64
		printed string
		refused error
	}{
		{false, "5.5", 5_500_000_000, "5.5", nil},
		{false, "0", 0, "0", nil},
		{false, "100.000000000000", int64(Hundred), "100", nil},
		{false, "0.000000001", 1, "0.000000001", nil},
		{false, "33.3333333330000", 33_333_333_333, "33.333333333", nil},
		{false, "0.0000000001", 0, "", errDecimals},
		{false, "100.000000001", 0, "", errOutOfRange},
		{false, "99999999999999999999999999", 0, "", errOutOfRange},
		{true, "25", 25_000_000, "25", nil},
		{true, "0.000001", 1, "0.000001", nil},
		{true, "1.50000000000", 1_500_000, "1.5", nil},
		{true, "9223372036854.775807", math.MaxInt64, "9223372036854.775807", nil},
		{true, "9223372036854.775808", 0, "", errOutOfRange},
		{true, "0.0000001", 0, "", errDecimals},
		{true, "", 0, "", errNotDecimal}, {true, "-1", 0, "", errNotDecimal}, {true, "1e1", 0, "", errNotDecimal}, {true, "5,5", 0, "", errNotDecimal},
		{true, ".5", 0, "", errNotDecimal}, {true, "5.", 0, "", errNotDecimal}, {true, " 5", 0, "", errNotDecimal}, {true, "½", 0, "", errNotDecimal},
	} {
		p, err := ParsePercent(c.text)
		units, printed := int64(p), fmt.Sprint(p)
		if c.micros {
			var m Micros
			m, err = ParseMicros(c.text)
			units, printed = int64(m), fmt.Sprint(m)
		}
		if units != c.units || !errors.Is(err, c.refused) || err == nil && printed != c.printed {
			t.Errorf("%q (micros %v) is %d, prints %s, %v; want %d, %s, %v", c.text, c.micros, units, printed, err, c.units, c.printed, c.refused)
		}
	}
}
