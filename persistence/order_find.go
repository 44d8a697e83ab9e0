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

// orderWalk reads a store's or a customer's orders in the order of a list, until a page is full or has done its work.
type orderWalk struct {
	db       *DB
	store    uuid.UUID
	q        *engine.NumberQuery
	deadline time.Time
	// entries reads n entries of the list from a place on, of size places. index is the list's key.
	entries func(place int64, n int) *redisdb.Call
	index   string
	size    int64
	// reversed is true if the entries come the other way around.
	reversed bool
	page     engine.NumberPage
	// last is the number of the last order that was looked at, shown the bytes of the orders of the page.
	last  int64
	shown int
	work  time.Duration
}

// lookAtOnce is the number of records that a page which leaves some out reads at a time, scanAtOnce the bytes of
// their records unless one has more.
const (
	lookAtOnce = 100
	scanAtOnce = 512 << 10
)

// maxDecoding is the part of engine.MaxWork for decoding the records. The rest is for Redis and for its replies.
const maxDecoding = engine.MaxWork / 2

// NewestOrders is part of engine.Storage. It reads the length of the list, then the entries, the lengths and the orders, in turns of
// lookAtOnce if the query leaves some out.
func (d *DB) NewestOrders(store uuid.UUID, q *engine.NumberQuery, deadline time.Time) (page engine.NumberPage, err error) {
	list := records.OrdersKey(store)
	w := orderWalk{db: d, store: store, q: q, deadline: deadline, index: list, reversed: true}
	if w.page.Total, w.page.Newest, err = d.countOrders(store, deadline); err != nil {
		return page, err
	}
	newest := w.page.Newest
	if q.Before > 0 {
		newest = min(newest, q.Before-1)
	}
	w.size = newest
	w.entries = func(place int64, n int) *redisdb.Call {
		end := newest - place
		return redisdb.KeyCall("LRANGE", list, max(0, end-int64(n)), end-1)
	}
	err = w.walk()
	return w.page, err
}

// countOrders reads the number of a store's orders and the newest one's number.
func (d *DB) countOrders(store uuid.UUID, deadline time.Time) (total, newest int64, err error) {
	list, gap := records.OrdersKey(store), records.OrderGapKey(store)
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("LLEN", list), redisdb.KeyCall("GET", gap)}, deadline)
	if err != nil {
		return 0, 0, err
	}
	newest, _ = found[0].(int64)
	text, _ := found[1].(string)
	missing, err := strconv.ParseInt(text, 10, 64)
	if text != "" && err != nil {
		return 0, 0, d.client.Unreadable(redisdb.BrokenKey(gap), gap)
	}
	return newest - missing, newest, nil
}

// OrdersOfCustomer is part of engine.Storage. It reads where the page begins, then the ids, the lengths and the orders, as
// NewestOrders.
func (d *DB) OrdersOfCustomer(customer engine.RecordKey, q *engine.NumberQuery, deadline time.Time) (page engine.NumberPage, err error) {
	key := records.CustomerOrdersKey(customer)
	w := orderWalk{db: d, store: customer.Store, q: q, deadline: deadline, index: key}
	from, to, ahead, command := "-inf", "+inf", "-inf", "ZRANGE"
	if !q.From.IsZero() {
		from = records.Millis(q.From)
		ahead = "(" + from
	}
	if !q.To.IsZero() {
		to = records.Millis(q.To)
	}
	calls := []*redisdb.Call{redisdb.KeyCall("ZCOUNT", key, from, to), redisdb.KeyCall("LLEN", records.OrdersKey(customer.Store))}
	switch {
	case q.Newest && !q.To.IsZero():
		calls = append(calls, redisdb.KeyCall("ZCOUNT", key, "("+to, "+inf"))
	case !q.Newest && !q.From.IsZero():
		calls = append(calls, redisdb.KeyCall("ZCOUNT", key, "-inf", ahead))
	}
	if q.Newest {
		command = "ZREVRANGE"
	}
	counts, err := d.client.ReadAll(calls, deadline)
	if err != nil {
		return page, err
	}
	w.page.Total, _ = counts[0].(int64)
	w.page.Newest, _ = counts[1].(int64)
	var first, begins int64
	if len(counts) > 2 {
		first, _ = counts[2].(int64)
	}
	if begins, err = d.placeOfCustomer(customer, q, deadline); err != nil {
		return page, err
	}
	begins = max(begins, first)
	w.size = first + w.page.Total - begins
	w.entries = func(place int64, n int) *redisdb.Call {
		return redisdb.KeyCall(command, key, begins+place, min(begins+place+int64(n), begins+w.size)-1)
	}
	err = w.walk()
	return w.page, err
}

