package catalogue

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/dice"
)

// BenchmarkCatalogue uses a store of 100,000 products, each with four words and an SKU of its own.
func BenchmarkCatalogue(b *testing.B) {
	const products = 100_000
	s := &commerce.Store{}
	kinds := []string{"Roller blind", "Venetian slat", "Bracket steel", "Curtain rail", "Fabric washed", "Lift cord"}
	for i := range products {
		s.Products = append(s.Products, &commerce.Product{
			ID: testID(i), Slug: fmt.Sprint("p-", i), Active: true, SKU: fmt.Sprintf("RB-%06d", i),
			Name: fmt.Sprintf("%s %d colour%d", kinds[i%len(kinds)], i%500, i%83), Prices: commerce.Prices{Base: price(commerce.Amount(i * 7919 % 100_003))},
		})
	}
	var c *Catalogue
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c = nil
			before := heap()
			c = New(s)
			b.ReportMetric(float64(heap()-before)/products, "kept-B/product")
		}
	})
	b.Run("sort by price", func(b *testing.B) {
		for b.Loop() {
			c.PricesIn(commerce.PriceView{})
		}
	})
	for _, query := range []string{"r", "rb", "roller colour1", "rb 000123", "r v b c f l", strings.Repeat("r ", 127), "0 1 2 3 4 5 6 7 8 9"} {
		b.Run(fmt.Sprintf("q=%.16s", query), func(b *testing.B) {
			for b.Loop() {
				found := find(c, &Filter{Query: query}, nil)
				c.Page(&found.ProductSet, c.ByName(SortName), max(0, found.Len()-25), found.Len())
			}
		})
	}
	for place, from := range map[string]int{"first": 0, "middle": products / 2} {
		b.Run(place+" page", func(b *testing.B) {
			for b.Loop() {
				found := find(c, &Filter{}, nil)
				c.Page(&found.ProductSet, c.ByName(SortName), from, from+25)
			}
		})
	}
}

// find finds without an end.
func find(c *Catalogue, f *Filter, prices *PriceIndex) *Found {
	found, _ := c.Find(f, prices, func() error { return nil })
	return found
}

// heap is what the heap holds, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// After random changes of a store a catalogue that followed answers as one that was made anew; if its index is
// outdated, it has the present state of each product, and none that is gone or inactive.
func TestFollowMatchesANewIndex(t *testing.T) { compareFollowed(t, 15) }

func compareFollowed(t *testing.T, shops int) {
	t.Helper()
	r := dice.New(t)
	kept, outdated, several := 0, 0, 0
	for range shops {
		s := randomShop(r)
		s.Index()
		c := New(s)
		views := []commerce.PriceView{{}, {Pricing: commerce.Pricing{GroupID: tradeGroup}}, {Hidden: true}}
		prices := make([]*PriceIndex, len(views))
		for i := range views {
			views[i].Pricing.Now = someMoment(r)
			prices[i] = c.PricesIn(views[i])
		}
		for range 12 {
			next := someNextShop(r, s)
			next.IndexAfter(s)
			followed := c.Follow(s, next)
			for i := range views {
				if r.IntN(3) == 0 {
					views[i].Pricing.Now = someMoment(r)
				}
				if prices[i] = followed.FollowPrices(prices[i]); prices[i] == nil {
					prices[i] = followed.PricesIn(views[i])
				} else if r.IntN(2) == 0 {
					prices[i] = followed.MovePrices(prices[i], views[i])
				}
			}
			compareProducts(t, followed, next)
			if c.Outdated() {
				several++
			}
			if anew := New(next); followed.Outdated() {
				outdated++
				for i, view := range views {
					compareOutdated(t, followed, anew, followed.MovePrices(prices[i], view), view, makeShelf(next).randomFilter(r))
				}
			} else {
				kept++
				for i, view := range views {
					compareLists(t, r, followed, anew, followed.MovePrices(prices[i], view), view, makeShelf(next))
				}
			}
			if s, c = next, followed; c.Outdated() && r.IntN(2) == 0 {
				c = New(s)
				for i, view := range views {
					prices[i] = c.PricesIn(view)
				}
			}
		}
	}
	if kept < shops || outdated < shops || several < shops/2 {
		t.Errorf("%d indexes were kept, %d outdated, %d of them for longer: too few to show anything", kept, outdated, several)
	}
}

