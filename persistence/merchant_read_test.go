package persistence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
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

// A search goes on behind thousands of entries of the index that count no longer: of contacts that are gone, or have other names, or do not
// await approval any more. Each page ends early, and a page begins behind an entry that has gone meanwhile.
func TestContactsBehindEntriesThatCountNoLonger(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		r := asks("key")
		r.Facts = admit(t, db, r)
		const stale = 4000
		pipe := s.Client().Pipeline()
		index := func(n int, name string) {
			pipe.ZAdd(background, accounts.NamesKey(shopID), redis.Z{Member: name + "\n" + testID(n).String()})
			pipe.ZAdd(background, accounts.AwaitingKey(shopID), redis.Z{Score: float64(r.Now.UnixMilli() + int64(n/1500)), Member: testID(n).String()})
		}
		keep := func(n int, c commerce.Contact) {
			c.ID, c.CreatedAt = testID(n), noon
			pipe.Set(background, records.Contacts.Key(engine.RecordKey{Store: shopID, ID: c.ID}),
				records.Contacts.Encode(nil, &engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1}, State: &c}, nil), 0)
		}
		kept := map[uuid.UUID]string{}
		for n := 1; n <= stale; n++ {
			name := fmt.Sprintf("van %05d", n)
			switch index(n, name); {
			case n%1000 == 0:
				keep(n, commerce.Contact{CompanyName: name, B2B: true})
				kept[testID(n)] = name
			case n%2 == 0:
				keep(n, commerce.Contact{CompanyName: strings.Repeat("Ünïcode ", 30), LastName: strings.Repeat("Ünïcode ", 30), B2B: true, Approved: true})
			}
		}
		if _, err := pipe.Exec(background); err != nil {
			t.Fatal(err)
		}
		for _, q := range []engine.ContactQuery{{Name: "van", Size: 1}, {Name: "van", Size: 25}, {Awaiting: true, Size: 1}, {Awaiting: true, Size: 25}} {
			var found []string
			for pages := 1; ; pages++ {
				page, err := db.FindContacts(r, &q)
				if err != nil || pages > 100 {
					t.Fatalf("%+v: page %d: %v", q, pages, err)
				}
				for _, c := range page.Contacts {
					found = append(found, kept[c.ID])
				}
				if page.NextAfter == (engine.ContactPage{}).NextAfter {
					break
				}
				q.After = page.NextAfter
			}
			if want := []string{"van 01000", "van 02000", "van 03000", "van 04000"}; !slices.Equal(found, want) {
				t.Errorf("%+v finds %q", q, found)
			}
		}
	})
}
