package stock

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// A script begins no further cart once it has released itemsEach items.
func TestScriptStopsAfterTheCartThatReachesItemsEach(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		for i := range 5 {
			f.hold(i, nails, 1, -time.Minute)
			f.hold(i, cable, 1, -time.Minute)
		}
		for _, c := range []struct{ carts, items, more, left int }{{9, 3, 1, 3}, {2, 4, 1, 1}, {2, 4, 0, 0}, {9, 3, 0, 0}} {
			args := expireArgs(shopID, "")
			args[0], args[3] = c.carts, c.items
			reply, err := f.client.RunScript(f.client.Soon(), expireHoldsScript, expireKeys(shopID), args...)
			if more, _, _ := f.parseExpired(reply); err != nil || more != (c.more == 1) {
				t.Errorf("%d carts, %d items: more %v, %v", c.carts, c.items, more, err)
			}
			f.wantHeld("after the script", commerce.Micros(c.left), c.left)
		}
	})
}

// Expired holds are released, and those of a clock that was ahead: ten years, here. Other holds stay,
// also those with the latest possible expiry.
func TestHoldsThatAreReleased(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		const many = cartsEach + 7
		for i := range many {
			f.hold(0x100+i, nails, 1, -time.Minute)
			f.hold(0x200+i, nails, 1, 3650*24*time.Hour)
		}
		f.hold(1, nails, 4, commerce.CartLifetime)
		f.hold(2, nails, 2, time.Hour)
		f.wantHeld("before", 2*many+6, 2*many+2)
		f.expireAll([]uuid.UUID{shopID, otherShop})
		f.wantHeld("after the release", 6, 2)
		if n := f.HoldsExpired(); n != 2*many {
			t.Errorf("%d carts' holds are counted, want %d", n, 2*many)
		}
	})
}
