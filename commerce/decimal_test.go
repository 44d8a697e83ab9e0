package commerce

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

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
