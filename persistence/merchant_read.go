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

// FindContacts reads a page of the accounts whose name begins so, or that await approval: their entries in an index, then the
// accounts. It ends early at engine.MaxWork. Errors: *commerce.Refusal, ErrUnavailable.
func (d *DB) FindContacts(r *engine.Request, q *engine.ContactQuery) (page engine.ContactPage, err error) {
	store := r.Store.ID
	names, awaiting, prefix := accounts.NamesKey(store), accounts.AwaitingKey(store), accounts.FoldName(q.Name)
	var work time.Duration
	begin, at := "["+prefix, 0
	if q.After != uuid.Nil {
		if begin, at, err = d.contactPlace(r, q, prefix); err != nil {
			return page, err
		}
	}
	for work < engine.MaxWork {
		call := redisdb.KeyCall("ZRANGEBYLEX", names, begin, "["+prefix+"\xff", "LIMIT", 0, q.Size+1)
		if q.Awaiting {
			call = redisdb.KeyCall("ZRANGE", awaiting, at, at+q.Size)
		}
		found, err := d.client.ReadAll([]*redisdb.Call{call}, r.Deadline)
		if err != nil {
			return page, err
		}
		entries := redisdb.Texts(found[0])
		ids := make([]string, len(entries))
		for i, entry := range entries {
			ids[i] = entry[strings.LastIndexByte(entry, '\n')+1:]
		}
		keys, err := d.recordKeys(call.Keys[0], store, ids)
		if err != nil {
			return page, err
		}
		contacts, err := readRecords(d, records.Contacts, keys, r.Deadline)
		if err != nil {
			return page, err
		}
		began := time.Now()
		for i, contact := range contacts {
			at, begin = at+1, "("+entries[i]
			if contact == nil || !q.Awaiting && firstEntry(contact.State, prefix) != entries[i] || q.Awaiting && !contact.State.Awaits() {
				continue
			}
			if len(page.Contacts) == q.Size {
				page.NextAfter = page.Contacts[q.Size-1].ID
				return page, nil
			}
			page.Contacts = append(page.Contacts, contact.State)
		}
		if len(entries) <= q.Size {
			return page, nil
		}
		work += time.Since(began)
	}
	if n := len(page.Contacts); n > 0 {
		page.NextAfter = page.Contacts[n-1].ID
	}
	return page, nil
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

// contactPlace is where a page begins after a contact, in one of both indexes.
func (d *DB) contactPlace(r *engine.Request, q *engine.ContactQuery, prefix string) (begin string, at int, err error) {
	var faults commerce.Faults
	faults.Add("after", commerce.MsgIn("after"))
	if q.Awaiting {
		found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZRANK", accounts.AwaitingKey(r.Store.ID), q.After.String())}, r.Deadline)
		if err != nil {
			return "", 0, err
		}
		rank, there := found[0].(int64)
		if !there {
			return "", 0, faults.Refusal()
		}
		return "", int(rank) + 1, nil
	}
	found, err := readRecords(d, records.Contacts, []engine.RecordKey{{Store: r.Store.ID, ID: q.After}}, r.Deadline)
	if err != nil {
		return "", 0, err
	}
	if found[0] == nil || firstEntry(found[0].State, prefix) == "" {
		return "", 0, faults.Refusal()
	}
	return "(" + firstEntry(found[0].State, prefix), 0, nil
}

const (
	// maxHolders is the number of holders that are shown of an item, lookedHolds that of the next holds to expire among which they are,
	// holdsAtOnce that of the holds that are read at a time.
	maxHolders  = 50
	lookedHolds = 2000
	holdsAtOnce = 250
)

// StockHolders reads the carts and quotes that hold some of an item, those that expire first, until it has found so much as is held.
// complete is false if there may be more. Errors: ErrUnavailable.
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
