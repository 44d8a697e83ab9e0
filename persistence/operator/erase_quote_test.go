package operator

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence"
	"cartd/persistence/records"
)

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
