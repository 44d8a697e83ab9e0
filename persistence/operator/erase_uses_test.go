package operator

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// An erasure removes the counts of the customer's uses, those under the addresses of the orders too, what
// the orders keep of them, and what carts know of the account. Other customers' counts stay.
func TestErasureRemovesUsesByCustomer(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		o := on(t, s)
		o.save(t, shopID, adasContact())
		o.save(t, otherShop)
		l, err := o.LoadStore(background, shopID)
		if err != nil {
			t.Fatal(err)
		}
		client, first, second, other := s.Client(), testID(0xd1), testID(0xd2), testID(0x77).String()
		guestOf := func(email string) string { return l.Store.GuestID(email).String() }
		client.HSet(background, stores.UsesKey(shopID, first), ada.String(), 2, guestOf("ada@example.com"), 1, guestOf("work@example.com"), 1, other, 3)
		client.HSet(background, stores.UsesKey(shopID, second), guestOf("work@example.com"), 1)
		client.HSet(background, stores.UsesKey(shopID, testID(0xd3)), other, 1)
		client.HSet(background, stores.UsesKey(otherShop, first), ada.String(), 5)

		use := func(counter commerce.Counter, field string) commerce.Use {
			return commerce.Use{Discount: first, Counter: counter, Field: field}
		}
		order := engine.RecordKey{Store: shopID, ID: testID(0xe1)}
		client.Set(background, records.Orders.Key(order), records.Orders.Encode(nil, record(1, &commerce.Order{
			ID: order.ID, Number: 1, Email: "work@example.com", Customer: commerce.Binding{ID: ada}, PlacedAt: noon,
			Uses: []commerce.Use{use(commerce.CountCustomer, ada.String()), use(commerce.CountCustomer, guestOf("work@example.com"))},
		}), nil), 0)
		old := engine.RecordKey{Store: shopID, ID: testID(0xe2)} // archived, of the time of another address
		client.HSet(background, stores.UsesKey(shopID, first), guestOf("old@example.com"), 1)
		client.Set(background, records.Orders.Key(old), records.Orders.Encode(nil, record(1, (&commerce.Order{
			ID: old.ID, Number: 2, Email: "old@example.com", Customer: commerce.Binding{ID: ada}, PlacedAt: noon, Status: commerce.OrderCompleted,
			Uses: []commerce.Use{use(commerce.CountCustomer, guestOf("old@example.com"))},
		}).Archived(noon)), nil), 0)
		cart := engine.RecordKey{Store: shopID, ID: testID(0xc1)} // a guest's cart, in which ada has attached a code
		c := commerce.NewCart(cart.ID, noon)
		c.Codes = []commerce.AttachedCode{{Code: "C", Counted: commerce.CountedUses{Account: ada, Uses: 2}}}
		client.Set(background, records.Carts.Key(cart), records.Carts.Encode(nil, record(1, c), nil), 0)

		_, report, err := o.EraseCustomer(background, shopID, ada.String(), true)
		if err != nil || report[1].Kind != "uses of discounts" || report[1].Records != 2 || report[0].Records != 1 {
			t.Errorf("erased %+v, %v; want the uses of 2 discounts, and a cart", report, err)
		}
		for key, want := range map[string]map[string]string{
			stores.UsesKey(shopID, first): {other: "3"}, stores.UsesKey(shopID, second): {}, stores.UsesKey(shopID, testID(0xd3)): {other: "1"},
			stores.UsesKey(otherShop, first): {ada.String(): "5"},
		} {
			if got := client.HGetAll(background, key).Val(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s holds %v, want %v", key, got, want)
			}
		}
		left, _, err := readRecord(background, o, records.Orders, order)
		if err != nil || left.State.Uses != nil {
			t.Errorf("the order keeps %+v, %v", left.State.Uses, err)
		}
		known, _, err := readRecord(background, o, records.Carts, cart)
		if want := []commerce.AttachedCode{{Code: "C"}}; err != nil || !reflect.DeepEqual(known.State.Codes, want) || known.State.ID == uuid.Nil {
			t.Errorf("the cart keeps %+v, %v; want %+v", known.State.Codes, err, want)
		}
		if _, report, err = o.EraseCustomer(background, shopID, ada.String(), true); err != nil || report[1].Records != 0 || report[0].Records != 0 {
			t.Errorf("once more: %+v, %v", report, err)
		}
	})
}
