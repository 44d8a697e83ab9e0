package model

import (
	"slices"
	"strings"
	"testing"
)

// right is an answer with figures computed by hand: 10 nails at 4.50 and 2.5 m of cable at 3.33.
const right = `{"data":{"id":"c","status":"active","email":null,"metadata":{"mark":7},"lines":[
{"id":"0a000000-0000-0000-0000-000000000000","product_id":"a0000000-0000-4000-8000-000000000002","quantity":10,"unit_price_amount":450,
 "line_total":{"amount":4500}},
{"id":"0b000000-0000-0000-0000-000000000000","product_id":"a0000000-0000-4000-8000-000000000003","quantity":2.5,"unit_price_amount":333,
 "line_total":{"amount":833}}],
"totals":{"subtotal":{"amount":4483},"tax_total":{"amount":850},"total":{"amount":5333},"discount_total":{"amount":0},
"tax_breakdown":[{"rate":21,"base":3719,"tax":781},{"rate":9,"base":764,"tax":69}]}}}`

func TestRightAnswerHasNoFault(t *testing.T) {
	id, got, err := parseCart([]byte(right))
	want := Cart{Exists: true, Country: home, Metadata: `{"mark":7}`, Lines: []Line{{idA, &Products[1], 10_000}, {idB, cable, 2500}}}
	if id != "c" || err != nil || !got.Same(want) {
		t.Errorf("parseCart = %s, %v, %v; want %v", id, got, err, want)
	}
}

// The same cart in other countries: 45.00 at 19 % and 8.33 at 7 %, and without the 21 % and 9 % of home.
func TestRightTotalsOfCountries(t *testing.T) {
	sums := map[string]int64{"standard": 4500, "reduced": 833}
	for _, c := range []struct {
		country       string
		reverseCharge bool
		want          []TaxRow
	}{
		{"NL", true, []TaxRow{{21, 3719, 781}, {9, 764, 69}}},
		{"DE", false, []TaxRow{{19, 3782, 718}, {7, 779, 54}}},
		{"CH", false, []TaxRow{{0, 4483, 0}}},
		{"BE", false, []TaxRow{{21, 3719, 781}, {9, 764, 69}}},
		{"BE", true, []TaxRow{{0, 4483, 0}}},
	} {
		if got := Taxes(sums, c.country, Exemption(c.country, c.reverseCharge)); !slices.Equal(got, c.want) {
			t.Errorf("Taxes for %s, %v = %v, want %v", c.country, c.reverseCharge, got, c.want)
		}
	}
	if got := Taxes(nil, "CH", "export"); got != nil {
		t.Errorf("Taxes of an empty cart = %v, want none", got)
	}
}

// An answer for a country has that country's taxes.
func TestAnswerOfACountryHasItsTaxes(t *testing.T) {
	german := strings.NewReplacer(`"subtotal":{"amount":4483}`, `"subtotal":{"amount":4561}`, `"amount":850`, `"amount":772`,
		`{"rate":21,"base":3719,"tax":781},{"rate":9,"base":764,"tax":69}`, `{"rate":19,"base":3782,"tax":718},{"rate":7,"base":779,"tax":54}`)
	in := func(country, exemption, body string) string {
		return strings.TrimSuffix(body, "}") + `,"details":{"tax_country":"` + country + `","tax_exemption":` + exemption + `}}`
	}
	_, got, err := parseCart([]byte(in("DE", "null", german.Replace(right))))
	if c, ok := got.(Cart); err != nil || !ok || c.Country != "DE" {
		t.Errorf("parseCart = %v, %v; want a cart for DE", got, err)
	}
	for name, wrong := range map[string]string{
		"home rates": in("DE", "null", right), "an exemption": in("DE", `"export"`, german.Replace(right)), "none": in("CH", "null", right),
		"a kept checkout": `{"data":{"tax_country":"CH","tax_exemption":"export","totals":{"subtotal":{"amount":100},"tax_total":{"amount":21},"total":{"amount":121}}}}`,
	} {
		if _, _, err := parseCart([]byte(wrong)); err == nil {
			t.Errorf("%s: a wrong answer was taken for right", name)
		}
	}
	kept := `{"data":{"tax_country":"CH","tax_exemption":"export","totals":{"subtotal":{"amount":100},"tax_total":{"amount":0},"total":{"amount":100}}}}`
	if _, s, err := parseCart([]byte(kept)); s != nil || err != nil {
		t.Errorf("parseCart of a kept checkout = %v, %v; want no state", s, err)
	}
}

func TestEveryWrongNumberIsAFault(t *testing.T) {
	for _, c := range []struct{ name, from, to string }{
		{"unit price", `"unit_price_amount":450`, `"unit_price_amount":500`},
		{"line total", `"amount":833`, `"amount":832`},
		{"quantity", `"quantity":10`, `"quantity":11`},
		{"subtotal", `"amount":4483`, `"amount":4482`},
		{"tax", `"amount":850`, `"amount":851`},
		{"total", `"amount":5333`, `"amount":5334`},
		{"discount", `"discount_total":{"amount":0}`, `"discount_total":{"amount":1}`},
		{"rate", `"rate":9`, `"rate":6`},
		{"base", `"base":764`, `"base":765`},
		{"order of the rates", `{"rate":21,"base":3719,"tax":781},{"rate":9,"base":764,"tax":69}`,
			`{"rate":9,"base":764,"tax":69},{"rate":21,"base":3719,"tax":781}`},
		{"product", `a0000000-0000-4000-8000-000000000003`, `a0000000-0000-4000-8000-0000000000ff`},
		{"status", `"active"`, `"merged"`},
		{"envelope", `{"data"`, `{"date"`},
	} {
		wrong := strings.Replace(right, c.from, c.to, 1)
		if wrong == right {
			t.Fatalf("%s: nothing was changed", c.name)
		}
		if _, _, err := parseCart([]byte(wrong)); err == nil {
			t.Errorf("%s: a wrong answer was taken for right", c.name)
		}
	}
}
