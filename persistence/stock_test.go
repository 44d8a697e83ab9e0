package persistence

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/outbox"
	"cartd/persistence/stock"
)

func (f *shelf) levels(cart uuid.UUID, items ...uuid.UUID) []commerce.StockLevel {
	f.Helper()
	levels, err := f.db.StockLevels(shopID, cart, items, soonest())
	if err != nil {
		f.Fatal(err)
	}
	return levels
}

// adjusting is an adjustment of the nails' stock in a store whose webhook receives the event.
func adjusting(n commerce.StockDelta, key *engine.IdempotencyKey) *adjustment {
	shop := shelfStore()
	shop.Webhooks = []commerce.Webhook{{Events: []string{commerce.EventStockAdjusted}}}
	return &adjustment{
		&engine.Request{Facts: engine.Facts{Store: shop, Now: time.Now().UTC(), Counted: true}, Idempotency: key, Deadline: time.Now().Add(patience)},
		&commerce.StockAdjustment{ProductID: nails, Quantity: n * 1_000_000},
	}
}

// adjustment is an adjustment with its request.
type adjustment struct {
	*engine.Request
	*commerce.StockAdjustment
}

func (f *shelf) adjust(a *adjustment) (engine.StockAdjusted, error) {
	a.Version = version(f.db, shopID)
	return f.db.AdjustStock(a.Request, a.StockAdjustment)
}

// again is another adjustment of the same store.
func (a *adjustment) again(n commerce.StockDelta) *adjustment {
	next := adjusting(n, nil)
	next.Store = a.Store
	return next
}

func (f *shelf) wantAdjusted(a *adjustment, want engine.StockAdjusted) {
	f.Helper()
	if got, err := f.adjust(a); err != nil || got != want {
		f.Errorf("AdjustStock(%d) = %+v, %v; want %+v", a.Quantity, got, err, want)
	}
}

func (f *shelf) wantEvents(n int64) {
	f.Helper()
	if got := f.redis.LLen(background, outbox.Key(shopID)).Val(); got != n {
		f.Errorf("%d events wait, want %d", got, n)
	}
}

func TestStockAdjustments(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		level := func(onHand, held int64) engine.StockAdjusted {
			return engine.StockAdjusted{Level: commerce.StockLevel{OnHand: units(onHand), Held: units(held)}}
		}
		f.wantAdjusted(adjusting(10, nil), level(10, 0)) // the first
		f.write(asking(1, expiresIn, nails, 4))
		seven := adjusting(-7, nil)
		f.wantAdjusted(seven, level(3, 4))
		f.wantEvents(2)
		want := `,"event":"stock.adjusted","body":{"event":"stock.adjusted","store_id":"` + shopID.String() + `","product_id":"` + nails.String() +
			`","variant_id":null,"quantity":-7,"on_hand":3000000e-6,"reason":null,"occurred_at":"` + seven.Now.Truncate(time.Second).Format(time.RFC3339) + `"}}`
		if got := f.redis.LIndex(background, outbox.Key(shopID), -1).Val(); !strings.HasSuffix(got, want) {
			t.Errorf("the event is\n%s\nwant\n%s", got, want)
		}
		for n, want := range map[commerce.StockDelta]*commerce.Refusal{
			-4: commerce.StockBelowZero, 8_999_999_998: commerce.StockAboveMaximum, 9_000_000_001: commerce.StockAboveMaximum, -9_000_000_001: commerce.StockBelowZero,
		} {
			if got, err := f.adjust(adjusting(n, nil)); !errors.Is(err, want) {
				t.Errorf("AdjustStock(%d) = %+v, %v; want %v", n, got, err, want)
			}
		}
		f.wantEvents(2)
		quiet := adjusting(-3, nil)
		quiet.Store.Webhooks = nil
		f.wantAdjusted(quiet, level(0, 4))
		f.wantAdjusted(quiet.again(9_000_000_000), level(9_000_000_000, 4))
		f.wantEvents(2)
	})
}

