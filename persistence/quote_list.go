package persistence

import (
	"cmp"
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

// scoredList is how a list by times is read.
type scoredList struct {
	key string
	// descending means that greater scores come first. from bounds the scores of the first page; zero for none.
	descending bool
	from       time.Time
}

// StoreQuotes is part of engine.Storage. It reads the entries of a list, the lengths, then the quotes: at most engine.MaxOrdersRead
// bytes of them, but one.
func (d *DB) StoreQuotes(store *commerce.Store, q *engine.StoreQuoteQuery, now, deadline time.Time) (page engine.StoreQuotePage, err error) {
	var keys []engine.RecordKey
	var ends []string // how the next page begins after each
	list := scoredList{}
	switch {
	case q.Number > 0:
		keys, err = d.quoteOfNumber(store.ID, q.Number, deadline)
		page.Total, ends = len(keys), []string{""}
	case q.List == engine.WaitingQuotes:
		list = scoredList{key: records.WaitingQuotesKey(store.ID)}
	case q.List == engine.OfferedQuotes:
		list = scoredList{key: records.OfferedQuotesKey(store.ID), from: now}
	case q.Customer != uuid.Nil:
		list = scoredList{key: records.CustomerQuotesKey(engine.RecordKey{Store: store.ID, ID: q.Customer}), descending: true}
	default:
		page.Total, keys, ends, err = d.quotesByNumber(store.ID, q, deadline)
	}
	if list.key != "" {
		page.Total, keys, ends, err = d.byScore(store.ID, &list, q.Before, q.Size, deadline)
	}
	if err != nil {
		return page, err
	}
	more := len(keys) > q.Size
	if more {
		keys = keys[:q.Size]
	}
	read, gone := 0, []string{}
	lengths, err := readLengths(d, records.Quotes, keys, deadline)
	if err != nil {
		return page, err
	}
	n, size := readAtOnce(lengths, engine.MaxOrdersRead)
	if err = q.Room(size); err != nil {
		return page, err
	}
	texts, err := readTexts(d, records.Quotes, keys[:n], deadline)
	for began := time.Now(); err == nil && read < len(texts) && (read == 0 || time.Since(began) < maxDecoding); read++ {
		var found []*engine.Record[*commerce.Quote]
		found, err = decodeRecords(d, records.Quotes, keys[read:read+1], texts[read:read+1])
		switch {
		case err != nil:
		case found[0] == nil:
			gone = append(gone, keys[read].ID.String())
		case shown(q, found[0].State, store, now):
			page.Quotes = append(page.Quotes, engine.StoreQuoteRow{Quote: found[0].State})
		}
	}
	if read > 0 && (more || read < len(keys)) {
		page.NextBefore = ends[read-1]
	}
	if list.key != "" && len(gone) > 0 && err == nil { // ids are never used again
		d.forget(list.key, gone, deadline)
	}
	return page, err
}

// shown reports whether a quote is one that a query asks for. A list may still have what has left it.
func shown(q *engine.StoreQuoteQuery, quote *commerce.Quote, store *commerce.Store, now time.Time) bool {
	if quote.Gone || q.Customer != uuid.Nil && quote.Customer.ID != q.Customer && quote.ListID(store) != q.Customer {
		return false
	}
	switch q.List {
	case engine.WaitingQuotes:
		_, waits := quote.Waiting()
		return waits
	case engine.OfferedQuotes:
		return quote.Status(now) == commerce.QuoteOffered
	}
	return quote.Version > 0
}

// forget removes the entries of quotes that are gone. A list that keeps them is none the worse.
func (d *DB) forget(key string, gone []string, deadline time.Time) {
	call := redisdb.KeyCall("ZREM", key)
	for _, id := range gone {
		call.Args = append(call.Args, id)
	}
	d.client.RunAll(deadline, []*redisdb.Call{call})
}

// quoteOfNumber finds the quote of a number; none if there is none.
func (d *DB) quoteOfNumber(store uuid.UUID, number int64, deadline time.Time) ([]engine.RecordKey, error) {
	list := records.QuoteListKey(store)
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("LRANGE", list, number-1, number-1)}, deadline)
	if err != nil {
		return nil, err
	}
	ids := slices.DeleteFunc(redisdb.Texts(found[0]), isGap)
	return d.recordKeys(list, store, ids)
}

