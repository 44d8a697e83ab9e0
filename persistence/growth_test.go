package persistence

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
	"cartd/ratelimit"
)

// counted makes a visit of the store's request.
func countedIn(shop *commerce.Store, v *engine.Visit[*commerce.Cart]) *engine.Visit[*commerce.Cart] {
	v.Requests = []*engine.Request{{Facts: engine.Facts{Store: shop}}}
	return v
}

// noted makes a cart whose record has about so many bytes.
func noted(id, version, bytes int) engine.CartRecord {
	r := newCart(testID(id))
	r.Stamp.Counter, r.Stamp.Sequence = uint64(version), uint64(version)
	r.State.Metadata = commerce.Metadata{{Key: "note", Value: commerce.Scalar{IsString: true, Text: strings.Repeat("x", bytes)}}}
	return r
}

// A record has the size of its text in Redis, whether it was read or written.
func TestSizesOfRecords(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		r := noted(1, 1, 1000)
		v := replacing(none.Stamp, r)
		if o := send(t, db, v); o.Kind != engine.Done {
			t.Fatalf("%+v", o)
		}
		loaded := make(chan engine.CartRecord, 1)
		Carts.In(db).Load(v.Key, func(r engine.CartRecord, _ error) { loaded <- r })
		want := len(s.Client().Get(background, records.Carts.Key(v.Key)).Val())
		if got := <-loaded; got.Size != want || want < 1000 {
			t.Errorf("read: %d bytes, want %d", got.Size, want)
		}
		if again := replacing(r.Stamp, noted(1, 2, 3000)); again != nil {
			Carts.encodeVisit(db, again, nil)
			if again.Next.Size < 3000 {
				t.Errorf("written: %d bytes", again.Next.Size)
			}
		}
	})
}

// growth is a write of a store that may use its whole bucket.
func growth(store uuid.UUID, bytes int) *ratelimit.Growing {
	return &ratelimit.Growing{Store: store, Limit: 120, Window: commerce.RateWindow, Bytes: bytes, Part: ratelimit.WholeBucket}
}

// visitorsLeft uses up the shop's bucket but for so many bytes of the visitors' part.
func visitorsLeft(db *DB, bytes int) {
	db.growth.Grow(growth(shopID, ratelimit.GrowthBurst/8*ratelimit.VisitorsPart-bytes), time.Now().Add(time.Hour))
}

// A store that grows too fast is refused, with nothing sent. Its writes that do not grow go on, and
// so do other stores. What was not written is given back.
func TestGrowthOfAStoreIsRefused(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	shop := &commerce.Store{ID: shopID, RateLimit: 120}
	visitorsLeft(db, 3_000)
	first := noted(1, 1, 2_000)
	v := countedIn(shop, replacing(none.Stamp, first))
	if o := send(t, db, v); o.Kind != engine.Done {
		t.Fatalf("within the bucket: %+v", o)
	}
	conflict := countedIn(shop, replacing(engine.Stamp{Counter: 7, Writer: 7, Sequence: 7}, noted(1, 2, 800)))
	if o := send(t, db, conflict); o.Kind != engine.OtherRecord {
		t.Fatalf("a conflict: %+v", o)
	}
	before := s.Client().DBSize(background).Val()
	large := countedIn(shop, replacing(none.Stamp, noted(2, 1, 2_000)))
	if o := send(t, db, large); o.Kind != engine.TooLarge || s.Client().DBSize(background).Val() != before {
		t.Fatalf("beyond the bucket: %+v", o)
	}
	smaller := countedIn(shop, replacing(first.Stamp, noted(1, 2, 1_500)))
	smaller.SeenSize = 3_000
	if o := send(t, db, smaller); o.Kind != engine.Done {
		t.Errorf("a record that becomes smaller: %+v", o)
	}
	if !db.growth.Grow(growth(testID(0x77), 10_000), time.Now()) {
		t.Error("another store is refused")
	}
}

