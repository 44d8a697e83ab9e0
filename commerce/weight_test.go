package commerce

import (
	"math"
	"strings"
	"testing"

	"cartd/internal/dice"
)

func TestParseGrams(t *testing.T) {
	for _, c := range []struct {
		isString bool
		text     string
		want     Milligrams // -1: refused
	}{
		{true, "0", 0}, {true, "1200", 1_200_000}, {true, "0.125", 125}, {true, "0.1250", 125}, {true, "1000000000", maxWeight},
		{true, "1000000000.001", -1}, {true, "0.1251", -1}, {true, "-1", -1}, {true, "1e3", -1}, {true, "", -1}, {true, " 1", -1},
		{false, "0", 0}, {false, "-0", 0}, {false, "0.000", 0}, {false, "1200", 1_200_000}, {false, "1.2e3", 1_200_000}, {false, "125e-3", 125},
		{false, "1e9", maxWeight}, {false, "1000000000.001", -1}, {false, "1e10", -1}, {false, "1e1000000", -1}, {false, "1e-4", -1}, {false, "-1", -1},
		{false, "9" + strings.Repeat("0", 30), -1}, {false, "true", -1}, {false, "null", -1},
	} {
		got, err := ParseGrams(c.isString, c.text)
		if err != nil {
			got = -1
		}
		if got != c.want {
			t.Errorf("ParseGrams(%t, %q) = %d, %v; want %d", c.isString, c.text, got, err, c.want)
		}
	}
	for m, want := range map[Milligrams]string{0: "0", 125: "0.125", 1_200_000: "1200", maxWeight: "1000000000", 2500: "2.5"} {
		if m.String() != want {
			t.Errorf("%d mg = %s, want %s", m, m, want)
		}
	}
}

// A weight that is written is read as the same weight, as a number and as a string.
func TestWeightsAreReadAsWritten(t *testing.T) {
	r := dice.New(t)
	for range 10_000 {
		m := Milligrams(math.Pow(float64(maxWeight), r.Float64()))
		for _, isString := range []bool{false, true} {
			if got, err := ParseGrams(isString, m.String()); got != m || err != nil {
				t.Fatalf("%s (string %t) is read as %d, %v", m, isString, got, err)
			}
		}
	}
}
