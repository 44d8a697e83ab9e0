package persistence

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
)

// docs/api/carts.md#claim, Which carts.
func TestIndexOfAnAccountsCarts(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		write := func(id uuid.UUID, counter uint64, bound commerce.Binding, status commerce.CartStatus) {
			t.Helper()
			next, seen := cartAt(counter, ""), engine.Stamp{}
			next.State.ID, next.State.Customer, next.State.Status = id, bound, status
			next.State.CreatedAt = noon.Add(-time.Duration(id[15]) * time.Second)
			if counter > 1 {
				seen = engine.Stamp{Counter: counter - 1, Writer: 9, Sequence: counter - 1}
			}
			if o := send(t, db, replacing(seen, next)); o.Kind != engine.Done {
				t.Fatalf("write %d of %s: %+v", counter, id, o)
			}
		}
		key := accountCartsKey(shopID, ada)
		want := func(members ...uuid.UUID) {
			t.Helper()
			var texts []string
			for _, id := range members {
				texts = append(texts, id.String())
			}
			if got := s.Client().ZRange(background, key, 0, -1).Val(); !slices.Equal(got, texts) {
				t.Errorf("the index has %v, want %v", got, texts)
			}
		}
		first, second, account := testID(1), testID(2), commerce.Binding{ID: ada}
		write(first, 1, commerce.Binding{}, commerce.CartActive)
		write(first, 2, commerce.Binding{ID: ada, Guest: true}, commerce.CartActive)
		want()
		write(first, 3, account, commerce.CartActive)
		write(second, 1, account, commerce.CartActive)
		want(second, first) // by creation
		if ttl := s.Client().PTTL(background, key).Val(); ttl < commerce.CartLifetime-time.Minute || ttl > commerce.CartLifetime+time.Minute {
			t.Errorf("the index leaves in %v, want with its last written cart", ttl)
		}
		write(first, 4, account, commerce.CartConverted)
		want(second)
		write(second, 2, account, commerce.CartMerged)
		want()
	})
}
