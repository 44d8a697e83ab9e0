package answers

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// OrderPlaced is the event of a sale, with the order and its token; nil if no webhook receives it. The commit makes the order's number.
func OrderPlaced(s *commerce.Sale) *commerce.Event {
	if !s.Store.Wants(commerce.EventOrderPlaced) {
		return nil
	}
	order := *s.Order
	order.Number = commerce.Unmade
	e := commerce.NewEvent(commerce.EventOrderPlaced, struct {
		Event      string          `json:"event"`
		StoreID    uuid.UUID       `json:"store_id"`
		Order      json.RawMessage `json:"order"`
		Token      string          `json:"token"`
		OccurredAt time.Time       `json:"occurred_at"`
	}{commerce.EventOrderPlaced, s.Store.ID, StoreOrder.Append(nil, &order), s.Store.OrderToken(order.ID), commerce.EventTime(order.PlacedAt)})
	e.Makes = "number"
	return e
}

// OrderChanged is an event about an order, without its lines; nil if no webhook receives it.
func OrderChanged(n *commerce.OrderNews) *commerce.Event {
	if !n.Store.Wants(n.Event) {
		return nil
	}
	return commerce.NewEvent(n.Event, struct {
		Event      string          `json:"event"`
		StoreID    uuid.UUID       `json:"store_id"`
		Order      json.RawMessage `json:"order"`
		OccurredAt time.Time       `json:"occurred_at"`
	}{n.Event, n.Store.ID, OrderNews.Append(nil, n.Order), commerce.EventTime(n.At)})
}

// QuoteChanged is an event about a quote; nil if no webhook receives it. The commit makes the number of a new quote.
func QuoteChanged(n *commerce.QuoteNews) *commerce.Event {
	if !n.Store.Wants(n.Event) {
		return nil
	}
	quote := *n.Quote
	if quote.Number == 0 {
		quote.Number = commerce.Unmade
	}
	token := ""
	if n.Event == commerce.EventQuoteRequested { // for the mail with the link
		token = n.Store.QuoteToken(quote.ID)
	}
	e := commerce.NewEvent(n.Event, struct {
		Event      string          `json:"event"`
		StoreID    uuid.UUID       `json:"store_id"`
		Quote      json.RawMessage `json:"quote"`
		Token      string          `json:"token,omitempty"`
		OccurredAt time.Time       `json:"occurred_at"`
	}{n.Event, n.Store.ID, Quote.Append(nil, QuoteAt(&quote, n.At)), token, commerce.EventTime(n.At)})
	if n.Quote.Number == 0 {
		e.Makes = "number"
	}
	return e
}

// ContactChanged is an event about a contact; nil if no webhook receives it.
func ContactChanged(name string, s *commerce.Store, c *commerce.Contact, at time.Time) *commerce.Event {
	if !s.Wants(name) {
		return nil
	}
	return commerce.NewEvent(name, struct {
		Event      string          `json:"event"`
		StoreID    uuid.UUID       `json:"store_id"`
		Contact    json.RawMessage `json:"contact"`
		OccurredAt time.Time       `json:"occurred_at"`
	}{name, s.ID, Profile.Append(nil, ProfileView{c, s}), commerce.EventTime(at)})
}
