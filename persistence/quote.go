package persistence

import (
	"bytes"
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
	"cartd/ratelimit"
)

// QuoteEntry is part of engine.Storage.
func (d *DB) QuoteEntry(r *engine.Request) (uuid.UUID, error) {
	if r.Idempotency == nil {
		return uuid.Nil, nil
	}
	key := records.IdempotencyKey(r.Store.ID, r.Idempotency.Name)
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("GET", key)}, r.Deadline)
	if err != nil {
		return uuid.Nil, err
	}
	text, there := found[0].(string)
	if !there {
		return uuid.Nil, nil
	}
	entry, err := d.earlier(r, key, text)
	if err != nil {
		return uuid.Nil, err
	}
	return entry.Made, nil
}

// MakeQuote is part of engine.Storage. It needs no actor.
func (d *DB) MakeQuote(r *engine.Request, q *commerce.Quote) (made *engine.Record[*commerce.Quote], earlier uuid.UUID, err error) {
	visit := engine.Visit[*commerce.Quote]{
		Key:    engine.RecordKey{Store: r.Store.ID, ID: q.ID},
		Writes: true, Next: records.Next(records.MakeWriter(), &engine.Record[*commerce.Quote]{}, q, r.Now),
	}
	w := &sending{Visit: records.NewVisit(records.Quotes, &visit, nil), store: r.Store}
	Quotes.check(w, visit.Key, r)
	w.listQuote(r.Store, visit.Key, nil, q)
	w.act(r.Store.ID, r.Act(q.ID), r.Now)
	if r.Idempotency != nil {
		w.Plan.Write("SET", Quotes.Idempotency(visit.Key, r.Idempotency.Name),
			records.MakeEntry(&engine.Effects{Effects: commerce.Effects{Made: q.ID}, Idempotency: r.Idempotency}, visit.Next.Stamp), "PX", records.IdempotencyTTL)
	}
	if !d.grows(d.growing([]*engine.Request{r}, len(w.Record)+w.Plan.Bytes()+w.growth, false)) {
		return nil, uuid.Nil, engine.GrowthFull
	}
	result, err := d.commit(r, w)
	switch {
	case err != nil:
		return nil, uuid.Nil, err
	case result.Kind == engine.Done:
		visit.Next.Size = len(w.Record)
		return &visit.Next, uuid.Nil, nil
	case result.Kind == engine.OtherFacts && r.Idempotency != nil:
		if earlier, err = d.QuoteEntry(r); err != nil || earlier != uuid.Nil {
			return nil, earlier, err
		}
	}
	return nil, uuid.Nil, engine.ErrOutdated // the customer's contact is another one
}

// holdOfQuote is the change that a visit makes to the stock that a quote holds; nil if it makes none. An offer holds
// anew, and whole; the end of an offer releases.
func holdOfQuote(v *engine.Visit[*commerce.Quote]) *commerce.HoldChange {
	before, next := v.Before, v.Next.State
	whole := next.Held != nil && next.Version != before.Version
	if !whole && (before.Held == nil || next.Held != nil) {
		return nil
	}
	change := &commerce.HoldChange{Cart: v.Key.ID, Until: next.HoldUntil, Whole: whole}
	for _, ask := range next.Held {
		change.Items = append(change.Items, commerce.ItemChange{Item: ask.Item, Asked: ask.Quantity})
	}
	for _, had := range before.Held {
		_, again := slices.BinarySearchFunc(next.Held, had.Item, func(a commerce.StockAsk, id uuid.UUID) int { return bytes.Compare(a.Item[:], id[:]) })
		if !again {
			change.Items = append(change.Items, commerce.ItemChange{Item: had.Item, Had: had.Quantity})
		}
	}
	return change
}

// holdWhole adds the asks of a hold of all items or none. Each item is taken, which is all or nothing, returned, and
// held, so the stock on hand does not change. Items that the next version does not hold come last.
func (w *sending) holdWhole(store *commerce.Store, change *commerce.HoldChange) {
	keys := stock.KeysOf(store.ID, change.Cart)
	w.whole = &whole{}
	w.Plan.Expiries(stock.HoldsKey(store.ID))
	for _, item := range change.Items {
		if item.Asked > 0 {
			w.Plan.Take(keys, item.Item.String(), int64(item.Asked), int64(store.Backorder(item.Item).Limit))
			w.whole.takes = append(w.whole.takes, commerce.StockAsk{Item: item.Item, Quantity: item.Asked})
		}
	}
	for _, take := range w.whole.takes {
		w.Plan.Return(keys.OnHand, take.Item.String(), int64(take.Quantity), int64(commerce.MaxStock))
	}
	for _, item := range change.Items {
		w.Plan.Hold(keys, item.Item.String(), int64(item.Asked), int64(store.Backorder(item.Item).Limit))
	}
	w.Plan.Sorted("ZADD", stock.HoldsKey(store.ID), records.Millis(change.Until), change.Cart.String())
}

// numberedQuote adds the number that a visit made of a first offer.
func numberedQuote(next *commerce.Quote, _ []commerce.ItemChange, made string) (*commerce.Quote, error) {
	if next.Version == 0 || next.Number > 0 {
		return next, nil
	}
	number, err := records.NumberOf(made)
	numbered := *next
	numbered.Number = number
	return &numbered, err
}