// someNextShop is a store after a change: of one thing that the index knows, of what it does not know, or of anything.
func someNextShop(r *rand.Rand, s *commerce.Store) *commerce.Store {
	next, other := *s, randomShop(r)
	if len(s.Products) > 0 && r.IntN(3) == 0 {
		i := r.IntN(len(s.Products))
		changed := anyProduct(r, *s.Products[i], other)
		next.Products = slices.Clone(s.Products)
		next.Products[i] = &changed
		return &next
	}
	anything := r.IntN(2) == 0
	next.Products = nil
	for _, p := range s.Products {
		q := *p
		switch q.Description = fmt.Sprint(r.IntN(3)); r.IntN(8) {
		case 0:
			q.Prices.Base, q.PriceFrom = price(commerce.Amount(r.IntN(5))), nil
		case 1:
			q.Slug = fmt.Sprint(q.ID, r.IntN(9))
		case 2:
			if q.Capability == commerce.Standard && r.IntN(4) == 0 {
				q.Prices.Periods = somePeriods(r)
			}
		case 3:
			if q.Variants = slices.Clone(q.Variants); len(q.Variants) > 0 {
				q.Variants[0].Prices.Base = price(commerce.Amount(r.IntN(5)))
			}
		case 4:
			if anything {
				q = anyProduct(r, q, other)
			}
		default:
			next.Products = append(next.Products, p)
			continue
		}
		if !anything || r.IntN(12) > 0 {
			next.Products = append(next.Products, &q)
		}
	}
	if r.IntN(3) == 0 {
		next.Categories = slices.Clone(next.Categories)
		for i := range next.Categories {
			next.Categories[i].Description = fmt.Sprint(r.IntN(9))
		}
	}
	if r.IntN(3) == 0 {
		next.Redirects = []commerce.Redirect{{From: "/a%2Fb", To: fmt.Sprint("/", r.IntN(9))}, {From: "/a/b", To: "/c"}}
	}
	if !anything {
		return &next
	}
	for _, p := range other.Products {
		if r.IntN(20) == 0 && s.Product(p.ID) == nil {
			p.Slug = p.ID.String()
			next.Products = append(next.Products, p)
		}
	}
	if len(next.Products) > 2 && r.IntN(8) == 0 {
		next.Products[0], next.Products[2] = next.Products[2], next.Products[0]
	}
	switch r.IntN(8) {
	case 0:
		next.Categories = other.Categories
	case 1:
		next.Languages = other.Languages
	}
	return &next
}

// anyProduct is the product with some of what the index knows changed.
func anyProduct(r *rand.Rand, p commerce.Product, other *commerce.Store) commerce.Product {
	p.Variants = slices.Clone(p.Variants)
	switch n := r.IntN(8); n {
	case 0:
		p.Active = !p.Active
	case 1:
		p.Name += " blind"
	case 2:
		p.Attributes = randomAttributes(r)
	case 3:
		p.CategoryIDs = []uuid.UUID{other.Categories[0].ID}
	case 4:
		p.SKU += "1"
	case 5, 6, 7:
		for i := range p.Variants {
			v := &p.Variants[i]
			switch n {
			case 5:
				v.Active = !v.Active
			case 6:
				v.SKU += "1"
			case 7:
				v.Name += "d"
			}
		}
	}
	return p
}

// compareProducts compares what does not depend on the index.
func compareProducts(t *testing.T, c *Catalogue, s *commerce.Store) {
	t.Helper()
	m := makeShelf(s)
	for _, p := range allOf(c) {
		if s.ActiveProduct(p.ID.String()) != p {
			t.Fatalf("the catalogue has %s; the store has %s", frozen(t, p), frozen(t, s.Product(p.ID)))
		}
		if got, want := c.Options(p), m.options(p); !reflect.DeepEqual(got, want) {
			t.Fatalf("options of %s are %v, want %v", frozen(t, p), got, want)
		}
	}
	for i := range s.Categories {
		if category := c.Category(s.Categories[i].Slug); c.Categories[i].Category != &s.Categories[i] || category != &c.Categories[i] {
			t.Fatalf("category %d is %s, by its slug %s; want %s", i, frozen(t, c.Categories[i]), frozen(t, category), frozen(t, s.Categories[i]))
		}
	}
	if want := indexRedirects(s.Redirects); !reflect.DeepEqual(c.redirects, want) {
		t.Fatalf("redirects %v, want %v", c.redirects, want)
	}
}

func allOf(c *Catalogue) []*commerce.Product {
	every := c.Every()
	return c.Page(&every, nil, 0, every.Len())
}