// placeOfCustomer is the number of a customer's orders ahead of the place where a page begins: those up to the order whose
// number the query has, or up to its time if it is another customer's. A number that no order has begins with the first.
func (d *DB) placeOfCustomer(customer engine.RecordKey, q *engine.NumberQuery, deadline time.Time) (int64, error) {
	number, rank := q.After, "ZRANK"
	if q.Newest {
		number, rank = q.Before, "ZREVRANK"
	}
	if number < 1 {
		return 0, nil
	}
	list, key := records.OrdersKey(customer.Store), records.CustomerOrdersKey(customer)
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("LINDEX", list, number-1)}, deadline)
	if err != nil {
		return 0, err
	}
	id, _ := found[0].(string)
	if isGap(id) {
		return 0, nil
	}
	if found, err = d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall(rank, key, id)}, deadline); err != nil {
		return 0, err
	}
	if place, there := found[0].(int64); there {
		return place + 1, nil
	}
	keys, err := d.recordKeys(list, customer.Store, []string{id})
	if err != nil {
		return 0, err
	}
	orders, err := readRecords(d, records.Orders, keys, deadline)
	if err != nil || orders[0] == nil {
		return 0, err
	}
	low, high := "-inf", "("+records.Millis(orders[0].State.PlacedAt)
	if q.Newest {
		low, high = high, "+inf"
	}
	if found, err = d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZCOUNT", key, low, high)}, deadline); err != nil {
		return 0, err
	}
	place, _ := found[0].(int64)
	return place, nil
}

// walk fills the page. It looks at engine.MaxLooked orders at most, and skips maxGapRead numbers without one.
func (w *orderWalk) walk() error {
	var place, looked int64
	atOnce := w.q.Size
	if w.q.Looks() {
		atOnce = lookAtOnce
	}
	gaps, n := 0, atOnce
	for place < w.size && len(w.page.Orders) < w.q.Size && looked < engine.MaxLooked && gaps < maxGapRead && w.work < maxDecoding {
		found, err := w.db.client.ReadAll([]*redisdb.Call{w.entries(place, n)}, w.deadline)
		if err != nil {
			return err
		}
		entries := redisdb.Texts(found[0])
		if len(entries) == 0 {
			w.last = 0
			return nil // the list has become shorter
		}
		if w.reversed {
			slices.Reverse(entries)
		}
		if allGaps(entries) { // no order is here: the next ones are read in larger steps
			place, gaps, n = place+int64(len(entries)), gaps+len(entries), engine.MaxLooked
			w.last = w.size - place + 1
			continue
		}
		n = atOnce
		done, err := w.look(entries)
		if err != nil {
			return err
		}
		place, looked = place+int64(done), looked+int64(done)
		if done < len(entries) && w.full() {
			break
		}
	}
	if place < w.size {
		w.goOn()
	}
	return nil
}

// goOn says where the next page begins.
func (w *orderWalk) goOn() {
	if w.q.Newest {
		w.page.NextBefore = w.last
	} else {
		w.page.NextAfter = w.last
	}
}

// full reports whether no order fits into the page any more.
func (w *orderWalk) full() bool {
	return len(w.page.Orders) >= w.q.Size || w.shown >= engine.MaxOrdersRead || w.work >= maxDecoding
}

// look reads the orders of some entries, as many as are read at once, and takes those that are asked for into the page. It returns
// the number of entries that it has looked at.
func (w *orderWalk) look(entries []string) (done int, err error) {
	ids := slices.DeleteFunc(slices.Clone(entries), isGap)
	keys, err := w.db.recordKeys(w.index, w.store, ids)
	if err != nil {
		return 0, err
	}
	lengths, err := readLengths(w.db, records.Orders, keys, w.deadline)
	if err != nil {
		return 0, err
	}
	most := engine.MaxOrdersRead - w.shown
	if w.q.Looks() {
		most = min(most, scanAtOnce)
	}
	n, bytes := readAtOnce(lengths, most)
	if n == 1 && bytes > most && len(w.page.Orders) > 0 && !w.q.Looks() {
		w.shown = engine.MaxOrdersRead
		return 0, nil
	}
	if err = w.q.Room(bytes); err != nil {
		return 0, err
	}
	texts, err := readTexts(w.db, records.Orders, keys[:n], w.deadline)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	orders, err := decodeRecords(w.db, records.Orders, keys[:n], texts)
	if err != nil {
		return 0, err
	}
	taken := 0
	for i, order := range orders {
		if order == nil {
			continue
		}
		if len(w.page.Orders) == w.q.Size {
			n = i
			break
		}
		w.last = order.State.Number
		if w.q.Keeps(order.State) {
			w.page.Orders, taken = append(w.page.Orders, order.State), taken+lengths[i]
		}
	}
	w.shown, w.work = w.shown+taken, w.work+time.Since(began)
	return lookedAt(entries, n), w.q.Room(taken - bytes)
}

// lookedAt is the number of entries up to the n-th that has an order.
func lookedAt(entries []string, n int) int {
	for i, entry := range entries {
		if isGap(entry) {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return len(entries)
}
