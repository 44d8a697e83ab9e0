package persistence

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
)

// GuestEmail is the address of a guest's newest order or quote; empty if there is none. Errors: ErrUnavailable.
func (d *DB) GuestEmail(r *engine.Request, guest engine.RecordKey) (string, error) {
	orders, quotes := records.CustomerOrdersKey(guest), records.CustomerQuotesKey(guest)
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZREVRANGE", orders, 0, 0), redisdb.KeyCall("ZREVRANGE", quotes, 0, 0)}, r.Deadline)
	if err != nil {
		return "", err
	}
	keys, err := d.recordKeys(orders, guest.Store, redisdb.Texts(found[0]))
	if err != nil {
		return "", err
	}
	sold, err := readRecords(d, records.Orders, keys, r.Deadline)
	if err != nil {
		return "", err
	}
	if len(sold) > 0 && sold[0] != nil && sold[0].State.Email != "" {
		return sold[0].State.Email, nil
	}
	if keys, err = d.recordKeys(quotes, guest.Store, redisdb.Texts(found[1])); err != nil {
		return "", err
	}
	asked, err := readRecords(d, records.Quotes, keys, r.Deadline)
	if err != nil || len(asked) == 0 || asked[0] == nil {
		return "", err
	}
	return asked[0].State.Email, nil
}

// FindContacts reads a page of the accounts whose name begins so, or that await approval: some entries of an index, then the accounts,
// until the page is full. It ends early after engine.MaxLooked entries or engine.MaxWork. Errors: *commerce.Refusal, ErrUnavailable.
func (d *DB) FindContacts(r *engine.Request, q *engine.ContactQuery) (page engine.ContactPage, err error) {
	prefix, after := accounts.FoldName(q.Name), q.After
	work, looked := time.Duration(0), 0
	for n := q.Size + 1; ; n = lookAtOnce {
		some, err := d.indexedAccounts(r, q, prefix, after, n)
		if err != nil {
			return page, err
		}
		texts, err := readTexts(d, records.Contacts, some.keys, r.Deadline)
		if err != nil {
			return page, err
		}
		began := time.Now()
		contacts, err := decodeRecords(d, records.Contacts, some.keys, texts)
		if err != nil {
			return page, err
		}
		for i, contact := range contacts {
			if contact != nil && some.counts(i, contact.State, prefix) {
				if len(page.Contacts) == q.Size {
					page.NextAfter = after
					return page, nil
				}
				page.Contacts = append(page.Contacts, contact.State)
			}
			after = some.ends[i]
		}
		work, looked = work+time.Since(began), looked+len(contacts)
		switch {
		case !some.more:
			return page, nil
		case looked >= engine.MaxLooked || work >= maxDecoding:
			page.NextAfter = after
			return page, nil
		}
	}
}

// indexedAccounts are some entries of an index of accounts, and how a page begins behind each. more means that others follow.
type indexedAccounts struct {
	keys []engine.RecordKey
	ends []string
	// names are the entries of the index by name; nil of the other one.
	names []string
	more  bool
}

// counts reports whether an entry counts: an index may have what has left it, and an account with two names is shown once.
func (a *indexedAccounts) counts(i int, c *commerce.Contact, prefix string) bool {
	if a.names == nil {
		return c.Awaits()
	}
	return firstEntry(c, prefix) == a.names[i]
}

// indexedAccounts reads n entries behind a place. Errors: *commerce.Refusal, ErrUnavailable.
func (d *DB) indexedAccounts(r *engine.Request, q *engine.ContactQuery, prefix, after string, n int) (some indexedAccounts, err error) {
	if q.Awaiting {
		_, some.keys, some.ends, err = d.byScore(r.Store.ID, &scoredList{key: accounts.AwaitingKey(r.Store.ID)}, after, n, r.Deadline)
	} else {
		err = d.namedAccounts(r, prefix, after, n, &some)
	}
	if errors.Is(err, engine.ErrBefore) {
		return some, commerce.FaultOf("after", commerce.MsgIn("after"))
	}
	if some.more = len(some.keys) > n; some.more {
		some.keys = some.keys[:n]
	}
	return some, err
}

