package httpserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// eventsOf is a request for the events of the test's cart.
func eventsOf(header ...string) call {
	return call{method: "GET", path: cartsPath + "/" + testCart + "/events", header: header}
}

// followed is an open stream of events.
type followed struct {
	h    *harness
	head *http.Response
	body *bufio.Reader
	quit func() error
}

// follow opens a stream.
func (h *harness) follow(c call) *followed {
	h.t.Helper()
	conn, err := h.ln.Dial()
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { conn.Close() })
	_, _ = conn.Write([]byte(c.wire()))
	head, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return &followed{h, head, bufio.NewReader(head.Body), conn.Close}
}

// next returns the lines of the next event; "" at the end of the stream.
func (f *followed) next() string {
	f.h.t.Helper()
	var event strings.Builder
	for {
		line, err := f.body.ReadString('\n')
		if event.WriteString(line); err != nil || line == "\n" {
			return event.String()
		}
	}
}

func (f *followed) want(event string) {
	f.h.t.Helper()
	if got := f.next(); got != event {
		f.h.t.Errorf("event:\n got %q\nwant %q", got, event)
	}
}

// change sets the cart that the next reads find, and notes the change as an actor does.
func (h *harness) change(counter uint64, edit func(*commerce.Cart)) {
	h.engine.mu.Lock()
	next := *h.engine.reply.Cart
	edit(&next)
	h.engine.reply.Cart, h.engine.reply.Stamp = &next, engine.Stamp{Counter: counter}
	h.engine.mu.Unlock()
	h.engine.CartChanged(engine.RecordKey{Store: sampleStore().ID, ID: next.ID}, engine.Stamp{Counter: counter})
}

// fails makes the engine answer with an error.
func (h *harness) fails(err error) {
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	h.engine.err = err
}

func setEmail(to string) func(*commerce.Cart) { return func(c *commerce.Cart) { c.Email = to } }

// shown is the event of the cart as GET shows it now.
func (h *harness) shown() string {
	h.t.Helper()
	got := h.do(call{method: "GET", path: cartsPath + "/" + testCart})
	version, _, _ := strings.Cut(strings.Trim(got.header.Get("ETag"), `"`), ".")
	return "id: " + version + "\nevent: cart\ndata: " + got.body + "\n\n"
}

func ended(reason string) string { return "event: end\ndata: {\"reason\":\"" + reason + "\"}\n\n" }

func wantFigure(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// A stream begins with the cart, and shows it again after each change. Its data is the envelope of
// GET, its id the version in the ETag. A state that was shown is not shown again.
func TestEventsShowEachChange(t *testing.T) {
	h := start(t)
	h.change(1, setEmail("first@example.com"))
	f := h.follow(eventsOf())
	if got := f.head.Header.Get("Content-Type"); f.head.StatusCode != 200 || got != "text/event-stream" {
		t.Fatalf("got %d %s", f.head.StatusCode, got)
	}
	f.want(h.shown())
	for n := uint64(2); n < 6; n++ {
		h.change(n, setEmail(fmt.Sprintf("change%d@example.com", n)))
		h.change(n, setEmail(fmt.Sprintf("change%d@example.com", n)))
		f.want(h.shown())
	}
	h.change(6, func(c *commerce.Cart) { c.Status = commerce.CartConverted })
	f.want(h.shown())
	f.want(ended("converted"))
	f.want("")
	wantFigure(t, "cartd_stream_events_total", figure(h.server.metrics.events), 6)
}

// Last-Event-ID suppresses the first event if it is the version of the cart.
func TestLastEventID(t *testing.T) {
	h := start(t)
	h.change(1, setEmail("a@example.com"))
	first := h.shown()
	id := strings.TrimPrefix(strings.SplitN(first, "\n", 2)[0], "id: ")
	h.change(2, setEmail("b@example.com"))
	for _, other := range []string{id, "", "x", `"` + id + `"`} {
		h.follow(eventsOf("Last-Event-ID: " + other)).want(h.shown())
	}
	h.change(1, setEmail("a@example.com"))
	f := h.follow(eventsOf("Last-Event-ID: " + id))
	h.change(3, setEmail("c@example.com"))
	f.want(h.shown())
}

// The stream of a cart that is not active is complete: the cart and the end. It is no open stream.
func TestEventsOfAClosedCart(t *testing.T) {
	h := start(t)
	for n, status := range []commerce.CartStatus{commerce.CartConverted, commerce.CartMerged} {
		h.change(uint64(n+1), func(c *commerce.Cart) { c.Status = status })
		h.expect(eventsOf(), 200, h.shown()+ended(status.String()))
	}
	id := strings.TrimPrefix(strings.SplitN(h.shown(), "\n", 2)[0], "id: ")
	h.expect(eventsOf("Last-Event-ID: "+id), 200, ended("merged"))
	wantFigure(t, "streams", float64(h.server.Figures().Streams), 0)
}

// The visitor is judged again at each event. A visitor who may not read the cart any more gets no
// further one.
func TestEventsAreJudgedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		reason string
	}{
		"another customer's cart": {commerce.CartOwned, "refused"},
		"a revoked key":           {commerce.Unauthenticated, "refused"},
		"a suspended store":       {commerce.TenantSuspended, "refused"},
		"an expired cart":         {commerce.NotFound("Cart", testCart), "expired"},
		"a fault":                 {errors.New("disk full"), "fault"},
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t)
			h.change(1, setEmail("a@example.com"))
			f := h.follow(eventsOf("X-Customer-Token: " + testToken))
			f.want(h.shown())
			h.fails(c.err)
			h.change(2, setEmail("secret@example.com"))
			f.want(ended(c.reason))
			f.want("")
			asked := h.lastRequest()
			if asked.Token == nil || *asked.Token != commerce.HashSecret([]byte(testToken)) || asked.KeyHash != commerce.HashSecret([]byte(testKey)) ||
				asked.Guards != readCarts {
				t.Errorf("judged by %+v", asked)
			}
			if logged := strings.Contains(h.log.String(), "disk full"); logged != (c.reason == "fault") {
				t.Errorf("logged: %v\n%s", logged, h.log)
			}
		})
	}
}