// indexQuote makes the number of a first offer, and writes the lists that have the quote.
func indexQuote(w *sending, v *engine.Visit[*commerce.Quote]) {
	if next := v.Next.State; next.Version > 0 && next.Number == 0 {
		w.Plan.Number(records.QuoteNumberKey(v.Key.Store))
	}
	w.listQuote(w.store, v.Key, v.Before, v.Next.State)
}

// listQuote changes the lists from those that have the quote before, nil for a new one, to those that have the next,
// and writes the token of an offer. Without a store, for an operator's command, customers' lists and tokens stay.
func (w *sending) listQuote(store *commerce.Store, key engine.RecordKey, before, next *commerce.Quote) {
	if before == nil {
		before = &commerce.Quote{Gone: true}
	}
	id := key.ID.String()
	if before.Version == 0 && next.Version > 0 {
		w.Plan.List("RPUSH", records.QuoteListKey(key.Store), id)
	}
	since, waits := next.Waiting()
	if _, waited := before.Waiting(); waits && !waited {
		w.Plan.Sorted("ZADD", records.WaitingQuotesKey(key.Store), records.Millis(since), id)
	} else if waited && !waits {
		w.Plan.Sorted("ZREM", records.WaitingQuotesKey(key.Store), id)
	}
	if offered := next.Offered(); offered && (!before.Offered() || next.Version != before.Version) {
		w.Plan.Sorted("ZADD", records.OfferedQuotesKey(key.Store), records.Millis(next.ValidUntil), id)
	} else if before.Offered() && !offered {
		w.Plan.Sorted("ZREM", records.OfferedQuotesKey(key.Store), id)
	}
	if store == nil {
		return
	}
	if next.Version != before.Version {
		hash := commerce.HashSecret([]byte(store.QuoteToken(key.ID)))
		w.Plan.Write("SET", records.QuoteTokenKey(key.Store, hash), id, "PXAT", records.Millis(records.QuoteEnd(next)))
	}
	was, is := before.ListID(store), next.ListID(store)
	if was != is && was != uuid.Nil {
		w.Plan.Sorted("ZREM", records.CustomerQuotesKey(engine.RecordKey{Store: key.Store, ID: was}), id)
	}
	if was != is && is != uuid.Nil {
		w.Plan.Sorted("ZADD", records.CustomerQuotesKey(engine.RecordKey{Store: key.Store, ID: is}), records.Millis(next.CreatedAt), id)
	}
}

// quoteEntries are a quote's entries in the lists of what waits for the merchant and of what is on offer.
func quoteEntries(key engine.RecordKey, q *commerce.Quote) (entries []records.IndexEntry) {
	id := key.ID.String()
	if since, waits := q.Waiting(); waits {
		entries = append(entries, records.IndexEntry{Key: records.WaitingQuotesKey(key.Store), Member: id, Score: records.Millis(since)})
	}
	if q.Offered() {
		entries = append(entries, records.IndexEntry{Key: records.OfferedQuotesKey(key.Store), Member: id, Score: records.Millis(q.ValidUntil)})
	}
	return entries
}

// QuoteID is part of engine.Storage.
func (d *DB) QuoteID(store uuid.UUID, token commerce.KeyHash, deadline time.Time) (uuid.UUID, error) {
	call := readQuoteToken(store, token)
	found, err := d.client.ReadAll([]*redisdb.Call{call}, deadline)
	if err != nil {
		return uuid.Nil, err
	}
	return d.quoteID(call, found[0])
}

// quoteAnswers is the bound of a caller's accepts and declines.
var quoteAnswers = ratelimit.Bound{Limit: commerce.QuoteAnswers}

// QuoteAnswer is part of engine.Storage. It counts and finds in one round trip.
func (d *DB) QuoteAnswer(store uuid.UUID, caller netip.Addr, token *commerce.KeyHash, deadline time.Time) (id uuid.UUID, b engine.Budget, err error) {
	calls := []*redisdb.Call{{
		Script: ratelimit.Script, Keys: []string{ratelimit.QuotesKey(store.String(), caller)},
		Args: ratelimit.Args(1, quoteAnswers, commerce.RateWindow),
	}}
	if token != nil {
		calls = append(calls, readQuoteToken(store, *token))
	}
	found, err := d.client.ReadAll(calls, deadline)
	if err != nil {
		return id, b, err
	}
	reply, err := ratelimit.ParseReply(found[0])
	if err != nil {
		return id, b, err
	}
	if token != nil {
		id, err = d.quoteID(calls[1], found[1])
	}
	return id, reply.Decide(0, quoteAnswers, commerce.RateWindow), err
}

func readQuoteToken(store uuid.UUID, token commerce.KeyHash) *redisdb.Call {
	return redisdb.KeyCall("GET", records.QuoteTokenKey(store, token))
}

// quoteID parses the value of a token's key.
func (d *DB) quoteID(call *redisdb.Call, value any) (uuid.UUID, error) {
	text, there := value.(string)
	id, ok := commerce.ParseID(text)
	if there && !ok {
		return uuid.Nil, d.client.Unreadable(redisdb.ErrCorrupt, call.Keys[0])
	}
	return id, nil
}

// Signature reads the picture that accepted a quote; empty if there is none. Errors:
// ErrUnavailable.
func (d *DB) Signature(ctx context.Context, key engine.RecordKey) (png string, err error) {
	return d.client.ReadKey(ctx, records.SignatureKey(key))
}
