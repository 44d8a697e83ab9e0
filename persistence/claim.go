package persistence

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
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
	if w.fold == nil {
		return
	}
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

// accountCartsKey is the key of the index of a customer's active carts:
// {<store>}:carts:<customer id>, cart id → creation in Unix milliseconds. It expires with its
// last written cart.
func accountCartsKey(store, customer uuid.UUID) string {
	return records.KeyPrefix(store, "carts") + customer.String()
}

// indexCart adds the cart of a visit to the index of its account, or removes it.
// docs/api/carts.md#claim, Which carts.
func indexCart(w *sending, v *engine.Visit[*commerce.Cart]) {
	w.indexCart(v.Key.Store, v.Next.State, v.Judged.Add(-v.Tolerance))
}

// indexCart does that for any cart. The expiry of the index counts from after, the earliest time
// of the visit.
func (w *sending) indexCart(store uuid.UUID, c *commerce.Cart, after time.Time) {
	if !c.Customer.Bound() || c.Customer.Guest {
		return
	}
	key := accountCartsKey(store, c.Customer.ID)
	if c.Status != commerce.CartActive {
		w.Plan.Sorted("ZREM", key, c.ID.String())
		return
	}
	w.Plan.Sorted("ZADD", key, records.Millis(c.CreatedAt), c.ID.String())
	w.Plan.Write("PEXPIRE", key, strconv.FormatInt(c.ExpiresAt.Sub(after).Milliseconds(), 10))
}

// parseMembers parses members of the index. Errors: redisdb.BrokenKey.
func parseMembers(store, customer uuid.UUID, list []any) ([]uuid.UUID, error) {
	members := make([]uuid.UUID, len(list))
	for i := range list {
		text, _ := list[i].(string)
		id, ok := commerce.ParseID(text)
		if !ok {
			return nil, redisdb.BrokenKey(accountCartsKey(store, customer))
		}
		members[i] = id
	}
	return members, nil
}

// AccountCarts is part of engine.Storage.
func (d *DB) AccountCarts(store, customer uuid.UUID, deadline time.Time) ([]uuid.UUID, error) {
	key := accountCartsKey(store, customer)
	value, err := d.client.Run(deadline, redisdb.KeyCall("ZRANGE", key, 0, engine.MaxMembers))
	if err == nil {
		list, _ := value.([]any)
		var members []uuid.UUID
		if members, err = parseMembers(store, customer, list); err == nil {
			return members, nil
		}
	}
	return nil, d.client.Unreadable(err, key)
}

// LoadCarts is part of engine.Storage.
func (d *DB) LoadCarts(keys []engine.RecordKey, deadline time.Time) ([]engine.CartRecord, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := readRecords(d, records.Carts, keys, deadline)
	if err != nil {
		return nil, err
	}
	carts := make([]engine.CartRecord, len(keys))
	for i, record := range found {
		if record != nil {
			carts[i] = *record
		}
	}
	return carts, nil
}

// EachAccountCart is part of engine.Storage. It reads the number of carts, the ids, the lengths, then the carts, and leaves out
// those that are gone.
func (d *DB) EachAccountCart(customer engine.RecordKey, q *engine.CartQuery, deadline time.Time) (total int, err error) {
	total, keys, err := d.newest(accountCartsKey(customer.Store, customer.ID), customer, q.Page, deadline)
	if err != nil {
		return total, err
	}
	return total, readInTurns(d, records.Carts, keys, q.Room, deadline, func(cart *engine.CartRecord) error { return q.Each(cart.State) })
}
