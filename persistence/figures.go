package persistence

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/engine"
)

// What operators watch of a node's stores, stock and events.

// HoldsExpired counts the carts whose expired holds this node has released.
func (d *DB) HoldsExpired() uint64 { return d.holdsExpired.Load() }

// StoreImports counts the imports that this node has followed.
func (d *DB) StoreImports() uint64 { return d.stores.imports.Load() }

// LoadedStore is a store in the node's memory. Moved is when the version in force was imported, by
// Redis's clock. Lags: the node still has the version before.
type LoadedStore struct {
	ID    uuid.UUID
	Moved time.Time
	Lags  bool
}

// LoadedStores are the stores in the node's memory.
func (d *DB) LoadedStores() (all []LoadedStore) {
	d.stores.mu.RLock()
	defer d.stores.mu.RUnlock()
	for _, slot := range d.stores.slots {
		if l := slot.current.Load(); l != nil {
			all = append(all, LoadedStore{slot.id, l.head.moved, l.revision != l.head.revision})
		}
	}
	return all
}

// StoreCount is how many stores Redis has.
func (d *DB) StoreCount(ctx context.Context) (int64, error) {
	return d.main.Redis.SCard(ctx, storesKey).Result()
}

// Backlog is what waits for the webhooks of the stores that this node has loaded: how many
// deliveries, and since when about the oldest does; zero if none does. Errors: ErrUnavailable.
func (o *Outbox) Backlog() (waiting int64, oldest time.Time, err error) {
	if o.db.Away() {
		return 0, oldest, engine.ErrUnavailable
	}
	pipe := o.db.main.Redis.Pipeline()
	var counts []*redis.IntCmd
	var texts []*redis.StringSliceCmd
	for _, l := range o.withWebhooks() {
		for i := range l.store.Webhooks {
			queue, retries := queueKey(l.store.ID, l.store.WebhookID(i)), retryKey(l.store.ID, l.store.WebhookID(i))
			counts = append(counts, pipe.LLen(background, queue), pipe.ZCard(background, retries))
			// The oldest of the retries has failed most often and is tried last.
			texts = append(texts, pipe.LRange(background, queue, 0, 0), pipe.ZRange(background, retries, -1, -1))
		}
	}
	if len(counts) == 0 {
		return 0, oldest, nil
	}
	if err := o.db.main.Exec(pipe); err != nil {
		return 0, oldest, engine.ErrUnavailable
	}
	for _, count := range counts {
		waiting += count.Val()
	}
	for _, text := range texts {
		if since, ok := waitsSince(text.Val()); ok && (oldest.IsZero() || since.Before(oldest)) {
			oldest = since
		}
	}
	return waiting, oldest, nil
}

// withWebhooks are the loaded stores that have webhooks.
func (o *Outbox) withWebhooks() (all []*loaded) {
	s := o.db.stores
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, slot := range s.slots {
		if l := slot.current.Load(); l != nil && len(l.store.Webhooks) > 0 {
			all = append(all, l)
		}
	}
	return all
}

// waitsSince reads the time of the only delivery in a list.
func waitsSince(texts []string) (since time.Time, ok bool) {
	if len(texts) != 1 {
		return since, false
	}
	parts := strings.SplitN(texts[0], " ", 3)
	if len(parts) != 3 {
		return since, false
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	return time.UnixMilli(at), err == nil
}