// namedAccounts reads n entries whose names begin so, and one more. A page begins behind an entry. Errors: ErrBefore, ErrUnavailable.
func (d *DB) namedAccounts(r *engine.Request, prefix, after string, n int, some *indexedAccounts) (err error) {
	begin := "[" + prefix
	if after != "" {
		entry, err := base64.RawURLEncoding.DecodeString(after)
		if err != nil || !strings.HasPrefix(string(entry), prefix) {
			return engine.ErrBefore
		}
		begin = "(" + string(entry)
	}
	index := accounts.NamesKey(r.Store.ID)
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZRANGEBYLEX", index, begin, "["+prefix+"\xff", "LIMIT", 0, n+1)}, r.Deadline)
	if err != nil {
		return err
	}
	some.names = redisdb.Texts(found[0])
	ids := make([]string, len(some.names))
	for i, entry := range some.names {
		ids[i] = entry[strings.LastIndexByte(entry, '\n')+1:]
		some.ends = append(some.ends, base64.RawURLEncoding.EncodeToString([]byte(entry)))
	}
	some.keys, err = d.recordKeys(index, r.Store.ID, ids)
	return err
}

// firstEntry is the first entry of an account that begins with a prefix; an account that has two is shown once.
func firstEntry(c *commerce.Contact, prefix string) string {
	for _, entry := range accounts.NameEntries(c) {
		if strings.HasPrefix(entry, prefix) {
			return entry
		}
	}
	return ""
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

// quotesExpiring is how long ahead of its end an offer counts as expiring.
const quotesExpiring = 7 * 24 * time.Hour

// SalesSummary reads the sales of the last days, by hours, and what waits for the merchant, in one trip. Errors: ErrUnavailable.
func (d *DB) SalesSummary(r *engine.Request, days int) (s engine.Summary, err error) {
	store, now := r.Store.ID, records.Millis(r.Now)
	due, waiting, offered := records.DueOrdersKey(store), records.WaitingQuotesKey(store), records.OfferedQuotesKey(store)
	calls := []*redisdb.Call{
		redisdb.KeyCall("ZCARD", due), redisdb.KeyCall("ZCOUNT", due, "-inf", now), redisdb.KeyCall("ZCARD", waiting),
		redisdb.KeyCall("ZCOUNT", offered, now, "+inf"), redisdb.KeyCall("ZCOUNT", offered, now, records.Millis(r.Now.Add(quotesExpiring))),
		redisdb.KeyCall("ZCARD", accounts.AwaitingKey(store)),
	}
	single := len(calls)
	day := r.Now.UTC().Truncate(24 * time.Hour)
	for back := days - 1; back >= 0; back-- {
		calls = append(calls, redisdb.KeyCall("HGETALL", salesKey(store, day.AddDate(0, 0, -back))))
	}
	found, err := d.client.ReadAll(calls, r.Deadline)
	if err != nil {
		return s, err
	}
	s.At = r.Now
	for i, into := range []*int64{&s.Unpaid, &s.Overdue, &s.QuotesWaiting, &s.QuotesOffered, &s.QuotesExpiring, &s.Awaiting} {
		*into, _ = found[i].(int64)
	}
	for i, value := range found[single:] {
		s.Sales = append(s.Sales, hoursOf(value, day.AddDate(0, 0, i-days+1))...)
	}
	queues, err := d.WebhookQueues(r)
	for i := range queues {
		s.Waiting, s.GivenUp = s.Waiting+queues[i].Waiting+queues[i].Retrying, s.GivenUp+queues[i].GivenUp
	}
	return s, err
}

// hoursOf are the hours of a day's sales that are not empty.
func hoursOf(value any, day time.Time) (hours []engine.HourSales) {
	counts := map[string]int64{}
	switch all := value.(type) {
	case []any:
		texts := redisdb.Texts(all)
		for i := 0; i+1 < len(texts); i += 2 {
			counts[texts[i]], _ = strconv.ParseInt(texts[i+1], 10, 64)
		}
	case map[any]any:
		for field, count := range all {
			name, _ := field.(string)
			text, _ := count.(string)
			counts[name], _ = strconv.ParseInt(text, 10, 64)
		}
	}
	for n := range 24 {
		at := day.Add(time.Duration(n) * time.Hour)
		hour := at.Format("15")
		sales := engine.HourSales{
			Hour: at, Orders: counts[hour+soldOrders], Amount: commerce.Amount(counts[hour+soldAmount]),
			Cancelled: counts[hour+cancelledOrders], CancelledAmount: commerce.Amount(counts[hour+cancelledAmount]),
		}
		if sales.Orders+sales.Cancelled > 0 {
			hours = append(hours, sales)
		}
	}
	return hours
}

// WebhookQueues reads the queues of the store's webhooks, in the document's order. Errors: ErrUnavailable.
func (d *DB) WebhookQueues(r *engine.Request) ([]engine.WebhookQueue, error) {
	return d.outbox.Queues(r.Store, r.Deadline)
}
