package persistence

import (
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
)

// checkedFold is the fold of a claim among a plan's checks; first is the index of its first one.
type checkedFold struct {
	*engine.Fold
	first int
}

// checkFold adds checks of the carts that a claim's visit removes from their index. With the
// claim's last commit it also checks the index's number of members.
func (w *sending) checkFold(store uuid.UUID, f *engine.Fold) {
	w.fold, w.alone = &checkedFold{f, w.Plan.Checks()}, true
	for i := range f.Carts {
		c, seen := &f.Carts[i], ""
		if !c.Before.Stamp.Zero() {
			seen = string(records.AppendStamp(nil, c.Before.Stamp))
		}
		w.Plan.CheckBytes(records.Carts.Key(engine.RecordKey{Store: store, ID: c.ID}), records.StampFrom, records.HeadFrom-1, seen)
	}
	if f.Last {
		w.Plan.CheckSize(accountCartsKey(store, f.Customer), f.Members)
	}
}

// releaseFolded releases the holds of the folded carts.
func (w *sending) releaseFolded(store uuid.UUID) {
	for i := range w.fold.Carts {
		c := &w.fold.Carts[i]
		if c.Next.State == nil {
			continue
		}
		for _, ask := range c.Before.State.Hold.Asks {
			w.Plan.Hold(stock.KeysOf(store, c.ID), ask.Item.String(), 0, 0)
		}
	}
}

// writeFold writes the folded carts, and removes all of them from the index.
func (w *sending) writeFold(store uuid.UUID, f *engine.Fold) {
	for i := range f.Carts {
		c := &f.Carts[i]
		next := c.Next.State
		if next == nil {
			w.Plan.Sorted("ZREM", accountCartsKey(store, f.Customer), c.ID.String())
			continue
		}
		w.Plan.Write("SET", records.Carts.Key(engine.RecordKey{Store: store, ID: c.ID}), records.Carts.Encode(nil, &c.Next, nil), "PXAT",
			records.Millis(next.ExpiresAt))
		if c.Before.State.Hold.Asks != nil {
			w.Plan.Sorted("ZREM", stock.HoldsKey(store), c.ID.String())
		}
		w.indexCart(store, next, time.Time{}) // removes it
	}
}

// foundCarts returns a claim's carts as its visit found them; nil if there are others, which
// the visit did not check. Errors: redisdb.BrokenKey.
func (w *sending) foundCarts(store uuid.UUID, judged *engine.AccountCarts, values []any) (*engine.AccountCarts, error) {
	known := map[uuid.UUID]engine.CartRecord{}
	for i, id := range judged.Members {
		known[id] = judged.Records[i]
	}
	for i := range w.fold.Carts {
		id := w.fold.Carts[i].ID
		var record engine.CartRecord
		if text, _ := values[w.fold.first+i].(string); text != "" {
			var err error
			if record, err = records.Carts.Decode(engine.RecordKey{}, text); err != nil {
				return nil, redisdb.BrokenKey(records.Carts.Key(engine.RecordKey{Store: store, ID: id}))
			}
		}
		known[id] = record
	}
	members, more := judged.Members, !judged.Whole
	if w.fold.Last {
		var err error
		list, _ := values[w.fold.first+len(w.fold.Carts)].([]any)
		if members, err = parseMembers(store, judged.Customer, list); err != nil {
			return nil, err
		}
		more = len(members) >= engine.MaxMembers // the script returns no more
	}
	found := engine.NewAccountCarts(judged.Customer, members, more, judged.Conflicts+1)
	for i, id := range found.Members {
		record, is := known[id]
		if !is {
			return nil, nil
		}
		found.Records[i] = record
	}
	if more && w.fold.Last {
		return nil, nil
	}
	return found, nil
}
