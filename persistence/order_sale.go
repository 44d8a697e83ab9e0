package persistence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
	"cartd/persistence/stores"
)

// take adds the asks of a sale, all or nothing: stock, and the uses of discounts. It
// releases the cart's other holds. An ask that takes a discount's last use moves the head.
func (w *sending) take(version *engine.StoreVersion, sale *commerce.Sale, change *commerce.HoldChange) {
	store := version.Store
	keys := stock.KeysOf(store, sale.Holder)
	if len(sale.Takes) > 0 {
		w.Plan.Expiries(stock.HoldsKey(store))
	}
	for _, take := range sale.Takes {
		w.Plan.Take(keys, take.Item.String(), int64(take.Quantity), int64(sale.Store.Backorder(take.Item).Limit))
	}
	if change != nil {
		for _, item := range change.Items {
			if !slices.ContainsFunc(sale.Takes, func(take commerce.StockAsk) bool { return take.Item == item.Item }) {
				w.Plan.Hold(keys, item.Item.String(), 0, 0)
			}
		}
	}
	w.sale, w.whole = sale, &whole{takes: sale.Takes, uses: sale.Uses, usesFrom: w.Plan.Made()}
	for i := range sale.Uses {
		use := &sale.Uses[i]
		if use.Limit == 0 {
			continue
		}
		key, field := stores.CounterOf(store, use)
		w.Plan.Use(key, field, 1, use.Limit)
		if use.Counter == commerce.CountAll {
			w.Plan.IfLast("SET", version.HeadKey, stores.UsedUp(version.Head))
			w.moves = true
		}
	}
	if change != nil {
		w.Plan.Sorted("ZREM", stock.HoldsKey(store), sale.Holder.String())
	}
}

// sell writes a sale's other effects: its uses of discounts without a limit, the expiry of counters, the order or the
// quote, and the cart's event.
func (w *sending) sell(sale *commerce.Sale, stamp engine.Stamp) {
	for i := range sale.Uses {
		use := &sale.Uses[i]
		key, field := stores.CounterOf(sale.Store.ID, use)
		if use.Limit == 0 {
			w.Plan.Hash("HINCRBY", key, field, "1")
		}
		if use.Counter == commerce.CountAll || i > 0 && sale.Uses[i-1].Counter != commerce.CountAll {
			continue // one expiry for each key: the uses of a discount follow each other
		}
		if use.Lasting {
			w.Plan.Write("PERSIST", key)
		} else {
			w.Plan.Write("PEXPIRE", key, stores.UsesKept)
		}
	}
	if sale.Quote != nil {
		w.offer(sale, stamp)
	} else {
		w.order(sale, stamp)
	}
	w.announce(sale.Store.ID, sale.CartEvent())
}

// order writes an order with its number, its index entries, its events, and the signature of
// its quote.
func (w *sending) order(sale *commerce.Sale, stamp engine.Stamp) {
	store, order := sale.Store.ID, sale.Order
	w.Plan.Number(records.OrderNumberKey(store))
	number := w.Plan.Made()
	record := records.AsText(func(dst []byte) []byte {
		return records.AppendOrderBody(dst, &engine.Record[*commerce.Order]{Stamp: stamp, State: order})
	})
	made := []int{number}
	for _, take := range order.Ahead {
		made = append(made, take.Take+1)
	}
	w.Plan.Place("SET", records.Orders.Key(engine.RecordKey{Store: store, ID: order.ID}), record, records.OrderTail(made)...)
	w.Plan.List("RPUSH", records.OrdersKey(store), order.ID.String())
	if customer := sale.Store.CustomerOf(order.Customer, order.Email); customer != uuid.Nil {
		w.Plan.Sorted("ZADD", records.CustomerOrdersKey(engine.RecordKey{Store: store, ID: customer}), records.Millis(order.PlacedAt), order.ID.String())
	}
	w.count(store, order.PlacedAt, soldOrders, soldAmount, order.Totals.Total)
	if order.Unpaid() {
		w.Plan.Sorted("ZADD", records.DueOrdersKey(store), records.Millis(order.Payment.DueAt), order.ID.String())
		w.Plan.Write("SETNX", records.DueTurnKey(store), records.Millis(order.PlacedAt))
		w.events = true
	}
	for i := range sale.Takes {
		w.announce(store, answers.StockAdjusted(sale.StockNews(i)), i+1)
	}
	w.announce(store, answers.OrderPlaced(sale), made...)
	if order.QuoteID != uuid.Nil { // an accepted quote stays
		hash := commerce.HashSecret([]byte(sale.Store.QuoteToken(order.QuoteID)))
		w.Plan.Write("SET", records.QuoteTokenKey(store, hash), order.QuoteID.String())
	}
	if sale.Signature != "" {
		w.Plan.Write("SET", records.SignatureKey(engine.RecordKey{Store: store, ID: order.QuoteID}), sale.Signature)
	}
}

// leftOf returns what each take of a sale left on hand: the first numbers that its visit made.
func leftOf(sale *commerce.Sale, made string) ([]commerce.Micros, error) {
	texts := strings.SplitN(made, "\n", len(sale.Takes)+1)
	if len(texts) <= len(sale.Takes) {
		return nil, redisdb.ErrCorrupt
	}
	left := make([]commerce.Micros, len(sale.Takes))
	for i := range left {
		left[i] = stock.Micros(texts[i])
	}
	return left, nil
}

