package httpserver

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/httpserver/front"
)

const (
	nails, gloves, relic, service = "a0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-000000000002", "a0000000-0000-4000-8000-000000000003",
		"a0000000-0000-4000-8000-000000000004"
	glovesS, glovesM, glovesOld = "b0000000-0000-4000-8000-000000000001", "b0000000-0000-4000-8000-000000000002", "b0000000-0000-4000-8000-000000000003"
)

// stocked starts a server whose store tracks nails and gloves, but not a service.
func stocked(t *testing.T) *harness {
	h := start(t)
	s := sampleStore()
	s.Products = []*commerce.Product{
		{ID: uuid.MustParse(nails), Active: true, TrackStock: true},
		{ID: uuid.MustParse(gloves), Active: true, TrackStock: true, Variants: []commerce.Variant{
			{ID: uuid.MustParse(glovesS), Active: true}, {ID: uuid.MustParse(glovesM), Active: true}, {ID: uuid.MustParse(glovesOld)},
		}},
		{ID: uuid.MustParse(relic), TrackStock: true},
		{ID: uuid.MustParse(service), Active: true},
	}
	s.Index()
	h.engine.admission.Store = s
	h.engine.levels = map[uuid.UUID]commerce.StockLevel{
		uuid.MustParse(nails):     {OnHand: 7_500_000, Held: 2_000_000, Own: 250_000},
		uuid.MustParse(glovesS):   {OnHand: 3_000_000, Held: 4_000_000},
		uuid.MustParse(glovesM):   {OnHand: 2_000_000},
		uuid.MustParse(glovesOld): {OnHand: 50_000_000},
	}
	return h
}

// availabilityRow returns one row as JSON.
func availabilityRow(product, variant, status, available string) string {
	if variant != "null" {
		variant = `"` + variant + `"`
	}
	return fmt.Sprintf(`{"product_id":"%s","variant_id":%s,"stock_status":"%s","available":%s,"available_now":%[4]s,"available_from":null}`,
		product, variant, status, available)
}

// The rows are the known items, in the order of the query, each once. Every spelling of a list counts.
// docs/api/stock.md#rules.
func TestStockAvailability(t *testing.T) {
	h := stocked(t)
	nailsRow := availabilityRow(nails, "null", "in_stock", "5.75")
	for _, c := range []struct{ query, want string }{
		{"", ""},
		{"product_ids[]=" + nails, nailsRow},
		{"product_ids%5B%5D=" + strings.ToUpper(nails), nailsRow},
		{"product_ids=" + nails + "&product_ids[]=" + nails + "&product_ids[7]=" + nails, nailsRow},
		{"product_ids[]=" + service, availabilityRow(service, "null", "untracked", "null")},
		{"product_ids[]=" + relic + "&product_ids[]=" + testCart + "&product_ids[]=x&product_ids[]=&product_ids[a]=" + nails + "&variant_ids[]=" + glovesOld +
			"&variant_ids[]=" + nails, ""},
		{"variant_ids[]=" + glovesS + "&variant_ids[]=" + glovesM + "&product_ids[]=" + gloves,
			availabilityRow(gloves, "null", "in_stock", "2") + "," + availabilityRow(gloves, glovesS, "out_of_stock", "0") + "," + availabilityRow(gloves,
				glovesM, "in_stock", "2")},
	} {
		got := h.do(call{method: "GET", path: availabilityPath + "?" + c.query})
		if want := `{"data":[` + c.want + `],"links":`; got.status != 200 || !strings.HasPrefix(got.body, want) {
			t.Errorf("%s:\n got %d %s\nwant %s…", c.query, got.status, got.body, want)
		}
	}
}

func TestStockAvailabilityIsAPagedList(t *testing.T) {
	h := stocked(t)
	got := h.do(call{method: "GET", path: availabilityPath + "?product_ids[]=" + nails + "&product_ids[]=" + service + "&per_page=1&page=2"})
	if !strings.HasPrefix(got.body, `{"data":[`+availabilityRow(service, "null", "untracked", "null")+`]`) ||
		!strings.Contains(got.body, `"current_page":2,"from":2,`) {
		t.Errorf("the second page: %s", got.body)
	}
	if got := h.do(call{method: "GET", path: availabilityPath}); !strings.Contains(got.body, `"per_page":100,`) {
		t.Errorf("without per_page: %s", got.body)
	}
}

