package commerce

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

func TestQuantityNumberCountsByItsValue(t *testing.T) {
	for text, want := range map[string]Quantity{
		"2": 2000, "2.0": 2000, "2.500": 2500, "2e0": 2000, "25e-1": 2500, "0.001": 1, "1E3": 1_000_000, "1e+1": 10_000,
		"0.125": 125, "1000000000e-9": 1000, "0.0000001e5": 10, "99999999.999": MaxQuantity, "99999999.9990000": MaxQuantity,
		"2e-00000000000000000000000000000000":              2000,
		"1" + strings.Repeat("0", 1_000_000) + "e-1000000": 1000,
		"0." + strings.Repeat("0", 999_999) + "1e1000000":  1000,
		"2." + strings.Repeat("0", 1_000_000):              2000,
	} {
		if got, faults := parseQuantityJSON(false, text); got != want || faults != nil {
			t.Errorf("number %s: got %d, %v; want %d", short(text), got, faults, want)
		}
	}
}

func TestQuantityNumberFaults(t *testing.T) {
	million := strings.Repeat("9", 1_000_000)
	for text, want := range map[string][]QuantityFault{
		"0": {NotPositive}, "-0": {NotPositive}, "0e9": {NotPositive}, "0.0000": {NotPositive}, "-1": {NotPositive}, "-1e99": {NotPositive},
		"-0.0001": {TooManyDecimals, NotPositive}, "1e-4": {TooManyDecimals}, "1.2345": {TooManyDecimals},
		"100000000": {TooLarge}, "1e8": {TooLarge}, "99999999.9991": {TooManyDecimals, TooLarge}, "99999999.9989": {TooManyDecimals},
		"100000000.0001": {TooManyDecimals, TooLarge},
		"1e1000000":      {TooLarge}, "1e-1000000": {TooManyDecimals}, "-1e-1000000": {TooManyDecimals, NotPositive},
		"1e" + million: {TooLarge}, "1e-" + million: {TooManyDecimals}, million: {TooLarge}, "0." + million: {TooManyDecimals},
		"": {NotANumber}, "-": {NotANumber}, "+1": {NotANumber}, "1.": {NotANumber}, ".5": {NotANumber}, "01": {NotANumber},
		"1e": {NotANumber}, "1e+": {NotANumber}, "1e1.5": {NotANumber}, "0x10": {NotANumber}, "1,5": {NotANumber}, " 1": {NotANumber}, "NaN": {NotANumber},
	} {
		if got, faults := parseQuantityJSON(false, text); got != 0 || !slices.Equal(faults, want) {
			t.Errorf("number %s: got %d, %v; want %v", short(text), got, faults, want)
		}
	}
}

