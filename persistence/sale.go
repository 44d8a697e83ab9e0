package persistence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// saleOf is what a visit sells; nil if it sells nothing. A sale has its visit for itself.
func saleOf(effects []engine.Effects) *commerce.Sale {
	for i := range effects {
		if effects[i].Sale != nil {
			return effects[i].Sale
		}
	}
	return nil
}

// take asks for what a sale takes, all or nothing: stock, and one use of each discount. What the cart
// holds beside that is released. What takes the last use of a discount moves the head.
func (w *wire) take(version *engine.StoreVersion, sale *commerce.Sale, change *commerce.HoldChange) {
	store := version.Store
	keys := records.StockKeys{OnHand: onHandKey(store), Held: heldKey(store), Own: cartHoldKey(store, sale.Order.CartID)}
	if len(sale.Takes) > 0 {
		w.Plan.Expiries(lapsesKey(store))
	}
	for _, take := range sale.Takes {
		w.Plan.Take(keys, take.Item.String(), int64(take.Quantity))
	}
	if change != nil {
		for _, item := range change.Items {
			if !slices.ContainsFunc(sale.Takes, func(take commerce.StockAsk) bool { return take.Item == item.Item }) {
				w.Plan.Hold(keys, item.Item.String(), 0)
			}
		}
	}
	w.limits = w.Plan.Made()
	for _, discount := range sale.Uses {
		if discount.UsageLimit != nil {
			w.Plan.Use(usageKey(store), discount.ID.String(), 1, *discount.UsageLimit)
			w.Plan.IfLast("SET", version.HeadKey, usedUp(version.Head))
		}
	}
	w.sale, w.asks = sale, w.Plan.Made()
	if change != nil {
		w.Plan.Sorted("ZREM", lapsesKey(store), sale.Order.CartID.String())
	}
}

// usedUp is a head with another revision of the usage counts.
func usedUp(head string) string {
	fields := strings.Fields(head)
	fields[usageField] = newRevision()
	return strings.Join(fields, " ")
}

// sell writes what a sale leaves: its uses without a limit, the order with its number, where it is
// found, and its events.
func (w *wire) sell(sale *commerce.Sale, stamp engine.Stamp, encode func([]byte, *commerce.Order) []byte) {
	store, order := sale.Store.ID, sale.Order
	for _, discount := range sale.Uses {
		if discount.UsageLimit == nil {
			w.Plan.Hash("HINCRBY", usageKey(store), discount.ID.String(), "1")
		}
	}
	w.Plan.Number(orderNumberKey(store))
	number := w.Plan.Made()
	record := asText(func(dst []byte) []byte { return appendOrder(dst, order, stamp) })
	w.Plan.Place("SET", orderKey(engine.RecordKey{Store: store, ID: order.ID}), record, number, "")
	w.Plan.List("RPUSH", ordersKey(store), order.ID.String())
	if customer := order.Customer; customer.Bound() && !customer.Guest {
		w.Plan.Sorted("ZADD", customerOrdersKey(engine.RecordKey{Store: store, ID: customer.ID}), millis(order.PlacedAt), order.ID.String())
	}
	for i := range sale.Takes {
		w.announce(store, sale.StockEvent(i), i+1)
	}
	w.announce(store, sale.OrderEvent(encode), number)
	w.announce(store, sale.CartEvent(), 0)
}

// announce writes an event (nil: none) into the outbox, with the number that the visit makes for it.
func (w *wire) announce(store uuid.UUID, e *commerce.Event, made int) {
	switch {
	case e == nil:
		return
	case e.Makes == "":
		w.Plan.List("RPUSH", outboxKey(store), outboxEntry(e))
	default:
		before, behind := e.Split(string(outboxEntry(e)))
		w.Plan.Place("RPUSH", outboxKey(store), before, made, behind)
	}
	w.events = true
}

// lastNumber is the last of what a visit has made: of a sale it is the order's.
func lastNumber(made string) (int64, error) {
	n, err := strconv.ParseInt(made[strings.LastIndexByte(made, '\n')+1:], 10, 64)
	if err != nil {
		return 0, errCorrupt
	}
	return n, nil
}

// shortage is what a visit has found too little of, by what could be granted of its asks.
func (w *wire) shortage(granted []int64) *commerce.Shortage {
	found := &commerce.Shortage{}
	for i, take := range w.sale.Takes {
		if take.Granted = commerce.Micros(granted[i]); take.Granted < take.Quantity {
			found.Stock = append(found.Stock, take)
		}
	}
	at := w.limits
	for _, discount := range w.sale.Uses {
		if discount.UsageLimit == nil {
			continue
		}
		if granted[at] == 0 {
			found.Used = append(found.Used, discount.ID)
		}
		at++
	}
	return found
}
