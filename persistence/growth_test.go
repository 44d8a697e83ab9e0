package persistence

import (
	"strings"
	"testing"
	"time"

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
		db.Carts().Load(v.Key, func(r engine.CartRecord, _ error) { loaded <- r })
		want := len(s.Client().Get(background, records.Carts.Key(v.Key)).Val())
		if got := <-loaded; got.Size != want || want < 1000 {
			t.Errorf("read: %d bytes, want %d", got.Size, want)
		}
		if again := replacing(r.Stamp, noted(1, 2, 3000)); again != nil {
			cartVisits.encodeVisit(db, again)
			if again.Next.Size < 3000 {
				t.Errorf("written: %d bytes", again.Next.Size)
			}
		}
	})
}

// A store that grows too fast is refused, with nothing sent. Its writes that do not grow go on, and
// so do other stores. What was not written is given back.
func TestGrowthOfAStoreIsRefused(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	shop := &commerce.Store{ID: shopID, RateLimit: 120}
	db.growth.Grow(shopID, 120, commerce.RateWindow, ratelimit.GrowthBurst-3_000, time.Now().Add(time.Hour))
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
	if o := send(t, db, large); o.Kind != engine.TooLarge || s.Client().DBSize(background).Val() != before || db.GrowthRefused() != 1 {
		t.Fatalf("beyond the bucket: %+v", o)
	}
	smaller := countedIn(shop, replacing(first.Stamp, noted(1, 2, 1_500)))
	smaller.SeenSize = 3_000
	if o := send(t, db, smaller); o.Kind != engine.Done {
		t.Errorf("a record that becomes smaller: %+v", o)
	}
	if !db.growth.Grow(testID(0x77), 120, commerce.RateWindow, 10_000, time.Now()) {
		t.Error("another store is refused")
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
		q := &commerce.Quote{ValidUntil: end}
		c.edit(q)
		if got := string(records.Quotes.Expiry(nil, q)); got != c.want {
			t.Errorf("%s: leaves at %q, want %q", name, got, c.want)
		}
	}
}
