package persistence

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
	"cartd/persistence/stock"
)

var (
	nails, cable = testID(0xa1), testID(0xa2)
	expiredAgo   = -time.Minute // of holds that no node has released yet
	expiresIn    = time.Hour
)

// units is a whole quantity of stock.
func units(n int64) commerce.Micros { return commerce.Micros(n) * 1_000_000 }

// asking is a cart's state that asks for stock, given as pairs of item and whole units.
func asking(id int, expires time.Duration, stock ...any) *commerce.Cart {
	now := time.Now().Truncate(time.Millisecond).UTC()
	c := commerce.NewCart(testID(id), now)
	for i := 0; i < len(stock); i += 2 {
		q := units(int64(stock[i+1].(int)))
		c.Hold.Asks = append(c.Hold.Asks, commerce.StockAsk{Item: stock[i].(uuid.UUID), Quantity: q, Granted: q})
	}
	if c.Hold.Asks != nil {
		c.Hold.Until = now.Add(expires)
		c.UpdatedAt = now.Add(min(0, expires-time.Minute)) // a hold expires after its write
	}
	return c
}

// shelf is a store's stock in a Redis, with the known records of its carts.
type shelf struct {
	testing.TB
	db     *DB
	redis  *redis.Client
	carts  map[uuid.UUID]engine.CartRecord
	stamps uint64
	// version is the store version of the visits; nil for the node's own. judged is the store that their
	// requests are judged by; nil for none.
	version *engine.StoreVersion
	judged  *commerce.Store
}

func newShelf(t testing.TB, s *redistest.Server, stock ...any) *shelf {
	f := &shelf{TB: t, db: node(t, s), redis: s.Client(), carts: map[uuid.UUID]engine.CartRecord{}}
	for i := 0; i < len(stock); i += 2 {
		f.onHand(stock[i].(uuid.UUID), stock[i+1].(int))
	}
	return f
}

// eachShelf runs a test with a shelf of this stock on each kind of server.
func eachShelf(t *testing.T, test func(*testing.T, *shelf), stock ...any) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) { test(t, newShelf(t, s, stock...)) })
}

func (f *shelf) onHand(item uuid.UUID, n int) {
	f.Helper()
	if err := f.redis.HSet(background, stock.OnHandKey(shopID), item.String(), int64(units(int64(n)))).Err(); err != nil {
		f.Fatal(err)
	}
}

// release releases the expired holds.
func (f *shelf) release() {
	f.Helper()
	if _, err := f.db.ExpireHolds(shopID, soonest()); err != nil {
		f.Fatal(err)
	}
}

// visit makes the next visit of a cart.
func (f *shelf) visit(next *commerce.Cart) *engine.Visit[*commerce.Cart] {
	before := f.carts[next.ID]
	f.stamps++
	record := engine.CartRecord{Stamp: engine.Stamp{Counter: f.stamps, Writer: 9, Sequence: f.stamps}, State: next}
	v := replacing(before.Stamp, record)
	v.Before, v.Version = before.State, f.version
	if f.judged != nil {
		v.Requests = []*engine.Request{{Facts: engine.Facts{Counted: true, Store: f.judged}}}
	}
	return v
}

// write sends a cart's visit, and remembers its record as an actor would.
func (f *shelf) write(next *commerce.Cart) *commerce.Cart {
	f.Helper()
	v := f.visit(next)
	o := send(f, f.db, v)
	if o.Kind != engine.Done {
		f.Fatalf("the visit of cart %s: %+v", next.ID, o)
	}
	record := v.Next
	if !o.Current.Stamp.Zero() {
		record = o.Current
	}
	f.carts[next.ID] = record
	return record.State
}

// loaded reads a cart's record as another node would.
func (f *shelf) loaded(id uuid.UUID) engine.CartRecord {
	f.Helper()
	text, err := f.redis.Get(background, records.Carts.Key(engine.RecordKey{Store: shopID, ID: id})).Result()
	if err != nil {
		f.Fatal(err)
	}
	record, err := records.Carts.Decode(engine.RecordKey{}, text)
	if err != nil {
		f.Fatal(err)
	}
	record.Size = 0 // TestSizesOfRecords checks it
	return record
}

