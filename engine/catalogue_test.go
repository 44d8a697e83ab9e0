package engine

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/catalogue"
)

// Price orders are kept for guests and for the 16 groups used last.
func TestPriceOrdersOf16GroupsAreKept(t *testing.T) {
	price := commerce.Amount(5)
	c := NewCatalogue(&commerce.Store{
		Modules:  commerce.Modules(0).With(commerce.ModuleCatalog),
		Products: []*commerce.Product{{Active: true}, {Active: true, Prices: commerce.Prices{Base: &price}}},
	})
	group := func(n byte) commerce.PriceView {
		return commerce.PriceView{Pricing: commerce.Pricing{GroupID: uuid.UUID{15: n}}}
	}
	made := map[byte]*int32{}
	ask := func(n byte) (again bool) {
		order := c.Order(catalogue.SortPriceDown, group(n))
		if !slices.Equal(order, []int32{1, 0}) {
			t.Fatalf("group %d: order %v, want [1 0]", n, order)
		}
		again, made[n] = made[n] == &order[0], &order[0]
		return again
	}
	for n := range byte(17) { // 0 is the guests
		ask(n)
	}
	if !ask(1) || !ask(0) {
		t.Error("one of 17 orders was sorted again")
	}
	ask(17) // replaces group 2, which was used longest ago
	if !ask(0) || !ask(1) || !ask(3) || ask(2) {
		t.Error("the dropped order is not the oldest group's")
	}
	if len(c.prices) != maxContexts {
		t.Errorf("%d price indexes are kept, want %d", len(c.prices), maxContexts)
	}
	if NewCatalogue(&commerce.Store{}) != nil {
		t.Error("a store without the module has a catalogue")
	}
}

// At a moment at which prices change, requests use the index of the time that they were judged at. That
// of the time before is kept, so that neither is made twice.
func TestPricesAtAMoment(t *testing.T) {
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	base, other := commerce.Amount(10), commerce.Amount(8)
	c := NewCatalogue(&commerce.Store{
		Modules: commerce.Modules(0).With(commerce.ModuleCatalog),
		Products: []*commerce.Product{
			{Active: true, Prices: commerce.Prices{Base: &base, Periods: []commerce.PricePeriod{
				{From: noon, Until: noon.Add(time.Hour), Price: 5}, {From: noon.Add(time.Hour), Until: noon.Add(2 * time.Hour), Price: 9},
			}}},
			{Active: true, Prices: commerce.Prices{Base: &other}},
		},
	})
	made := map[string]*catalogue.PriceIndex{}
	ask := func(after time.Duration, name string, want ...int32) (again bool) {
		t.Helper()
		view := commerce.PriceView{Pricing: commerce.Pricing{Now: noon.Add(after)}}
		prices := c.Prices(view)
		if order := prices.Order(catalogue.SortPrice); !slices.Equal(order, want) {
			t.Errorf("%v after the moment: order %v, want %v", after, order, want)
		}
		again, made[name] = made[name] == prices, prices
		return again
	}
	ask(-1, "before", 1, 0)
	ask(0, "first", 0, 1)
	for _, again := range []bool{
		ask(-time.Hour, "before", 1, 0), ask(time.Hour-1, "first", 0, 1), ask(-1, "before", 1, 0), ask(1, "first", 0, 1),
	} {
		if !again {
			t.Error("an index was made again")
		}
	}
	ask(time.Hour, "second", 1, 0)
	if !ask(time.Hour-1, "first", 0, 1) || !ask(2*time.Hour-1, "second", 1, 0) {
		t.Error("an index was made again")
	}
	ask(-1, "before", 1, 0) // a clock that was set back
	if !ask(-1, "before", 1, 0) {
		t.Error("the index of a clock that was set back is not kept")
	}
	ask(2*time.Hour, "after", 1, 0)
	hidden := c.Prices(commerce.PriceView{Hidden: true, Pricing: commerce.Pricing{Now: noon}})
	if hidden != c.Prices(commerce.PriceView{Hidden: true, Pricing: commerce.Pricing{Now: noon.Add(time.Hour)}}) {
		t.Error("hidden prices move")
	}
}

