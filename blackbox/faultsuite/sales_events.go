package faultsuite

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// receiver takes the events of the sellers' store.
type receiver struct {
	*httptest.Server

	mu     sync.Mutex
	bodies map[string]string // by the id of the event
	events map[string]int    // each id counts once
	faults []string
}

func receive(t testing.TB) *receiver {
	r := &receiver{bodies: map[string]string{}, events: map[string]int{}}
	r.Server = httptest.NewServer(http.HandlerFunc(r.handle))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) handle(_ http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // it is sent again
	}
	var e struct {
		Event, Reason string
		ProductID     string `json:"product_id"`
		Quantity      int
		Order         struct{ ID string }
		Quote         *struct {
			ID         string
			Version    int
			Totals     struct{ Total struct{ Amount int64 } }
			OrderTotal *struct{ Amount int64 } `json:"order_total"`
		}
	}
	err = json.Unmarshal(body, &e)
	id := q.Header.Get("webhook-id")
	r.mu.Lock()
	defer r.mu.Unlock()
	before, known := r.bodies[id]
	switch {
	case err != nil || known && before != string(body):
		r.faults = append(r.faults, fmt.Sprintf("the event %s is %s and was %s", id, body, before))
		return
	case known:
		return
	}
	r.bodies[id] = string(body)
	switch {
	case e.Event == "stock.adjusted":
		r.events[stockEvent(e.ProductID, e.Reason, e.Quantity)]++
	case e.Quote != nil && e.Quote.OrderTotal != nil:
		r.events[quoteEvent(e.Event, e.Quote.ID, e.Quote.Version, e.Quote.OrderTotal.Amount)]++
	case e.Quote != nil:
		r.events[quoteEvent(e.Event, e.Quote.ID, e.Quote.Version, e.Quote.Totals.Total.Amount)]++
	default:
		r.events[e.Event+" "+e.Order.ID]++
	}
}

// quoteEvent names an event of a quote with the version and the total that it shows.
func quoteEvent(event, id string, version int, total int64) string {
	return fmt.Sprintf("%s %s, version %d, %d", event, id, version, total)
}

// stockEvent names a change of stock. Equal changes are counted.
func stockEvent(product, reason string, quantity int) string {
	return fmt.Sprintf("stock.adjusted %s %s %d", product, reason, quantity)
}

// total is the number of events that have come.
func (r *receiver) total() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.bodies)
}

// differences lists the events that came less often than expected, and those that came more often or
// under the id of another.
func (r *receiver) differences(expected map[string]int) (lost, invented []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for event, n := range expected {
		if r.events[event] < n {
			lost = append(lost, fmt.Sprintf("%s came %d times of %d", event, r.events[event], n))
		}
	}
	for event, n := range r.events {
		if expected[event] < n {
			invented = append(invented, fmt.Sprintf("%s came %d times, %d happened", event, n, expected[event]))
		}
	}
	return lost, append(invented, r.faults...)
}

// eventsWithin is the time without a new event after which the missing ones are lost.
const eventsWithin = 20 * time.Second

// checkEvents waits for the expected events. Each comes under one id, and no other event comes.
func (r *repeater) checkEvents(from *receiver, expected map[string]int) {
	want := 0
	for _, n := range expected {
		want += n
	}
	last, before := time.Now(), -1
	for time.Since(last) < eventsWithin {
		n := from.total()
		if n != before {
			before, last = n, time.Now()
		}
		<-time.After(300 * ms) // an event too many comes soon after the last one
		if n == want && from.total() == want {
			break
		}
	}
	lost, invented := from.differences(expected)
	for _, text := range lost {
		r.violate("every event", "%s", text)
	}
	for _, text := range invented {
		r.violate("no other event", "%s", text)
	}
}
