package persistence

import (
	"strings"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/stock"
	"cartd/persistence/stores"
)

// giveBack adds the asks of a cancel or a return, which are never short: stock on hand, and the uses of
// discounts. If a discount was used up until then, the ask moves the head.
func (w *sending) giveBack(version *engine.StoreVersion, back *commerce.Return) {
	store := version.Store
	for _, item := range back.Items {
		w.Plan.Return(stock.OnHandKey(store), item.Item.String(), int64(item.Quantity), int64(commerce.MaxStock))
	}
	w.back = back
	for i := range back.Uses {
		use := &back.Uses[i]
		key, field := stores.CounterOf(store, use)
		w.Plan.GiveBack(key, field, 1, use.Limit)
		if use.Counter == commerce.CountAll && use.Limit > 0 {
			w.Plan.IfLast("SET", version.HeadKey, stores.UsedUp(version.Head))
			w.moves = true
		}
	}
}

// onHandOf is the number of the made text with the stock on hand of the n-th item that came back. The
// next one is what came back.
func onHandOf(n int) int { return 2*n + 1 }

// logBeyond logs the stock that an order could not give back, because the item would have more
// than the maximum.
func (w *sending) logBeyond(r *records.Result) {
	if w.back == nil || r.Kind != engine.Done || r.Earlier {
		return
	}
	made := strings.Split(r.Made, "\n")
	for i, item := range w.back.Items {
		if rest := item.Quantity - stock.Micros(made[onHandOf(i)]); rest > 0 {
			w.db.log.Warn("an order does not give all its stock back: the item has the maximum",
				"store", w.version.Store.String(), "item", item.Item.String(), "beyond", string(rest.AppendJSON(nil)))
		}
	}
}

// indexOrder removes an order from the unpaid orders once it is none any more, and counts a cancelled one.
func indexOrder(w *sending, v *engine.Visit[*commerce.Order]) {
	w.countCancel(v)
	if v.Before.Unpaid() && !v.Next.State.Unpaid() {
		w.Plan.Sorted("ZREM", records.DueOrdersKey(v.Key.Store), v.Key.ID.String())
	}
}
