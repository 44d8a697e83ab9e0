package unpaid

import (
	"context"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// commitTime bounds the time between the reading of orders and the commit of their ends. readAtOnce
// bounds the orders that are read together.
const (
	commitTime = 10 * time.Second
	readAtOnce = 32
)

// endBatch ends the orders of one store that are due, oldest first.
func (u *Orders) endBatch(t outbox.UnpaidTurn) {
	store := t.Store.ID
	defer u.end(store)
	size := batchSize
	crowded, err := u.outbox.Crowded(t.Store, crowdedQueue, commerce.EventOrderCancelled, commerce.EventStockAdjusted)
	if err != nil {
		return
	}
	if crowded {
		size = crowdedBatch
	}
	key := records.DueOrdersKey(store)
	found, err := u.client.ReadAll([]*redisdb.Call{{
		Keys: []string{key}, Args: []any{"ZRANGEBYSCORE", key, "-inf", records.Millis(t.Now), "LIMIT", 0, size},
	}}, u.client.Soon())
	if err != nil {
		return
	}
	ids := redisdb.Texts(found[0])
	b := &batch{Orders: u, turn: &t, writer: records.MakeWriter(), version: &engine.StoreVersion{Store: store, Head: t.Head, HeadKey: stores.HeadKey(store)}}
	for len(ids) > 0 && b.err == nil {
		n := min(len(ids), readAtOnce)
		b.endOrders(ids[:n])
		ids = ids[n:]
	}
}

// batch is the ending of some orders of one store.
type batch struct {
	*Orders
	turn *outbox.UnpaidTurn
	// version has the head that the next call expects.
	version *engine.StoreVersion
	writer  *records.Writer
	err     error
}

// endOrders ends orders in as few calls of the script as possible.
func (b *batch) endOrders(ids []string) {
	store := b.turn.Store.ID
	calls := make([]*redisdb.Call, len(ids))
	for i, id := range ids {
		calls[i] = redisdb.KeyCall("GET", records.KeyPrefix(store, records.Orders.Kind)+id)
	}
	texts, err := b.client.ReadAll(calls, b.client.Soon())
	if err != nil {
		b.err = err
		return
	}
	now, _, err := b.client.Now(context.Background(), b.version.HeadKey)
	if err != nil {
		b.err = err
		return
	}
	var ends []*engine.Visit[*commerce.Order]
	for i := range ids {
		text, _ := texts[i].(string)
		if v := b.visit(ids[i], text, now); v != nil {
			ends = append(ends, v)
		}
	}
	for len(ends) > 0 && b.err == nil {
		ends = ends[b.send(ends):]
	}
}

// visit is the visit that ends an order; nil if the order cannot be ended. One that is none of the
// unpaid leaves their index, and one that cannot be read is put off.
func (b *batch) visit(id, text string, now time.Time) *engine.Visit[*commerce.Order] {
	store := b.turn.Store.ID
	parsed, ok := commerce.ParseID(id)
	key := engine.RecordKey{Store: store, ID: parsed}
	if !ok || text == "" {
		b.remove(id)
		return nil
	}
	old, err := records.Orders.Decode(key, text)
	if err != nil {
		b.client.Unreadable(err, records.Orders.Key(key))
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
	return &engine.Visit[*commerce.Order]{
		Key: key, Seen: old.Stamp, Before: old.State, Writes: true, Judged: now, Tolerance: commitTime, Version: b.version,
		Effects: []engine.Effects{{Effects: effects}}, Next: records.Next(b.writer, &old, next, now),
	}
}

// send commits the first of the visits, and returns their number. An order that has changed meanwhile,
// or whose outcome is not known, is left to the next turn, and so is the rest under other settings.
func (b *batch) send(ends []*engine.Visit[*commerce.Order]) int {
	results, err := b.commit(b.version, ends)
	b.err = err
	for i, r := range results {
		switch {
		case r.Kind == engine.Done && !r.Earlier:
			b.ended.Add(1)
		case r.Kind == engine.Broken:
			b.client.Unreadable(redisdb.BrokenKey(r.Key), "")
			b.delay(ends[i].Key.ID.String(), ends[i].Judged)
		}
	}
	return len(results)
}

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
