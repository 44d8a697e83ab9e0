package httpserver

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/engine"
	"cartd/httpserver/front"
	"cartd/httpserver/site"
)

func TestAttributeName(t *testing.T) {
	for key, want := range map[string]string{
		"attributes[Colour]": "Colour", "attributes[Colour][]": "Colour", "attributes[Colour][3]": "Colour", "attributes[Size [cm]]": "Size [cm]",
		"attributes[a][b]": "a][b", "attributes[a][b][]": "a][b", "attributes[]": "", "attributes[ ]": "", "attributes[][]": "",
		"attributes": "", "attributes[Colour": "", "attributes[Colour]x": "", "Attributes[Colour]": "", "attributes[[]": "[",
	} {
		if got, ok := attributeName(key); ok != (want != "") || ok && got != want {
			t.Errorf("attributeName(%q) = %q, %t; want %q", key, got, ok, want)
		}
	}
}

// Values of a name are alternatives in either form, and blank ones are no filter.
func TestProductListsAreRead(t *testing.T) {
	var args fasthttp.Args
	args.Parse("attributes[Colour]=White&attributes[Colour][]=Grey&attributes%5BSize%5D=L&attributes[Size]=&ids[]=x&ids[0]=" + testCart +
		"&ids=+&ids[]=" + testLine)
	var f catalogue.Filter
	if ids := decodeProductLists(&args, &f); ids != 3 || len(f.IDs) != 2 || f.IDs[0].String() != testCart || f.IDs[1].String() != testLine {
		t.Errorf("%d ids, read %v", ids, f.IDs)
	}
	want := []catalogue.AttributeFilter{{Name: "Colour", Values: []string{"White"}}, {Name: "Colour", Values: []string{"Grey"}},
		{Name: "Size", Values: []string{"L"}}}
	if !reflect.DeepEqual(f.Attributes, want) {
		t.Errorf("attributes %v, want %v", f.Attributes, want)
	}
}

// FuzzProductQuery: a query is either refused or finds products of the store, each once, and never
// ends the server.
func FuzzProductQuery(f *testing.F) {
	for _, query := range []string{
		"q=shrit", "attributes[Colour]=White&attributes[colour][]=grey", "attributes[a][b][]=%ff", "ids[]=" + testLine + "&ids[]=1", "price_min=-1&price_max=1e9",
		"in_category=x&category_id=&sku=SH-W&capability=standard&sort=-price&include=facets", "attributes[]=1&attributes[=2&attributes[]]=3",
		strings.Repeat("attributes[n]=v&", 60),
	} {
		f.Add(query)
	}
	shirt := &commerce.Product{
		ID: uuid.MustParse(testLine), Name: "Shirt", Slug: "shirt", Active: true, Prices: commerce.Prices{Base: new(commerce.Amount)},
		Display: commerce.Display{Attributes: []commerce.Attribute{{Name: "Brand", Values: []string{"É"}}}},
		Variants: []commerce.Variant{
			{ID: uuid.UUID{1}, Name: "White", SKU: "SH-W", Active: true,
				Display: commerce.Display{Attributes: []commerce.Attribute{{Name: "Colour", Values: []string{"White"}}}}},
			{ID: uuid.UUID{2}, Name: "Grey", Active: true, Display: commerce.Display{Attributes: []commerce.Attribute{{Name: "Colour", Values: []string{"Grey"}}}}},
		},
	}
	index := catalogue.New(&commerce.Store{Products: []*commerce.Product{shirt, sampleBlind()}})
	prices := index.PricesIn(commerce.PriceView{})
	f.Fuzz(func(t *testing.T, query string) {
		x := &exchange{ctx: &fasthttp.RequestCtx{}, facts: &engine.Facts{Store: &commerce.Store{Country: commerce.Country{'N', 'L'}}}}
		x.ctx.Request.URI().SetQueryString(query)
		filter, sort, _, fault := decodeProductQuery(x)
		if fault != nil {
			if len(fault.Fields) == 0 {
				t.Fatalf("%q is refused without a field: %v", query, fault)
			}
			return
		}
		found, _ := index.Find(&filter, prices, func() error { return nil })
		order := found.Order()
		if sort != catalogue.SortDocument {
			order = prices.Order(sort)
		}
		seen := map[*commerce.Product]bool{}
		for _, p := range index.Page(&found.ProductSet, order, 0, found.Len()) {
			if seen[p] || p == nil {
				t.Fatalf("%q finds %v twice", query, p)
			}
			seen[p] = true
		}
		if len(seen) != found.Len() || len(seen) > 2 {
			t.Fatalf("%q finds %d products, counted %d", query, len(seen), found.Len())
		}
		index.Facets(found, prices, new(catalogue.FacetBuffer))
	})
}

