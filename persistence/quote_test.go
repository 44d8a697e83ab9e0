package persistence

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

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
