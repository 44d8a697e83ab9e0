package persistence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
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

const (
	// maxHolders is the number of holders that are shown of an item, lookedHolds that of the next holds to expire among which they are,
	// holdsAtOnce that of the holds that are read at a time.
	maxHolders  = 50
	lookedHolds = 2000
	holdsAtOnce = 250
)

// StockHolders is part of engine.Storage. It reads those that expire first, until it has found so much as is held.
func (d *DB) StockHolders(r *engine.Request, item uuid.UUID, held commerce.Micros) (holders []engine.StockHolder, complete bool, err error) {
	store := r.Store.ID
	holders = []engine.StockHolder{}
	for from := 0; held > 0 && from < lookedHolds; from += holdsAtOnce {
		next, err := d.holdersFrom(r, item, from)
		if err != nil {
			return nil, false, err
		}
		for _, holder := range next.holders {
			switch {
			case slices.ContainsFunc(holders, func(h engine.StockHolder) bool { return h.ID == holder.ID }): // a hold has come between two turns
			case len(holders) < maxHolders:
				holders = append(holders, holder)
				held -= holder.Quantity
			default:
				return holders, false, d.kindsOf(store, holders, r.Deadline)
			}
		}
		if next.last {
			held = 0
		}
	}
	return holders, held <= 0, d.kindsOf(store, holders, r.Deadline)
}

// someHolders are those of an item among some of the holds. last means that no holds come after these.
type someHolders struct {
	holders []engine.StockHolder
	last    bool
}

// holdersFrom reads the holders of an item among the next holds to expire from a place on. Errors: ErrUnavailable.
func (d *DB) holdersFrom(r *engine.Request, item uuid.UUID, from int) (some someHolders, err error) {
	store := r.Store.ID
	found, err := d.client.ReadAll([]*redisdb.Call{
		redisdb.KeyCall("ZRANGEBYSCORE", stock.HoldsKey(store), "("+records.Millis(r.Now), "+inf", "WITHSCORES", "LIMIT", from, holdsAtOnce),
	}, r.Deadline)
	if err != nil {
		return some, err
	}
	pairs := redisdb.Texts(found[0])
	calls := make([]*redisdb.Call, len(pairs)/2)
	for i := range calls {
		calls[i] = redisdb.KeyCall("HGET", records.KeyPrefix(store, "hold")+pairs[2*i], item.String())
	}
	held, err := d.client.ReadAll(calls, r.Deadline)
	if err != nil {
		return some, err
	}
	some.last = len(calls) < holdsAtOnce
	for i, value := range held {
		quantity := stock.Micros(value)
		id, ok := commerce.ParseID(pairs[2*i])
		until, err := strconv.ParseFloat(pairs[2*i+1], 64)
		if quantity > 0 && ok && err == nil {
			some.holders = append(some.holders, engine.StockHolder{Kind: "cart", ID: id, Quantity: quantity, Until: time.UnixMilli(int64(until))})
		}
	}
	return some, nil
}

// kindsOf finds the quotes among holders. Errors: ErrUnavailable.
func (d *DB) kindsOf(store uuid.UUID, holders []engine.StockHolder, deadline time.Time) error {
	calls := make([]*redisdb.Call, len(holders))
	for i := range holders {
		calls[i] = redisdb.KeyCall("EXISTS", records.Quotes.Key(engine.RecordKey{Store: store, ID: holders[i].ID}))
	}
	quotes, err := d.client.ReadAll(calls, deadline)
	for i := range quotes {
		if quotes[i] == int64(1) {
			holders[i].Kind = "quote"
		}
	}
	return err
}