// held adds up all carts' holds. It fails if they differ from the sums, or if a hold has no
// expiry.
func (f *shelf) held() map[uuid.UUID]commerce.Micros {
	f.Helper()
	sums := map[uuid.UUID]commerce.Micros{}
	prefix := strings.TrimSuffix(stock.CartKey(shopID, uuid.Nil), uuid.Nil.String())
	for _, key := range f.redis.Keys(background, prefix+"*").Val() {
		cart := strings.TrimPrefix(key, prefix)
		if f.redis.ZScore(background, stock.HoldsKey(shopID), cart).Err() != nil {
			f.Errorf("cart %s holds stock that never expires", cart)
		}
		for item, n := range f.redis.HGetAll(background, key).Val() {
			sums[uuid.MustParse(item)] += stock.Micros(n)
			if stock.Micros(n) <= 0 {
				f.Errorf("cart %s holds %s of %s", cart, n, item)
			}
		}
	}
	kept := map[uuid.UUID]commerce.Micros{}
	for item, n := range f.redis.HGetAll(background, stock.HeldKey(shopID)).Val() {
		if n != "0" {
			kept[uuid.MustParse(item)] = stock.Micros(n)
		}
	}
	if !maps.Equal(sums, kept) {
		f.Errorf("the sums are %v, the carts hold %v", kept, sums)
	}
	return kept
}

// wantHeld compares the sums of all holds with pairs of item and whole units.
func (f *shelf) wantHeld(what string, stock ...any) {
	f.Helper()
	want := map[uuid.UUID]commerce.Micros{}
	for i := 0; i < len(stock); i += 2 {
		want[stock[i].(uuid.UUID)] = units(int64(stock[i+1].(int)))
	}
	if got := f.held(); !maps.Equal(got, want) {
		f.Errorf("%s: %v is held, want %v", what, got, want)
	}
}

// wantGranted compares a cart's grants, in the order of the items: in the answer, in the record
// and in the hold.
func (f *shelf) wantGranted(c *commerce.Cart, want ...int64) {
	f.Helper()
	record, own := f.loaded(c.ID), f.redis.HGetAll(background, stock.CartKey(shopID, c.ID)).Val()
	if !reflect.DeepEqual(record, f.carts[c.ID]) {
		f.Errorf("the record is %+v, the answer was %+v", record.State.Hold, c.Hold)
	}
	var got, holds []int64
	for _, a := range c.Hold.Asks {
		got, holds = append(got, int64(a.Granted/units(1))), append(holds, int64(stock.Micros(own[a.Item.String()])/units(1)))
	}
	if !slices.Equal(got, want) || !slices.Equal(holds, want) {
		f.Errorf("cart %s was granted %v and holds %v, want %v", c.ID, got, holds, want)
	}
}

func TestStockIsHeldAndReleasedWithTheCart(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		f.wantGranted(f.write(asking(1, expiresIn, nails, 4)), 4)
		f.wantGranted(f.write(asking(1, expiresIn, nails, 6, cable, 2)), 6, 2)
		f.wantGranted(f.write(asking(2, expiresIn, nails, 3)), 3)
		f.wantHeld("two carts", nails, 9, cable, 2)
		f.wantGranted(f.write(asking(1, expiresIn, nails, 1, cable, 2)), 1, 2)
		f.wantHeld("less of one", nails, 4, cable, 2)
		f.wantGranted(f.write(asking(1, expiresIn, cable, 2)), 2)
		f.wantHeld("one released", nails, 3, cable, 2)
		f.write(asking(1, 0))
		f.wantHeld("all of a cart released", nails, 3)
		if n := f.redis.ZCard(background, stock.HoldsKey(shopID)).Val(); n != 1 {
			t.Errorf("%d carts' holds expire, want 1", n)
		}
		f.write(asking(2, 0))
		if keys := f.redis.Keys(background, "{"+shopID.String()+"}:hold*").Val(); len(keys) > 0 {
			t.Errorf("nothing is held, and there are %q", keys)
		}
	}, nails, 10, cable, 5)
}

// Holds are granted first come, first served. Each later write asks for the missing part again.
func TestMissingPartOfAHoldIsAskedForAgain(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		f.write(asking(1, expiresIn, nails, 8))
		f.wantGranted(f.write(asking(2, expiresIn, nails, 5)), 2)
		f.wantGranted(f.write(asking(3, expiresIn, nails, 5, cable, 1)), 0, 0)
		f.wantGranted(f.write(asking(2, expiresIn, nails, 7)), 2)
		f.wantGranted(f.write(asking(1, expiresIn, nails, 4)), 4)
		f.wantGranted(f.write(asking(2, expiresIn, nails, 7)), 6)
		f.wantGranted(f.write(asking(3, expiresIn, nails, 5, cable, 1)), 0, 0)
		f.wantHeld("all that there is", nails, 10)

	}, nails, 10)
}