// A replay changes nothing and returns the present stock. Another request under the key is
// refused.
func TestRepeatedStockAdjustment(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		f.wantAdjusted(adjusting(2, once(1)), engine.StockAdjusted{Level: commerce.StockLevel{OnHand: units(7)}})
		f.wantAdjusted(adjusting(1, nil), engine.StockAdjusted{Level: commerce.StockLevel{OnHand: units(8)}})
		f.wantAdjusted(adjusting(2, once(1)), engine.StockAdjusted{Level: commerce.StockLevel{OnHand: units(8)}, Replayed: true})
		other := once(1)
		other.Request[0]++
		if _, err := f.adjust(adjusting(2, other)); !errors.Is(err, commerce.IdempotencyKeyReused) {
			t.Errorf("another request under the key: %v", err)
		}
		f.wantEvents(2)
	}, nails, 5)
}

// A lost reply doubles no adjustment, and concurrent adjustments are all made.
func TestStockAdjustmentsAreMadeOnce(t *testing.T) {
	s := redistest.Mini(t)
	f := newShelf(t, s, nails, 5)
	var calls, lost atomic.Int32
	direct := s.Client()
	var passing atomic.Bool
	s.Mini.Server().SetPreHook(func(peer *server.Peer, command string, args ...string) bool {
		if command != "EVALSHA" || len(args) < 5 || !strings.Contains(args[4], ":once:") || passing.Load() || calls.Add(1)%3 != 0 {
			return false
		}
		passing.Store(true)
		list := make([]any, 0, len(args)+1)
		list = append(list, "EVALSHA")
		for _, a := range args {
			list = append(list, a)
		}
		if err := direct.Do(background, list...).Err(); err != nil {
			t.Error(err)
		}
		passing.Store(false)
		lost.Add(1)
		peer.Close() // done, and the answer is lost
		return true
	})
	const writers, each = 4, 5
	var all sync.WaitGroup
	var refused atomic.Int32 // Redis may seem unreachable for a moment; 503 means that nothing was done
	for range writers {
		all.Go(func() {
			for range each {
				switch _, err := f.adjust(adjusting(1, nil)); err {
				case nil:
				case engine.ErrUnavailable:
					refused.Add(1)
				default:
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s.Mini.Server().SetPreHook(nil)
	made := writers*each - int64(refused.Load())
	if got := f.levels(uuid.Nil, nails)[0].OnHand; got != units(5+made) || made == 0 || lost.Load() == 0 {
		t.Errorf("%s on hand, %d refused, %d replies lost; want %d", got, refused.Load(), lost.Load(), 5+made)
	}
	f.wantEvents(made)
}

// An adjustment that was judged under another head is not made.
func TestAdjustmentUnderANewHead(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		a := adjusting(10, nil)
		a.Version = version(f.db, shopID)
		limitedShop(t, f.db, 7)
		if got, err := f.db.AdjustStock(a.Request, a.StockAdjustment); err != engine.ErrOutdated {
			t.Errorf("AdjustStock = %+v, %v; want ErrOutdated", got, err)
		}
		f.wantEvents(0)
		if got := f.levels(uuid.Nil, nails); got[0].OnHand != 0 {
			t.Errorf("on hand are %d, want 0", got[0].OnHand)
		}
	})
}

// While Redis is unreachable no stock is returned and none is changed.
func TestStockWhileRedisIsAway(t *testing.T) {
	s := redistest.Mini(t)
	f := &shelf{TB: t, db: node(t, s, impatient)}
	s.Kill()
	if levels, err := f.db.StockLevels(shopID, uuid.Nil, []uuid.UUID{nails}, soonest()); err != engine.ErrUnavailable {
		t.Errorf("StockLevels = %v, %v; want ErrUnavailable", levels, err)
	}
	if got, err := f.adjust(adjusting(1, nil)); err != engine.ErrUnavailable {
		t.Errorf("AdjustStock = %+v, %v; want ErrUnavailable", got, err)
	}
}

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
