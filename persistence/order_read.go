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
	found, err := readRecords(d, records.Orders, []engine.RecordKey{key}, deadline)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Orders reads a page of a customer's orders, newest first, in four steps: the number of
// orders within the times and the newest one's rank, the ids, the lengths, the orders. Orders of one millisecond
// are sorted by number. Errors: ErrUnavailable.
func (d *DB) Orders(customer engine.RecordKey, q *engine.OrderQuery, deadline time.Time) (page engine.OrderPage, err error) {
	key := records.CustomerOrdersKey(customer)
	from, to, newer := "-inf", "+inf", "(+inf"
	if !q.From.IsZero() {
		from = strconv.FormatInt(q.From.UnixMilli(), 10)
	}
	if !q.To.IsZero() {
		to = strconv.FormatInt(q.To.UnixMilli(), 10)
		newer = "(" + to
	}
	counts, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZCOUNT", key, from, to), redisdb.KeyCall("ZCOUNT", key, newer, "+inf")}, deadline)
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
	ids, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZREVRANGE", key, int(rank)+first, int(rank)+end-1)}, deadline)
	if err != nil {
		return page, err
	}
	keys, err := d.recordKeys(key, customer.Store, redisdb.Texts(ids[0]))
	if err != nil {
		return page, err
	}
	err = readInTurns(d, records.Orders, keys, q.Room, deadline, func(order *engine.Record[*commerce.Order]) error {
		page.Orders = append(page.Orders, engine.MakeOrderRow(order.State))
		return nil
	})
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
		list, err := d.client.ReadAll([]*redisdb.Call{entriesCall(key, since, ordersEach)}, d.client.Soon())
		if err != nil {
			return err
		}
		entries := redisdb.Texts(list[0])
		keys, err := d.recordKeys(key, store, slices.DeleteFunc(slices.Clone(entries), isGap))
		if err != nil {
			return err
		}
		orders, err := readRecords(d, records.Orders, keys, d.client.Soon())
		switch {
		case err != nil:
			return err
		case slices.Contains(orders, nil):
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