// All expired holds are released until no ask is short.
func TestExpiredHoldsAreReleasedForAnAsk(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		const expired = 107 // more than a script releases
		f := newShelf(t, s, nails, expired)
		for i := range expired {
			f.write(asking(0x100+i, expiredAgo, nails, 1))
		}
		f.wantHeld("not released yet", nails, expired)
		f.wantGranted(f.write(asking(1, expiresIn, nails, expired-2)), expired-2)
		f.wantHeld("one cart holds it", nails, expired-2)
		f.write(asking(2, expiredAgo, nails, 1))
		f.wantGranted(f.write(asking(3, expiresIn, nails, 1)), 1) // there is enough: expired holds stay
		f.wantHeld("with one expired", nails, expired)
		f.release()
		f.wantHeld("after the release", nails, expired-1)
	})
}

// The hold of a cart's record may have expired: the next write holds all of it again, whether a
// node has released it or not.
func TestExpiredHoldIsHeldAgain(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		f.write(asking(1, expiredAgo, nails, 4, cable, 3))
		f.wantGranted(f.write(asking(1, expiredAgo, nails, 4, cable, 3)), 4, 3)
		f.wantHeld("not released", nails, 4, cable, 3)
		f.release()
		f.wantHeld("after the release")
		f.write(asking(2, expiresIn, nails, 8))
		f.wantGranted(f.write(asking(1, expiresIn, nails, 4, cable, 3)), 2, 3)

		// It is released between the admission and the commit of the next write.
		f.redis.ZAdd(background, stock.HoldsKey(shopID), redis.Z{Score: 1, Member: testID(1).String()})
		f.release()
		f.wantHeld("released meanwhile", nails, 8)
		for _, next := range []*commerce.Cart{asking(1, expiresIn, nails, 1, cable, 3), asking(1, 0), asking(1, expiresIn, nails, 2)} {
			f.write(next)
			f.redis.ZAdd(background, stock.HoldsKey(shopID), redis.Z{Score: 1, Member: testID(1).String()})
			f.release()
			f.wantHeld("gone once more", nails, 8)
		}
	}, nails, 10, cable, 10)
}

// A hold expires between the judgement and the visit. The visit holds all of it again, whatever
// the record says of it.
func TestHoldThatExpiresBetweenJudgementAndVisit(t *testing.T) {
	s := redistest.Mini(t)
	now := noon
	s.Mini.SetTime(now)
	f := newShelf(t, s, nails, 10, cable, 10)
	until := func(c *commerce.Cart, at time.Time) *commerce.Cart {
		c.UpdatedAt, c.ExpiresAt, c.Hold.Until = noon, noon.Add(24*time.Hour), at
		return c
	}
	ends := noon.Add(engine.Drift / 2)
	first := f.visit(until(asking(1, expiresIn, nails, 4, cable, 3), ends))
	first.Judged = noon
	f.carts[testID(1)] = send(t, f.db, first).Current
	f.wantHeld("held", nails, 4, cable, 3)
	next := f.visit(until(asking(1, expiresIn, nails, 4, cable, 5), noon.Add(time.Hour)))
	next.Judged, next.Tolerance, next.Deadline = noon, engine.Drift, time.Now() // the last moment for the node, not for Redis
	s.Mini.SetTime(ends)
	f.release()
	f.wantHeld("ended")
	o := send(t, f.db, next)
	if o.Kind != engine.Done || o.Current.State == nil {
		t.Fatalf("outcome %+v", o)
	}
	f.carts[testID(1)] = o.Current
	f.wantGranted(o.Current.State, 4, 5)
	f.wantHeld("held again", nails, 4, cable, 5)
}

// A visit that is sent again has the asks of its first sending, however little time is left,
// because the same plan reads the texts that the script made.
func TestResendHasTheSameAsks(t *testing.T) {
	sent := time.Now()
	before, next := asking(1, expiresIn, nails, 4, cable, 3), asking(1, expiresIn, nails, 4, cable, 5)
	for _, left := range []time.Duration{0, 10 * time.Second} { // of ten seconds
		ago := 10*time.Second - left
		v := &engine.Visit[*commerce.Cart]{
			Before: before, Next: engine.CartRecord{State: next}, Writes: true,
			Judged: sent.Add(-ago), SentAt: sent.Add(-ago), Deadline: sent.Add(left), Tolerance: engine.Drift,
		}
		v.Before.Hold.Until = v.Judged.Add(5 * time.Second)
		if change := stock.Change(v); len(change.Items) != 2 {
			t.Errorf("with %v left it asks for %+v, want both items", left, change.Items)
		}
	}
}

