//go:build long

package persistence

import (
	"testing"

	"github.com/google/uuid"

	"cartd/internal/redistest"
	"cartd/persistence/stock"
)

// Each second a node releases the expired holds of the stores that it has loaded.
func TestLongNodeReleasesExpiredHolds(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	f := newShelf(t, s, nails, 5)
	f.write(asking(1, expiredAgo, nails, 5))
	other, shop := node(t, s), theShop()
	shop.Tracked = []uuid.UUID{nails}
	shop.save(t, other)
	admit(t, other, asks("key"))
	eventually(t, "the hold is released", patience, func() bool {
		return f.redis.Exists(background, stock.CartKey(shopID, testID(1))).Val() == 0
	})
	f.wantHeld("afterwards")
}
