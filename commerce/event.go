package commerce

import (
	"encoding/json"
	"strconv"
	"strings"
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