// Stock is adjusted below the held quantity. The next add of a cart is granted the available
// stock. Neither the stock on hand nor a hold becomes negative.
func TestStockAdjustedBelowTheHolds(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		f.write(asking(1, expiresIn, nails, 4))
		f.write(asking(2, expiresIn, nails, 6))
		level := func(onHand, held int64) engine.StockAdjusted {
			return engine.StockAdjusted{Level: commerce.StockLevel{OnHand: units(onHand), Held: units(held)}}
		}
		f.wantAdjusted(adjusting(-3, nil), level(7, 10))
		f.wantGranted(f.write(asking(2, expiresIn, nails, 8)), 3)
		f.wantHeld("as many as there are", nails, 7)
		f.wantAdjusted(adjusting(-7, nil), level(0, 7))
		f.wantGranted(f.write(asking(1, expiresIn, nails, 5)), 0)
		f.wantGranted(f.write(asking(2, expiresIn, nails, 9)), 0)
		f.wantHeld("nothing is left")
		if _, err := f.adjust(adjusting(-1, nil)); !errors.Is(err, commerce.StockBelowZero) {
			t.Errorf("below zero: %v", err)
		}
		if got := f.levels(testID(1), nails)[0]; got != (commerce.StockLevel{}) {
			t.Errorf("the stock is %+v", got)
		}
	}, nails, 10)
}

// A node without stock drops a cart's hold from its record. The next write finds the hold in
// Redis.
func TestHoldThatTheRecordLacksIsFound(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		f.write(asking(1, expiresIn, nails, 4))
		forgotten := f.carts[testID(1)]
		forgotten.State = asking(1, 0)
		f.carts[testID(1)] = forgotten
		f.wantGranted(f.write(asking(1, expiresIn, nails, 6)), 6)
		f.wantHeld("once", nails, 6)
	}, nails, 10)
}

// calls returns the number of commands that Redis has run, by name.
func calls(t testing.TB, client *redis.Client) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for line := range strings.Lines(client.Info(background, "commandstats").Val()) {
		name, fields, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls=")
		if number, _, cut := strings.Cut(fields, ","); ok && cut {
			counts[name], _ = strconv.Atoi(number)
		}
	}
	return counts
}

// commandsOf returns the commands that Redis runs for f, by name, with those of scripts.
func commandsOf(t testing.TB, client *redis.Client, f func()) map[string]int {
	t.Helper()
	before := calls(t, client)
	f()
	made := calls(t, client)
	for name, n := range before {
		if made[name] -= n; made[name] == 0 {
			delete(made, name)
		}
	}
	delete(made, "info")
	return made
}

// A change of one tracked line costs eight more commands inside the visit. Any other write of a
// cart with a hold costs two more, a cart without stock none.
func TestCommandsOfAHold(t *testing.T) {
	s := redistest.Real(t)
	f := newShelf(t, s, nails, 100, cable, 100)
	f.version = version(f.db, shopID)
	commands := func(next *commerce.Cart) string {
		t.Helper()
		var made []string
		for name, n := range commandsOf(t, f.redis, func() { f.write(next) }) {
			if name != "evalsha" {
				made = append(made, fmt.Sprintf("%s %d", name, n))
			}
		}
		slices.Sort(made)
		return strings.Join(made, ", ")
	}
	const plain = "get 1, getrange 1, lindex 1, set 1, time 1" // with those of the limiter
	const asks = "append 1, get 1, getrange 1, hget 3, hincrby 1, hset 1, lindex 1, set 1, time 1, type 1, zadd 1"
	const released = "append 1, get 1, getrange 1, hdel 1, hget 3, hincrby 1, lindex 1, set 1, time 1, type 1"
	for _, c := range []struct {
		what string
		next *commerce.Cart
		want string
	}{
		{"a new cart", asking(1, 0), plain},
		{"an untracked line", asking(1, 0), plain},
		{"a first tracked line", asking(1, expiresIn, nails, 1), asks},
		{"another", asking(1, expiresIn, nails, 1, cable, 1), asks},
		{"more of one", asking(1, expiresIn, nails, 1, cable, 5), asks},
		{"less of one", asking(1, expiresIn, nails, 1, cable, 2), asks},
		{"no stock changed", asking(1, expiresIn, nails, 1, cable, 2), plain + ", type 1, zadd 1"},
		{"one removed", asking(1, expiresIn, cable, 2), released + ", zadd 1"},
		{"the last removed", asking(1, 0), released + ", zrem 1"},
	} {
		if got := commands(c.next); got != c.want {
			t.Errorf("%s: %s; want %s", c.what, got, c.want)
		}
	}
}
