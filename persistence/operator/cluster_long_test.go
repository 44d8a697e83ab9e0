//go:build long

package operator

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// Operators' commands find a store's records on its master, and leave the stores of other
// masters alone.
func TestLongOperatorsCommandsOnACluster(t *testing.T) {
	t.Parallel()
	url, halves := redistest.Cluster(t, [][2]int{{0, 8191}, {8192, 16383}}, "--cluster-node-timeout", "60000")
	db := on(t, halves[0], func(c *persistence.Config) { c.URL = url })
	var shops, carts [2]uuid.UUID
	for half := range halves {
		shops[half] = uuid.New()
		for int(halves[0].Client().ClusterKeySlot(background, stores.HeadKey(shops[half])).Val()/8192) != half {
			shops[half] = uuid.New()
		}
		customer := uuid.New()
		db.save(t, shops[half], map[string]any{"id": customer, "email": "ada@example.com"})
		c := commerce.NewCart(uuid.New(), noon)
		c.Email, c.Customer.ID, carts[half] = "ada@example.com", customer, c.ID
		key := engine.RecordKey{Store: shops[half], ID: c.ID}
		if err := db.Redis().Redis.Set(background, records.Carts.Key(key), records.Carts.Encode(nil, record(1, c), nil), 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	list, err := db.ListStores(background)
	if err != nil || len(list) != 2 || list[0].Fault != nil || list[1].Fault != nil {
		t.Fatalf("the stores are %+v, %v", list, err)
	}
	emailOf := func(half int) string {
		t.Helper()
		found, err := Find(background, db, persistence.Carts, uuid.Nil, carts[half])
		if err != nil || found.Store.ID != shops[half] {
			t.Fatalf("the cart of half %d: %+v, %v", half, found, err)
		}
		return found.State.Email
	}
	_, report, err := db.EraseCustomer(background, shops[0], "ada@example.com", false)
	if err != nil || report[0].Records != 1 || report[len(report)-1].Records != 1 {
		t.Errorf("erased %+v, %v", report, err)
	}
	if first, second := emailOf(0), emailOf(1); first != "" || second != "ada@example.com" {
		t.Errorf("the carts' addresses are %q and %q", first, second)
	}
	if n, err := db.DropStore(background, shops[1], func(int) {}); n == 0 || err != nil {
		t.Errorf("dropped: %d keys, %v", n, err)
	}
	if _, err := Find(background, db, persistence.Carts, shops[1], carts[1]); err == nil {
		t.Error("the cart of the dropped store is there")
	}
	emailOf(0)
	if list, err := db.ListStores(background); err != nil || len(list) != 1 || list[0].ID != shops[0] {
		t.Errorf("the stores are %+v, %v", list, err)
	}
}
