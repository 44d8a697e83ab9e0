package stores

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/redisdb"
)

// discount is one with a code, a usage limit and a count.
func discount(n int, limit, used int64) object {
	return object{
		"id": testID(0xd00 + n), "name": "Welcome", "kind": "order", "code": fmt.Sprint("code-", n), "usage_limit": limit, "used": used,
		"value": object{"type": "percent", "percent": "10"},
	}
}

// discountShop is theShop with discounts.
func discountShop(name string, discounts ...object) shop {
	s := named(name)
	s.Discounts = discounts
	return s
}

// ordered counts an order that takes the last use of a discount: it moves the head's usage
// revision.
func ordered(t *testing.T, s *redistest.Server, n int) {
	t.Helper()
	if err := s.Client().HIncrBy(background, UsageKey(shopID), testID(0xd00+n).String(), 1).Err(); err != nil {
		t.Fatal(err)
	}
	s.Client().Set(background, HeadKey(shopID), UsedUp(s.Client().Get(background, HeadKey(shopID)).Val()), 0)
}

// wantUsed compares the counts of the store that a node serves.
func wantUsed(t *testing.T, db *Stores, want ...int64) {
	t.Helper()
	s := serve(t, db, "key").Store
	for i, n := range want {
		if got := s.Discounts[i].Used; got != n {
			t.Errorf("%s: discount %d was used %d times, want %d", s.Name, i, got, n)
		}
	}
}

// The store document: its count is used only for a discount that has none yet; counts stay.
func TestUsageStaysOverImports(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		discountShop("first", discount(1, 5, 3), discount(2, 5, 0)).save(t, db)
		wantUsed(t, db, 3, 0)
		ordered(t, s, 1)
		discountShop("second", discount(1, 9, 0), discount(2, 5, 2), discount(3, 5, 1)).save(t, db)
		wantUsed(t, node(t, s), 4, 0, 1)
		discountShop("third", discount(3, 5, 7)).save(t, db)
		discountShop("fourth", discount(1, 5, 7), discount(3, 5, 7)).save(t, db) // it comes back
		wantUsed(t, node(t, s), 4, 1)
		e, err := db.ExportStore(background, shopID)
		if err != nil || e.Used[testID(0xd01)] != 4 || e.Used[testID(0xd03)] != 1 {
			t.Errorf("exported %v, %v; want 4 and 1", e.Used, err)
		}
	})
}

// Many discounts are read in one round trip.
func TestManyCountsAreReadTogether(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		many := make([]object, 2*hashChunk+1)
		discounts := make([]commerce.Discount, len(many), len(many)+1)
		for i := range many {
			many[i], discounts[i].ID = discount(i, 5, int64(i%7)), testID(0xd00+i)
		}
		discountShop("Shop", many...).save(t, db)
		trips := 0
		db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
			if cmd.Name() == "hmget" {
				trips++
			}
			return next()
		}))
		without := commerce.Discount{ID: uuid.New(), Used: 4} // without an entry
		used, err := db.loadUsage(background, shopID, append(discounts, without))
		if err != nil || trips != 1 || used[without.ID] != 4 {
			t.Fatalf("%d round trips, %d uses without a count, %v; want one, and the document's 4", trips, used[without.ID], err)
		}
		for i := range discounts {
			if used[discounts[i].ID] != int64(i%7) {
				t.Fatalf("discount %d: %d, want %d", i, used[discounts[i].ID], i%7)
			}
		}
	})
}

// batched is a discount with a batch of codes.
func batched(n int) object {
	d := discount(n, 5, 0)
	d["code_batches"] = []object{batch(n, "secret")}
	return d
}

// counters are the counters of the first discounts, each with a count.
type counters struct {
	*testing.T
	redis *redis.Client
}

// days are the days after which a counter expires; -1 if it does not.
func (c counters) days(n int) int64 {
	ttl := c.redis.PTTL(background, UsesKey(shopID, testID(0xd00+n))).Val()
	if ttl < 0 {
		return int64(ttl)
	}
	return int64((ttl + time.Hour) / (24 * time.Hour))
}

