package httpserver

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// basketStore sells one product at 10.00, from ten pieces on at 9.00, with 21 per cent of tax included, and
// delivers it for 5.00.
func basketStore() *commerce.Store {
	s := sampleStore()
	ten := commerce.Amount(1000)
	s.Products = append(s.Products, &commerce.Product{
		ID: uuid.MustParse(testLine), Name: "Tile", Active: true, Tax: &commerce.TaxRate{Rate: 21e9}, RequiresShipping: true,
		Prices: commerce.Prices{Base: &ten, Tiers: []commerce.Tier{{MinQuantity: 10 * commerce.One, Price: 900}}},
	})
	s.Discounts = []commerce.Discount{{ID: uuid.MustParse(testCart), Name: "Ten", Active: true, Code: "TEN", Value: commerce.DiscountValue{Percent: 10e9}}}
	s.ShippingMethods = []commerce.ShippingMethod{{ID: uuid.MustParse(testQuote), Name: "Parcel", Price: 500, Tax: &commerce.TaxRate{Rate: 21e9}}}
	s.Index()
	return s
}

func startBasket(t *testing.T) *harness {
	h := start(t)
	h.engine.show(basketStore())
	return h
}

func basketCall(body string) call { return call{method: "POST", path: pricePath, body: body} }

// One whole answer: a line of two entries, a refused one of each form, a code, a delivery.
func TestBasketAnswer(t *testing.T) {
	h := startBasket(t)
	line := func(quantity string) string { return `{"product_id":"` + testLine + `","quantity":` + quantity + `}` }
	nulls := `"unit_price":null,"full_total":null,"discount_amount":null,"line_total":null,"unit_price_without_tax":null,` +
		`"full_total_without_tax":null,"discount_amount_without_tax":null,"line_total_without_tax":null,"tax_rate":null`
	money := func(cents string) string { return `{"amount":` + cents + `,"currency":"EUR"}` }
	known := `"product_id":"` + testLine + `","variant_id":null,"properties":null`
	h.expect(basketCall(`{"lines":[`+line("4")+`,`+line("2.5")+`,`+line("6")+`,`+line("95")+`,7,{"quantity":1}],"discount_codes":[" ten"],"country":"NL"}`), 200,
		`{"data":{"at":"2026-11-20T10:00:00Z","lines":[`+
			`{"index":0,"same_as":null,`+known+`,"quantity":10,"unit_price":`+money("900")+`,"full_total":`+money("9000")+`,"discount_amount":`+money("900")+
			`,"line_total":`+money("8100")+`,"unit_price_without_tax":`+money("744")+`,"full_total_without_tax":`+money("7438")+
			`,"discount_amount_without_tax":`+money("744")+`,"line_total_without_tax":`+money("6694")+`,"tax_rate":21,"errors":null,"message":null,"code":null},`+
			`{"index":1,"same_as":null,`+known+`,"quantity":2.5,`+nulls+
			`,"errors":{"quantity":["The quantity must be a whole number."]},"message":"The quantity must be a whole number.","code":null},`+
			`{"index":2,"same_as":0,`+known+`,"quantity":6,`+nulls+`,"errors":null,"message":null,"code":null},`+
			`{"index":3,"same_as":null,`+known+`,"quantity":95,`+nulls+
			`,"errors":null,"message":"Quantity exceeds the per-line maximum.","code":"cart_constraint"},`+
			`{"index":4,"same_as":null,"product_id":null,"variant_id":null,"properties":null,"quantity":null,`+nulls+
			`,"errors":{"lines.4":["The lines.4 field must be an array."]},"message":"The lines.4 field must be an array.","code":null},`+
			`{"index":5,"same_as":null,"product_id":null,"variant_id":null,"properties":null,"quantity":1,`+nulls+
			`,"errors":{"product_id":["The product id field is required."]},"message":"The product id field is required.","code":null}],`+
			`"discounts":[{"id":"`+testCart+`","name":"Ten","code":"TEN","kind":"order","amount":900}],"discount_codes":[{"code":" ten","error":null}],`+
			`"totals":{"subtotal":`+money("6694")+`,"tax_total":`+money("1406")+`,"total":`+money("8100")+`,"discount_total":`+money("900")+
			`,"tax_breakdown":[{"rate":21,"base":6694,"tax":1406}]},"tax_country":null,"tax_exemption":null,"requires_quote":false,"quote_reasons":[],`+
			`"shipping_methods":[{"id":"`+testQuote+`","name":"Parcel","price":`+money("500")+
			`,"price_without_tax":`+money("413")+`,"price_with_tax":`+money("500")+`,"description":null,"min_days":null,"max_days":null,`+
			`"metadata":null,"tax_rate":21,"order_total":`+money("8600")+`}]}}`)
	got := h.do(basketCall(""))
	if want := `"lines":[],"discounts":[],"discount_codes":[],`; got.status != 200 || !strings.Contains(got.body, want) ||
		!strings.Contains(got.body, `"shipping_methods":null}}`) {
		t.Errorf("an empty basket: %d %s", got.status, got.body)
	}
	codes := h.do(call{method: "POST", path: pricePath + "?include=error_codes", body: `{"lines":[` + line("0.5") + `,` + line("1") + `]}`})
	if strings.Count(codes.body, `"error_codes":{"quantity":[{"code":"quantity_not_whole"}]}`) != 1 || strings.Count(codes.body, "error_codes") != 1 {
		t.Errorf("with codes: %s", codes.body)
	}
}

