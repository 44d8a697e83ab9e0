package stock

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
)

var (
	shopID    = uuid.UUID{15: 5}
	otherShop = uuid.UUID{15: 6}
)

// A script begins no further cart once it has released itemsEach items.
func TestScriptStopsAfterTheCartThatReachesItemsEach(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		main, err := redisdb.Open(redisdb.Config{URL: s.URL(), Timeout: 5 * time.Second, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(main.Close)
		client := s.Client()
		for i := range 5 {
			cart := uuid.UUID{15: byte(i)}
			client.HSet(t.Context(), CartKey(shopID, cart), "nails", 1, "cable", 1)
			client.HIncrBy(t.Context(), HeldKey(shopID), "nails", 1)
			client.HIncrBy(t.Context(), HeldKey(shopID), "cable", 1)
			client.ZAdd(t.Context(), HoldsKey(shopID), redis.Z{Score: float64(i + 1), Member: cart.String()})
		}
		for _, c := range []struct{ carts, items, more, left int }{{9, 3, 1, 3}, {2, 4, 1, 1}, {2, 4, 0, 0}, {9, 3, 0, 0}} {
			args := expireArgs(shopID, "")
			args[0], args[3] = c.carts, c.items
			reply, err := main.RunScript(main.Soon(), expireHoldsScript, expireKeys(shopID), args...)
			more, _, _ := New(main).parseExpired(reply)
			if left, _ := client.HGet(t.Context(), HeldKey(shopID), "nails").Int(); err != nil || more != (c.more == 1) || left != c.left {
				t.Errorf("%d carts, %d items: more %v, %d left, %v; want %d and %d", c.carts, c.items, more, left, err, c.more, c.left)
			}
		}
	})
}

// The watch forgets stores that were evicted.
func TestTheWatchForgetsStores(t *testing.T) {
	watch, now := HoldWatch{}, time.Now()
	one, two := &engine.StoreVersion{Store: shopID}, &engine.StoreVersion{Store: otherShop}
	for i, c := range []struct {
		loaded []*engine.StoreVersion
		after  time.Duration
		due    int
	}{
		{[]*engine.StoreVersion{one, two}, 0, 2},
		{[]*engine.StoreVersion{one, two}, time.Second, 0},
		{[]*engine.StoreVersion{one}, 2 * time.Second, 0},
		{[]*engine.StoreVersion{one, two}, 3 * time.Second, 1},
		{[]*engine.StoreVersion{one, two}, 10 * time.Second, 1},
	} {
		if due := watch.due(c.loaded, now.Add(c.after)); len(due) != c.due || len(watch.Next) != len(c.loaded) {
			t.Errorf("%d: %d are due, want %d; %d are known", i, len(due), c.due, len(watch.Next))
		}
	}
}
