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

// maxAged is of how many queues Backlog reads a delivery, body and all.
const maxAged = 100

// Backlog is what waits for the webhooks of the stores that this node has loaded: how many
// deliveries, and since when about the oldest does, of the first maxAged queues that have any; zero if
// none does. Errors: ErrUnavailable.
func (o *Outbox) Backlog() (waiting int64, oldest time.Time, err error) {
	if o.db.Away() {
		return 0, oldest, engine.ErrUnavailable
	}
	counts, ages := o.db.main.Redis.Pipeline(), o.db.main.Redis.Pipeline()
	var untried, failed []*redis.IntCmd
	var queues, retries []string
	for _, l := range o.withWebhooks() {
		for i := range l.store.Webhooks {
			id := l.store.WebhookID(i)
			queues, retries = append(queues, queueKey(l.store.ID, id)), append(retries, retryKey(l.store.ID, id))
			untried = append(untried, counts.LLen(background, queueKey(l.store.ID, id)))
			failed = append(failed, counts.ZCard(background, retryKey(l.store.ID, id)))
		}
	}
	if len(queues) == 0 {
		return 0, oldest, nil
	}
	if o.db.main.Exec(counts) != nil {
		return 0, oldest, engine.ErrUnavailable
	}
	var texts []*redis.StringSliceCmd
	for i := range queues {
		n := untried[i].Val() + failed[i].Val()
		if waiting += n; n > 0 && len(texts) < 2*maxAged { // the oldest retry has failed most often and is tried last
			texts = append(texts, ages.LRange(background, queues[i], 0, 0), ages.ZRange(background, retries[i], -1, -1))
		}
	}
	if len(texts) > 0 && o.db.main.Exec(ages) != nil {
		return 0, oldest, engine.ErrUnavailable
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