// A search, a filter by attributes and facets wait for their turn until their deadline. Plain lists do
// not.
func TestSearchesTakeTurns(t *testing.T) {
	h := start(t)
	h.server.requestTimeout = 20 * time.Millisecond
	turns, store := h.server.searching, uuid.UUID{9} // another store
	for turns.Begin(store, time.Now()) {             // until none is free
	}
	if turns.Users(store) == 0 {
		t.Fatal("there are no turns")
	}
	for query, want := range map[string]int{"include=facets": 503, "q=blind": 503, "attributes[a]=b": 503, "": 200, "sku=x&price_min=1&in_category=x": 200} {
		if got := h.do(call{method: "GET", path: productsPath + "?" + query}); got.status != want {
			t.Errorf("%s without a turn: %d, want %d", query, got.status, want)
		}
	}
	turns.End(store)
	h.server.requestTimeout = time.Minute
	if got := h.do(call{method: "GET", path: productsPath + "?include=facets&q=blind"}); got.status != 200 || turns.Users(sampleStore().ID) != 0 {
		t.Errorf("with a turn: %d; %d turns are taken afterwards", got.status, turns.Users(sampleStore().ID))
	}
}

// A search ends at its deadline; a list without one is answered from memory.
func TestASearchEndsAtItsDeadline(t *testing.T) {
	h := start(t)
	h.server.requestTimeout = time.Nanosecond
	for query, want := range map[string]int{"q=blind": 503, "q=blined": 503, "": 200} {
		if got := h.do(call{method: "GET", path: productsPath + "?" + query}); got.status != want {
			t.Errorf("%s after the deadline: %d, want %d", query, got.status, want)
		}
	}
}

