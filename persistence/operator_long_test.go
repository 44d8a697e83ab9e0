//go:build long

package persistence

import (
	"testing"

	"github.com/google/uuid"

	"cartd/engine"
)

// Operators' commands find a store's records on its master, and leave the stores of other
// masters alone.
func TestLongOperatorsCommandsOnACluster(t *testing.T) {
	alone(t)
	t.Parallel()
	url, halves := cluster(t)
	db := node(t, halves[0], func(c *Config) { c.URL = url })
	var shops [2]shop
	var carts [2]uuid.UUID
	for half := range halves {
		s := shopOf(t, halves[0], half)
		customer := uuid.New()
		s.Customers = []object{{"id": customer, "email": "ada@example.com"}}
		s.save(t, db)
		r := newCart(uuid.New())
		r.State.Email, r.State.Customer.ID = "ada@example.com", customer
		v := replacing(none.Stamp, r)
		v.Key.Store = s.ID
		v.Version = admit(t, db, asks(s.ID.String())).Version
		if o := send(t, db, v); o.Kind != engine.Done {
			t.Fatalf("the cart: %+v", o)
		}
		shops[half], carts[half] = s, r.State.ID
	}
	list, err := db.ListStores(background)
	if err != nil || len(list) != 2 || list[0].Fault != nil || list[1].Fault != nil {
		t.Fatalf("the stores are %+v, %v", list, err)
	}
	emailOf := func(half int) string {
		t.Helper()
		found, err := db.FindCart(background, uuid.Nil, carts[half])
		if err != nil || found.Store.ID != shops[half].ID {
			t.Fatalf("the cart of half %d: %+v, %v", half, found, err)
		}
		return found.State.Email
	}
	report, err := db.EraseCustomer(background, shops[0].ID, "ada@example.com", false)
	if err != nil || report[0].Records != 1 || report[len(report)-1].Records != 1 {
		t.Errorf("erased %+v, %v", report, err)
	}
	if first, second := emailOf(0), emailOf(1); first != "" || second != "ada@example.com" {
		t.Errorf("the carts' addresses are %q and %q", first, second)
	}
	if n, err := db.DropStore(background, shops[1].ID, func(int) {}); n == 0 || err != nil {
		t.Errorf("dropped: %d keys, %v", n, err)
	}
	if _, err := db.FindCart(background, shops[1].ID, carts[1]); err == nil {
		t.Error("the cart of the dropped store is there")
	}
	emailOf(0)
	if list, err := db.ListStores(background); err != nil || len(list) != 1 || list[0].ID != shops[0].ID {
		t.Errorf("the stores are %+v, %v", list, err)
	}
}
