package persistence

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

// aQuote is an offer to a guest with all the guest's fields.
func aQuote(edit func(*commerce.Quote)) *commerce.Quote {
	at := time.UnixMilli(1_795_000_000_123).UTC()
	q := &commerce.Quote{
		ID: uuid.New(), Number: 41, CartID: uuid.New(), Customer: commerce.Binding{ID: uuid.New(), Guest: true}, Email: "a@b.co",
		QuoteDetails: commerce.QuoteDetails{Name: "A", CompanyName: "B", Phone: "C", Message: "D\nE", Reference: "F"},
		Goods:        commerce.Goods{Lines: []commerce.OrderLine{{Line: commerce.Line{ID: uuid.New(), ProductID: uuid.New(), Name: "Nail", Made: at}}}},
		CreatedAt:    at, ValidUntil: at.Add(time.Hour),
	}
	edit(q)
	return q
}

// A token whose value is no id, a token of a wrong type, and a quote that cannot be read are
// answered 503, and their keys are logged.
func TestBrokenQuoteIsUnavailable(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	shopWith(theCustomer()).save(t, db)
	hash := commerce.HashSecret([]byte("token"))
	for _, damage := range []func() error{
		func() error { return s.Client().Set(t.Context(), records.QuoteTokenKey(shopID, hash), "x", 0).Err() },
		func() error {
			s.Client().Del(t.Context(), records.QuoteTokenKey(shopID, hash))
			return s.Client().RPush(t.Context(), records.QuoteTokenKey(shopID, hash), "x").Err()
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if id, err := db.QuoteID(shopID, hash, soonest()); err != engine.ErrUnavailable || id != uuid.Nil {
			t.Errorf("the token leads to %v, %v", id, err)
		}
		if _, _, err := db.QuoteAnswer(shopID, stranger.Addr, &hash, soonest()); err != engine.ErrUnavailable {
			t.Errorf("an answer: %v", err)
		}
	}
	key := engine.RecordKey{Store: shopID, ID: uuid.New()}
	if err := s.Client().Set(t.Context(), records.Quotes.Key(key), "x", 0).Err(); err != nil {
		t.Fatal(err)
	}
}
