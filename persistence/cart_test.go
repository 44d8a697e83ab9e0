package persistence

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
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

// The stamps of many carts are one pipeline. A cart that is gone has the zero stamp; one that cannot
// be read is left out.
func TestCartStampsAreOnePipeline(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		first := cartAt(1, "")
		store(t, db, first)
		key := engine.RecordKey{Store: shopID, ID: first.State.ID}
		broken := engine.RecordKey{Store: shopID, ID: testID(0xbad)}
		s.Client().LPush(background, records.Carts.Key(broken), "x")
		keys := []engine.RecordKey{key, broken}
		want := []string{"getrange", "getrange"}
		for n := range 998 {
			keys, want = append(keys, engine.RecordKey{Store: shopID, ID: testID(0x1000 + n)}), append(want, "getrange")
		}
		trips := shoptest.CountTrips(db.client.Redis)
		found := db.CartStamps(keys, time.Now().Add(patience))
		trips.Want(t, "1,000 stamps", want)
		if len(found) != len(keys)-1 || found[key] != first.Stamp || !found[keys[2]].Zero() {
			t.Errorf("%d stamps; the cart's is %v, want %v", len(found), found[key], first.Stamp)
		}
		if stamp, is := found[broken]; is {
			t.Errorf("a cart that cannot be read has the stamp %v", stamp)
		}
	})
}

// While Redis is away no stamp is found, so that no cart counts as gone.
func TestCartStampsWithoutRedis(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s, impatient)
	s.Kill()
	if found := db.CartStamps([]engine.RecordKey{{Store: shopID}}, time.Now().Add(soon)); len(found) != 0 {
		t.Errorf("found %v", found)
	}
}
