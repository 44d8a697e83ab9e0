package persistence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Order reads an order; nil if there is none. Errors: ErrUnavailable.
func (d *DB) Order(key engine.RecordKey, deadline time.Time) (*engine.Record[*commerce.Order], error) {
	found, err := d.readOrders(key.Store, []string{key.ID.String()}, deadline)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// readOrders reads orders by their ids, and leaves out ids without an order.
func (d *DB) readOrders(store uuid.UUID, ids []string, deadline time.Time) ([]*engine.Record[*commerce.Order], error) {
	keys := make([]engine.RecordKey, len(ids))
	calls := make([]*redisdb.Call, len(ids))
	for i, text := range ids {
		id, ok := commerce.ParseID(text)
		if !ok {
			return nil, d.client.Unreadable(redisdb.ErrCorrupt, records.OrdersKey(store))
		}
		keys[i] = engine.RecordKey{Store: store, ID: id}
		calls[i] = redisdb.GetCall(records.Orders.Key(keys[i]))
	}
	texts, err := d.client.ReadAll(calls, deadline)
	if err != nil {
		return nil, err
	}
	var found []*engine.Record[*commerce.Order]
	for i, value := range texts {
		text, there := value.(string)
		if !there {
			continue
		}
		order, err := records.Orders.Decode(keys[i], text)
		if err != nil {
			return nil, d.client.Unreadable(err, calls[i].Keys[0])
		}
		found = append(found, &order)
	}
	return found, nil
}

// orderRows reads orders by their ids, and leaves out ids without an order. It keeps no lines.
func (d *DB) orderRows(store uuid.UUID, ids []string, room func(int) error, deadline time.Time) (rows []engine.OrderRow, err error) {
	err = d.inTurns(orderKeys(store, ids), room, deadline, func(from, to int) error {
		found, err := d.readOrders(store, ids[from:to], deadline)
		for _, order := range found {
			row := engine.OrderRow{Order: order.State, LinesCount: len(order.State.Lines)}
			row.Lines = nil
			rows = append(rows, row)
		}
		return err
	})
	return rows, err
}

func orderKeys(store uuid.UUID, ids []string) []string {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = records.KeyPrefix(store, records.Orders.Kind) + id
	}
	return keys
}

// inTurns reads the lengths of records, then calls read for a few of them at a time: together at most
// engine.MaxOrdersRead bytes, unless one has more.
func (d *DB) inTurns(keys []string, room func(int) error, deadline time.Time, read func(from, to int) error) error {
	lengths, err := d.lengths(keys, deadline)
	for from := 0; err == nil && from < len(keys); {
		n, bytes := readAtOnce(lengths[from:])
		if err = room(bytes); err == nil {
			err = read(from, from+n)
			room(-bytes)
		}
		from += n
	}
	return err
}

// lengths reads the lengths of records, in the order of their keys.
func (d *DB) lengths(keys []string, deadline time.Time) ([]int, error) {
	calls := make([]*redisdb.Call, len(keys))
	for i, key := range keys {
		calls[i] = &redisdb.Call{Keys: []string{key}, Args: []any{"STRLEN", key}}
	}
	values, err := d.client.ReadAll(calls, deadline)
	lengths := make([]int, len(keys))
	for i := range values {
		n, _ := values[i].(int64)
		lengths[i] = int(n)
	}
	return lengths, err
}

// readAtOnce is the number of the first records that are read together, and their bytes: at most
// engine.MaxOrdersRead, but one record.
func readAtOnce(lengths []int) (n, bytes int) {
	for n < len(lengths) && (n == 0 || bytes+lengths[n] <= engine.MaxOrdersRead) {
		n, bytes = n+1, bytes+lengths[n]
	}
	return n, bytes
}

// Orders reads a page of a customer's orders, newest first, in four steps: the number of
// orders within the times and the newest one's rank, the ids, the lengths, the orders. Orders of one millisecond
// are sorted by number. Errors: ErrUnavailable.
func (d *DB) Orders(customer engine.RecordKey, q *engine.OrderQuery, deadline time.Time) (page engine.OrderPage, err error) {
	key := records.CustomerOrdersKey(customer)
	command := func(args ...any) *redisdb.Call { return &redisdb.Call{Keys: []string{key}, Args: args} }
	from, to, newer := "-inf", "+inf", "(+inf"
	if !q.From.IsZero() {
		from = strconv.FormatInt(q.From.UnixMilli(), 10)
	}
	if !q.To.IsZero() {
		to = strconv.FormatInt(q.To.UnixMilli(), 10)
		newer = "(" + to
	}
	counts, err := d.client.ReadAll([]*redisdb.Call{command("ZCOUNT", key, from, to), command("ZCOUNT", key, newer, "+inf")}, deadline)
	if err != nil {
		return page, err
	}
	total, _ := counts[0].(int64)
	rank, _ := counts[1].(int64)
	page.Total = int(total)
	first, end := q.Page(page.Total)
	if first >= end {
		return page, nil
	}
	ids, err := d.client.ReadAll([]*redisdb.Call{command("ZREVRANGE", key, int(rank)+first, int(rank)+end-1)}, deadline)
	if err != nil {
		return page, err
	}
	page.Orders, err = d.orderRows(customer.Store, redisdb.Texts(ids[0]), q.Room, deadline)
	slices.SortStableFunc(page.Orders, func(a, b engine.OrderRow) int {
		return cmp.Or(cmp.Compare(b.PlacedAt.UnixMilli(), a.PlacedAt.UnixMilli()), cmp.Compare(b.Number, a.Number))
	})
	return page, err
}

// ordersEach is the number of orders that EachOrder reads at a time.
const ordersEach = 100

// EachOrder calls each for the store's orders after a number, in the order of their numbers,
// guests' orders too.
func (d *DB) EachOrder(store uuid.UUID, since int64, each func(*commerce.Order) error) error {
	if _, err := d.ReadHead(context.Background(), store); err != nil {
		return err
	}
	key := records.OrdersKey(store)
	for {
		list, err := d.client.ReadAll([]*redisdb.Call{{Keys: []string{key}, Args: []any{"LRANGE", key, since, since + ordersEach - 1}}}, d.client.Soon())
		if err != nil {
			return err
		}
		entries := redisdb.Texts(list[0])
		ids := slices.DeleteFunc(slices.Clone(entries), isGap)
		orders, err := d.readOrders(store, ids, d.client.Soon())
		switch {
		case err != nil:
			return err
		case len(orders) < len(ids):
			return fmt.Errorf("of the orders %d to %d of store %s some are missing: %w", since+1, since+int64(len(entries)), store, redisdb.ErrCorrupt)
		}
		for _, order := range orders {
			if err := each(order.State); err != nil {
				return err
			}
		}
		if len(entries) < ordersEach {
			return nil
		}
		since += ordersEach
	}
}