// compareOutdated compares a list of a catalogue whose index is outdated with itself, and its products with those of a
// new index.
func compareOutdated(t *testing.T, c, anew *Catalogue, prices *PriceIndex, view commerce.PriceView, f Filter) {
	t.Helper()
	present := allOf(anew)
	for _, filter := range []Filter{{}, f} {
		found := find(c, &filter, prices)
		for sort := range SortPriceDown + 1 {
			order := found.Order()
			if sort.ByPrice() {
				order = prices.Order(sort)
			} else if sort != SortDocument {
				order = c.ByName(sort)
			}
			list := c.Page(&found.ProductSet, order, 0, found.Len())
			if len(list) != found.Len() || len(list) > 0 && slices.Max(countsOf(list)) > 1 {
				t.Fatalf("%s: %d products, some twice, want %d", frozen(t, filter), len(list), found.Len())
			}
			for i, p := range list {
				if !slices.Contains(present, p) {
					t.Fatalf("%s shows %s, which the store does not have", frozen(t, filter), frozen(t, p))
				}
				if sort.ByPrice() && i > 0 && modelCompare(list[i-1], p, sort, view) > 0 {
					t.Fatalf("sorted by price: %s before %s", frozen(t, list[i-1]), frozen(t, p))
				}
			}
		}
		facets := c.Facets(found, prices, new(FacetBuffer))
		for _, a := range facets.Attributes {
			for _, v := range a.Values {
				if v.Count > len(present) {
					t.Fatalf("%s: facet %v of %d products", frozen(t, filter), v, len(present))
				}
			}
		}
	}
	for i := range c.Categories {
		node := &c.Categories[i]
		found := find(c, &Filter{InCategory: node.ID.String()}, nil)
		own := find(c, &Filter{Category: &node.ID}, nil)
		if node.ProductsTotal != found.Len() || node.ProductsCount != own.Len() {
			t.Fatalf("category %s counts %d and %d products, its lists %d and %d", node.Slug, node.ProductsCount, node.ProductsTotal, own.Len(), found.Len())
		}
	}
}

func countsOf(list []*commerce.Product) (counts []int) {
	times := map[*commerce.Product]int{}
	for _, p := range list {
		times[p]++
		counts = append(counts, times[p])
	}
	return counts
}

// compareLists compares the lists of two catalogues.
func compareLists(t *testing.T, r *rand.Rand, c, anew *Catalogue, prices *PriceIndex, view commerce.PriceView, m shelf) {
	t.Helper()
	if got, want := allOf(c), allOf(anew); !slices.Equal(got, want) {
		t.Fatalf("the catalogue has %s, want %s", frozen(t, got), frozen(t, want))
	}
	for i := range anew.Categories {
		got, want := &c.Categories[i], &anew.Categories[i]
		if got.ProductsCount != want.ProductsCount || got.ProductsTotal != want.ProductsTotal {
			t.Fatalf("category %s counts %d and %d, want %d and %d", want.Slug, got.ProductsCount, got.ProductsTotal, want.ProductsCount, want.ProductsTotal)
		}
	}
	if got, want := c.EpochOf(view), anew.EpochOf(view); got != want {
		t.Fatalf("%v is the time %d, want %d", view.Pricing.Now, got, want)
	}
	pricesAnew := anew.PricesIn(view)
	for range 5 {
		f, sort := m.randomFilter(r), Sort(r.IntN(5))
		got, want := find(c, &f, prices), find(anew, &f, pricesAnew)
		if got.Len() != want.Len() || !slices.Equal(got.Corrected, want.Corrected) || got.Partial != want.Partial {
			t.Fatalf("%s: %d products, %v, %v, want %d, %v, %v", frozen(t, f), got.Len(), got.Corrected, got.Partial, want.Len(), want.Corrected, want.Partial)
		}
		order, orderAnew := got.Order(), want.Order()
		if sort.ByPrice() {
			order, orderAnew = prices.Order(sort), pricesAnew.Order(sort)
		} else if sort != SortDocument {
			order, orderAnew = c.ByName(sort), anew.ByName(sort)
		}
		list, listAnew := c.Page(&got.ProductSet, order, 0, got.Len()), anew.Page(&want.ProductSet, orderAnew, 0, want.Len())
		if !slices.Equal(list, listAnew) {
			t.Fatalf("%s, sort %d in %+v:\n got %s\nwant %s", frozen(t, f), sort, view, frozen(t, list), frozen(t, listAnew))
		}
		facets, facetsAnew := c.Facets(got, prices, new(FacetBuffer)), anew.Facets(want, pricesAnew, new(FacetBuffer))
		if !reflect.DeepEqual(facets, facetsAnew) {
			t.Fatalf("%s:\n got %s\nwant %s", frozen(t, f), frozen(t, facets), frozen(t, facetsAnew))
		}
	}
}

// Prices, stock and texts of a product are no reason for a new index; and none is made of what has not changed.
func TestFollowKeepsTheIndex(t *testing.T) {
	s := randomShopOf(t, 30)
	c := New(s)
	next := *s
	next.Products = slices.Clone(s.Products)
	changed := *s.Products[3]
	changed.Prices.Base, changed.Description, changed.Slug, changed.Stock = price(77), "another", "another", 5
	next.Products[3] = &changed
	next.IndexAfter(s)
	followed := c.Follow(s, &next)
	if followed.Outdated() || followed.productIndex != c.productIndex || followed.categoryIndex != c.categoryIndex {
		t.Error("the index is made anew for a change of a price")
	}
	if followed.products[3] != &changed || c.products[3] != s.Products[3] {
		t.Error("the changed product is in the wrong catalogue")
	}
}

// randomShopOf is a store with a number of active products.
func randomShopOf(t *testing.T, products int) *commerce.Store {
	r := dice.New(t)
	for {
		if s := randomShop(r); len(s.Products) >= products {
			for _, p := range s.Products {
				p.Active = true
			}
			s.Index()
			return s
		}
	}
}
