package httpserver

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
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

// details of a line in the sample store's cart, by its parts.
const (
	goneDetails = `"slug":null,"variant_name":null,"unit":null,"tax_rate":null,"media":null,"attributes":null,"requires_shipping":null,"original_unit_price":null,` +
		`"stored_unit_price":{"amount":1999,"currency":"EUR"},"current_unit_price":null,"price_changed":false,` +
		`"full_total":{"amount":2499,"currency":"EUR"},"discount_amount":{"amount":0,"currency":"EUR"},` +
		`"unit_price_without_tax":{"amount":1652,"currency":"EUR"},"line_total_without_tax":{"amount":2065,"currency":"EUR"},` +
		`"full_total_without_tax":{"amount":2065,"currency":"EUR"},"discount_amount_without_tax":{"amount":0,"currency":"EUR"},` +
		`"original_unit_price_without_tax":null,"stored_unit_price_without_tax":{"amount":1652,"currency":"EUR"},"current_unit_price_without_tax":null,` +
		`"min_quantity":null,"max_quantity":null,"quantity_step":null,"purchasable":false,"reason":"Product is not available."`
)

// Every answer with a cart envelope has the details if the request asks for them; the envelope stays
// as it is.
func TestDetails(t *testing.T) {
	h := start(t)
	c, s, e := threeLines()
	target, paint := uuid.New(), uuid.New()
	base := commerce.Amount(2500)
	s.Products = append(s.Products, &commerce.Product{
		ID: paint, Slug: "wall-paint", Name: "Wall paint", Active: true, Unit: commerce.UnitLitre, RequiresShipping: true,
		Tax:    &commerce.TaxRate{Rate: commerce.Hundred / 100 * 9},
		Prices: commerce.Prices{Base: &base}, Variants: []commerce.Variant{{ID: paint, Name: "White", Active: true, Display: commerce.Display{
			Media: []commerce.Media{{URL: "/white.jpg", Alt: "White"}, {URL: "/2.jpg"}}, Attributes: []commerce.Attribute{{Name: "Colour", Values: []string{"White"}}},
		}}},
	})
	s.Index()
	h.engine.show(s)
	c.Lines = c.Lines[:2]
	c.Lines[1].ProductID, c.Lines[1].VariantID, c.MergedInto = paint, paint, target
	h.engine.reply = engine.Reply{Cart: c}
	e.Evaluate(c, s, commerce.Visitor{}, testNow)
	envelope := strings.TrimSuffix(string(appendCart(nil, c, s, e)), "}")
	want := envelope + `,"details":{"requires_shipping":true,"merged_into":"` + target.String() + `","discount_codes":[],` +
		`"tax_country":null,"tax_exemption":null,"lines":{` +
		`"` + c.Lines[0].ID.String() + `":{` + goneDetails + `},` +
		`"` + c.Lines[1].ID.String() + `":{"slug":"wall-paint","variant_name":"White","unit":"l","tax_rate":9,"media":{"url":"/white.jpg","alt":"White"},"attributes":{"Colour":"White"},"requires_shipping":true,` +
		`"original_unit_price":null,"stored_unit_price":{"amount":1999,"currency":"EUR"},"current_unit_price":{"amount":2500,"currency":"EUR"},"price_changed":true,"full_total":{"amount":4998,"currency":"EUR"},"discount_amount":{"amount":0,"currency":"EUR"},` +
		`"unit_price_without_tax":{"amount":1834,"currency":"EUR"},"line_total_without_tax":{"amount":4585,"currency":"EUR"},` +
		`"full_total_without_tax":{"amount":4585,"currency":"EUR"},"discount_amount_without_tax":{"amount":0,"currency":"EUR"},` +
		`"original_unit_price_without_tax":null,"stored_unit_price_without_tax":{"amount":1834,"currency":"EUR"},` +
		`"current_unit_price_without_tax":{"amount":2294,"currency":"EUR"},"min_quantity":null,"max_quantity":null,"quantity_step":null,` +
		`"purchasable":true,"reason":null}}}}`
	asked := 0
	for i := range routes {
		r := &routes[i]
		if !r.showsCart() {
			continue
		}
		asked++
		path := strings.NewReplacer("{id}", testCart, "{lineId}", testLine, "{token}", tokenOf(r)).Replace(r.path)
		got := h.do(call{method: r.method, path: path + "?include=details", body: exampleBody(r)})
		if r.copies {
			got.body = withoutLeftOut(got.body)
		}
		if got.status != r.status || got.body != want || got.header.Get("X-Ignored-Parameters") != "" {
			t.Errorf("%s %s: %d %s\nwant %s", r.method, path, got.status, got.body, want)
		}
		if got := h.do(call{method: r.method, path: path, body: exampleBody(r)}); withoutLeftOut(got.body) != envelope+"}" {
			t.Errorf("%s %s without include: %s", r.method, path, got.body)
		}
	}
	if asked < 8 {
		t.Errorf("%d routes show a cart", asked)
	}
	tag := h.do(call{method: "GET", path: cartURL + "?include=details"}).header.Get("ETag")
	if plain := h.do(call{method: "GET", path: cartURL}).header.Get("ETag"); plain == tag {
		t.Errorf("the ETag with details is that without: %s", tag)
	}
	h.expect(call{method: "GET", path: cartURL + "?include=details", header: []string{"If-None-Match: " + tag}}, 304, "")
}

