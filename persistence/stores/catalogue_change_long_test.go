//go:build long

package stores

import (
	"context"
	"errors"
	"testing"
	"time"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// An import of change sets that ends at any of its commands leaves the store as before or, if only
// the last reply was lost, changed. Repeating it completes it.
func TestLongKilledImportsOfChangeSets(t *testing.T) {
	shoptest.Alone(t)
	for _, lost := range []bool{false, true} {
		finished := false
		for n := int64(1); !finished; n++ {
			if n > 100 {
				t.Fatal("an import has more than 100 commands")
			}
			s := redistest.Mini(t)
			db, broken := node(t, s), node(t, s)
			theShop().save(t, db)
			before := presentOfShop(t, db)
			broken.client.Redis.AddHook(breakdown(n, lost))
			ctx, cancel := context.WithTimeout(background, 200*time.Millisecond)
			_, err := broken.ImportChange(ctx, shopID, category(t, 1, "One"))
			cancel()
			finished = err == nil
			after := presentOfShop(t, db)
			moved := after.head != before.head
			if moved != after.state().Changed || moved != (categories(t, db) == "One") || moved && !finished && !lost {
				t.Errorf("broken at command %d (reply lost: %v): %v, head %+v", n, lost, err, after.head)
			}
			if moved && !finished && !errors.Is(err, engine.ErrUnknownOutcome) {
				t.Errorf("broken at command %d: %v, want ErrUnknownOutcome", n, err)
			}
			s.Mini.FastForward(leaseTime)
			changeOne(t, db, category(t, 1, "One"))
			if names := categories(t, db); names != "One" {
				t.Errorf("repeated after command %d: %q", n, names)
			}
			wantSound(t, s, db)
		}
	}
}
