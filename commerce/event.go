package commerce

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Event is one message of the store's outbox, on its way to the webhooks.
type Event struct {
	Name string
	// Body is the event as JSON.
	Body []byte
	// Makes is the member of the body whose number the commit makes; empty: there is none. Until
	// then that is -1.
	Makes string
}

// unmade stands in the place of a number that the commit makes, which is never negative.
const unmade = -1

// Split cuts a text that holds the event's body around the number that the commit makes.
func (e *Event) Split(text string) (before, behind string) {
	member := `"` + e.Makes + `":`
	before, behind, found := strings.Cut(text, member+strconv.Itoa(unmade))
	if !found {
		panic("commerce: an event without " + e.Makes) // its own body
	}
	return before + member, behind
}

// newEvent is an event with a body that is JSON.
func newEvent(name string, body any) *Event {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // ids, texts, numbers and times of this age
	}
	return &Event{Name: name, Body: text}
}

// EventPasswordReset carries a reset's token to whoever mails it.
const EventPasswordReset = "contact.password_reset_requested"

// EventStockAdjusted tells of a change of stock on hand. Spec: Events.
const EventStockAdjusted = "stock.adjusted"

// EventOrderPlaced tells of an order, EventCartConverted of a cart that became one.
const (
	EventOrderPlaced   = "order.placed"
	EventCartConverted = "cart.converted"
)

// These tell what has become of a quote.
const (
	EventQuoteRequested = "quote.requested"
	EventQuoteAccepted  = "quote.accepted"
	EventQuoteDeclined  = "quote.declined"
)

// EventNames are the events that a webhook can ask for.
var EventNames = []string{
	EventStockAdjusted, EventPasswordReset, EventOrderPlaced, EventCartConverted, EventQuoteRequested, EventQuoteAccepted, EventQuoteDeclined,
}

// QuoteNews is what an event tells of a quote, as it stands then.
type QuoteNews struct {
	Event string
	Store *Store
	Quote *Quote
	At    time.Time
}

// Message is the event with the quote given as JSON; nil: no webhook wants it. Of a quote that is just
// made the commit makes the number.
func (n *QuoteNews) Message(encode func([]byte, *Quote, time.Time) []byte) *Event {
	if !n.Store.Wants(n.Event) {
		return nil
	}
	quote := *n.Quote
	if quote.Number == 0 {
		quote.Number = unmade
	}
	e := newEvent(n.Event, struct {
		Event      string          `json:"event"`
		StoreID    uuid.UUID       `json:"store_id"`
		Quote      json.RawMessage `json:"quote"`
		OccurredAt time.Time       `json:"occurred_at"`
	}{n.Event, n.Store.ID, encode(nil, &quote, n.At), eventTime(n.At)})
	if n.Quote.Number == 0 {
		e.Makes = "number"
	}
	return e
}

// eventTime is a time as events show it.
func eventTime(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// Wants reports whether a webhook of the store takes an event.
func (s *Store) Wants(event string) bool {
	for i := range s.Webhooks {
		for _, name := range s.Webhooks[i].Events {
			if name == event {
				return true
			}
		}
	}
	return false
}
