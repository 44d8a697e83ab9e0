package operator

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// aQuote is an offer to a guest with all the guest's fields.
func aQuote(edit func(*commerce.Quote)) *commerce.Quote {
	at := noon.Add(123 * time.Millisecond)
	q := &commerce.Quote{
		Version: 1,
		ID:      uuid.New(), Number: 41, CartID: uuid.New(), Customer: commerce.Binding{ID: uuid.New(), Guest: true}, Email: "a@b.co",
		QuoteDetails: commerce.QuoteDetails{Name: "A", CompanyName: "B", Phone: "C", Message: "D\nE", Reference: "F"},
		Goods:        commerce.Goods{Lines: []commerce.OrderLine{{Line: commerce.Line{ID: uuid.New(), ProductID: uuid.New(), Name: "Nail", Made: at}}}},
		CreatedAt:    at, ValidUntil: at.Add(time.Hour),
	}
	edit(q)
	return q
}

// An operator finds a quote by its id, and the picture that accepted it.
func TestFindQuote(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := on(t, s)
		db.save(t, shopID, adasContact())
		q := aQuote(func(*commerce.Quote) {})
		key := engine.RecordKey{Store: shopID, ID: q.ID}
		text := string(records.Quotes.Encode(nil, record(1, q), nil))
		for name, text := range map[string]string{records.Quotes.Key(key): text, records.SignatureKey(key): "picture"} {
			if err := s.Client().Set(t.Context(), name, text, 0).Err(); err != nil {
				t.Fatal(err)
			}
		}
		for _, store := range []uuid.UUID{shopID, uuid.Nil} {
			if got, err := Find(t.Context(), db, persistence.Quotes, store, q.ID); err != nil || got.Store.ID != shopID || got.Version != 1 ||
				!reflect.DeepEqual(got.State, q) {
				t.Errorf("in store %v: got %+v, %v\nwant %+v", store, got, err, q)
			}
		}
		if got, err := db.Signature(t.Context(), key); err != nil || got != "picture" {
			t.Errorf("the signature is %q, %v", got, err)
		}
		for _, other := range []engine.RecordKey{{Store: shopID, ID: uuid.New()}, {Store: uuid.New(), ID: q.ID}} {
			if got, err := Find(t.Context(), db, persistence.Quotes, other.Store, other.ID); err != ErrNotFound {
				t.Errorf("quote %+v is %+v, %v; want %v", other, got, err, ErrNotFound)
			}
		}
		key.ID = uuid.New()
		if got, err := db.Signature(t.Context(), key); err != nil || got != "" {
			t.Errorf("its signature is %q, %v", got, err)
		}
	})
}

// A quote that cannot be read is an error with its key.
func TestFindBrokenQuote(t *testing.T) {
	s := redistest.Mini(t)
	o, key := on(t, s), engine.RecordKey{Store: shopID, ID: uuid.New()}
	o.save(t, shopID)
	s.Client().Set(background, records.Quotes.Key(key), "x", 0)
	if _, err := Find(background, o, persistence.Quotes, key.Store, key.ID); !errors.Is(err, redisdb.ErrCorrupt) {
		t.Errorf("a quote that is none: %v", err)
	}
}