// withoutLeftOut is the answer of a copy without the lines that it lacks.
func withoutLeftOut(body string) string {
	if envelope, _, found := strings.Cut(body, `,"left_out":[`); found {
		return envelope + "}"
	}
	return body
}

// exampleBody is a body without faults; the engine of the harness does not apply it.
func exampleBody(r *route) string {
	switch r.api.in {
	case bodies.LineAdd.Schema:
		return `{"product_id":"` + testLine + `","quantity":1}`
	case bodies.LineBatch.Schema:
		return `{"lines":[{"product_id":"` + testLine + `","quantity":1}]}`
	case bodies.LineChange.Schema:
		return `{"quantity":1}`
	case bodies.DiscountCode.Schema:
		return `{"code":"A"}`
	}
	return ""
}

// An empty cart has details too.
func TestDetailsOfAnEmptyCart(t *testing.T) {
	h := start(t)
	got := h.do(call{method: "POST", path: cartsPath + "?include=details"})
	want := `,"details":{"requires_shipping":false,"merged_into":null,"discount_codes":[],"tax_country":null,"tax_exemption":null,"lines":{}}}`
	if got.status != 201 || !strings.HasSuffix(got.body, want) {
		t.Errorf("%d %s; want it to end with %s", got.status, got.body, want)
	}
}

// docs/api/carts.md#details: `include=details,stock` reads the stock in one further trip, and none where none is
// tracked. A read without Redis is 503; a write is done, so that its answer lacks the stock.
func TestDetailsWithStock(t *testing.T) {
	h := start(t)
	s, ten := sampleStore(), commerce.Amount(1000)
	tile, cord := uuid.New(), uuid.New()
	for i, id := range []uuid.UUID{tile, cord} {
		s.Products = append(s.Products, &commerce.Product{ID: id, Name: "P", Active: true, TrackStock: i == 0, Prices: commerce.Prices{Base: &ten}})
	}
	s.Index()
	h.engine.show(s)
	c := commerce.NewCart(uuid.MustParse(testCart), testNow)
	for i, product := range []uuid.UUID{tile, cord} {
		c.Lines = append(c.Lines, commerce.Line{ID: uuid.MustParse(testLine), ProductID: product, Quantity: 3 * commerce.One, UnitPrice: 1000})
		c.Lines[i].ID[0] = byte(i)
	}
	h.engine.reply = engine.Reply{Cart: c}
	h.engine.levels = map[uuid.UUID]commerce.StockLevel{tile: {OnHand: 2_500_000}}
	for _, row := range []struct{ include, first, second string }{
		{"details", `"purchasable":true,"reason":null}`, `"purchasable":true,"reason":null}`},
		{"stock", "", ""},
		{"details,stock", `"purchasable":false,"reason":"OUT_OF_STOCK","available":2.5,"available_now":2.5,"available_from":null}`, `"purchasable":true,"reason":null,"available":null,"available_now":null,"available_from":null}`},
	} {
		for _, method := range []string{"GET", "PATCH"} {
			h.engine.stockReads = nil
			got := h.do(call{method: method, path: cartURL + "?include=" + row.include, body: exampleBody(&route{})})
			if got.status != 200 || got.header.Get("X-Ignored-Parameters") != "" ||
				!strings.Contains(got.body, row.first+`,"`+c.Lines[1].ID.String()) && row.first != "" ||
				!strings.HasSuffix(got.body, row.second+`}}}`) && row.second != "" || strings.Contains(got.body, "available") != strings.Contains(row.include, ",stock") {
				t.Errorf("%s with %s: %d %s", method, row.include, got.status, got.body)
			}
			if reads := len(h.engine.stockReads); (reads == 1) != (row.include == "details,stock") || reads > 1 {
				t.Errorf("%s with %s: %d reads of stock", method, row.include, reads)
			}
		}
	}
	h.engine.onStock = func() { h.engine.err = engine.ErrUnavailable }
	if got := h.do(call{method: "GET", path: cartURL + "?include=details,stock"}); got.status != 503 {
		t.Errorf("a read without stock: %d %s", got.status, got.body)
	}
	h.engine.err = nil
	got := h.do(call{method: "PATCH", path: cartURL + "?include=details,stock"})
	if h.engine.err = nil; got.status != 200 || strings.Contains(got.body, `"available"`) || !strings.Contains(got.body, `"purchasable":true`) {
		t.Errorf("a write without stock: %d %s", got.status, got.body)
	}
	s.Product(tile).TrackStock = false
	s.Index()
	h.engine.stockReads = nil
	if got := h.do(call{method: "GET", path: cartURL + "?include=details,stock"}); got.status != 200 || len(h.engine.stockReads) != 0 ||
		strings.Count(got.body, `"available":null`) != 2 {
		t.Errorf("without tracked stock: %d %s, %v", got.status, got.body, h.engine.stockReads)
	}
}

