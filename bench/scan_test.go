package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// parsedCart has the values that the scanner must find in a cart of the cartd adapter.
type parsedCart struct {
	Data struct {
		ID    string
		Lines []struct {
			ID        string
			ProductID string `json:"product_id"`
			Quantity  json.Number
			LineTotal struct{ Amount int64 } `json:"line_total"`
		}
		Totals struct{ Total struct{ Amount int64 } }
	}
}

func cartShape(t testing.TB) *node {
	a, err := LoadAdapter("cartd")
	if err != nil {
		t.Fatal(err)
	}
	shape := a.Shapes["cart"]
	return shape.compile(0)
}

// scanned writes an answer in the form of expected.
func scanned(a *answer) string {
	text := fmt.Sprintf("%s %d", a.id, a.total)
	for _, l := range a.lines {
		text += fmt.Sprintf(" [%s %s %s %d]", l.id, l.product, l.quantity.append(nil), l.total)
	}
	return text
}

func expected(t *testing.T, text []byte) string {
	var c parsedCart
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s %d", c.Data.ID, c.Data.Totals.Total.Amount)
	for _, l := range c.Data.Lines {
		want += fmt.Sprintf(" [%s %s %s %d]", l.ID, l.ProductID, l.Quantity, l.LineTotal.Amount)
	}
	return want
}

// The scanner reads random carts as encoding/json does. They have keys in any order, spaces and
// unknown members.
func TestScannerAgreesWithEncodingJSON(t *testing.T) {
	shape, dice := cartShape(t), rand.New(rand.NewPCG(1, 2))
	var a answer
	for range 500 {
		text := randomCart(dice)
		if err := scan(text, shape, &a); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got, want := scanned(&a), expected(t, text); got != want {
			t.Fatalf("got  %s\nwant %s\n%s", got, want, text)
		}
	}
}

func randomCart(dice *rand.Rand) []byte {
	lines := []any{}
	for i := range dice.IntN(6) {
		lines = append(lines, object{
			"id": fmt.Sprint("line", i), "product_id": fmt.Sprint("p", i), "quantity": json.Number(Quantity(dice.IntN(99999)).append(nil)),
			"line_total": object{"amount": dice.IntN(1e9), "currency": "EUR"}, "name": noise(dice, 0), "attributes": noise(dice, 2),
		})
	}
	cart := object{
		"data": object{
			"id": "cart", "lines": lines, "policy": noise(dice, 3), "email": noise(dice, 0),
			"totals": object{"total": object{"currency": "EUR", "amount": -dice.IntN(1e6)}, "subtotal": object{"amount": 1}, "tax_breakdown": noise(dice, 2)},
		},
		"meta": noise(dice, 3),
	}
	text, _ := json.Marshal(cart)
	if dice.IntN(2) == 0 {
		var spread bytes.Buffer
		_ = json.Indent(&spread, text, "", "\t")
		text = spread.Bytes()
	}
	return text
}

// noise is a random JSON value of this depth.
func noise(dice *rand.Rand, depth int) any {
	leaves := []any{nil, true, -1.5e3, "", `a"b\`, "]}", "{[,:", "é\u2028", json.Number("12345678901234567890")}
	switch n := dice.IntN(len(leaves) + 4); {
	case n < len(leaves) || depth == 0:
		return leaves[n%len(leaves)]
	case n%2 == 0:
		return []any{noise(dice, depth-1), noise(dice, depth-1)}
	default:
		return object{"id": noise(dice, depth-1), `q"`: noise(dice, depth-1), "lines": noise(dice, depth-1)}
	}
}

func TestTheScannerRefusesBrokenTexts(t *testing.T) {
	shape := cartShape(t)
	whole := `{"data":{"id":"c","lines":[{"id":"l","quantity":2}],"totals":{"total":{"amount":5}}}}`
	var a answer
	if err := scan([]byte(whole), shape, &a); err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := scan([]byte(whole[:cut]), shape, &a); err == nil {
			t.Errorf("the incomplete %s is accepted", whole[:cut])
		}
	}
	for _, text := range []string{
		whole + "x", strings.Replace(whole, `:5`, `:"five"`, 1), strings.Replace(whole, `:2`, `:2.0005`, 1),
		strings.Replace(whole, `[{`, `[{}{`, 1), strings.Replace(whole, `"lines":[`, `"lines":7,"x":[`, 1),
	} {
		if err := scan([]byte(text), shape, &a); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"data":{"id":"c","lines":[{"id":"l","quantity":2.5}],"totals":{"total":{"amount":5}}}}`))
	f.Add([]byte(`{"data":{"lines":[1,"\"",{"line_total":{}}]}}`))
	shape := cartShape(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		var a answer
		if err := scan(text, shape, &a); err == nil && len(bytes.Trim(text, " \n\t\r")) == 0 {
			t.Errorf("an empty text is accepted as JSON")
		}
		if err := scan(text, shape, &a); err == errSyntax && json.Valid(text) {
			t.Errorf("%s is JSON", text)
		}
	})
}

func TestFixedNumbers(t *testing.T) {
	for _, c := range []struct {
		text     string
		decimals int
		want     int64
		ok       bool
	}{
		{"0", 0, 0, true}, {"12", 0, 12, true}, {"-12", 2, -1200, true}, {"12.3", 2, 1230, true}, {"12.30", 1, 123, true},
		{"12.0", 0, 12, true}, {"21.05", 1, 0, false}, {"1e3", 0, 0, false}, {"", 0, 0, false}, {"-", 0, 0, false}, {".5", 1, 0, false},
		{"1.2.3", 3, 0, false}, {"true", 0, 0, false}, {"99999999999999999999", 0, 0, false}, {"90000000000000000", 4, 0, false},
	} {
		if got, ok := fixed([]byte(c.text), c.decimals); got != c.want && c.ok || ok != c.ok {
			t.Errorf("%q with %d decimals: %d, %t, want %d, %t", c.text, c.decimals, got, ok, c.want, c.ok)
		}
	}
}

func TestArticleTotals(t *testing.T) {
	a := Article{Unit: 199, Tiers: []Tier{{From: 10 * One, Unit: 179}, {From: 20 * One, Unit: 189}}}
	for _, c := range []struct {
		quantity Quantity
		want     Amount
	}{
		{One, 199}, {One / 2, 100}, {1, 0}, {3, 1}, {9999, 1990}, {10 * One, 1790}, {20 * One, 3580}, {99_999_999_999, 17_900_000_000},
	} {
		if got := a.total(c.quantity); got != c.want {
			t.Errorf("%d thousandths at 199, from ten on 179, cost %d, want %d", c.quantity, got, c.want)
		}
	}
}

// A configuration's price is its matrix amount plus the surcharge of its fabric.
func TestMadeToMeasurePrices(t *testing.T) {
	prices := map[string]Amount{}
	for _, a := range Made() {
		prices[a.Configuration] = a.total(2 * One)
	}
	for configuration, want := range map[string]Amount{
		`{"dimensions":{"width":500,"height":850},"choices":["cotton"]}`:  9800,
		`{"dimensions":{"width":1100,"height":1850},"choices":["linen"]}`: 20800,
		`{"dimensions":{"width":2900,"height":1850},"choices":["linen"]}`: 28800,
	} {
		if prices[configuration] != want {
			t.Errorf("two of %s cost %d, want %d", configuration, prices[configuration], want)
		}
	}
	if len(prices) != 12 {
		t.Errorf("%d configurations, want 12", len(prices))
	}
}
