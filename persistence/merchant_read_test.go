package persistence

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/persistence/stock"
)

// The holders of an item are read in turns, the first to expire first, until they hold so much as is held.
func TestStockHolders(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		r := asks("key")
		r.Facts = admit(t, db, r)
		const holds = 2*holdsAtOnce + 20
		one, few := testID(5001), testID(5002) // an item of all holds, and of two
		hold := func(n int, ahead time.Duration) {
			pipe := s.Client().Pipeline()
			pipe.ZAdd(background, stock.HoldsKey(shopID), redis.Z{Score: float64(r.Now.Add(ahead).UnixMilli()), Member: testID(n).String()})
			pipe.HSet(background, stock.CartKey(shopID, testID(n)), one.String(), 1_000_000)
			if n%(holds/2) == 1 {
				pipe.HSet(background, stock.CartKey(shopID, testID(n)), few.String(), 3_000_000)
			}
			if _, err := pipe.Exec(background); err != nil {
				t.Fatal(err)
			}
		}
		hold(holds+1, -time.Minute) // expired, and not yet released
		for n := range holds {
			hold(n, time.Duration(n+1)*time.Minute)
		}
		for _, c := range []struct {
			name     string
			item     int
			held     commerce.Micros
			want     int
			complete bool
		}{
			{"all holds", 5001, holds * 1_000_000, maxHolders, false}, {"two", 5002, 6_000_000, 2, true}, {"two and an expired one", 5002, 9_000_000, 2, true},
			{"none", 5003, 0, 0, true}, {"none, of which some was held", 5003, 1_000_000, 0, true},
		} {
			holders, complete, err := db.StockHolders(r, testID(c.item), c.held)
			if err != nil || len(holders) != c.want || complete != c.complete {
				t.Errorf("%s: %d holders, complete %v, %v; want %d, %v", c.name, len(holders), complete, err, c.want, c.complete)
			}
			for i := range holders {
				if i > 0 && holders[i].Until.Before(holders[i-1].Until) || holders[i].Kind != "cart" {
					t.Errorf("%s: holder %d is %+v", c.name, i, holders[i])
				}
			}
		}
	})
}