// detailedCart is a cart of 100 lines with all that details show, with discounts.
func detailedCart() (*commerce.Cart, *commerce.Store, *commerce.Evaluation) {
	c, s := discountedCart(100)
	base := commerce.Amount(5000)
	for i := range c.Lines {
		p := s.Product(c.Lines[i].ProductID)
		p.Slug, p.Active, p.Prices.Base = "roller-blind-of-linen", true, &base
		p.Variants = []commerce.Variant{{ID: uuid.New(), Name: "Black", Active: true}, {ID: uuid.New(), Name: "White", Active: true, Display: commerce.Display{
			Media: []commerce.Media{{URL: "/pictures/roller-blind-white.jpg", Alt: "A white blind"}}, Attributes: []commerce.Attribute{{Name: "Colour",
				Values: []string{"White"}}},
		}}}
		c.Lines[i].VariantID = p.Variants[1].ID
	}
	e := new(commerce.Evaluation)
	e.Evaluate(c, s, commerce.Visitor{}, testNow)
	return c, s, e
}

func TestEncodingDetailsAllocatesNothing(t *testing.T) {
	_, s, e := detailedCart()
	buffer, visitor := make([]byte, 0, 1<<17), commerce.Visitor{}
	if n := testing.AllocsPerRun(100, func() { buffer = answers.CartDetails.Append(buffer[:0], cartAnswerView(s, e, &visitor)) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// A line's details take at most 1 µs.
func BenchmarkDetails(b *testing.B) {
	c, s, e := detailedCart()
	buffer, visitor := make([]byte, 0, 1<<17), commerce.Visitor{}
	b.ReportAllocs()
	for b.Loop() {
		buffer = answers.CartDetails.Append(buffer[:0], cartAnswerView(s, e, &visitor))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(c.Lines)), "ns/line")
}

// docs/api/carts.md#claim, Report.
func TestMergeReport(t *testing.T) {
	cart, line, variant := uuid.MustParse(testCart), uuid.MustParse(testLine), uuid.MustParse(testContact)
	report := []commerce.FoldReport{
		{
			Cart: cart, Moved: 1, Summed: 2, Clamped: []commerce.ClampedLine{{Line: line, Requested: 110 * commerce.One, Kept: 100 * commerce.One}},
			Dropped: []commerce.DroppedLine{{Product: line, Quantity: 2500}, {Product: line, Variant: variant, Quantity: commerce.One}},
		},
		{Cart: line},
	}
	full := `,"merge_report":[{"cart_id":"` + testCart + `","moved":1,"summed":2,"clamped":[{"line_id":"` + testLine + `","requested":110,"kept":100}],` +
		`"dropped":[{"product_id":"` + testLine + `","variant_id":null,"quantity":2.5,"properties":null},{"product_id":"` + testLine + `","variant_id":"` +
		testContact + `","quantity":1,"properties":null}]},` +
		`{"cart_id":"` + testLine + `","moved":0,"summed":0,"clamped":[],"dropped":[]}]}`
	for _, c := range []struct {
		query  string
		report []commerce.FoldReport
		want   string
	}{
		{"", report, ""},
		{"?include=merge_report", report, full},
		{"?include=merge_report", nil, `,"merge_report":[]}`},
		{"?include=x,merge_report&page=1", nil, `,"merge_report":[]}`},
		{"?include=merge_reports", report, ""},
		{"?include=merge_report&include=x", report, ""},
	} {
		h := start(t)
		h.engine.reply.Fold = &engine.Fold{Last: true, Claim: &commerce.Claim{Report: c.report}}
		r := sample(&route{method: "POST", path: claimPath})
		plain := h.do(r)
		r.path += c.query
		got := h.do(r)
		want := plain.body
		if c.want != "" {
			want = strings.TrimSuffix(plain.body, "}") + c.want
		}
		if got.status != 200 || got.body != want || got.header.Get("ETag") != plain.header.Get("ETag") || plain.header.Get("ETag") == "" {
			t.Errorf("%q: %d %s %s\nwant %s with the ETag %s", c.query, got.status, got.header.Get("ETag"), got.body, want, plain.header.Get("ETag"))
		}
	}
}
