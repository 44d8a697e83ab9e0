package commerce

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Sale is an order to be written, with what it takes.
type Sale struct {
	Store *Store
	// Order has no number yet.
	Order *Order
	// Takes is the stock that leaves, by item.
	Takes []StockAsk
	// Uses are the discounts of which one use is counted.
	Uses []*Discount
}

// Shortage is what a commit found too little of.
type Shortage struct {
	// Stock are the items of which less than Quantity is available, which is Granted.
	Stock []StockAsk
	// Used are the discounts that are used up.
	Used []uuid.UUID
}

func (s *Shortage) available(item uuid.UUID) (Micros, bool) {
	if s == nil {
		return 0, false
	}
	for _, ask := range s.Stock {
		if ask.Item == item {
			return ask.Granted, true
		}
	}
	return 0, false
}

// exhaust is the store with these discounts used up.
func (s *Shortage) exhaust(store *Store) *Store {
	if s == nil || len(s.Used) == 0 {
		return store
	}
	return store.WithUsage(func(d *Discount) int64 {
		if slices.Contains(s.Used, d.ID) {
			return max(d.Used, *d.UsageLimit)
		}
		return d.Used
	})
}

// orderReason is the reason of the events about stock that orders take.
var orderReason = "order"

// StockEvent tells of the stock that the n-th take leaves; nil: no webhook wants it.
func (s *Sale) StockEvent(n int) *Event {
	take := &s.Takes[n]
	a := StockAdjustment{ProductID: take.Item, Quantity: -StockDelta(take.Quantity), Reason: &orderReason}
	if p := s.Store.productOfVariant[take.Item]; p != nil {
		a.ProductID, a.VariantID = p.ID, take.Item
	}
	return a.Event(s.Store, s.Order.PlacedAt)
}

// OrderEvent tells of the order, given as JSON; nil: no webhook wants it.
func (s *Sale) OrderEvent(encode func([]byte, *Order) []byte) *Event {
	if !s.Store.Wants(EventOrderPlaced) {
		return nil
	}
	order := *s.Order
	order.Number = unmade
	e := newEvent(EventOrderPlaced, struct {
		Event      string          `json:"event"`
		StoreID    uuid.UUID       `json:"store_id"`
		Order      json.RawMessage `json:"order"`
		OccurredAt time.Time       `json:"occurred_at"`
	}{EventOrderPlaced, s.Store.ID, encode(nil, &order), order.PlacedAt.UTC().Truncate(time.Second)})
	e.Makes = "number"
	return e
}

// CartEvent tells that the cart is sold; nil: no webhook wants it.
func (s *Sale) CartEvent() *Event {
	if !s.Store.Wants(EventCartConverted) {
		return nil
	}
	return newEvent(EventCartConverted, struct {
		Event      string     `json:"event"`
		StoreID    uuid.UUID  `json:"store_id"`
		CartID     uuid.UUID  `json:"cart_id"`
		OrderID    uuid.UUID  `json:"order_id"`
		QuoteID    *uuid.UUID `json:"quote_id"`
		OccurredAt time.Time  `json:"occurred_at"`
	}{EventCartConverted, s.Store.ID, s.Order.CartID, s.Order.ID, nil, s.Order.PlacedAt.UTC().Truncate(time.Second)})
}