// expireIn lets a counter expire after some days, and makes it if there is none.
func (c counters) expireIn(n int, days time.Duration) {
	c.redis.HSet(background, UsesKey(shopID, testID(0xd00+n)), "a", 1)
	if days > 0 {
		c.redis.PExpire(background, UsesKey(shopID, testID(0xd00+n)), days*24*time.Hour)
	}
}

func (c counters) want(when string, want ...int64) {
	c.Helper()
	for i, want := range want {
		if got := c.days(i + 1); got != want {
			c.Errorf("%s: counter %d expires in %d days, want %d", when, i+1, got, want)
		}
	}
}

// The counters of a discount with batches of codes last while a document has them. They expire once the
// batches, or the discount, have left it; a counter that expires already keeps its time.
func TestCountersLastWhileADocumentHasBatches(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		c := counters{t, s.Client()}
		discountShop("first", batched(1), batched(2), discount(3, 5, 0)).save(t, db)
		c.expireIn(1, 0)
		c.expireIn(2, 0)
		c.expireIn(3, 100)
		discountShop("second", batched(1), batched(2), discount(3, 5, 0)).save(t, db)
		c.want("the batches stay", -1, -1, 100)
		discountShop("third", discount(1, 5, 0), discount(3, 5, 0)).save(t, db)
		c.want("the batches of one have left, and the other discount", 400, 400, 100)
		discountShop("fourth", batched(1), batched(2), discount(3, 5, 0)).save(t, db)
		c.want("they come back", -1, -1, 100)
	})
}

// Change sets do the same. The dates of a discount and the state of a batch move no expiry.
func TestCountersFollowChangeSets(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		c := counters{t, s.Client()}
		discountShop("first", batched(1), batched(2), discount(3, 5, 0)).save(t, db)
		c.expireIn(1, 0)
		c.expireIn(2, 0)
		c.expireIn(3, 100)
		with := func(d object, member string, value any) object {
			d[member] = value
			return d
		}
		off := batch(2, "secret")
		off["active"] = false
		ended, later := "2026-01-01T00:00:00Z", "2096-01-01T00:00:00Z"
		for _, step := range []struct {
			when string
			sets []*Change
			want []int64
		}{
			{"ends move", []*Change{setDiscounts(t, with(batched(1), "ends_at", ended), with(discount(3, 5, 0), "ends_at", later))}, []int64{-1, -1, 100}},
			{"a batch is switched off", []*Change{setDiscounts(t, with(batched(2), "code_batches", []object{off}))}, []int64{-1, -1, 100}},
			{"one gets a batch", []*Change{setDiscounts(t, batched(3))}, []int64{-1, -1, -1}},
			{"another loses its own", []*Change{category(t, 1, "A"), setDiscounts(t, discount(1, 5, 0))}, []int64{400, -1, -1}},
			{"no discount changes", []*Change{category(t, 1, "B")}, []int64{400, -1, -1}},
			{"one is removed", []*Change{removeDiscount(t, 2), category(t, 1, "C")}, []int64{400, 400, -1}},
			{"both come back", []*Change{setDiscounts(t, batched(1)), setDiscounts(t, batched(2))}, []int64{-1, -1, -1}},
		} {
			for _, set := range step.sets {
				changeOne(t, db, set)
			}
			c.want(step.when, step.want...)
		}
	})
}

// A sale under the document before, without batches, gives the counter an expiry while the import writes, which the
// import takes away with its last visit.
func TestCountersLastAfterASaleWhileBatchesAreImported(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		c := counters{t, s.Client()}
		discountShop("first", discount(1, 5, 0), discount(2, 5, 0)).save(t, db)
		c.expireIn(1, 100)
		c.expireIn(2, 100)
		db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
			if carries(cmd, recordKey(shopID)) {
				c.expireIn(1, 400)
				c.expireIn(2, 400)
			}
			return next()
		}))
		discountShop("second", batched(1), discount(2, 5, 0)).save(t, db)
		c.want("a document", -1, 400)
		changeOne(t, db, setDiscounts(t, batched(2)))
		c.want("a change set", -1, -1)
	})
}