// quotesByNumber reads a page of the list by numbers, the newest first, and one entry more.
func (d *DB) quotesByNumber(store uuid.UUID, q *engine.StoreQuoteQuery, deadline time.Time) (total int, keys []engine.RecordKey, ends []string, err error) {
	list := records.QuoteListKey(store)
	count, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("LLEN", list)}, deadline)
	if err != nil {
		return 0, nil, nil, err
	}
	length, _ := count[0].(int64)
	before := length + 1
	if q.Before != "" {
		asked, err := strconv.ParseInt(q.Before, 10, 64)
		if err != nil || asked < 1 {
			return 0, nil, nil, engine.ErrBefore
		}
		before = min(before, asked)
	}
	var ids []string
	for step := int64(q.Size) + 1; before > 1 && len(ids) <= q.Size; { // numbers that were left out have no quote
		from := max(1, before-step)
		found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("LRANGE", list, from-1, before-2)}, deadline)
		if err != nil {
			return 0, nil, nil, err
		}
		entries := redisdb.Texts(found[0])
		for i := len(entries) - 1; i >= 0; i-- {
			if !isGap(entries[i]) {
				ids, ends = append(ids, entries[i]), append(ends, strconv.FormatInt(from+int64(i), 10))
			}
		}
		if before = from; allGaps(entries) {
			step = maxGapRead
		}
	}
	keys, err = d.recordKeys(list, store, ids)
	return int(length), keys, ends, err
}

// byScore reads a page of a list by times, and one entry more. A page begins behind an entry: its score and id. Errors: ErrBefore,
// ErrUnavailable.
func (d *DB) byScore(store uuid.UUID, list *scoredList, before string, size int, deadline time.Time) (
	total int, keys []engine.RecordKey, ends []string, err error) {
	low, high, command := "-inf", "+inf", "ZRANGEBYSCORE"
	if !list.from.IsZero() {
		low = "(" + records.Millis(list.from)
	}
	score, id, sent := strings.Cut(before, ".")
	if before != "" {
		_, isID := commerce.ParseID(id)
		if _, err := strconv.ParseInt(score, 10, 64); err != nil || !sent || !isID {
			return 0, nil, nil, engine.ErrBefore
		}
	}
	if list.descending {
		command = "ZREVRANGEBYSCORE"
		if low, high = high, low; sent {
			low = score
		}
	} else if sent && (list.from.IsZero() || score > records.Millis(list.from)) {
		low = score
	}
	var ids []string
	for offset := 0; len(ids) <= size; {
		found, err := d.client.ReadAll([]*redisdb.Call{
			redisdb.KeyCall(command, list.key, low, high, "WITHSCORES", "LIMIT", offset, size+2), redisdb.KeyCall("ZCARD", list.key),
		}, deadline)
		if err != nil {
			return 0, nil, nil, err
		}
		n, _ := found[1].(int64)
		total = int(n)
		texts := redisdb.Texts(found[0])
		for i := 0; i+1 < len(texts); i += 2 {
			number, _ := strconv.ParseFloat(texts[i+1], 64)
			entry, at := texts[i], strconv.FormatInt(int64(number), 10)
			if sent && at == score && (entry == id || (entry < id) != list.descending) {
				continue
			}
			ids, ends = append(ids, entry), append(ends, at+"."+entry)
		}
		if offset += len(texts) / 2; len(texts)/2 < size+2 {
			break
		}
		if sent && len(ids) == 0 { // many entries of one time, as an import makes them
			if offset, err = d.behind(list, score, id, offset, deadline); err != nil {
				return 0, nil, nil, err
			}
		}
	}
	keys, err = d.recordKeys(list.key, store, ids)
	return total, keys, ends, err
}

// behind is the offset behind an entry among those from its score on; the given one if the entry has gone. Errors: ErrUnavailable.
func (d *DB) behind(list *scoredList, score, id string, offset int, deadline time.Time) (int, error) {
	rank, low, high := "ZRANK", "-inf", "("+score
	if list.descending {
		rank, low, high = "ZREVRANK", high, "+inf"
	}
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall(rank, list.key, id), redisdb.KeyCall("ZCOUNT", list.key, low, high)}, deadline)
	if err != nil {
		return 0, err
	}
	place, there := found[0].(int64)
	ahead, _ := found[1].(int64)
	if !there {
		return offset, nil
	}
	return max(offset, int(place-ahead)+1), nil
}

// CustomerQuotes is part of engine.Storage. It reads their number, the ids, the lengths, then the quotes, the newest first, and
// leaves out those that are gone. Quotes of one millisecond are sorted by number.
func (d *DB) CustomerQuotes(customer engine.RecordKey, q *engine.QuoteQuery, deadline time.Time) (page engine.QuotePage, err error) {
	total, keys, err := d.newest(records.CustomerQuotesKey(customer), customer, q.Page, deadline)
	page.Total = total
	if err != nil {
		return page, err
	}
	err = readInTurns(d, records.Quotes, keys, q.Room, deadline, func(quote *engine.Record[*commerce.Quote]) error {
		row := engine.MakeQuoteRow(quote.State)
		row.Goods.Lines = nil
		page.Quotes = append(page.Quotes, row)
		return nil
	})
	slices.SortStableFunc(page.Quotes, func(a, b engine.QuoteRow) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.Number, a.Number))
	})
	return page, err
}