func TestAStockQueryHasAtMostAHundredIDs(t *testing.T) {
	h := stocked(t)
	for _, c := range []struct {
		products, variants int
		want               string // the list that is too long; empty if none is
	}{
		{100, 0, ""}, {0, 100, ""}, {60, 40, ""},
		{101, 0, `"product_ids":["The product ids field must not have more than 100 items."]`},
		{0, 101, `"variant_ids":["The variant ids field must not have more than 100 items."]`},
		{60, 41, `"variant_ids":["The variant ids field must not have more than 40 items."]`},
		{101, 101, `"product_ids":["The product ids field must not have more than 100 items."],"variant_ids":["The variant ids field must not have more than 100 items."]`},
	} {
		path := availabilityPath + "?" + strings.Repeat("product_ids[]=x&", c.products) + strings.Repeat("variant_ids[]=x&", c.variants)
		got := h.do(call{method: "GET", path: path})
		if c.want == "" && got.status != 200 || c.want != "" && (got.status != 422 || !strings.HasSuffix(got.body, `"errors":{`+c.want+`}}`)) {
			t.Errorf("%d products, %d variants: %d %s", c.products, c.variants, got.status, got.body)
		}
	}
}

func TestStockAdjustmentBody(t *testing.T) {
	h := stocked(t)
	h.engine.adjusted.Level = commerce.StockLevel{OnHand: 12_345_600, Held: 2_000_000}
	reason := "counted"
	for _, c := range []struct {
		body   string
		want   commerce.StockAdjustment
		answer string
	}{
		{`{"product_id":"` + nails + `","quantity":-2.5,"reason":" counted "}`,
			commerce.StockAdjustment{ProductID: uuid.MustParse(nails), Quantity: -2_500_000, Reason: &reason}, "null"},
		{`{"product_id":"` + gloves + `","variant_id":"` + glovesS + `","quantity":"-0.001","reason":null}`,
			commerce.StockAdjustment{ProductID: uuid.MustParse(gloves), VariantID: uuid.MustParse(glovesS), VariantSent: true, Quantity: -1000}, `"` + glovesS + `"`},
		{`{"product_id":"` + nails + `","variant_id":null,"quantity":9e9,"reason":"  "}`,
			commerce.StockAdjustment{ProductID: uuid.MustParse(nails), Quantity: commerce.StockDelta(commerce.MaxStock)}, "null"},
	} {
		product := c.want.ProductID.String()
		h.expect(call{method: "POST", path: adjustmentsPath, body: c.body}, 201,
			`{"product_id":"`+product+`","variant_id":`+c.answer+`,"on_hand":12.3456,"available":10.3456}`)
		got := h.engine.adjusts[len(h.engine.adjusts)-1].StockAdjustment
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: the engine was asked for %+v", c.body, got)
		}
	}
}

func TestWrongStockAdjustments(t *testing.T) {
	h := stocked(t)
	quantity := func(text string) string { return `{"product_id":"` + nails + `","quantity":` + text + `}` }
	for _, c := range []struct{ body, want string }{
		{`{}`, `"product_id":["The product id field is required."],"quantity":["The quantity field is required."]`},
		{`{"product_id":7,"variant_id":7,"quantity":[1],"reason":7}`,
			`"product_id":["The product id field must be a string."],"variant_id":["The variant id field must be a string."],` +
				`"quantity":["The quantity field must be a number."],"reason":["The reason field must be a string."]`},
		{`{"product_id":"x","quantity":1,"reason":"` + strings.Repeat("é", 256) + `"}`,
			`"product_id":["The product id field must be a valid UUID."],"reason":["The reason field must not be greater than 255 characters."]`},
		{quantity(`0`), `"quantity":["The selected quantity is invalid."]`},
		{quantity(`"-0.0"`), `"quantity":["The selected quantity is invalid."]`},
		{quantity(`1.2345`), `"quantity":["The quantity field must have 0-3 decimal places."]`},
	} {
		got := h.do(call{method: "POST", path: adjustmentsPath, body: c.body})
		if got.status != 422 || !strings.HasSuffix(got.body, `"errors":{`+c.want+`}}`) {
			t.Errorf("%s:\n got %d %s\nwant %s", c.body, got.status, got.body, c.want)
		}
	}
	if n := len(h.engine.adjusts); n != 0 {
		t.Errorf("the engine was asked %d times", n)
	}
}