// setDiscounts is a change set that sets discounts.
func setDiscounts(t *testing.T, discounts ...object) *Change {
	t.Helper()
	return changes(t, object{"format": 1, "set": object{"discounts": discounts}})
}

// removeDiscount is a change set that removes a discount.
func removeDiscount(t *testing.T, n int) *Change {
	t.Helper()
	return changes(t, object{"format": 1, "remove": object{"discounts": []string{testID(0xd00 + n).String()}}})
}

func changes(t *testing.T, set object) *Change {
	t.Helper()
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := storefile.ParseChangeSet(text, storefile.OperatorSettings)
	if err != nil {
		t.Fatal(err)
	}
	return &Change{Set: parsed, By: "test"}
}

// The uses of an account are read in one trip; a discount without a count has none.
func TestUsesOfAnAccount(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		discountShop("Shop").save(t, db)
		account, other := testID(1), testID(2)
		s.Client().HSet(background, UsesKey(shopID, testID(0xd01)), account.String(), "3", other.String(), "7")
		s.Client().HSet(background, UsesKey(shopID, testID(0xd03)), account.String(), "1")
		var uses []commerce.Use
		for _, n := range []int{3, 2, 1} {
			uses = append(uses, commerce.Use{Discount: testID(0xd00 + n), Counter: commerce.CountCustomer, Field: account.String()})
		}
		if got, err := db.UseCounts(shopID, uses, time.Now().Add(patience)); err != nil || !slices.Equal(got, []int64{1, 0, 3}) {
			t.Errorf("got %v, %v; want 1, 0 and 3", got, err)
		}
		s.Client().HSet(background, UsesKey(shopID, testID(0xd03)), account.String(), "many")
		if got, err := db.UseCounts(shopID, uses, time.Now().Add(patience)); err != engine.ErrUnavailable {
			t.Errorf("a count that is no number: %v, %v; want ErrUnavailable", got, err)
		}
	})
}

func TestCountsThatCannotBeRead(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	discountShop("Shop", discount(1, 5, 0)).save(t, db)
	s.Mini.HSet(UsageKey(shopID), testID(0xd01).String(), "many")
	if a, err := tryServe(db, "key", patience); err != engine.ErrUnavailable {
		t.Errorf("a request got %+v, %v; want ErrUnavailable", a, err)
	}
	s.Mini.Del(UsageKey(shopID))
	s.Mini.Set(UsageKey(shopID), "no hash")
	if a, err := tryServe(db, "key", patience); err != engine.ErrUnavailable {
		t.Errorf("a request got %+v, %v; want ErrUnavailable", a, err)
	}
}

// A request whose deadline is earlier than --redis-timeout does not make Redis unreachable.
func TestDeadlineOfARequestDoesNotMakeRedisUnreachable(t *testing.T) {
	var log shoptest.Log
	s := redistest.Real(t)
	db := node(t, s, func(c *redisdb.Config) { c.Logger, c.Timeout = log.Logger(), patience })
	discountShop("Shop", discount(1, 5, 0)).save(t, db)
	news, entry := UsedUp(serve(t, db, "key").Head.Text), db.Entry(shopID)
	s.Pause()
	defer s.Resume()
	for range 50 {
		ctx, cancel := context.WithTimeout(background, 2*time.Millisecond)
		_, err := db.readKeysAndUsage(ctx, entry, news)
		if err != engine.ErrUnavailable || db.client.Unreachable() {
			t.Fatalf("readKeysAndUsage = %v, unreachable %t; want ErrUnavailable, false", err, db.client.Unreachable())
		}
		cancel()
	}
	if log.String() != "" {
		t.Errorf("logged, want nothing: %s", log.String())
	}
}
