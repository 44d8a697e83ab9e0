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

// Orders is part of engine.Storage. It reads the number of orders within the times and the newest one's rank, the ids, the lengths,
// then the orders. Orders of one millisecond are sorted by number.
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

// The list of a store's orders has an entry for each number. The entry of a number that no order
// has is empty: an operator has left these numbers out.

// isGap reports whether an entry of the list is that of a number without an order.
func isGap(entry string) bool { return entry == "" }

// maxGapRead bounds the entries of the list that one page reads to skip numbers without an order.
const maxGapRead = 10_000

// OrdersByNumber is part of engine.Storage. It reads the entries of the list, the lengths, then the orders: at most
// engine.MaxOrdersRead bytes of them, but one order.
func (d *DB) OrdersByNumber(store uuid.UUID, q *engine.NumberQuery, deadline time.Time) (page engine.NumberPage, err error) {
	list, gap := records.OrdersKey(store), records.OrderGapKey(store)
	found, err := d.client.ReadAll([]*redisdb.Call{
		redisdb.KeyCall("LLEN", list), redisdb.KeyCall("GET", gap), entriesCall(list, q.After, q.Size),
	}, deadline)
	if err != nil {
		return page, err
	}
	length, _ := found[0].(int64)
	text, _ := found[1].(string)
	missing, err := strconv.ParseInt(text, 10, 64)
	if text != "" && err != nil {
		return page, d.client.Unreadable(redisdb.BrokenKey(gap), gap)
	}
	page.Total, page.Newest = length-missing, length
	entries := redisdb.Texts(found[2])
	after, err := d.skipGap(list, q, &entries, deadline)
	if err != nil {
		return page, err
	}
	ids, numbers := numbered(entries, after)
	page.NextAfter = after + int64(len(entries))
	keys, err := d.recordKeys(list, store, ids)
	if err != nil {
		return page, err
	}
	lengths, err := readLengths(d, records.Orders, keys, deadline)
	if err != nil {
		return page, err
	}
	n, bytes := readAtOnce(lengths, engine.MaxOrdersRead)
	if n < len(ids) {
		page.NextAfter = numbers[n] - 1
	}
	if page.NextAfter >= length {
		page.NextAfter = 0
	}
	if err := q.Room(bytes); err != nil {
		return page, err
	}
	orders, err := readRecords(d, records.Orders, keys[:n], deadline)
	for _, order := range orders {
		if order != nil {
			page.Orders = append(page.Orders, order.State)
		}
	}
	return page, err
}

// entriesCall reads the entries of the list after a number.
func entriesCall(list string, after int64, size int) *redisdb.Call {
	return redisdb.KeyCall("LRANGE", list, after, after+int64(size)-1)
}

// skipGap replaces a page without an order by the next one, as far as maxGapRead. It returns the
// number after which the entries begin.
func (d *DB) skipGap(list string, q *engine.NumberQuery, entries *[]string, deadline time.Time) (int64, error) {
	after := q.After
	if len(*entries) < q.Size || !allGaps(*entries) {
		return after, nil
	}
	after += int64(len(*entries))
	found, err := d.client.ReadAll([]*redisdb.Call{entriesCall(list, after, maxGapRead)}, deadline)
	if err != nil {
		return after, err
	}
	rest := redisdb.Texts(found[0])
	first := slices.IndexFunc(rest, func(entry string) bool { return !isGap(entry) })
	if first < 0 {
		first = len(rest)
	}
	*entries = rest[first:min(len(rest), first+q.Size)]
	return after + int64(first), nil
}

func allGaps(entries []string) bool {
	return !slices.ContainsFunc(entries, func(entry string) bool { return !isGap(entry) })
}

// numbered returns the ids among entries with their numbers; the entries follow a number.
func numbered(entries []string, after int64) (ids []string, numbers []int64) {
	for i, entry := range entries {
		if !isGap(entry) {
			ids, numbers = append(ids, entry), append(numbers, after+int64(i)+1)
		}
	}
	return ids, numbers
}