func TestQuantityStringCountsByItsText(t *testing.T) {
	for text, want := range map[string]Quantity{
		"2": 2000, "2.0": 2000, "2.50": 2500, "0.001": 1, "00000002": 2000, "99999999.999": MaxQuantity,
	} {
		if got, faults := parseQuantityJSON(true, text); got != want || faults != nil {
			t.Errorf("string %q: got %d, %v; want %d", text, got, faults, want)
		}
		if got, err := ParseQuantity(text); got != want || err != nil {
			t.Errorf("ParseQuantity(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestQuantityStringFaults(t *testing.T) {
	for text, want := range map[string][]QuantityFault{
		"": {NotANumber}, " 2": {NotANumber}, "2 ": {NotANumber}, "2,5": {NotANumber}, "2e0": {NotANumber}, "+2": {NotANumber}, "-2": {NotANumber},
		"2.": {NotANumber}, ".5": {NotANumber}, "2.5.1": {NotANumber}, "٢": {NotANumber}, "1_000": {NotANumber}, "\u00a02": {NotANumber}, ".": {NotANumber},
		"2.5000": {TooManyDecimals}, "0": {NotPositive}, "0.000": {NotPositive}, "0.0000": {TooManyDecimals, NotPositive},
		"100000000": {TooLarge}, "000000002": {TooLarge}, "000000000": {NotPositive, TooLarge}, "123456789.1234": {TooManyDecimals, TooLarge},
	} {
		if got, faults := parseQuantityJSON(true, text); got != 0 || !slices.Equal(faults, want) {
			t.Errorf("string %q: got %d, %v; want %v", text, got, faults, want)
		}
		if got, err := ParseQuantity(text); got != 0 || err == nil || err.Error() != want[0].String() {
			t.Errorf("ParseQuantity(%q) = %d, %v; want %v", text, got, err, want[0])
		}
	}
}

func TestQuantityPrintsShortest(t *testing.T) {
	for q, want := range map[Quantity]string{
		2000: "2", 2500: "2.5", 125: "0.125", 1: "0.001", 10: "0.01", 0: "0", MaxQuantity: "99999999.999", 100_010: "100.01",
	} {
		if got := q.String(); got != want {
			t.Errorf("Quantity(%d) prints %s; want %s", q, got, want)
		}
	}
	if got := string(Quantity(2500).AppendJSON([]byte("q:"))); got != "q:2.5" {
		t.Errorf("AppendJSON gave %s", got)
	}
}

func TestQuantityAddDoesNotOverflow(t *testing.T) {
	for _, c := range []struct{ a, b, want Quantity }{
		{1500, 500, 2000},
		{MaxQuantity, MaxQuantity, 2 * MaxQuantity},
		{math.MaxInt64, 1, math.MaxInt64},
		{1, math.MaxInt64, math.MaxInt64},
		{math.MaxInt64 - 1, 1, math.MaxInt64},
	} {
		if got := c.a.Add(c.b); got != c.want {
			t.Errorf("%d + %d = %d; want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestPiecesAreWhole(t *testing.T) {
	for q, want := range map[Quantity]bool{One: true, 17 * One: true, 1: false, 2500: false, One + 1: false} {
		if got := q.Fits(UnitPiece); got != want {
			t.Errorf("%s pieces: got %v; want %v", q, got, want)
		}
		if !q.Fits(UnitPiece + 1) {
			t.Errorf("%s of another unit does not fit", q)
		}
	}
}

func TestQuantityParsesWithoutAllocation(t *testing.T) {
	for _, isString := range []bool{false, true} {
		if n := testing.AllocsPerRun(100, func() { parseQuantityJSON(isString, "12.125") }); n != 0 {
			t.Errorf("isString %v: %v allocations; want none", isString, n)
		}
	}
}

// FuzzParseQuantityJSON compares numbers with shopspring/decimal. That package writes exponents
// out, so large ones are only tested for a panic.
func FuzzParseQuantityJSON(f *testing.F) {
	for _, text := range []string{"2", "-1.5", "25e-1", "0.0001", "99999999.9991", "1e1000000", "2.50", "007", "1e-3", "0e0"} {
		f.Add(true, text)
		f.Add(false, text)
	}
	f.Fuzz(func(t *testing.T, isString bool, text string) {
		q, faults := parseQuantityJSON(isString, text)
		if (faults == nil) != (0 < q && q <= MaxQuantity) {
			t.Fatalf("%v %q: quantity %d with faults %v", isString, text, q, faults)
		}
		if !slices.IsSorted(faults) {
			t.Fatalf("%v %q: faults out of order: %v", isString, text, faults)
		}
		if isString || slices.Contains(faults, NotANumber) || !smallExponent(text) {
			return
		}
		if want := modelFaults(t, text); !slices.Equal(faults, want) {
			t.Fatalf("number %q: faults %v; want %v", text, faults, want)
		}
		if value, _ := decimal.NewFromString(text); faults == nil && !q.decimal().Equal(value) {
			t.Fatalf("number %q: got %s; want %s", text, q, value)
		}
	})
}

func smallExponent(text string) bool {
	at := strings.IndexAny(text, "eE")
	return at < 0 || len(text)-at <= 4
}

func modelFaults(t *testing.T, text string) (faults []QuantityFault) {
	value, err := decimal.NewFromString(text)
	if err != nil {
		t.Fatalf("%q is no number to decimal: %v", text, err)
	}
	if !value.Truncate(3).Equal(value) {
		faults = append(faults, TooManyDecimals)
	}
	if value.Sign() <= 0 {
		faults = append(faults, NotPositive)
	}
	if value.GreaterThan(MaxQuantity.decimal()) {
		faults = append(faults, TooLarge)
	}
	return faults
}

// short keeps a million digits out of a failure's text.
func short(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}
