package stock

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/redisdb"
)

var (
	background   = context.Background()
	shopID       = shoptest.ShopID
	otherShop    = shoptest.OtherShop
	testID       = shoptest.ID
	nails, cable = testID(0xa1), testID(0xa2)
	soonest      = shoptest.Soonest
)

// shelf is a store's stock in a Redis.
type shelf struct {
	testing.TB
	*Stock
	redis *redis.Client
}

func newShelf(t testing.TB, s *redistest.Server) *shelf {
	t.Helper()
	client, err := redisdb.Open(redisdb.Config{URL: s.URL(), Timeout: 5 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &shelf{t, New(client), s.Client()}
}

// eachShelf runs a test with a shelf on each kind of server.
func eachShelf(t *testing.T, test func(*testing.T, *shelf)) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) { test(t, newShelf(t, s)) })
}

// hold writes a cart's hold as a visit does.
func (f *shelf) hold(cart int, item uuid.UUID, n int64, expires time.Duration) {
	f.Helper()
	_, err := f.redis.TxPipelined(background, func(pipe redis.Pipeliner) error {
		pipe.HSet(background, CartKey(shopID, testID(cart)), item.String(), n)
		pipe.HIncrBy(background, HeldKey(shopID), item.String(), n)
		pipe.ZAdd(background, HoldsKey(shopID), redis.Z{Score: float64(time.Now().Add(expires).UnixMilli()), Member: testID(cart).String()})
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
}

// wantHeld fails unless so many carts hold this sum of nails.
func (f *shelf) wantHeld(what string, sum commerce.Micros, carts int) {
	f.Helper()
	held := Micros(f.redis.HGet(background, HeldKey(shopID), nails.String()).Val())
	holds, expiries := len(f.redis.Keys(background, cartHoldPrefix(shopID)+"*").Val()), int(f.redis.ZCard(background, HoldsKey(shopID)).Val())
	if held != sum || holds != carts || expiries != carts {
		f.Errorf("%s: %d carts with %d expiries hold %d, want %d with %d", what, holds, expiries, held, carts, sum)
	}
}
