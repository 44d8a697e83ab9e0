package persistence

import (
	"testing"
	"time"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
)

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
