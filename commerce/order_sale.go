package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Sale is a new order or quote with all that it uses up.
type Sale struct {
	Store  *Store
	CartID uuid.UUID
	// Holder is what holds the stock that is sold: the cart, or the quote.
	Holder uuid.UUID
	// Order or Quote is the new record, without its number; the other one is nil.
	Order *Order
	Quote *Quote
	// Signature is the picture that accepted the order's quote; empty if there is none.
	Signature string
	// Takes is the stock that is taken, by item.
	Takes []StockAsk
	// Uses are the uses of discounts that are counted.
	Uses []Use
}

// Numbered reports whether the new record gets a number now: a quote that waits for the merchant gets it with its offer.
func (s *Sale) Numbered() bool { return s.Quote == nil || s.Quote.Version > 0 }

// orderReason is the reason in the stock events of orders.
var orderReason = "order"

// StockNews is the change of the stock on hand by the n-th take.
func (s *Sale) StockNews(n int) *StockNews {
	take := &s.Takes[n]
	return stockNews(s.Store, take.Item, -StockDelta(take.Quantity), &orderReason, s.Order.PlacedAt)
}

func stockNews(s *Store, item uuid.UUID, by StockDelta, reason *string, at time.Time) *StockNews {
	change := StockAdjustment{ProductID: item, Quantity: by, Reason: reason}
	if p := s.productOfVariant.Get(item); p != nil {
		change.ProductID, change.VariantID = p.ID, item
	}
	return &StockNews{s, change, at}
}

// CartEvent reports that the cart is converted; nil if no webhook receives it, or if a quote had
// converted the cart already.
func (s *Sale) CartEvent() *Event {
	if !s.Store.Wants(EventCartConverted) {
		return nil
	}
	body := struct {
		Event      string     `json:"event"`
		StoreID    uuid.UUID  `json:"store_id"`
		CartID     uuid.UUID  `json:"cart_id"`
		OrderID    *uuid.UUID `json:"order_id"`
		QuoteID    *uuid.UUID `json:"quote_id"`
		OccurredAt time.Time  `json:"occurred_at"`
	}{Event: EventCartConverted, StoreID: s.Store.ID, CartID: s.CartID}
	switch {
	case s.Quote != nil:
		body.QuoteID, body.OccurredAt = &s.Quote.ID, EventTime(s.Quote.CreatedAt)
	case s.Order.QuoteID == uuid.Nil:
		body.OrderID, body.OccurredAt = &s.Order.ID, EventTime(s.Order.PlacedAt)
	default:
		return nil
	}
	return NewEvent(EventCartConverted, body)
}
