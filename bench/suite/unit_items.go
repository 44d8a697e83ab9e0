package suite

import (
	"context"
	"fmt"
	"time"

	"cartd/bench"
	"cartd/internal/unitcosts"
)

const (
	itemCarts   = 5_000
	logEntries  = 3_000
	itemCount   = 10_000 // products of a store whose size is measured
	nodeCart    = 2_400  // docs/performance.md: the case memory of the suite
	nodeProduct = 1_500  // docs/performance.md: TestScaleOfALargeStore
)

// items measures stored items: entries of the log of requests, carts, and products of stores.
func (u *unitRunner) items(ctx context.Context) error {
	entry, err := u.logEntry(ctx)
	if err != nil {
		return err
	}
	u.costs.Items = append(u.costs.Items, unitcosts.Item{Name: unitcosts.LogEntry, Redis: entry})
	for _, item := range []struct {
		name  string
		lines int
		node  float64
	}{{"cart without lines", 0, 0}, {unitcosts.Cart, lines, nodeCart}} {
		size, err := u.cartSize(ctx, item.lines)
		if err != nil {
			return err
		}
		u.costs.Items = append(u.costs.Items, unitcosts.Item{Name: item.name, Redis: size, Node: item.node})
	}
	for i, item := range []struct {
		name    string
		tracked bool
	}{{unitcosts.Product, false}, {unitcosts.TrackedProduct, true}} {
		redis, err := u.stand.newRedis(everysec...)
		if err != nil {
			return err
		}
		text := bench.CatalogueDocument(fmt.Sprintf("be000000-0000-4000-8000-7001%08d", i), itemCount, item.tracked)
		before, _, err := redisBytes(redis.Addr)
		if err != nil {
			return err
		}
		if err := u.load(ctx, redis, map[string][]byte{"catalogue": text}); err != nil {
			return err
		}
		after, _, err := redisBytes(redis.Addr)
		if err != nil {
			return err
		}
		u.costs.Items = append(u.costs.Items, unitcosts.Item{Name: item.name, Redis: (after - before) / itemCount, Node: nodeProduct})
	}
	return nil
}

// cartSize is the size in Redis of a cart.
func (u *unitRunner) cartSize(ctx context.Context, lines int) (float64, error) {
	p, on := u.plan(unitKind{kind: "carts", scenario: mix("read", lines)}, unitcosts.Busy)
	p.Carts = itemCarts
	before, _, err := redisBytes(on.redis)
	if err != nil {
		return 0, err
	}
	w, err := bench.NewWorld(ctx, p)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	after, _, err := redisBytes(on.redis)
	return (after - before) / itemCarts, err
}

// logEntry is the size in Redis of an entry of a store's log of requests, of which a request alone
// makes one.
func (u *unitRunner) logEntry(ctx context.Context) (float64, error) {
	p, on := u.plan(unitKind{kind: "log", scenario: mix("product", 0)}, unitcosts.Alone)
	w, err := bench.NewWorld(ctx, p)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	before, err := logBytes(on.redis, bench.StoreID(0))
	if err != nil {
		return 0, err
	}
	r, err := w.Run(ctx, bench.Load{Duration: time.Minute, Requests: logEntries})
	if err != nil {
		return 0, err
	}
	after, err := logBytes(on.redis, bench.StoreID(0))
	return (after - before) / float64(r.Requests), err
}
