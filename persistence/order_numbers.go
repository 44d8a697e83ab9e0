package persistence

import (
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// The list of a store's orders has an entry for each number. The entry of a number that no order
// has is empty: an operator has left these numbers out.

// isGap reports whether an entry of the list is that of a number without an order.
func isGap(entry string) bool { return entry == "" }

// maxGapRead bounds the entries of the list that one page reads to skip numbers without an order.
const maxGapRead = 10_000

// OrdersByNumber reads a page of a store's orders, in three steps: the entries of the list, the lengths,
// the orders. It reads at most engine.MaxOrdersRead bytes of orders, but one order. Errors:
// ErrUnavailable.
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
