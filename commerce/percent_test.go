package commerce

import (
	"errors"
	"testing"
)

func TestPercentParses(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    Percent
		printed string
	}{
		{"21", 21_000_000_000, "21"},
		{"5.5", 5_500_000_000, "5.5"},
		{"21.0", 21_000_000_000, "21"},
		{"0", 0, "0"},
		{"100", Hundred, "100"},
		{"100.000000000000", Hundred, "100"},
		{"0.000000001", 1, "0.000000001"},
		{"33.3333333330000", 33_333_333_333, "33.333333333"},
	} {
		got, err := ParsePercent(c.text)
		if got != c.want || err != nil {
			t.Errorf("ParsePercent(%q) = %d, %v; want %d", c.text, got, err, c.want)
		}
		if got.String() != c.printed {
			t.Errorf("%q prints %s; want %s", c.text, got, c.printed)
		}
	}
}

func TestPercentRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"": errNotDecimal, "-1": errNotDecimal, "21%": errNotDecimal, "1e1": errNotDecimal, "5,5": errNotDecimal, ".5": errNotDecimal, "5.": errNotDecimal, " 5": errNotDecimal,
		"0.0000000001": errDecimals, "100.000000001": errOutOfRange, "101": errOutOfRange, "99999999999999999999999999": errOutOfRange,
	} {
		if got, err := ParsePercent(text); got != 0 || !errors.Is(err, want) {
			t.Errorf("ParsePercent(%q) = %d, %v; want %v", text, got, err, want)
		}
	}
}
