package engine

import (
	"slices"
	"testing"

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