// lastNumber returns the last number that a visit made: the number of a sale's order or quote.
func lastNumber(made string) (int64, error) {
	n, err := strconv.ParseInt(made[strings.LastIndexByte(made, '\n')+1:], 10, 64)
	if err != nil {
		return 0, redisdb.ErrCorrupt
	}
	return n, nil
}

// shortage returns the items and the uses of which a sale could not be granted enough.
func (w *whole) shortage(granted []int64) *commerce.Shortage {
	found := &commerce.Shortage{}
	if w == nil {
		return found
	}
	for i, take := range w.takes {
		if take.Granted = commerce.Micros(granted[i]); take.Granted < take.Quantity {
			found.Stock = append(found.Stock, take)
		}
	}
	at := w.usesFrom
	for _, use := range w.uses {
		if use.Limit == 0 {
			continue
		}
		if granted[at] == 0 {
			found.Used = append(found.Used, use)
		}
		at++
	}
	return found
}

// offer writes the quote of a request, with its number unless it waits for the merchant. Its stamp is that of the
// cart's commit: later stamps come from the quote's own actor.
func (w *sending) offer(sale *commerce.Sale, stamp engine.Stamp) {
	key, quote := engine.RecordKey{Store: sale.Store.ID, ID: sale.Quote.ID}, sale.Quote
	record := &engine.Record[*commerce.Quote]{Stamp: stamp, State: quote}
	if !sale.Numbered() {
		w.Plan.Write("SET", records.Quotes.Key(key), records.AsText(func(dst []byte) []byte { return records.Quotes.Encode(dst, record, nil) }))
	} else {
		w.Plan.Number(records.QuoteNumberKey(key.Store))
		body := records.AsText(func(dst []byte) []byte { return records.AppendQuoteBody(dst, record) })
		w.Plan.Place("SET", records.Quotes.Key(key), body, records.Placed{Made: w.Plan.Made(), Suffix: records.EndOfNumber})
	}
	w.Plan.Write("PEXPIRE", records.Quotes.Key(key), strconv.FormatInt(records.QuoteEnd(quote).Sub(quote.CreatedAt).Milliseconds(), 10))
	w.listQuote(sale.Store, key, nil, quote)
}

// salesKey is the key of a day's sales, by the hours of UTC (HASH): {<store>}:sales:<day>, hour and counter → count.
func salesKey(store uuid.UUID, at time.Time) string {
	return records.KeyPrefix(store, "sales") + at.UTC().Format(time.DateOnly)
}

// The counters of an hour. Nothing is ever subtracted.
const (
	soldOrders      = " orders"
	soldAmount      = " amount"
	cancelledOrders = " cancelled"
	cancelledAmount = " cancelled_amount"
)

// salesKept is how long a day's sales are kept, in milliseconds.
var salesKept = strconv.FormatInt((40 * 24 * time.Hour).Milliseconds(), 10)

// count adds an order to two counters of its hour.
func (w *sending) count(store uuid.UUID, at time.Time, number, sum string, amount commerce.Amount) {
	key, hour := salesKey(store, at), at.UTC().Format("15")
	w.Plan.Hash("HINCRBY", key, hour+number, "1")
	w.Plan.Hash("HINCRBY", key, hour+sum, strconv.FormatInt(int64(amount), 10))
	w.Plan.Write("PEXPIRE", key, salesKept)
}

// countCancel counts an order that a visit cancels.
func (w *sending) countCancel(v *engine.Visit[*commerce.Order]) {
	if next := v.Next.State; next.Status == commerce.OrderCancelled && v.Before.Status != commerce.OrderCancelled {
		w.count(v.Key.Store, next.CancelledAt, cancelledOrders, cancelledAmount, next.Totals.Total)
	}
}

// giveBack adds the asks of a cancel or a return, which are never short: stock on hand, and the uses of
// discounts. If a discount was used up until then, the ask moves the head.
func (w *sending) giveBack(version *engine.StoreVersion, back *commerce.Return) {
	store := version.Store
	for _, item := range back.Items {
		w.Plan.Return(stock.OnHandKey(store), item.Item.String(), int64(item.Quantity), int64(commerce.MaxStock))
	}
	w.back = back
	for i := range back.Uses {
		use := &back.Uses[i]
		key, field := stores.CounterOf(store, use)
		w.Plan.GiveBack(key, field, 1, use.Limit)
		if use.Counter == commerce.CountAll && use.Limit > 0 {
			w.Plan.IfLast("SET", version.HeadKey, stores.UsedUp(version.Head))
			w.moves = true
		}
	}
}

// indexOrder removes an order from the unpaid orders once it is none any more, and counts a cancelled one.
func indexOrder(w *sending, v *engine.Visit[*commerce.Order]) {
	w.countCancel(v)
	if v.Before.Unpaid() && !v.Next.State.Unpaid() {
		w.Plan.Sorted("ZREM", records.DueOrdersKey(v.Key.Store), v.Key.ID.String())
	}
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
