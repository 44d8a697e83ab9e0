package commerce

import (
	"errors"
	"math"
	"testing"
)

func TestMicrosParse(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    Micros
		printed string
	}{
		{"0", 0, "0"},
		{"25", 25_000_000, "25"},
		{"0.125", 125_000, "0.125"},
		{"0.000001", 1, "0.000001"},
		{"1.50000000000", 1_500_000, "1.5"},
		{"9000000000", 9_000_000_000_000_000, "9000000000"},
		{"9223372036854.775807", math.MaxInt64, "9223372036854.775807"},
	} {
		got, err := ParseMicros(c.text)
		if got != c.want || err != nil {
			t.Errorf("ParseMicros(%q) = %d, %v; want %d", c.text, got, err, c.want)
		}
		if got.String() != c.printed {
			t.Errorf("%q prints %s; want %s", c.text, got, c.printed)
		}
	}
}

func TestMicrosRefuse(t *testing.T) {
	for text, want := range map[string]error{
		"": errNotDecimal, "-0.5": errNotDecimal, "1e3": errNotDecimal, "1.": errNotDecimal, "½": errNotDecimal,
		"0.0000001": errDecimals, "9223372036854.775808": errOutOfRange, "9223372036855": errOutOfRange, "99999999999999999999": errOutOfRange,
	} {
		if got, err := ParseMicros(text); got != 0 || !errors.Is(err, want) {
			t.Errorf("ParseMicros(%q) = %d, %v; want %v", text, got, err, want)
		}
	}
}