// The memory of facets and searches counts in the budget of answers, as long as they are made.
func TestFacetsCountAsAnswers(t *testing.T) {
	s := sampleStore()
	for i := range 4000 {
		p := &commerce.Product{ID: uuid.UUID{7, byte(i), byte(i >> 8)}, Slug: fmt.Sprint("s", i), Name: "P", Active: true}
		for _, name := range []string{"A", "B", "C", "D"} {
			p.Attributes = append(p.Attributes, commerce.Attribute{Name: name, Values: []string{fmt.Sprint(i / 2)}})
		}
		s.Products = append(s.Products, p)
	}
	s.Index()
	h := start(t, func(cfg *Config) { cfg.Limits = front.Limits{AnswerBytes: 4 * 60_000} })
	h.engine.show(s)
	for query, want := range map[string]int{"include=facets&per_page=1": 503, "q=p&per_page=1": 200, "per_page=1": 200} {
		if got := h.do(call{method: "GET", path: productsPath + "?" + query}); got.status != want {
			t.Errorf("%s: %d, want %d", query, got.status, want)
		}
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
}

// A file of the program counts as an answer for each client that has not read it, for all clients
// without a key together.
func TestUnreadFilesAreBounded(t *testing.T) {
	const size = 8 << 20 // more than the buffers of a socket
	h, addr := onTCP(t, 100, func(cfg *Config) {
		cfg.Limits.AnswerBytes = 4 * 2 * size
		cfg.Site = []site.Source{{Path: "/large.js", Media: "text/javascript", Packed: fasthttp.AppendGzipBytes(nil, make([]byte, size))}}
	})
	file := call{method: "GET", path: "/large.js", anonymous: true}
	unread := []dialed{send(t, addr, file.wire()), send(t, addr, file.wire())}
	h.awaitAnswers(func(bytes int64) bool { return bytes > size })
	if got := dial(t, addr).asks(file); got.status != 503 || got.header.Get("Retry-After") != "1" {
		t.Errorf("without room: %d, %v", got.status, got.header)
	}
	if got := dial(t, addr).asks(readCart); got.status != 200 {
		t.Errorf("a store's request: %d", got.status)
	}
	for _, client := range unread {
		go io.Copy(io.Discard, client)
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
	head := file
	head.method = "HEAD"
	for range 3 {
		send(t, addr, head.wire())
	}
	if got := dial(t, addr).asks(file); got.status != 200 {
		t.Errorf("with room: %d", got.status)
	}
}

// Just before, at and just after each moment a list is sorted and filtered by the prices of that moment,
// its facets have their bounds, and the products show them.
func TestProductListsAtMoments(t *testing.T) {
	h := start(t)
	day := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	s := *h.engine.admission.Store
	s.Products = nil
	for i, base := range []commerce.Amount{1000, 900, 800} {
		s.Products = append(s.Products, &commerce.Product{
			ID: uuid.UUID{15: byte(i + 1)}, Slug: fmt.Sprint("p", i), Name: fmt.Sprint("P", i), Active: true, Prices: commerce.Prices{Base: &base},
		})
	}
	s.Products[0].Prices.Periods = []commerce.PricePeriod{{From: day, Until: day.Add(time.Hour), Price: 700}}
	s.Products[1].Prices.Periods = []commerce.PricePeriod{{From: day.Add(time.Hour), Until: day.Add(2 * time.Hour), Price: 850}}
	s.Policy.Pricing.ShowOriginalPrice = true
	s.Index()
	h.engine.show(&s)
	list := func(query string) (products string, facets string) {
		got := h.do(call{method: "GET", path: "/v1/api/catalog/products?include=facets&" + query})
		var answer struct {
			Data []struct {
				Slug     string
				Price    struct{ Amount int }
				Until    *string `json:"price_until"`
				Original *struct {
					Amount int
				} `json:"original_price"`
			}
			Facets struct {
				Price struct{ Min, Max int }
			}
		}
		if err := json.Unmarshal([]byte(got.body), &answer); err != nil || got.status != 200 {
			t.Fatalf("%s: %d %s, %v", query, got.status, got.body, err)
		}
		var shown []string
		for _, p := range answer.Data {
			text := fmt.Sprint(p.Slug, " ", p.Price.Amount)
			if p.Until != nil && p.Original != nil {
				text += fmt.Sprint(" until ", *p.Until, ", not ", p.Original.Amount)
			}
			shown = append(shown, text)
		}
		return strings.Join(shown, "; "), fmt.Sprint(answer.Facets.Price.Min, " to ", answer.Facets.Price.Max)
	}
	const first, second = " until 2026-11-27T01:00:00Z, not 1000", " until 2026-11-27T02:00:00Z, not 900"
	for _, c := range []struct {
		after                time.Duration
		up, below850, bounds string
	}{
		{-time.Millisecond, "p2 800; p1 900; p0 1000", "p2 800", "800 to 1000"},
		{0, "p0 700" + first + "; p2 800; p1 900", "p0 700" + first + "; p2 800", "700 to 900"},
		{time.Millisecond, "p0 700" + first + "; p2 800; p1 900", "p0 700" + first + "; p2 800", "700 to 900"},
		{time.Hour - time.Millisecond, "p0 700" + first + "; p2 800; p1 900", "p0 700" + first + "; p2 800", "700 to 900"},
		{time.Hour, "p2 800; p1 850" + second + "; p0 1000", "p1 850" + second + "; p2 800", "800 to 1000"},
		{time.Hour + time.Millisecond, "p2 800; p1 850" + second + "; p0 1000", "p1 850" + second + "; p2 800", "800 to 1000"},
		{2*time.Hour - time.Millisecond, "p2 800; p1 850" + second + "; p0 1000", "p1 850" + second + "; p2 800", "800 to 1000"},
		{2 * time.Hour, "p2 800; p1 900; p0 1000", "p2 800", "800 to 1000"},
		{2*time.Hour + time.Millisecond, "p2 800; p1 900; p0 1000", "p2 800", "800 to 1000"},
		{time.Hour - time.Millisecond, "p0 700" + first + "; p2 800; p1 900", "p0 700" + first + "; p2 800", "700 to 900"}, // a clock that was set back
	} {
		h.engine.admission.Now = day.Add(c.after)
		if got, bounds := list("sort=price"); got != c.up || bounds != c.bounds {
			t.Errorf("%v after: %s, prices %s; want %s, prices %s", c.after, got, bounds, c.up, c.bounds)
		}
		if got, _ := list("price_max=850"); got != c.below850 {
			t.Errorf("%v after, up to 850: %s; want %s", c.after, got, c.below850)
		}
	}
}
