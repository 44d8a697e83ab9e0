package commerce

import (
	"encoding/json"
	"slices"
	"time"
)

// Event is one message in the store's outbox, for the webhooks.
type Event struct {
	Name string
	// Body is the event as JSON, but for the numbers that the commit makes.
	Body []byte
	// MadeAt are the offsets in Body at which the commit writes those numbers, ascending; nil if there are none.
	MadeAt []int
}

// NewEvent is an event whose body is the given value as JSON.
func NewEvent(name string, body any) *Event {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // the body has only ids, texts, numbers and valid times
	}
	return &Event{Name: name, Body: text}
}

// EventPasswordReset carries a reset token to the store's mailer.
const EventPasswordReset = "contact.password_reset_requested"

// EventStockAdjusted reports a change of stock on hand. Spec: Events.
const EventStockAdjusted = "stock.adjusted"

// EventOrderPlaced reports an order, EventCartConverted a cart that became an order or a quote.
const (
	EventOrderPlaced   = "order.placed"
	EventCartConverted = "cart.converted"
)

// These events report what became of an order after its sale.
const (
	EventOrderPaid      = "order.paid"
	EventOrderCancelled = "order.cancelled"
	EventOrderRefunded  = "order.refunded"
	EventOrderShipped   = "order.shipped"
	EventOrderDelivered = "order.delivered"
	EventOrderReturned  = "order.returned"
)

// These events report the states of a quote.
const (
	EventQuoteRequested = "quote.requested"
	EventQuoteAccepted  = "quote.accepted"
	EventQuoteDeclined  = "quote.declined"
	// EventQuoteOffered is each offer of the merchant.
	EventQuoteOffered         = "quote.offered"
	EventQuoteWithdrawn       = "quote.withdrawn"
	EventQuoteChangeRequested = "quote.change_requested"
)

// EventNames are all events that a webhook can receive.
var EventNames = []string{
	EventStockAdjusted, EventPasswordReset, EventOrderPlaced, EventCartConverted, EventQuoteRequested, EventQuoteAccepted, EventQuoteDeclined,
	EventOrderPaid, EventOrderCancelled, EventOrderRefunded, EventOrderShipped, EventOrderDelivered, EventOrderReturned,
	EventContactRegistered, EventContactApproved, EventQuoteOffered, EventQuoteWithdrawn, EventQuoteChangeRequested,
}

// OrderNews is an event about an order in its state at that time.
type OrderNews struct {
	Event string
	Store *Store
	Order *Order
	// Part is the part that the event is about; nil if it is about none.
	Part *Part
	At   time.Time
}

// orderNews are the effects of a change that only an event reports.
func (in *Input) orderNews(event string, o *Order) Effects {
	return Effects{OrderNews: &OrderNews{Event: event, Store: in.Store, Order: o, At: in.Now}}
}

// partNews are the effects of an event about the part of an order with an index.
func (in *Input) partNews(event string, o *Order, part int) Effects {
	effects := in.orderNews(event, o)
	effects.OrderNews.Part = &o.Parts[part]
	return effects
}

// StockNews is a change of an item's stock on hand.
type StockNews struct {
	Store  *Store
	Change StockAdjustment
	At     time.Time
}

// QuoteNews is an event about a quote in its state at that time.
type QuoteNews struct {
	Event string
	Store *Store
	Quote *Quote
	At    time.Time
}

// EventTime is a time in the form of events.
func EventTime(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// Wants reports whether a webhook of the store receives an event.
func (s *Store) Wants(event string) bool { return s.Receivers(event) > 0 }

// Receivers counts the webhooks of the store that receive an event.
func (s *Store) Receivers(event string) (n int) {
	for i := range s.Webhooks {
		if slices.Contains(s.Webhooks[i].Events, event) {
			n++
		}
	}
	return n
}

// EventContactRegistered reports a new account, EventContactApproved the approval of a business.
const (
	EventContactRegistered = "contact.registered"
	EventContactApproved   = "contact.approved"
)
