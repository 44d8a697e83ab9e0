package httpserver

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
)

// Spec: POST create cart, empty cart: no lines, zero totals, empty discounts.
func TestEmptyCart(t *testing.T) {
	h := start(t)
	h.expect(call{method: "POST", path: cartsPath}, 201, `{"data":{"id":"`+testCart+`","currency":"EUR","status":"active","email":null,"metadata":null,`+
		`"discount_code":null,"discount_code_error":null,"discounts":[],`+
		`"policy":{"identity_mode":"guest_allowed","audience":"both","min_order_value_amount":null,"max_lines":100,"max_quantity_per_line":100,`+
		`"pricing":{"guest_price_visibility":"visible","vat_display":"inc","show_original_price":true,"show_tier_table":true}},`+
		`"requires_quote":false,"quote_reasons":[],"lines":[],`+
		`"totals":{"subtotal":{"amount":0,"currency":"EUR"},"tax_total":{"amount":0,"currency":"EUR"},"total":{"amount":0,"currency":"EUR"},"discount_total":{"amount":0,"currency":"EUR"},"tax_breakdown":[]}}}`)
}

// appendCart writes the envelope of a cart.
func appendCart(dst []byte, c *commerce.Cart, s *commerce.Store, e *commerce.Evaluation) []byte {
	return answers.CartAnswer.Append(dst, cartAnswerView(s, e, nil))
}

func cartAnswerView(s *commerce.Store, e *commerce.Evaluation, details *commerce.Visitor) answers.CartAnswerView {
	return answers.CartAnswerView{CartView: answers.CartView{Store: s, Evaluation: e}, Visitor: details}
}

// threeLines returns the cart of the benchmarks, evaluated.
func threeLines() (*commerce.Cart, *commerce.Store, *commerce.Evaluation) {
	s := sampleStore()
	c := commerce.NewCart(uuid.MustParse(testCart), testNow)
	c.Email = "ada@example.com"
	c.Metadata = commerce.Metadata{{Key: "source", Value: commerce.Scalar{IsString: true, Text: "newsletter"}}}
	for i, name := range []string{"Roller blind", "Aluminium rail, 2 m", "Wall paint, white"} {
		id := uuid.MustParse(testLine)
		id[0] = byte(i)
		c.Lines = append(c.Lines, commerce.Line{
			ID: id, ProductID: id, VariantID: id, Name: name, SKU: "RB-1-W", UnitPrice: 1999,
			Quantity: commerce.Quantity(i+1) * 1250, Tax: commerce.Hundred / 100 * 21,
		})
	}
	e := new(commerce.Evaluation)
	e.Evaluate(c, s, commerce.Visitor{}, testNow)
	return c, s, e
}

// The answer shows the evaluation for the visitor's pricing context.
func TestCartIsEvaluatedInTheVisitorsContext(t *testing.T) {
	h := start(t)
	c, s, e := threeLines()
	h.engine.reply, h.engine.admission.Store = engine.Reply{Cart: c}, s
	path := cartsPath + "/" + testCart
	h.expect(call{method: "GET", path: path}, 200, string(appendCart(nil, c, s, e)))
	visitor := commerce.Visitor{Known: true, B2B: true}
	h.engine.admission.Visitor = visitor
	if e.Evaluate(c, s, visitor, testNow); e.VATDisplay != "ex" {
		t.Fatalf("a B2B visitor sees %s", e.VATDisplay)
	}
	h.expect(call{method: "GET", path: path}, 200, string(appendCart(nil, c, s, e)))
}

func TestEncodingACartAllocatesNothing(t *testing.T) {
	c, s, e := threeLines()
	buffer := make([]byte, 0, 1<<13)
	if n := testing.AllocsPerRun(100, func() { buffer = appendCart(buffer[:0], c, s, e) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func BenchmarkEncodeCart(b *testing.B) {
	c, s, e := threeLines()
	buffer := make([]byte, 0, 1<<13)
	b.ReportAllocs()
	for b.Loop() {
		buffer = appendCart(buffer[:0], c, s, e)
	}
	b.SetBytes(int64(len(buffer)))
}

func BenchmarkEvaluateAndEncodeCart(b *testing.B) {
	c, s, e := threeLines()
	buffer := make([]byte, 0, 1<<13)
	b.ReportAllocs()
	for b.Loop() {
		e.Evaluate(c, s, commerce.Visitor{}, testNow)
		buffer = appendCart(buffer[:0], c, s, e)
	}
}
