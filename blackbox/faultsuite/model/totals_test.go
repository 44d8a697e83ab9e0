package model

import (
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