// docs/api/contract.md#the-order-of-judgement: 400 of the body, 403 for a moment without catalog:manage, 422
// of the fields, 429 of the codes.
func TestBasketIsJudgedInOrder(t *testing.T) {
	const later, codes = `"at":"2026-11-21T10:00:00Z"`, `"discount_codes":["guess"]`
	for _, row := range []struct {
		name, body string
		raise      func(*harness)
		status     int
		want       string
	}{
		{"no JSON", `[`, func(*harness) {}, 400, "not valid JSON"},
		{"a moment", `{` + later + `}`, func(*harness) {}, 200, `"at":"2026-11-21T10:00:00Z"`},
		{"a moment without the scope", `{` + later + `,"country":"x"}`, storefrontKey, 403, "Invalid ability provided."},
		{"a faulty moment without the scope", `{"at":"x"}`, storefrontKey, 403, "Invalid ability provided."},
		{"no moment without the scope", `{"at":null}`, storefrontKey, 200, `"at":"2026-11-20T10:00:00Z"`},
		{"fields", `{"country":"x",` + codes + `}`, spentCodes, 422, `{"country":["The country field must be 2 characters."]}`},
		{"a moment that has passed", `{"at":"2026-11-20T09:59:59Z"}`, func(*harness) {}, 422, "must be a date after or equal to 2026-11-20T10:00:00Z."},
		{"two codes", `{"discount_codes":["a","b"]}`, func(*harness) {}, 422, "must not have more than 1 items."},
		{"codes", `{` + codes + `}`, spentCodes, 429, "Too Many Attempts."},
		{"a line is no reason", `{"lines":[7]}`, func(*harness) {}, 200, "lines.0"},
	} {
		h := startBasket(t)
		row.raise(h)
		got := h.do(basketCall(row.body))
		if got.status != row.status || !strings.Contains(got.body, row.want) {
			t.Errorf("%s: got %d %s; want %d, %s", row.name, got.status, got.body, row.status, row.want)
		}
	}
}

func storefrontKey(h *harness) {
	h.engine.admission.Key.Scopes = commerce.AnyOf(commerce.CommerceRead, commerce.CommerceWrite)
}

func spentCodes(h *harness) {
	h.engine.counted = &engine.Budget{Limit: 120, RetryAfter: 3 * time.Second, Reset: testNow.Add(time.Minute)}
}