// Requests that come at a moment at the same time share one index, and all see the prices of their own
// time.
func TestSimultaneousRequestsAtMoments(t *testing.T) {
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	s := &commerce.Store{Modules: commerce.Modules(0).With(commerce.ModuleCatalog)}
	for i := range 40 {
		base := commerce.Amount(100 + i)
		from := noon.Add(time.Duration(i) * time.Second)
		s.Products = append(s.Products, &commerce.Product{Active: true, Prices: commerce.Prices{
			Base: &base, Periods: []commerce.PricePeriod{{From: from, Until: from.Add(time.Second), Price: 1}},
		}})
	}
	c := NewCatalogue(s)
	var done sync.WaitGroup
	for start := range 8 {
		done.Go(func() {
			for i := range 40 {
				second := (i + start/4) % 40
				view := commerce.PriceView{Pricing: commerce.Pricing{Now: noon.Add(time.Duration(second) * time.Second)}}
				if cheapest := c.Prices(view).Order(catalogue.SortPrice)[0]; cheapest != int32(second) {
					t.Errorf("second %d: product %d is the cheapest", second, cheapest)
				}
			}
		})
	}
	done.Wait()
}

// A catalogue that follows another one has the price indexes of that one, in which the changed products move. A
// small store is indexed anew at once, a large one is outdated until it is.
func TestCatalogueFollows(t *testing.T) {
	for _, products := range []int{maxAtOnce, maxAtOnce + 1} {
		s := &commerce.Store{Modules: commerce.AllModules()}
		for i := range products {
			base := commerce.Amount(100 + i)
			s.Products = append(s.Products, &commerce.Product{ID: uuid.UUID{8: 1, 14: byte(i >> 8), 15: byte(i)}, Active: true, Prices: commerce.Prices{Base: &base}})
		}
		s.Index()
		change := func(before *commerce.Store, i int, change func(p *commerce.Product)) *commerce.Store {
			next := *before
			next.Products = slices.Clone(before.Products)
			changed := *before.Products[i]
			change(&changed)
			next.Products[i] = &changed
			next.IndexAfter(before)
			return &next
		}
		first := func(c *Catalogue, group byte) int32 {
			return c.Order(catalogue.SortPrice, commerce.PriceView{Pricing: commerce.Pricing{GroupID: uuid.UUID{15: group}}})[0]
		}
		c := NewCatalogue(s)
		if first(c, 0) != 0 || first(c, 1) != 0 {
			t.Fatal("product 0 is not the cheapest")
		}
		price := func(a commerce.Amount) func(p *commerce.Product) {
			return func(p *commerce.Product) { p.Prices.Base = &a }
		}
		second := change(s, 7, price(1))
		third := change(second, 9, price(0))
		next := FollowCatalogue(FollowCatalogue(c, s, second), second, third)
		if len(next.prices) != 2 || next.prices[priceContext{}].last() == nil {
			t.Fatal("the price indexes are not taken over")
		}
		if next.Outdated() || first(next, 0) != 9 || first(next, 1) != 9 || first(c, 0) != 0 {
			t.Errorf("of %d products %d is the cheapest after two changes of prices, want 9", products, first(next, 0))
		}
		named := change(third, 3, func(p *commerce.Product) { p.Name = "Another" })
		if got, want := FollowCatalogue(next, third, named).Outdated(), products > maxAtOnce; got != want {
			t.Errorf("of %d products: outdated %v after a change of a name, want %v", products, got, want)
		}
		without := *named
		if without.Modules = 0; FollowCatalogue(next, named, &without) != nil || FollowCatalogue(nil, &without, named) == nil {
			t.Error("the module is not looked at")
		}
	}
}
