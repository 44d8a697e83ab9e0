//go:build long

package stores

import (
	"testing"

	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// nameAndKey returns the store's name on a new node, and whether it has the key "new".
func nameAndKey(t *testing.T, s *redistest.Server) (name string, newKey bool) {
	t.Helper()
	db := node(t, s)
	return serve(t, db, "key").Store.Name, serve(t, db, "new").key != nil
}

// An import that ends at any of its commands leaves settings and keys unchanged or, if only the
// last reply was lost, imported. Repeating it completes it.
func TestLongKilledImportLeavesAllOrNothing(t *testing.T) {
	shoptest.Alone(t)
	changed := named("Changed")
	changed.Customers = []object{{"id": ada, "email": "ada@example.com", "tokens": []object{inAnHour("t")}}}
	changed.Keys = append(changed.Keys, apiKey("new"))
	changed.Discounts = []object{discount(1, 5, 3)}
	for _, lost := range []bool{false, true} {
		finished := false
		for n := int64(1); !finished; n++ {
			if n > 100 {
				t.Fatal("an import has more than 100 commands")
			}
			s := redistest.Mini(t)
			theShop().save(t, node(t, s))
			broken := node(t, s)
			broken.client.Redis.AddHook(breakdown(n, lost))
			_, err := broken.SaveStore(background, changed.document(t), true)
			finished = err == nil
			s.Mini.FastForward(leaseTime)
			name, newKey := nameAndKey(t, s)
			if moved := name == "Changed"; moved != newKey || moved && !finished && !lost {
				t.Errorf("broken at command %d (reply lost: %v): store %s, new key there: %v", n, lost, name, newKey)
			}
			wantSound(t, s, node(t, s))
			changed.save(t, node(t, s))
			if name, newKey := nameAndKey(t, s); name != "Changed" || !newKey {
				t.Errorf("repeated after command %d: store %s, new key there: %v", n, name, newKey)
			}
		}
	}
}
