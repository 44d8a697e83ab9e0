package stock

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// A cart's own hold does not reduce its available stock. Expired holds are released first for a
// cart, and if an item is unavailable.
func TestStockLevels(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		levels := func(cart uuid.UUID, items ...uuid.UUID) []commerce.StockLevel {
			t.Helper()
			levels, err := f.StockLevels(shopID, cart, items, soonest())
			if err != nil {
				t.Fatal(err)
			}
			return levels
		}
		f.redis.HSet(background, OnHandKey(shopID), nails.String(), 10, cable.String(), 1)
		f.hold(1, nails, 4, time.Hour)
		f.hold(2, nails, 5, -time.Minute)
		if got := levels(testID(1), cable, nails, testID(9)); got[1] != (commerce.StockLevel{OnHand: 10, Held: 4, Own: 4}) || got[0].OnHand != 1 {
			t.Errorf("with something unavailable: %+v", got) // testID(9) has no stock: expired holds are released
		}
		f.wantHeld("after the release", 4, 1)
		f.hold(2, nails, 5, -time.Minute)
		if got, want := levels(uuid.Nil, nails), []commerce.StockLevel{{OnHand: 10, Held: 9}}; !slices.Equal(got, want) {
			t.Errorf("with all available: %+v, want %+v", got, want)
		}
		f.wantHeld("left alone", 9, 2)
		if got := levels(testID(3), nails); got[0].Available() != 6 {
			t.Errorf("for a cart: %+v, want what its checkout would find", got)
		}
		many := make([]uuid.UUID, 2*levelsEach+3)
		for i := range many {
			many[i] = testID(i)
		}
		if got := levels(testID(2), many...); len(got) != len(many) || got[0xa1].OnHand != 10 {
			t.Errorf("%d levels for %d items, nails %+v", len(got), len(many), got[0xa1])
		}
	})
}