func TestAStockAdjustmentHasAnIdempotencyKey(t *testing.T) {
	h := stocked(t)
	body := `{"product_id":"` + nails + `","quantity":1}`
	post := func(header ...string) answer {
		return h.do(call{method: "POST", path: adjustmentsPath, body: body, header: header})
	}
	post("Idempotency-Key: k")
	post("Idempotency-Key: k")
	post()
	first, second, third := h.engine.adjusts[0].Idempotency, h.engine.adjusts[1].Idempotency, h.engine.adjusts[2].Idempotency
	if first == nil || second == nil || *first != *second || third != nil || first.Status != 201 {
		t.Errorf("the keys are %+v, %+v, %+v; want two that are the same, and none", first, second, third)
	}
	h.engine.adjusted.Replayed = true
	if got := post("Idempotency-Key: k"); got.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("a replay: %d %v", got.status, got.header)
	}
	if got := post("Idempotency-Key: " + strings.Repeat("k", 256)); got.status != 400 {
		t.Errorf("a key that is too long: %d %s", got.status, got.body)
	}
}

// manyVariants starts a server whose store has tracked products with as many active variants each, and
// an inactive one between all of them.
func manyVariants(t *testing.T, products, variants int, adjust ...func(*Config)) *harness {
	h := start(t, adjust...)
	h.engine.show(storeOfVariants(products, variants))
	h.engine.levels = map[uuid.UUID]commerce.StockLevel{}
	return h
}

func storeOfVariants(products, variants int) *commerce.Store {
	s := sampleStore()
	s.Products = nil
	for i := range products {
		p := &commerce.Product{ID: uuid.UUID{1, byte(i)}, Slug: fmt.Sprint("p", i), Name: "P", Active: true, TrackStock: true}
		for v := range variants {
			p.Variants = append(p.Variants, commerce.Variant{ID: variantOf(i, v), Name: "V", Active: true},
				commerce.Variant{ID: uuid.UUID{3, byte(i), byte(v), byte(v >> 8)}})
		}
		s.Products = append(s.Products, p)
	}
	s.Index()
	return s
}

func variantOf(product, variant int) uuid.UUID {
	return uuid.UUID{2, byte(product), byte(variant), byte(variant >> 8)}
}

var inStock = commerce.StockLevel{OnHand: 1}

