package answers

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func hookedStore(events ...string) *commerce.Store {
	return &commerce.Store{ID: uuid.UUID{1}, Webhooks: []commerce.Webhook{{Events: events}}}
}

// Events have the merchant's form of an order: with lines when it is placed, without them afterwards.
func TestEventsOfOrders(t *testing.T) {
	store := hookedStore(commerce.EventOrderPlaced, commerce.EventOrderPaid)
	order := &commerce.Order{ID: uuid.UUID{2}, Number: 7, PlacedAt: noon, CustomerNote: "<b>", Lines: []commerce.OrderLine{{Line: commerce.Line{Name: "Tile"}}}}
	paid := OrderChanged(&commerce.OrderNews{Event: commerce.EventOrderPaid, Store: store, Order: order, At: noon})
	const begin = `{"event":"order.paid","store_id":"01000000-0000-0000-0000-000000000000","order":{"id":"02000000-0000-0000-0000-000000000000","number":7,`
	if paid.Name != commerce.EventOrderPaid || paid.Makes != "" || !strings.HasPrefix(string(paid.Body), begin) ||
		!strings.HasSuffix(string(paid.Body), `},"occurred_at":"2026-11-20T12:00:00Z"}`) || strings.Contains(string(paid.Body), `"lines"`) ||
		!strings.Contains(string(paid.Body), `"customer_note":"\u003cb\u003e"`) || !strings.Contains(string(paid.Body), `"restocked":false`) {
		t.Errorf("paid: %+v %s", paid, paid.Body)
	}
	placed := OrderPlaced(&commerce.Sale{Store: store, Order: order})
	head, tail := placed.Split(string(placed.Body))
	if placed.Makes != "number" || !strings.HasSuffix(head, `"number":`) || !strings.Contains(tail, `"lines":[{"id":`) ||
		!strings.Contains(tail, `"token":"`+store.OrderToken(order.ID)+`","occurred_at":`) || order.Number != 7 {
		t.Errorf("placed: %s", placed.Body)
	}
	if e := OrderChanged(&commerce.OrderNews{Event: commerce.EventOrderShipped, Store: store, Order: order}); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
	if e := OrderPlaced(&commerce.Sale{Store: hookedStore(), Order: order}); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
}

// The request of a quote has its token, and a number that the commit makes.
func TestEventsOfQuotes(t *testing.T) {
	store := hookedStore(commerce.EventQuoteRequested, commerce.EventQuoteDeclined)
	quote := &commerce.Quote{ID: uuid.UUID{3}, CreatedAt: noon, ValidUntil: noon}
	requested := QuoteChanged(&commerce.QuoteNews{Event: commerce.EventQuoteRequested, Store: store, Quote: quote, At: noon})
	if _, tail := requested.Split(string(requested.Body)); requested.Makes != "number" || quote.Number != 0 ||
		!strings.HasSuffix(tail, `},"token":"`+store.QuoteToken(quote.ID)+`","occurred_at":"2026-11-20T12:00:00Z"}`) {
		t.Errorf("requested: %s", requested.Body)
	}
	quote.Number = 5
	declined := QuoteChanged(&commerce.QuoteNews{Event: commerce.EventQuoteDeclined, Store: store, Quote: quote, At: noon})
	if declined.Makes != "" || !strings.Contains(string(declined.Body), `"number":5,`) || strings.Contains(string(declined.Body), `"token"`) {
		t.Errorf("declined: %s", declined.Body)
	}
	if e := QuoteChanged(&commerce.QuoteNews{Event: commerce.EventQuoteAccepted, Store: store, Quote: quote}); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
}

func TestEventsOfContacts(t *testing.T) {
	store := hookedStore(commerce.EventContactApproved)
	contact := &commerce.Contact{ID: uuid.UUID{4}, Email: "a@b.co", CreatedAt: noon}
	e := ContactChanged(commerce.EventContactApproved, store, contact, noon)
	const begin = `{"event":"contact.approved","store_id":"01000000-0000-0000-0000-000000000000","contact":{"id":"04000000-0000-0000-0000-000000000000",`
	if !strings.HasPrefix(string(e.Body), begin) || !strings.HasSuffix(string(e.Body), `},"occurred_at":"2026-11-20T12:00:00Z"}`) {
		t.Errorf("approved: %s", e.Body)
	}
	if e := ContactChanged(commerce.EventContactRegistered, store, contact, noon); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
}
