package outbox

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// indexKey is the index of the stores with events on their way (ZSET), by the time when a node
// is to serve them next or, if that is at once, by the time since which they wait, Unix
// milliseconds of Redis's clock. It is outside the stores' slots, so commits cannot write it. A
// node marks a store afterwards, and the sweep finds stores that were never marked.
const indexKey = "outboxes"

const (
	// storesAtOnce bounds the stores that are leased together, and storeLease is the time of
	// their lease. serveAgain is the pause until a store with deliveries due is served again,
	// serveLater until one that cannot be read.
	storesAtOnce = 16
	storeLease   = 5 * time.Second
	serveAgain   = time.Second
	serveLater   = time.Minute
	// A node that leased also checks sweepStep stores, no more often than each sweepEvery.
	sweepEvery = time.Second / 2
	sweepStep  = 64
)

// storeTurn is a leased store. next is when it is to be served next ("": when it is marked
// again).
type storeTurn struct {
	store      uuid.UUID
	mark, next string
	now        time.Time
	due        dueOrders
}

func (l *storeTurn) again(after time.Duration) { l.next = records.Millis(l.now.Add(after)) }

// leaseStores enters the marked stores into the index, and leases the stores that are due.
func (o *Outbox) leaseStores() ([]storeTurn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	dirty := o.drainDirty()
	args := []any{storesAtOnce, storeLease.Milliseconds()}
	for store := range dirty {
		args = append(args, store.String())
	}
	reply, err := leaseStoresScript.Run(ctx, o.client.Redis, []string{indexKey}, args...).StringSlice()
	if err != nil {
		o.markAgain(dirty)
		return nil, o.failed("the index of outboxes", err)
	}
	now, _ := strconv.ParseInt(reply[0], 10, 64)
	leased := make([]storeTurn, 0, len(reply)-2)
	for _, text := range reply[2:] {
		id, err := uuid.Parse(text)
		if err != nil {
			continue // no node writes such an entry
		}
		leased = append(leased, storeTurn{store: id, mark: reply[1], now: time.UnixMilli(now)})
	}
	return leased, nil
}

// returnStores returns stores to the index, except those that were marked meanwhile.
func (o *Outbox) returnStores(leased []storeTurn) error {
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	args := make([]any, 0, 1+2*len(leased))
	args = append(args, leased[0].mark)
	for _, l := range leased {
		args = append(args, l.store.String(), l.next)
	}
	if err := returnStoresScript.Run(ctx, o.client.Redis, []string{indexKey}, args...).Err(); err != nil {
		return o.failed("the index of outboxes", err)
	}
	if len(leased) == storesAtOnce {
		o.signal() // there may be more
	}
	return nil
}

// markDirty remembers a store for the index.
func (o *Outbox) markDirty(store uuid.UUID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dirty[store] = true
}

func (o *Outbox) drainDirty() map[uuid.UUID]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	dirty := o.dirty
	o.dirty = map[uuid.UUID]bool{}
	return dirty
}

// markAgain marks the stores that could not be entered into the index.
func (o *Outbox) markAgain(dirty map[uuid.UUID]bool) {
	for store := range dirty {
		o.markDirty(store)
	}
}

// sweep checks the next few of all stores, if sweepEvery has passed, and marks those with
// events or unpaid orders that no node has marked: a node was killed between its commit and the index, or Redis
// lost the index.
func (o *Outbox) sweep() error {
	if time.Since(o.swept) < sweepEvery {
		return nil
	}
	o.swept = time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	ids, next, err := o.client.Redis.SScan(ctx, stores.StoresKey, o.next, "", sweepStep).Result()
	if err != nil {
		return o.failed("the sweep of outboxes", err)
	}
	o.next = next
	return o.markMissing(ids)
}

// markMissing marks those of the stores that have events, or have queues or unpaid orders and are
// not in the index.
func (o *Outbox) markMissing(ids []string) error {
	pipe := o.client.Redis.Pipeline()
	var stores []uuid.UUID
	var events, later []*redis.IntCmd
	var indexed []*redis.FloatCmd
	for _, text := range ids {
		if id, err := uuid.Parse(text); err == nil {
			stores = append(stores, id)
			events = append(events, pipe.Exists(context.Background(), Key(id)))
			later = append(later, pipe.Exists(context.Background(), receiversKey(id), records.DueOrdersKey(id)))
			indexed = append(indexed, pipe.ZScore(context.Background(), indexKey, id.String()))
		}
	}
	if len(stores) == 0 {
		return nil
	}
	if err := o.client.Exec(pipe); err != nil {
		return o.failed("the sweep of outboxes", err)
	}
	for i, store := range stores {
		if events[i].Val() > 0 || later[i].Val() > 0 && indexed[i].Err() == redis.Nil {
			o.markDirty(store)
		}
	}
	return nil
}

// schedule enters a store into the index, to be served no later than a moment of Redis's clock.
func (o *Outbox) schedule(store uuid.UUID, at int64) {
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	err := o.client.Redis.ZAddArgs(ctx, indexKey, redis.ZAddArgs{
		LT: true, Members: []redis.Z{{Score: float64(at), Member: store.String()}},
	}).Err()
	if err != nil {
		_ = o.failed("the index of outboxes", err) // the sweep finds it
	}
}

// Forget adds the removal of a store from the index to a pipeline.
func (o *Outbox) Forget(pipe redis.Pipeliner, store uuid.UUID) {
	pipe.ZRem(context.Background(), indexKey, store.String())
}

// The index also says when a store's first unpaid order is due: the node that leases the store has
// a turn at its unpaid orders.

// UnpaidTurn is a leased store with its unpaid orders.
type UnpaidTurn struct {
	Store *commerce.Store
	// Head is the head that Store was read under.
	Head string
	Now  time.Time
	// First is the time when the first unpaid order is due; zero if there is none.
	First time.Time
	// Last is the text of the last turn; empty if there is none.
	Last string
}

// dueOrders are the replies about a store's unpaid orders.
type dueOrders struct {
	first *redis.ZSliceCmd
	last  *redis.StringCmd
}

// readDue adds the reading of a store's unpaid orders to a pipeline.
func readDue(ctx context.Context, pipe redis.Pipeliner, store uuid.UUID) dueOrders {
	return dueOrders{pipe.ZRangeWithScores(ctx, records.DueOrdersKey(store), 0, 0), pipe.Get(ctx, records.DueTurnKey(store))}
}

// serveUnpaid has a turn at the store's unpaid orders. The store is then served no later than the
// next turn.
func (o *Outbox) serveUnpaid(l *storeTurn, store *commerce.Store, head string) {
	if o.OnUnpaid == nil {
		return
	}
	t := UnpaidTurn{Store: store, Head: head, Now: l.now, Last: l.due.last.Val()}
	if first := l.due.first.Val(); len(first) > 0 {
		t.First = time.UnixMilli(int64(first[0].Score)).UTC()
	}
	if t.First.IsZero() && t.Last == "" {
		return
	}
	if next := o.OnUnpaid(&t); !next.IsZero() {
		l.noLater(next)
	}
}

// noLater serves the store again no later than a moment.
func (l *storeTurn) noLater(at time.Time) {
	if now, err := strconv.ParseInt(l.next, 10, 64); err != nil || at.UnixMilli() < now {
		l.next = records.Millis(at)
	}
}
