package persistence

import (
	"context"
	"strings"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// endBatch ends the orders of one store that are due, oldest first.
func (u *unpaid) endBatch(t outbox.UnpaidTurn) {
	store := t.Store.ID
	defer u.end(store)
	size := batchSize
	crowded, err := u.db.outbox.Crowded(t.Store, crowdedQueue, commerce.EventOrderCancelled, commerce.EventStockAdjusted)
	if err != nil {
		return
	}
	if crowded {
		size = crowdedBatch
	}
	key := records.DueOrdersKey(store)
	found, err := u.db.client.ReadAll([]*redisdb.Call{{
		Keys: []string{key}, Args: []any{"ZRANGEBYSCORE", key, "-inf", records.Millis(t.Now), "LIMIT", 0, size},
	}}, u.db.client.Soon())
	if err != nil {
		return
	}
	ids := listOf(found[0])
	b := &batch{unpaid: u, turn: &t, head: t.Head, writer: u.db.rewriter(store)}
	for len(ids) > 0 && b.err == nil {
		n := min(len(ids), maxVisits)
		b.endOrders(ids[:n])
		ids = ids[n:]
	}
	if b.events {
		u.db.outbox.Announce(store)
	}
}

// batch is the ending of some orders of one store.
type batch struct {
	*unpaid
	turn *outbox.UnpaidTurn
	// head is the head that the next call expects.
	head   string
	writer *rewriter
	events bool
	err    error
}

// endOrders ends orders in as few calls of the script as their asks permit.
func (b *batch) endOrders(ids []string) {
	store := b.turn.Store.ID
	calls := make([]*redisdb.Call, len(ids))
	for i, id := range ids {
		calls[i] = readCall(records.KeyPrefix(store, "order") + id)
	}
	texts, err := b.db.client.ReadAll(calls, b.db.client.Soon())
	if err != nil {
		b.err = err
		return
	}
	now, head, err := b.db.client.Now(context.Background(), stores.HeadKey(store))
	if err == nil {
		err = b.follow(head)
	}
	if err != nil {
		b.err = err
		return
	}
	var together []*sending
	asks := 0
	for i := range ids {
		text, _ := texts[i].(string)
		s := b.visit(ids[i], text, now)
		if s == nil {
			continue
		}
		if asks += s.asks; asks > maxAsks {
			b.commit(together, now)
			together, asks = nil, s.asks
		}
		together = append(together, s)
	}
	b.commit(together, now)
}

// visit is the visit that ends an order; nil if the order cannot be ended. One that is none of the
// unpaid leaves their index, and one that cannot be read is put off.
func (b *batch) visit(id, text string, now time.Time) *sending {
	store := b.turn.Store.ID
	parsed, ok := commerce.ParseID(id)
	key := engine.RecordKey{Store: store, ID: parsed}
	if !ok || text == "" {
		b.remove(id)
		return nil
	}
	old, err := records.Orders.Decode(key, text)
	if err != nil {
		b.db.client.Unreadable(err, records.Orders.Key(key))
		b.delay(id, now)
		return nil
	}
	next, effects, ends := commerce.EndUnpaid(old.State, b.turn.Store, now)
	switch {
	case !ends && old.State.Unpaid():
		b.move(id, old.State.Payment.DueAt)
		return nil
	case !ends:
		b.remove(id)
		return nil
	}
	w := b.writer
	w.sequence++
	return orderVisits.encodeVisit(b.db, &engine.Visit[*commerce.Order]{
		Key: key, Seen: old.Stamp, Before: old.State, Writes: true, Judged: now, Tolerance: rewriteTime,
		Version: &engine.StoreVersion{Store: store, Head: b.head, HeadKey: stores.HeadKey(store)},
		Effects: []engine.Effects{{Effects: effects}},
		Next: engine.Record[*commerce.Order]{
			Stamp:   engine.Stamp{Counter: old.Stamp.Counter + 1, Writer: w.writer, Sequence: w.sequence},
			Writers: old.Remember(w.writer, now), State: next,
		},
	})
}

// commit sends visits in one call. An order that has changed meanwhile, or whose outcome is not known,
// is left to the next turn.
func (b *batch) commit(sendings []*sending, now time.Time) {
	if len(sendings) == 0 || b.err != nil {
		return
	}
	given := &records.Call{Head: b.head, Judged: now, Tolerance: rewriteTime}
	for _, s := range sendings {
		given.Visits = append(given.Visits, &s.Visit)
		b.events = b.events || s.events
	}
	results, err := b.db.Commit(b.turn.Store.ID, b.db.client.Soon(), given)
	if err != nil {
		b.err = err
		return
	}
	for i, r := range results {
		switch r.Kind {
		case engine.Done:
			b.ended.Add(1)
			sendings[i].logBeyond(&results[i])
			if sendings[i].moves {
				b.db.Stores.Entry(b.turn.Store.ID).Moved.Store(true)
			}
		case engine.Broken:
			b.db.client.Unreadable(redisdb.BrokenKey(r.Key), "")
			b.delay(orderID(sendings[i]), now)
		}
	}
}

// follow goes on under another head, if an order has moved it: a use of a discount came back. Under
// other settings the rest is left to the next turn.
func (b *batch) follow(text string) error {
	if text == b.head {
		return nil
	}
	old, err := stores.ParseHead(b.head)
	next, err2 := stores.ParseHead(text)
	if err != nil || err2 != nil || old.Revision != next.Revision {
		return engine.ErrOutdated
	}
	b.head = text
	return nil
}

// orderID is the id of a visit's order.
func orderID(s *sending) string { return s.Key[strings.LastIndexByte(s.Key, ':')+1:] }

// remove takes an entry out of the unpaid orders.
func (b *batch) remove(id string) {
	store := b.turn.Store.ID
	_ = b.do(store, "ZREM", records.DueOrdersKey(store), id)
}

// delay puts an order off that cannot be ended.
func (b *batch) delay(id string, now time.Time) {
	b.delayed.Add(1)
	b.move(id, now.Add(putOff))
}

// move gives an unpaid order another time, unless it is none any more.
func (b *batch) move(id string, at time.Time) {
	store := b.turn.Store.ID
	_ = b.do(store, "ZADD", records.DueOrdersKey(store), "XX", records.Millis(at), id)
}