// Which part of the bucket a write may use, and which client it counts for: docs/operations.md#what-stays.
func TestPartsOfGrowth(t *testing.T) {
	db := node(t, redistest.Mini(t))
	limited := &commerce.Store{ID: shopID, RateLimit: 120, Limits: commerce.Limits{PerClient: 120}}
	visitor, merchant := &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceWrite)}, &commerce.APIKey{Scopes: commerce.AnyOf(commerce.ContactsManage)}
	server := &commerce.APIKey{Scopes: visitor.Scopes, NoClientLimit: true}
	for _, c := range []struct {
		store    *commerce.Store
		key      *commerce.APIKey
		sells    bool
		part     int
		ofClient bool
	}{
		{limited, visitor, false, ratelimit.VisitorsPart, true}, {limited, visitor, true, ratelimit.WholeBucket, true},
		{limited, server, false, ratelimit.VisitorsPart, false}, {limited, server, true, ratelimit.WholeBucket, false},
		{limited, merchant, false, ratelimit.WholeBucket + 2, false}, {limited, merchant, true, ratelimit.WholeBucket + 2, false},
		{&commerce.Store{ID: shopID, RateLimit: 120}, visitor, false, ratelimit.VisitorsPart, false},
		{&commerce.Store{ID: shopID, RateLimit: 120}, merchant, false, ratelimit.WholeBucket + 2, false},
	} {
		r := &engine.Request{Caller: stranger, Facts: engine.Facts{Store: c.store, Key: c.key}}
		w := db.growing([]*engine.Request{r}, 100, c.sells)
		if w.Part != c.part || w.Client.IsValid() != c.ofClient || w.Bytes != 100 || w.Limit != 120 {
			t.Errorf("%+v, an order %v: %+v", c.key, c.sells, w)
		}
	}
}

// An event counts once for each webhook that copies it.
func TestEventsCountOnceForEachWebhook(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	growth := func(webhooks int) int {
		shop := &commerce.Store{ID: shopID, RateLimit: 120}
		for range webhooks {
			shop.Webhooks = append(shop.Webhooks, commerce.Webhook{Events: []string{"order.placed", "order.paid"}})
		}
		shop.Webhooks = append(shop.Webhooks, commerce.Webhook{Events: []string{"cart.converted"}})
		v := countedIn(shop, replacing(none.Stamp, noted(1, 1, 100)))
		v.Effects = []engine.Effects{{Effects: commerce.Effects{Event: &commerce.Event{Name: "order.paid",
			Body: []byte(`{"note":"` + strings.Repeat("x", 1000) + `"}`)}}}}
		return Carts.encodeVisit(db, v, nil).growth
	}
	one, two, three := growth(1), growth(2), growth(3)
	if two-one < 1000 || three-two != two-one {
		t.Errorf("one webhook: %d bytes, two: %d, three: %d; want the event's size more each time", one, two, three)
	}
}

// An adjustment of stock counts as other writes do.
func TestAdjustmentsCountAsGrowth(t *testing.T) {
	f := newShelf(t, redistest.Mini(t))
	a := adjusting(1, nil)
	visitorsLeft(f.db, 0)
	if _, err := f.adjust(a); err != engine.GrowthFull {
		t.Errorf("%v, want GrowthFull", err)
	}
	f.wantEvents(0)
}

