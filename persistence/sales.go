package persistence

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// salesKey is the key of a day's sales, by the hours of UTC (HASH): {<store>}:sales:<day>, hour and counter → count.
func salesKey(store uuid.UUID, at time.Time) string {
	return records.KeyPrefix(store, "sales") + at.UTC().Format(time.DateOnly)
}

// The counters of an hour. Nothing is ever subtracted.
const (
	soldOrders      = " orders"
	soldAmount      = " amount"
	cancelledOrders = " cancelled"
	cancelledAmount = " cancelled_amount"
)

// salesKept is how long a day's sales are kept, in milliseconds.
var salesKept = strconv.FormatInt((40 * 24 * time.Hour).Milliseconds(), 10)

// count adds an order to two counters of its hour.
func (w *sending) count(store uuid.UUID, at time.Time, number, sum string, amount commerce.Amount) {
	key, hour := salesKey(store, at), at.UTC().Format("15")
	w.Plan.Hash("HINCRBY", key, hour+number, "1")
	w.Plan.Hash("HINCRBY", key, hour+sum, strconv.FormatInt(int64(amount), 10))
	w.Plan.Write("PEXPIRE", key, salesKept)
}

// countCancel counts an order that a visit cancels.
func (w *sending) countCancel(v *engine.Visit[*commerce.Order]) {
	if next := v.Next.State; next.Status == commerce.OrderCancelled && v.Before.Status != commerce.OrderCancelled {
		w.count(v.Key.Store, next.CancelledAt, cancelledOrders, cancelledAmount, next.Totals.Total)
	}
}
