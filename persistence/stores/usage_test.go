package stores

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
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
	editHead(t, s, func(fields []string) { fields[usageField] += "'" })
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

// The counters of a discount with batches of codes last while a document has them. They expire once the
// batches, or the discount, have left it; a counter that expires already keeps its time.
func TestCountersLastWhileADocumentHasBatches(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		batched := func(n int) object {
			d := discount(n, 5, 0)
			d["code_batches"] = []object{{"number": 1, "prefix": fmt.Sprint("B", n), "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}}
			return d
		}
		days := func(n int) int64 { // -1: no expiry
			ttl := s.Client().PTTL(background, UsesKey(shopID, testID(0xd00+n))).Val()
			if ttl < 0 {
				return int64(ttl)
			}
			return int64((ttl + time.Hour) / (24 * time.Hour))
		}
		wantDays := func(when string, want ...int64) {
			t.Helper()
			for i, want := range want {
				if got := days(i + 1); got != want {
					t.Errorf("%s: counter %d expires in %d days, want %d", when, i+1, got, want)
				}
			}
		}
		discountShop("first", batched(1), batched(2), discount(3, 5, 0)).save(t, db)
		for n := range 3 {
			s.Client().HSet(background, UsesKey(shopID, testID(0xd01+n)), "a", 1)
		}
		s.Client().PExpire(background, UsesKey(shopID, testID(0xd03)), 100*24*time.Hour)
		discountShop("second", batched(1), batched(2), discount(3, 5, 0)).save(t, db)
		wantDays("the batches stay", -1, -1, 100)
		discountShop("third", discount(1, 5, 0), discount(3, 5, 0)).save(t, db)
		wantDays("the batches of one have left, and the other discount", 400, 400, 100)
		discountShop("fourth", batched(1), batched(2), discount(3, 5, 0)).save(t, db)
		wantDays("they come back", -1, -1, 100)
	})
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
	var log bytes.Buffer
	s := redistest.Real(t)
	db := node(t, s, func(c *redisdb.Config) { c.Logger, c.Timeout = slog.New(slog.NewTextHandler(&log, nil)), patience })
	discountShop("Shop", discount(1, 5, 0)).save(t, db)
	news, entry := serve(t, db, "key").Head, db.Entry(shopID)
	news.Text, news.Usage = "new", "new"
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
	if log.Len() > 0 {
		t.Errorf("logged, want nothing: %s", log.String())
	}
}