// The memory of Redis bounds the growth of stores: above 80 % there are no bursts, above 90 % the store
// that grew most may not grow, and others may. Without maxmemory nothing is bounded.
func TestMemoryBoundsGrowth(t *testing.T) {
	s := redistest.Real(t)
	db := node(t, s)
	theShop().save(t, db)
	shop, other := &commerce.Store{ID: shopID, RateLimit: 120}, &commerce.Store{ID: testID(0x77), RateLimit: 120}
	grow := func(store *commerce.Store, bytes int, want bool) {
		t.Helper()
		if got := db.grows(db.growing([]*engine.Request{{Facts: engine.Facts{Store: store}}}, bytes, false)); got != want {
			t.Errorf("%d bytes of store %s: %v, want %v", bytes, store.ID, got, want)
		}
	}
	full := func(part float64) {
		t.Helper()
		used, err := strconv.ParseFloat(redistest.InfoField(s.Client().Info(background, "memory").Val(), "used_memory"), 64)
		maximum := 0
		if part > 0 {
			maximum = int(used / part)
		}
		if err == nil {
			err = s.Client().ConfigSet(background, "maxmemory", strconv.Itoa(maximum)).Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		db.boundGrowth()
		if got := db.client.FullestMemory(); part == 0 && got != 0 || got < part-0.03 || got > part+0.03 {
			t.Fatalf("the memory is %v full, want %v", got, part)
		}
	}
	grow(shop, 20<<20, true)
	full(0)
	grow(shop, 10<<20, true)
	full(0.85)
	grow(shop, 300_000, false) // as much as its limit fills in half a minute
	grow(other, 100_000, true)
	full(0.95)
	grow(other, 1000, true)
	grow(shop, 1, false)
	if db.StoresStopped() != 1 {
		t.Errorf("%d stores are stopped", db.StoresStopped())
	}
	full(0.5)
	grow(shop, 1<<20, true)
	if db.StoresStopped() != 0 {
		t.Errorf("%d stores are stopped after the end", db.StoresStopped())
	}
}

// The node reads the memory each second by itself.
func TestMemoryIsWatched(t *testing.T) {
	s := redistest.Real(t)
	if err := s.Client().ConfigSet(background, "maxmemory", "100mb").Err(); err != nil {
		t.Fatal(err)
	}
	db := node(t, s)
	tick, stop := make(chan time.Time), make(chan struct{})
	go db.watchMasters(&time.Ticker{C: tick}, stop)
	defer close(stop)
	eventually(t, "the first figure", patience, func() bool { return db.client.FullestMemory() > 0 })
	if err := s.Client().ConfigSet(background, "maxmemory", "0").Err(); err != nil {
		t.Fatal(err)
	}
	tick <- time.Now()
	eventually(t, "the next figure", patience, func() bool { return db.client.FullestMemory() == 0 })
}

// In a cluster the memory of a master bounds its own stores.
func TestMemoryOfAMasterBoundsItsStores(t *testing.T) {
	t.Parallel()
	url, halves := cluster(t)
	db := node(t, halves[0], func(c *Config) { c.URL = url })
	if err := halves[0].Client().ConfigSet(background, "maxmemory", "1000000").Err(); err != nil {
		t.Fatal(err)
	}
	var stores [2]*commerce.Store
	for half := range stores {
		stores[half] = &commerce.Store{ID: shopOf(t, halves[0], half).ID, RateLimit: 120}
		db.grows(db.growing([]*engine.Request{{Facts: engine.Facts{Store: stores[half]}}}, 20<<20, false))
	}
	db.boundGrowth()
	for half, store := range stores {
		if got := db.grows(db.growing([]*engine.Request{{Facts: engine.Facts{Store: store}}}, 1, false)); got != (half == 1) {
			t.Errorf("the store of master %d: %v", half, got)
		}
	}
	if db.StoresStopped() != 1 {
		t.Errorf("%d stores are stopped, want the one of the full master", db.StoresStopped())
	}
}

// docs/operations.md#what-stays: a quote that was not accepted leaves 180 days after its end, an
// accepted one never. A guest's row leaves 400 days after its last capture.
func TestQuotesAndGuestsLeave(t *testing.T) {
	end := time.UnixMilli(1_795_000_000_000).UTC()
	for name, c := range map[string]struct {
		edit func(*commerce.Quote)
		want string
	}{
		"offered":  {func(*commerce.Quote) {}, records.Millis(end.Add(180 * 24 * time.Hour))},
		"declined": {func(q *commerce.Quote) { q.DeclinedAt = end.Add(-time.Hour) }, records.Millis(end.Add(180*24*time.Hour - time.Hour))},
		"accepted": {func(q *commerce.Quote) { q.OrderID = testID(9) }, ""},
	} {
		q := &commerce.Quote{Version: 1, ValidUntil: end}
		c.edit(q)
		if got := string(records.Quotes.Expiry(nil, q)); got != c.want {
			t.Errorf("%s: leaves at %q, want %q", name, got, c.want)
		}
	}
}