// Unknown codes are counted, known ones only looked up behind a proxy that names the visitor, none at all
// without codes. The headers show the smaller budget, and the one that refuses.
func TestCodesOfABasketAreCounted(t *testing.T) {
	const unknown, known = `{"discount_codes":["guess"]}`, `{"discount_codes":["TEN"]}`
	tries := engine.Budget{Granted: true, Limit: 20, Remaining: 19}
	spent := engine.Budget{Limit: 20, RetryAfter: 90 * time.Second, Reset: testNow.Add(90 * time.Second)}
	for _, row := range []struct {
		name, body string
		forwarded  bool
		counted    *engine.Budget
		tries      engine.Budget
		status     int
		call       string // to the engine; empty if there is none
		limit      string
		remaining  string
	}{
		{"no code", `{}`, true, nil, tries, 200, "", "120", "119"},
		{"a known one", known, false, nil, engine.Budget{}, 200, "", "120", "119"},
		{"a known one of a visitor", known, true, nil, tries, 200, "count of 0 codes of 203.0.113.7", "20", "19"},
		{"an unknown one", unknown, false, &engine.Budget{Granted: true, Limit: 120, Remaining: 118}, engine.Budget{}, 200, "count of 1 codes of", "120", "118"},
		{"an unknown one of a visitor", unknown, true, &engine.Budget{Granted: true, Limit: 120, Remaining: 118}, tries, 200,
			"count of 1 codes of 203.0.113.7", "20", "19"},
		{"a visitor's tries are spent", known, true, nil, spent, 429, "count of 0 codes of 203.0.113.7", "20", "0"},
		{"the store's limit", unknown, false, &engine.Budget{Limit: 120, RetryAfter: time.Second, Reset: testNow}, engine.Budget{}, 429,
			"count of 1 codes of", "120", "0"},
	} {
		h := start(t, func(c *Config) {
			if row.forwarded {
				c.TrustedProxies = []netip.Prefix{peer}
			}
		})
		h.engine.show(basketStore())
		h.engine.counted, h.engine.guesses = row.counted, row.tries
		got := h.do(basketCall(row.body).with("X-Forwarded-For: 203.0.113.7"))
		if got.status != row.status || got.header.Get("X-RateLimit-Limit") != row.limit || got.header.Get("X-RateLimit-Remaining") != row.remaining ||
			(got.header.Get("Retry-After") != "") != (row.status == 429) {
			t.Errorf("%s: got %d %s, %v", row.name, got.status, got.body, got.header)
		}
		if calls := strings.Join(h.engine.called, ", "); !strings.HasPrefix(calls, row.call) || row.call == "" && calls != "" {
			t.Errorf("%s: calls %q, want %q", row.name, calls, row.call)
		}
	}
}

// A code that is used up, of a batch or by the token's account, is shown so and not applied. The counts are
// those of CountCodes.
func TestUsedUpCodesOfABasket(t *testing.T) {
	limit := int64(2)
	for _, known := range []bool{true, false} {
		h := start(t)
		s := basketStore()
		s.Discounts[0].CustomerLimit = &limit
		s.Index()
		h.engine.show(s)
		want := `"discount_codes":[{"code":"TEN","error":null}],"totals":{"subtotal":{"amount":744,`
		h.engine.admission.Visitor = commerce.Visitor{}
		if known {
			h.engine.admission.Visitor = commerce.Visitor{Known: true, CustomerID: uuid.MustParse(testContact)}
			want = `"discount_codes":[{"code":"TEN","error":"usage_limit"}],"totals":{"subtotal":{"amount":826,`
		}
		got := h.do(basketCall(`{"lines":[{"product_id":"` + testLine + `","quantity":1}],"discount_codes":["TEN"]}`))
		if got.status != 200 || !strings.Contains(got.body, want) || len(h.engine.called) != map[bool]int{true: 1, false: 0}[known] {
			t.Errorf("known %v: got %d %s, calls %q; want %s", known, got.status, got.body, h.engine.called, want)
		}
	}
}

// A dear basket waits for a turn of explain; at its deadline it is 503. Others wait for nothing.
func TestDearBasketsTakeTurns(t *testing.T) {
	h := start(t, func(c *Config) { c.RequestTimeout = 50 * time.Millisecond })
	s := basketStore()
	for range 501 {
		s.Discounts = append(s.Discounts, commerce.Discount{ID: uuid.New(), Active: true, Value: commerce.DiscountValue{Percent: 1}})
	}
	s.Index()
	h.engine.show(s)
	for h.server.explaining.Begin(uuid.UUID{9}, time.Now()) { // until none is free
	}
	line := `{"product_id":"` + testLine + `","quantity":1}`
	for lines, status := range map[int]int{19: 200, 20: 503} {
		if got := h.do(basketCall(`{"lines":[` + line + strings.Repeat(","+line, lines-1) + `]}`)); got.status != status {
			t.Errorf("%d lines: got %d %s, want %d", lines, got.status, got.body, status)
		}
	}
}

// A basket of three lines costs at most 30 µs of processor time, from the parsed request to the answer.
func BenchmarkServeBasketPrice(b *testing.B) {
	s := basketStore()
	tile := s.Products[len(s.Products)-1]
	var lines []string
	for i := range 3 {
		p := *tile
		p.ID[0] = byte(i + 1)
		s.Products = append(s.Products, &p)
		lines = append(lines, `{"product_id":"`+p.ID.String()+`","quantity":`+decimal(i+1)+`}`)
	}
	s.Discounts = append(s.Discounts, commerce.Discount{ID: uuid.New(), Active: true, Value: commerce.DiscountValue{Percent: 1e9}})
	s.Index()
	benchmarkStore(b, s, commerce.Visitor{}, "POST", pricePath, `{"lines":[`+strings.Join(lines, ",")+`]}`)
}
