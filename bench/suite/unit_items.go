package suite

import (
	"context"
	"fmt"
	"time"

	"cartd/bench"
	"cartd/internal/process"
	"cartd/internal/unitcosts"
)

const (
	logEntries = 3_000
	// itemCount is the number of carts or products whose size is measured, each kind in a Redis of its
	// own: Redis's tables have just grown then, so that their places weigh most.
	itemCount   = 8_200
	nodeCart    = 2_400 // docs/performance.md: the case memory of the suite
	nodeProduct = 1_500 // docs/performance.md: TestScaleOfALargeStore
)

// items measures stored items: entries of the log of requests, carts, products of stores, and what the merchant's side has.
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
		keys  func(int) []string
	}{{"cart without lines", 0, 0, nil}, {unitcosts.Cart, lines, nodeCart, nil}, {unitcosts.TrackedCart, lines, nodeCart, trackedKeys}} {
		size, err := u.cartSize(ctx, item.lines, item.keys)
		if err != nil {
			return err
		}
		u.costs.Items = append(u.costs.Items, unitcosts.Item{Name: item.name, Redis: size, Node: item.node})
	}
	for i, item := range []struct {
		name    string
		tracked bool
	}{{unitcosts.Product, false}, {unitcosts.TrackedProduct, true}} {
		size, err := u.productSize(ctx, fmt.Sprintf("be000000-0000-4000-8000-7001%08d", i), item.tracked)
		if err != nil {
			return err
		}
		u.costs.Items = append(u.costs.Items, unitcosts.Item{Name: item.name, Redis: size, Node: nodeProduct})
	}
	return u.merchantItems(ctx)
}

// productSize is the size in Redis of a product of a store. Some of a tracked product is held by carts.
func (u *unitRunner) productSize(ctx context.Context, store string, tracked bool) (float64, error) {
	redis, err := u.stand.newRedis(everysec...)
	if err != nil {
		return 0, err
	}
	before, _, err := redisBytes(redis.Addr)
	if err != nil {
		return 0, err
	}
	if err := u.load(ctx, redis, map[string][]byte{"catalogue": bench.CatalogueDocument(store, itemCount, tracked)}); err != nil {
		return 0, err
	}
	if tracked { // what is held has the same fields as what is on hand
		if _, err := process.AskRedis(redis.Addr, "COPY", "{"+store+"}:onhand", "{"+store+"}:held"); err != nil {
			return 0, err
		}
	}
	after, _, err := redisBytes(redis.Addr)
	return (after - before) / itemCount, err
}

// cartSize is the size in Redis of a cart, of a store by its keys.
func (u *unitRunner) cartSize(ctx context.Context, lines int, keys func(int) []string) (float64, error) {
	redis, err := u.stand.newRedis(everysec...)
	if err != nil {
		return 0, err
	}
	if err := u.load(ctx, redis, documents(1)); err != nil {
		return 0, err
	}
	on, err := u.stand.serve(redis, u.Cartd, "serve")
	if err != nil {
		return 0, err
	}
	p, _ := u.plan(unitKind{kind: "carts", scenario: mix("read", lines), keys: keys}, unitcosts.Busy)
	p.Carts, p.Target, p.Processes = itemCount, on.target, on.processes
	before, _, err := redisBytes(redis.Addr)
	if err != nil {
		return 0, err
	}
	w, err := bench.NewWorld(ctx, p)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	after, _, err := redisBytes(redis.Addr)
	return (after - before) / itemCount, err
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