// statuses lists a page's statuses: of each product, then of its variants that are in stock.
func statuses(t *testing.T, got answer) string {
	t.Helper()
	var page struct {
		Data []struct {
			Status   string `json:"stock_status"`
			Variants []struct {
				Status string `json:"stock_status"`
			}
		}
	}
	if err := json.Unmarshal([]byte(got.body), &page); got.status != 200 || err != nil {
		t.Fatalf("got %d %v %.300s", got.status, err, got.body)
	}
	var all []string
	for _, p := range page.Data {
		text := p.Status
		for i, v := range p.Variants {
			if v.Status == "in_stock" {
				text += fmt.Sprint(" ", i)
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// A list reads the stock of the variants that it shows. Of a product whose shown variants are all sold
// out it reads further ones until one is in stock. docs/api/catalogue.md#products.
func TestAListReadsTheStockThatItShows(t *testing.T) {
	for _, c := range []struct {
		name               string
		products, variants int
		stocked            []uuid.UUID
		want               string
		reads              []int
	}{
		{"no variants", 3, 0, []uuid.UUID{{1, 1}}, "out_of_stock, in_stock, out_of_stock", []int{3}},
		{"all shown", 2, 50, []uuid.UUID{variantOf(0, 49)}, "in_stock 49, out_of_stock", []int{100}},
		{"a shown one in stock", 2, 1000, []uuid.UUID{variantOf(0, 0), variantOf(1, 7), variantOf(1, 999)}, "in_stock 0, in_stock 7", []int{100}},
		{"a further one in stock", 2, 1000, []uuid.UUID{variantOf(0, 3), variantOf(1, 60)}, "in_stock 3, in_stock", []int{100, 50}},
		{"the last one in stock", 1, 1000, []uuid.UUID{variantOf(0, 999)}, "in_stock", []int{50, 50, 100, 200, 400, 200}},
		{"sold out", 1, 400, nil, "out_of_stock", []int{50, 50, 100, 200}},
		{"many sold out", 100, 100, nil, strings.Repeat("out_of_stock, ", 99) + "out_of_stock", []int{2000, 2000, 1000, 2000, 2000, 1000}},
	} {
		h := manyVariants(t, c.products, c.variants)
		for _, id := range c.stocked {
			h.engine.levels[id] = inStock
		}
		got := h.do(call{method: "GET", path: productsPath + "?per_page=100"})
		if seen := statuses(t, got); seen != c.want {
			t.Errorf("%s: %s, want %s", c.name, seen, c.want)
		}
		if !slices.Equal(h.engine.stockReads, c.reads) {
			t.Errorf("%s: read %v items, want %v", c.name, h.engine.stockReads, c.reads)
		}
		if used := h.server.Figures().Answers; used > 2<<20 {
			t.Errorf("%s: %d bytes are reserved afterwards", c.name, used)
		}
	}
	// The product's own page shows all variants.
	h := manyVariants(t, 1, 300)
	h.engine.levels[variantOf(0, 299)] = inStock
	got := h.do(call{method: "GET", path: productsPath + "/p0"})
	if !strings.Contains(got.body, `"stock_status":"in_stock","purchasability"`) || strings.Count(got.body, `"stock_status":"in_stock"`) != 2 ||
		!slices.Equal(h.engine.stockReads, []int{300}) {
		t.Errorf("one product: %.200s after reading %v", got.body, h.engine.stockReads)
	}
}

// The stock of many variants is read some at a time. A product's is the sum.
func TestAvailabilityOfManyVariants(t *testing.T) {
	h := manyVariants(t, 5, 1000)
	for v := range 1000 {
		h.engine.levels[variantOf(2, v)] = commerce.StockLevel{OnHand: 2_000_000}
	}
	var query []string
	for i := range 5 {
		query = append(query, "product_ids[]="+uuid.UUID{1, byte(i)}.String())
	}
	got := h.do(call{method: "GET", path: availabilityPath + "?" + strings.Join(query, "&")})
	if got.status != 200 || !strings.Contains(got.body, `"stock_status":"in_stock","available":2000,"available_now":2000,"available_from":null}`) ||
		strings.Count(got.body, `"out_of_stock","available":0,"available_now":0,"available_from":null}`) != 4 {
		t.Errorf("got %d %.900s", got.status, got.body)
	}
	if want := []int{2000, 2000, 1000}; !slices.Equal(h.engine.stockReads, want) {
		t.Errorf("read %v items, want %v", h.engine.stockReads, want)
	}
}

// The items of a page count in the budget of answers before they are listed. Without room nothing is
// read.
func TestStockItemsCountAsAnswers(t *testing.T) {
	h := manyVariants(t, 100, 100)
	var during int64
	h.engine.onStock = func() { during = max(during, h.server.Figures().Answers) }
	if got := h.do(call{method: "GET", path: productsPath + "?per_page=1"}); got.status != 200 || during < 50*stockItemBytes {
		t.Errorf("%d with %d bytes, want room for 50 items", got.status, during)
	}
	if h.do(call{method: "GET", path: productsPath + "?per_page=100"}); during < stockRead*stockItemBytes {
		t.Errorf("%d bytes, want room for %d items", during, stockRead)
	}
	h = manyVariants(t, 100, 100, func(cfg *Config) { cfg.Limits = front.Limits{AnswerBytes: 4 * stockRead * stockItemBytes / 2} })
	for _, path := range []string{productsPath + "?per_page=100",
		availabilityPath + "?" + strings.Repeat("product_ids[]="+uuid.UUID{1, 1}.String()+"&variant_ids[]="+variantOf(0, 0).String()+"&", 50)} {
		want, reads := 503, 0
		if strings.HasPrefix(path, availabilityPath) {
			want, reads = 200, 1 // 101 items
		}
		h.engine.stockReads = nil
		if got := h.do(call{method: "GET", path: path}); got.status != want || len(h.engine.stockReads) != reads {
			t.Errorf("%.60s: %d after %v, want %d", path, got.status, h.engine.stockReads, want)
		}
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
}

// A store has one large reading of stock at a time. Its small ones, and those of other stores, do not
// wait for it.
func TestLargeStockReadingsTakeTurns(t *testing.T) {
	h := manyVariants(t, 100, 100)
	entered, leave := make(chan struct{}), make(chan struct{})
	h.engine.onStock = func() {
		entered <- struct{}{}
		<-leave
	}
	answers := make(chan answer, 2)
	large := call{method: "GET", path: productsPath + "?per_page=100"}
	go func() { answers <- h.do(large) }()
	<-entered
	go func() { answers <- h.do(large) }()
	await(t, "the second large reading to wait", func() bool { return h.server.stockTurns.Users(sampleStore().ID) == 2 })
	go func() { answers <- h.do(call{method: "GET", path: productsPath + "?per_page=1"}) }()
	<-entered // the small one
	close(leave)
	go func() {
		for range entered {
		}
	}()
	for range 3 {
		if got := <-answers; got.status != 200 {
			t.Errorf("got %d", got.status)
		}
	}
	close(entered)
	if n := h.server.stockTurns.Users(sampleStore().ID); n != 0 {
		t.Errorf("%d turns are taken afterwards", n)
	}
}
