package outbox

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/persistence/records"
)

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

// Crowded reports whether a receiver of any of the events has more than a number of deliveries waiting.
// Errors: ErrUnavailable.
func (o *Outbox) Crowded(store *commerce.Store, more int64, events ...string) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.client.Timeout())
	defer cancel()
	pipe := o.client.Redis.Pipeline()
	var waiting [][2]*redis.IntCmd
	for _, r := range receiversOf(store) {
		if slices.ContainsFunc(events, func(event string) bool { return slices.Contains(r.events, event) }) {
			waiting = append(waiting, [2]*redis.IntCmd{pipe.LLen(ctx, queueKey(store.ID, r.id)), pipe.ZCard(ctx, retryKey(store.ID, r.id))})
		}
	}
	if len(waiting) == 0 {
		return false, nil
	}
	if err := o.client.Exec(pipe); err != nil {
		return false, o.failed("a webhook's queue", err)
	}
	for _, n := range waiting {
		if n[0].Val()+n[1].Val() > more {
			return true, nil
		}
	}
	return false, nil
}
