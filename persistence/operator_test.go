package persistence

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

// Operators' commands find a store's records on its master, and leave the stores of other
// masters alone.
func TestOperatorsCommandsOnACluster(t *testing.T) {
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

// An erasure keeps the offer, the answer and the reference of a customer's quotes, and deletes
// their signatures. Other customers' quotes are unchanged.
func TestEraseQuotes(t *testing.T) {
	const email = "ada@example.com"
	at := time.UnixMilli(1_795_000_009_999).UTC()
	account := commerce.Binding{ID: ada}
	accepted := func(q *commerce.Quote) { q.OrderID, q.AcceptedAt, q.SignerName = uuid.New(), at, "Signer" }
	declined := func(q *commerce.Quote) { q.DeclinedAt, q.DeclineReason = at, "No, says Ada" }
	kept := func(customer commerce.Binding) func(*commerce.Quote) {
		return func(q *commerce.Quote) {
			q.Email, q.QuoteDetails, q.SignerName, q.DeclineReason, q.Customer = "", commerce.QuoteDetails{Reference: "F"}, "", "", customer
		}
	}
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		shopWith(theCustomer()).save(t, db)
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
			report, err := db.EraseCustomer(background, shopID, ada.String(), false)
			if err != nil || report[1].Kind != "quotes" || report[1].Records != want {
				t.Errorf("erased %+v, %v; want %d quotes", report, err, want)
			}
		}
		keys := make([]engine.RecordKey, len(cases))
		for i, c := range cases {
			keys[i] = engine.RecordKey{Store: shopID, ID: c.quote.ID}
			record := string(records.Quotes.Encode(nil, &engine.Record[*commerce.Quote]{Stamp: engine.Stamp{Counter: 1}, State: c.quote}, nil))
			s.Client().Set(background, records.Quotes.Key(keys[i]), record, 0)
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
			got, err := db.FindQuote(background, shopID, c.quote.ID)
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
