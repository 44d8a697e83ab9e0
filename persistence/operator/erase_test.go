package operator

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// An erasure fails if the entry of the address cannot be read: it would stay.
func TestErasureSeesTheErrorOfTheIndex(t *testing.T) {
	s := redistest.Mini(t)
	db, entry := on(t, s), accounts.EmailKey(shopID, "ada@example.com")
	db.save(t, shopID, adasContact())
	reads := 0
	db.Redis().Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if args := cmd.Args(); args[0] == "get" && args[1] == entry {
			if reads++; reads == 2 { // the first read finds the customer
				cmd.SetErr(errBroken)
				return errBroken
			}
		}
		return next()
	}))
	if _, _, err := db.EraseCustomer(background, shopID, ada.String(), false); !errors.Is(err, errBroken) {
		t.Errorf("EraseCustomer = %v, want the error of the read", err)
	}
	if _, _, err := db.EraseCustomer(background, shopID, ada.String(), false); err != nil || s.Client().Exists(background, entry).Val() != 0 {
		t.Errorf("once more: %v, the entry is there: %d", err, s.Client().Exists(background, entry).Val())
	}
}

// Whatever kind of record has something about a person has its place in the order of an erasure.
func TestEveryKindIsErased(t *testing.T) {
	for _, kind := range persistence.Kinds {
		name, _ := kind.Names()
		erases := reflect.ValueOf(kind).Elem().FieldByName("Erases").String()
		if erases != "" && !slices.ContainsFunc(erasers, func(e eraser) bool { return e.parts == erases }) {
			t.Errorf("no erasure of a %s", name)
		}
	}
}

// An erasure keeps the offer, the answer and the reference of a customer's quotes, and deletes
// their signatures. Other customers' quotes are unchanged.
func TestEraseQuotes(t *testing.T) {
	const email = "ada@example.com"
	at := noon.Add(9_999 * time.Millisecond)
	account := commerce.Binding{ID: ada}
	accepted := func(q *commerce.Quote) { q.OrderID, q.AcceptedAt, q.SignerName = uuid.New(), at, "Signer" }
	declined := func(q *commerce.Quote) { q.DeclinedAt, q.DeclineReason = at, "No, says Ada" }
	kept := func(customer commerce.Binding) func(*commerce.Quote) {
		return func(q *commerce.Quote) {
			q.Email, q.QuoteDetails, q.SignerName, q.DeclineReason, q.Customer = "", commerce.QuoteDetails{Reference: "F"}, "", "", customer
		}
	}
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := on(t, s)
		db.save(t, shopID, adasContact())
		cases := []struct {
			name      string
			quote     *commerce.Quote
			signature string
			want      func(*commerce.Quote) // nil: nothing is erased
		}{
			{"accepted, of the address", aQuote(func(q *commerce.Quote) { accepted(q); q.Email = email }), "picture", kept(commerce.Binding{})},
			{"offered, of the account", aQuote(func(q *commerce.Quote) { q.Customer = account }), "", kept(account)},
			{"declined, of the account", aQuote(func(q *commerce.Quote) { declined(q); q.Customer = account }), "", kept(account)},
			{"only the signature is left", aQuote(func(q *commerce.Quote) { accepted(q); kept(account)(q) }), "picture", kept(account)},
			{"nothing is left", aQuote(kept(account)), "", nil},
			{"another's", aQuote(accepted), "picture", nil},
		}
		wantErased := func(want int) {
			t.Helper()
			_, report, err := db.EraseCustomer(background, shopID, ada.String(), false)
			if err != nil || report[2].Kind != "quotes" || report[2].Records != want {
				t.Errorf("erased %+v, %v; want %d quotes", report, err, want)
			}
		}
		keys := make([]engine.RecordKey, len(cases))
		for i, c := range cases {
			keys[i] = engine.RecordKey{Store: shopID, ID: c.quote.ID}
			s.Client().Set(background, records.Quotes.Key(keys[i]), records.Quotes.Encode(nil, record(1, c.quote), nil), 0)
			if c.signature != "" {
				s.Client().Set(background, records.SignatureKey(keys[i]), c.signature, 0)
			}
		}
		wantErased(4)
		for i, c := range cases {
			want, version, signature := *c.quote, uint64(1), c.signature
			if c.want != nil {
				c.want(&want)
				version, signature = 2, ""
			}
			got, err := Find(background, db, persistence.Quotes, shopID, c.quote.ID)
			if err != nil || got.Version != version || !reflect.DeepEqual(got.State, &want) {
				t.Fatalf("%s: %v\n got %+v\nwant %+v, version %d", c.name, err, got, want, version)
			}
			if png, err := db.Signature(background, keys[i]); png != signature || err != nil {
				t.Errorf("%s: the signature is %q, %v; want %q", c.name, png, err, signature)
			}
		}
		wantErased(0)
	})
}

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
