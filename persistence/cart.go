package persistence

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

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

// ScanCarts finds carts whose ids begin so: it looks at maxScanned keys of the store's server, from a cursor on. Errors: ErrUnavailable.
func (d *DB) ScanCarts(r *engine.Request, short, after string) (ids []uuid.UUID, next string, err error) {
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	cursor, _ := strconv.ParseUint(after, 10, 64)
	prefix := records.KeyPrefix(r.Store.ID, records.Carts.Kind)
	keys, cursor, err := d.ScanSome(ctx, r.Store.ID, prefix+short+"*", cursor)
	if err != nil {
		d.client.Unanswered(ctx, err)
		return nil, "", engine.ErrUnavailable
	}
	for _, key := range keys {
		if id, ok := commerce.ParseID(strings.TrimPrefix(key, prefix)); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if cursor != 0 {
		next = strconv.FormatUint(cursor, 10)
	}
	return ids, next, nil
}

// packCart appends a cart's record as Redis has it. A cart with a hold is not packed: the
// grants follow the record, and only the script writes them.
func packCart(dst []byte, r *engine.CartRecord) []byte {
	if r.State.Hold.Asks != nil {
		return dst
	}
	return records.Carts.Encode(dst, r, nil)
}

// CartStamps is part of engine.Storage.
func (d *DB) CartStamps(keys []engine.RecordKey, deadline time.Time) map[engine.RecordKey]engine.Stamp {
	calls := make([]*redisdb.Call, len(keys))
	for i, key := range keys {
		name := records.Carts.Key(key)
		calls[i] = redisdb.KeyCall("GETRANGE", name, records.StampFrom, records.HeadFrom-1)
	}
	found := make(map[engine.RecordKey]engine.Stamp, len(keys))
	for i, reply := range d.client.RunAll(deadline, calls) {
		text, is := reply.Value.(string)
		if reply.Err != nil || !is {
			continue
		}
		if stamp, err := records.ParseStamp(text); err == nil {
			found[keys[i]] = stamp
		}
	}
	return found
}