// A panic while an event is made ends its stream, and is logged.
func TestEventPanics(t *testing.T) {
	h := start(t)
	h.change(1, setEmail("a@example.com"))
	f := h.follow(eventsOf())
	f.want(h.shown())
	h.engine.during = func() { panic("index out of range") }
	h.change(2, setEmail("b@example.com"))
	f.want(ended("fault"))
	if !strings.Contains(h.log.String(), "index out of range") {
		t.Errorf("the panic is not logged:\n%s", h.log)
	}
	h.engine.during = nil
}

// An event that could not be made, because Redis was away, is made later.
func TestEventAfterAnOutage(t *testing.T) {
	h := start(t)
	h.change(1, setEmail("a@example.com"))
	f := h.follow(eventsOf())
	f.want(h.shown())
	h.fails(engine.ErrUnavailable)
	h.change(2, setEmail("b@example.com"))
	h.fails(nil)
	f.want(h.shown()) // at the latest after the next comparison of stamps
}

// Events cost the store's limit nothing: a stream is one request.
func TestEventsAreNotCounted(t *testing.T) {
	h := start(t)
	h.change(1, setEmail("a@example.com"))
	f := h.follow(eventsOf())
	if got := f.head.Header.Get("X-RateLimit-Remaining"); got != "119" || f.head.Header.Get("X-RateLimit-Limit") != "120" {
		t.Errorf("X-RateLimit-Remaining: %q", got)
	}
	f.next()
	for n := uint64(2); n < 6; n++ {
		h.change(n, setEmail(fmt.Sprint(n)))
		f.next()
	}
	if h.engine.admits != 1 || h.engine.visits != 0 {
		t.Errorf("counted %d and %d requests, want 1", h.engine.admits, h.engine.visits)
	}
}

// Beyond the bounds the answer is 503 with Retry-After 60. HEAD opens no stream.
func TestTooManyStreams(t *testing.T) {
	h := start(t)
	h.change(1, setEmail("a@example.com"))
	head := eventsOf()
	head.method = "HEAD"
	var open []*followed
	for range engine.MaxCartWatches {
		if got := h.do(head); got.status != 200 || got.header.Get("Content-Type") != eventStream {
			t.Errorf("HEAD: %d", got.status)
		}
		open = append(open, h.follow(eventsOf()))
	}
	got := h.expect(eventsOf(), 503, message("Service Unavailable"))
	if after := got.header.Get("Retry-After"); after != "60" || got.header.Get("X-RateLimit-Remaining") != "119" {
		t.Errorf("Retry-After: %s, X-RateLimit-Remaining: %s; want 60 and a counted request", after, got.header.Get("X-RateLimit-Remaining"))
	}
	wantFigure(t, `cartd_refusals_total{cause="streams"}`, figure(h.server.metrics.refusals.WithLabelValues("503", "streams")), 1)
	wantFigure(t, "cartd_streams", float64(h.server.Figures().Streams), engine.MaxCartWatches)
	h.change(2, func(c *commerce.Cart) { c.Status = commerce.CartConverted })
	for _, f := range open {
		f.next()
		f.next()
		f.want(ended("converted"))
	}
	h.change(3, func(c *commerce.Cart) { c.Status = commerce.CartActive })
	await(t, "the place of another stream", func() bool { return h.follow(eventsOf()).head.StatusCode == 200 })
}

