package outbox

import (
	"testing"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// Stores with new events at every lease do not keep another store out.
func TestEveryStoreOfTheOutboxIsLeased(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		const stores = storesAtOnce + 4
		o := open(t, s, nil).Outbox
		seen := map[uuid.UUID]bool{}
		for range 1000 { // much longer than a millisecond, the index's unit of time
			for i := range stores {
				o.Announce(testID(i))
			}
			leased, err := o.leaseStores()
			if err != nil || len(leased) == 0 {
				t.Fatalf("leaseStores = %+v, %v", leased, err)
			}
			for i := range leased {
				seen[leased[i].store] = true
				leased[i].again(0)
			}
			if err := o.returnStores(leased); err != nil {
				t.Fatal(err)
			}
			if len(seen) == stores {
				return
			}
		}
		t.Errorf("%d of %d stores were ever leased", len(seen), stores)
	})
}

// A store that was marked earlier is leased earlier. A store that was to be served later, and
// is marked, is leased now.
func TestStoresAreLeasedInTheOrderOfTheirMarks(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		o, client := open(t, s, nil).Outbox, s.Client()
		client.ZAdd(t.Context(), indexKey, redis.Z{Member: otherShop.String(), Score: 1})
		client.ZAdd(t.Context(), indexKey, redis.Z{Member: shopID.String(), Score: 1e15})
		for _, store := range []uuid.UUID{shopID, otherShop, testID(1)} {
			o.Announce(store)
		}
		leased, err := o.leaseStores()
		if err != nil || len(leased) != 3 || leased[0].store != otherShop {
			t.Errorf("leaseStores = %+v, %v; want all three, the other shop first", leased, err)
		}
	})
}

// A store that is marked after its lease has ended stays in the index when the slow node
// returns it without events.
func TestStoreMarkedAfterItsLeaseStaysInTheIndex(t *testing.T) {
	s := redistest.Mini(t)
	s.Mini.SetTime(noon)
	slow, other := open(t, s, nil).Outbox, open(t, s, nil).Outbox
	slow.Announce(shopID)
	leased, err := slow.leaseStores()
	if err != nil || len(leased) != 1 {
		t.Fatalf("leaseStores = %+v, %v", leased, err)
	}
	s.Mini.SetTime(noon.Add(2 * storeLease))
	for i := range storesAtOnce { // they wait longer than the store
		s.Client().ZAdd(t.Context(), indexKey, redis.Z{Member: testID(0x100 + i).String(), Score: 1})
	}
	other.Announce(shopID)
	if theirs, err := other.leaseStores(); err != nil || len(theirs) != storesAtOnce {
		t.Fatalf("leaseStores = %+v, %v", theirs, err)
	}
	if err := slow.returnStores(leased); err != nil {
		t.Fatal(err)
	}
	if err := s.Client().ZScore(t.Context(), indexKey, shopID.String()).Err(); err != nil {
		t.Errorf("the store left the index: %v", err)
	}
}
