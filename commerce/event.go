package commerce

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Event is one message in the store's outbox, for the webhooks.
type Event struct {
	Name string
	// Body is the event as JSON.
	Body []byte
	// Makes is the member of the body whose number the commit makes; empty if there is none. Until the
	// commit the number is Unmade.
	Makes string
}

// Unmade is the placeholder for a number that the commit makes. Such a number is never negative.
const Unmade = -1

// Split returns the parts ahead of and after the number that the commit makes, in a text that
// contains the event's body.
func (e *Event) Split(text string) (head, tail string) {
	member := `"` + e.Makes + `":`
	head, tail, found := strings.Cut(text, member+strconv.Itoa(Unmade))
	if !found {
		panic("commerce: an event without " + e.Makes) // every event with Makes has the member
	}
	return head + member, tail
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
)

// These events report the states of a quote.
const (
	EventQuoteRequested = "quote.requested"
	EventQuoteAccepted  = "quote.accepted"
	EventQuoteDeclined  = "quote.declined"
)

// EventNames are all events that a webhook can receive.
var EventNames = []string{
	EventStockAdjusted, EventPasswordReset, EventOrderPlaced, EventCartConverted, EventQuoteRequested, EventQuoteAccepted, EventQuoteDeclined,
	EventOrderPaid, EventOrderCancelled, EventOrderRefunded, EventOrderShipped, EventOrderDelivered,
	EventContactRegistered, EventContactApproved,
}

// OrderNews is an event about an order in its state at that time.
type OrderNews struct {
	Event string
	Store *Store
	Order *Order
	At    time.Time
}

// orderNews are the effects of a change that only an event reports.
func (in *Input) orderNews(event string, o *Order) Effects {
	return Effects{OrderNews: &OrderNews{Event: event, Store: in.Store, Order: o, At: in.Now}}
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