// A stream is refused as GET is: by its guards, by the owner, and where there is no cart.
func TestEventsAreGuardedAsGet(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
	}{{commerce.CartOwned, 403}, {commerce.NotFound("Cart", testCart), 404}, {engine.ErrUnavailable, 503}} {
		h := start(t)
		h.engine.err = c.err
		get := h.do(call{method: "GET", path: cartsPath + "/" + testCart})
		got := h.expect(eventsOf(), c.status, get.body)
		if retry := got.header.Get("Retry-After"); retry != get.header.Get("Retry-After") {
			t.Errorf("Retry-After: %q, of GET %q", retry, get.header.Get("Retry-After"))
		}
	}
	h := start(t)
	h.expect(call{method: "GET", path: cartsPath + "/x/events"}, 404, message("No query results for model [Cart] x"))
}

// The access log has a line at the end of a stream, with its bytes and its time. No line shows the
// cart's id.
func TestAccessLogOfAStream(t *testing.T) {
	h := start(t)
	h.change(1, setEmail("a@example.com"))
	f := h.follow(eventsOf())
	bytes := len(f.next())
	time.Sleep(20 * time.Millisecond)
	if strings.Contains(h.log.String(), "/events") {
		t.Errorf("logged ahead of the end:\n%s", h.log)
	}
	h.change(2, func(c *commerce.Cart) { c.Status = commerce.CartConverted })
	bytes += len(f.next()) + len(f.next())
	want := fmt.Sprintf(" key=storefront client=0.0.0.0 method=GET path=%s/5f0c6f0e…/events route=%s status=200 bytes=%d duration_ms=",
		cartsPath, eventsPath, bytes)
	await(t, "the line of the access log", func() bool { return strings.Contains(h.log.String(), "route="+eventsPath) })
	if log := h.log.String(); !strings.Contains(log, want) || !strings.Contains(log, f.head.Header.Get("X-Request-Id")) || strings.Contains(log, testCart) {
		t.Errorf("want a line with %q, got\n%s", want, log)
	}
	wantFigure(t, `cartd_streams_ended_total{reason="converted"}`, figure(h.server.metrics.streamEnds.WithLabelValues("converted")), 1)
	wantFigure(t, "answered requests", figure(h.server.metrics.requests.WithLabelValues("GET", eventsPath, "200")), 1)
}

// A stop ends the streams with a pause, and waits for no client.
func TestStopEndsEvents(t *testing.T) {
	h := start(t)
	h.change(1, setEmail("a@example.com"))
	f := h.follow(eventsOf())
	f.want(h.shown())
	if err := h.server.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := f.next(); !strings.HasPrefix(got, "retry: ") || !strings.HasSuffix(got, ended("drain")) {
		t.Errorf("the last event is %q", got)
	}
	f.want("")
}

// A page of an allowed origin may read the stream, and send Last-Event-ID.
func TestEventsForOtherOrigins(t *testing.T) {
	h := start(t, allowShop)
	h.change(1, setEmail("a@example.com"))
	f := h.follow(eventsOf("Origin: " + shop))
	if got := f.head.Header; got.Get("Access-Control-Allow-Origin") != shop || !strings.Contains(got.Get("Access-Control-Expose-Headers"), "Retry-After") {
		t.Errorf("got %v", got)
	}
}

// Streams, changes and clients that leave at the same time leave nothing behind.
func TestEventsAtOnce(t *testing.T) {
	h := start(t)
	h.engine.admission.Store.RateLimit = 1 << 20
	h.change(1, setEmail("a@example.com"))
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for range 20 {
				f := h.follow(eventsOf())
				f.next()
				h.engine.CartChanged(engine.RecordKey{Store: sampleStore().ID, ID: uuid.MustParse(testCart)}, engine.Stamp{Counter: uint64(n)})
				_ = f.quit()
			}
		})
	}
	for n := uint64(2); n < 100; n++ {
		h.change(n, setEmail(fmt.Sprint(n)))
	}
	all.Wait()
	h.change(1000, func(c *commerce.Cart) { c.Status = commerce.CartConverted })
	await(t, "the end of the streams", func() bool { return h.server.Figures().Streams == 0 })
	h.change(1001, func(c *commerce.Cart) { c.Status = commerce.CartActive })
	opened := 0
	await(t, "the places of the others", func() bool {
		if f := h.follow(eventsOf()); f.head.StatusCode == 200 {
			opened++
		}
		return opened == engine.MaxCartWatches
	})
}

// await waits for a state that another goroutine reaches.
func await(t *testing.T, what string, reached func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !reached(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
