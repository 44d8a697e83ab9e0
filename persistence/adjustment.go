package persistence

import (
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/persistence/stock"
)

// AdjustStock is part of engine.Storage. It is a visit whose record is the adjustment's idempotency entry, with its event.
func (d *DB) AdjustStock(r *engine.Request, a *commerce.StockAdjustment) (engine.StockAdjusted, error) {
	item, refusal := a.Item(r.Store)
	if refusal != nil {
		return engine.StockAdjusted{}, refusal
	}
	w := stockVisit(r, a, item)
	if !d.grows(d.growing([]*engine.Request{r}, len(w.Record)+w.Plan.Bytes()+w.growth, false)) {
		return engine.StockAdjusted{}, engine.GrowthFull
	}
	made, err := d.commit(r, w)
	switch {
	case err != nil:
		return engine.StockAdjusted{}, err
	case made.Kind == engine.OtherRecord:
		return d.adjustedEarlier(r, w.Key, made.Record, item)
	case made.Kind == engine.Short && a.Quantity < 0:
		return engine.StockAdjusted{}, commerce.StockBelowZero
	case made.Kind == engine.Short:
		return engine.StockAdjusted{}, commerce.StockAboveMaximum
	}
	if w.events {
		d.outbox.Announce(r.Store.ID)
	}
	numbers := strings.Split(made.Made, "\n")
	level := commerce.StockLevel{OnHand: stock.Micros(numbers[len(numbers)-2]), Held: stock.Micros(numbers[len(numbers)-1])}
	level.Limit = r.Store.Backorder(item).Limit
	if level.Available() == 0 && level.OnHand+level.Limit > 0 { // expired holds may still count
		if levels, err := d.StockLevels(r.Store.ID, uuid.Nil, []uuid.UUID{item}, r.Deadline); err == nil {
			level.Held = levels[0].Held
		}
	}
	return engine.StockAdjusted{Level: level}, nil
}

// stockVisit makes the visit of an adjustment. The last two numbers that it makes are stock on
// hand and held.
func stockVisit(r *engine.Request, a *commerce.StockAdjustment, item uuid.UUID) *sending {
	store := r.Store.ID
	w := &sending{Visit: entryVisit(store, r.Idempotency, r.Now), store: r.Store}
	by := int64(a.Quantity)
	if by > 0 {
		w.Plan.Use(stock.OnHandKey(store), item.String(), by, int64(commerce.MaxStock))
		by = 0
	}
	w.Plan.Adjust(stock.OnHandKey(store), stock.HeldKey(store), item.String(), by)
	w.announce(store, answers.StockAdjusted(&commerce.StockNews{Store: r.Store, Change: *a, At: r.Now}), w.Plan.Made()-1)
	w.act(store, r.Act(item), r.Now)
	return w
}

// adjustedEarlier answers an adjustment whose Idempotency-Key has an entry.
func (d *DB) adjustedEarlier(r *engine.Request, key, text string, item uuid.UUID) (engine.StockAdjusted, error) {
	if _, err := d.earlier(r, key, text); err != nil {
		return engine.StockAdjusted{}, err
	}
	levels, err := d.StockLevels(r.Store.ID, uuid.Nil, []uuid.UUID{item}, r.Deadline)
	if err != nil {
		return engine.StockAdjusted{}, err
	}
	levels[0].Own, levels[0].Limit = 0, r.Store.Backorder(item).Limit
	return engine.StockAdjusted{Level: levels[0], Replayed: true}, nil
}
