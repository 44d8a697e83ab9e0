package httpserver

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/httpserver/front"
	"cartd/httpserver/site"
)

// A search, a filter by attributes and facets wait for their turn until their deadline. Plain lists do
// not.
func TestSearchesTakeTurns(t *testing.T) {
	h := start(t)
	h.server.requestTimeout = 20 * time.Millisecond
	turns, store := h.server.searching, uuid.UUID{9} // another store
	for turns.Begin(store, time.Now()) {             // until none is free
	}
	if turns.Users(store) == 0 {
		t.Fatal("there are no turns")
	}
	for query, want := range map[string]int{"include=facets": 503, "q=blind": 503, "attributes[a]=b": 503, "": 200, "sku=x&price_min=1&in_category=x": 200} {
		if got := h.do(call{method: "GET", path: productsPath + "?" + query}); got.status != want {
			t.Errorf("%s without a turn: %d, want %d", query, got.status, want)
		}
	}
	turns.End(store)
	h.server.requestTimeout = time.Minute
	if got := h.do(call{method: "GET", path: productsPath + "?include=facets&q=blind"}); got.status != 200 || turns.Users(sampleStore().ID) != 0 {
		t.Errorf("with a turn: %d; %d turns are taken afterwards", got.status, turns.Users(sampleStore().ID))
	}
}

// A search ends at its deadline; a list without one is answered from memory.
func TestASearchEndsAtItsDeadline(t *testing.T) {
	h := start(t)
	h.server.requestTimeout = time.Nanosecond
	for query, want := range map[string]int{"q=blind": 503, "q=blined": 503, "": 200} {
		if got := h.do(call{method: "GET", path: productsPath + "?" + query}); got.status != want {
			t.Errorf("%s after the deadline: %d, want %d", query, got.status, want)
		}
	}
}

// The memory of facets and searches counts in the budget of answers, as long as they are made.
func TestFacetsCountAsAnswers(t *testing.T) {
	s := sampleStore()
	for i := range 4000 {
		p := &commerce.Product{ID: uuid.UUID{7, byte(i), byte(i >> 8)}, Slug: fmt.Sprint("s", i), Name: "P", Active: true}
		for _, name := range []string{"A", "B", "C", "D"} {
			p.Attributes = append(p.Attributes, commerce.Attribute{Name: name, Values: []string{fmt.Sprint(i / 2)}})
		}
		s.Products = append(s.Products, p)
	}
	s.Index()
	h := start(t, func(cfg *Config) { cfg.Limits = front.Limits{AnswerBytes: 4 * 60_000} })
	h.engine.show(s)
	for query, want := range map[string]int{"include=facets&per_page=1": 503, "q=p&per_page=1": 200, "per_page=1": 200} {
		if got := h.do(call{method: "GET", path: productsPath + "?" + query}); got.status != want {
			t.Errorf("%s: %d, want %d", query, got.status, want)
		}
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
}

// A file of the program counts as an answer for each client that has not read it, for all clients
// without a key together.
func TestUnreadFilesAreBounded(t *testing.T) {
	const size = 8 << 20 // more than the buffers of a socket
	h, addr := onTCP(t, 100, func(cfg *Config) {
		cfg.Limits.AnswerBytes = 4 * 2 * size
		cfg.Site = []site.Source{{Path: "/large.js", Media: "text/javascript", Packed: fasthttp.AppendGzipBytes(nil, make([]byte, size))}}
	})
	file := call{method: "GET", path: "/large.js", anonymous: true}
	unread := []dialed{send(t, addr, file.wire()), send(t, addr, file.wire())}
	h.awaitAnswers(func(bytes int64) bool { return bytes > size })
	if got := dial(t, addr).asks(file); got.status != 503 || got.header.Get("Retry-After") != "1" {
		t.Errorf("without room: %d, %v", got.status, got.header)
	}
	if got := dial(t, addr).asks(readCart); got.status != 200 {
		t.Errorf("a store's request: %d", got.status)
	}
	for _, client := range unread {
		go io.Copy(io.Discard, client)
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
	head := file
	head.method = "HEAD"
	for range 3 {
		send(t, addr, head.wire())
	}
	if got := dial(t, addr).asks(file); got.status != 200 {
		t.Errorf("with room: %d", got.status)
	}
}
