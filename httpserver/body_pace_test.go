package httpserver

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/front"
)

// A body that does not go on is 408 long before the request's time-out. The request counts once, and is
// not judged; without a valid key it counts for its address; on a route without a limit not at all.
func TestLateBodiesAreCountedOnce(t *testing.T) {
	h, addr := onTCP(t, 100, func(cfg *Config) { cfg.Limits.BodyTime = 30 * time.Millisecond })
	patch := func(headers ...string) string { return headOf("PATCH", cartsPath+"/"+testCart, headers...) }
	spaces := func(n int) string { return strings.Repeat(" ", n) }
	const kept, dropped, none = 1, 1, 0
	for name, row := range map[string]struct {
		wire    string
		counted int
	}{
		"nothing":                          {patch("Content-Length: 65536"), kept},
		"a small body":                     {patch("Content-Length: 2"), kept},
		"one byte":                         {patch("Content-Length: 65536") + "{", kept},
		"17 KiB":                           {patch("Content-Length: 65536") + spaces(17<<10), kept},
		"all but the last byte":            {patch("Content-Length: 65536") + spaces(65535), kept},
		"chunks":                           {patch("Transfer-Encoding: chunked") + "2\r\n{}\r\n", kept},
		"no chunk":                         {patch("Transfer-Encoding: chunked"), kept},
		"a body for a read":                {headOf("GET", cartsPath+"/"+testCart, "Content-Length: 2") + "{", dropped},
		"a change set":                     {headOf("PATCH", catalogPath, "Content-Length: 1048576") + spaces(70<<10), kept},
		"after 100 Continue":               {patch("Content-Length: 2", "Expect: 100-Continue"), kept},
		"ping":                             {headOf("GET", "/v1/ping", "Content-Length: 2") + "{", none},
		"an unknown path":                  {headOf("POST", "/v1/unknown", "Content-Length: 2") + "{", none},
		"another method":                   {headOf("PUT", cartsPath, "Content-Length: 2") + "{", none},
		"the second request of a pipeline": {patch("Content-Length: 2") + "{}" + patch("Content-Length: 2"), kept},
	} {
		h.reset()
		client := send(t, addr, row.wire)
		if strings.Contains(name, "second") {
			if got := client.reads(); got.status != 200 || got.closed {
				t.Errorf("%s: the first is %d %s", name, got.status, got.body)
			}
		}
		if strings.Contains(name, "Continue") {
			if got := client.reads(); got.status != 100 {
				t.Errorf("%s: got %d first", name, got.status)
			}
		}
		got := client.reads()
		if got.status != 408 || got.body != message("Request Timeout") || !got.closed || got.header.Get("Retry-After") != "" {
			t.Errorf("%s: got %d %s, closed %v, want 408, closed", name, got.status, got.body, got.closed)
		}
		limit, remaining := "", ""
		if row.counted > 0 {
			limit, remaining = "120", "119"
		}
		if got.header.Get("X-RateLimit-Limit") != limit || got.header.Get("X-RateLimit-Remaining") != remaining {
			t.Errorf("%s: the budget is %v", name, got.header)
		}
		if h.engine.admits != row.counted {
			t.Errorf("%s: %d requests are counted, want %d", name, h.engine.admits, row.counted)
		}
		if n := len(h.engine.called); n > 0 && !strings.Contains(name, "second") {
			t.Errorf("%s: the engine was called %v", name, h.engine.called)
		}
	}
	h.reset()
	h.engine.admission.Store, h.engine.admission.Key = nil, nil
	if got := send(t, addr, patch("Content-Length: 65536")).reads(); got.status != 408 || h.engine.admits != 1 {
		t.Errorf("without a valid key: %d, %d counted; want 408, one", got.status, h.engine.admits)
	}
	h.reset()
	h.engine.admission.Budget = engine.Budget{Limit: 120, RetryAfter: time.Second}
	if got := send(t, addr, patch("Content-Length: 65536")).reads(); got.status != 408 || got.header.Get("X-RateLimit-Remaining") != "0" ||
		got.header.Get("Retry-After") != "" {
		t.Errorf("beyond the limit: %d with %v; want 408", got.status, got.header)
	}
	h.reset()
	h.engine.admitErr = engine.ErrUnavailable
	if got := send(t, addr, patch("Content-Length: 65536")).reads(); got.status != 408 || got.header.Get("X-RateLimit-Limit") != "" {
		t.Errorf("while it cannot be counted: %d with %v; want 408", got.status, got.header)
	}
	if n := h.server.Figures().Bodies; n != 0 {
		t.Errorf("%d bytes are reserved", n)
	}
}

// A body beyond 1 KiB is not let in if the head shows that the request will be refused: the refusal is
// answered although the rest never comes, and the request counts once. A small body is read first.
func TestBodiesOfRefusedRequestsAreNotLetIn(t *testing.T) {
	h, addr := onTCP(t, 100, func(cfg *Config) { cfg.Limits.BodyBytes = 1 })
	for name, row := range map[string]struct {
		edit   func(*engine.Facts)
		status int
	}{
		"a missing scope":   {func(f *engine.Facts) { f.Key = &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceRead)} }, 403},
		"a disabled module": {func(f *engine.Facts) { s := *f.Store; s.Modules = 0; f.Store = &s }, 403},
		"a suspended store": {func(f *engine.Facts) { s := *f.Store; s.Suspended = true; f.Store = &s }, 403},
	} {
		for _, head := range []string{headOf("PATCH", cartsPath+"/"+testCart, "Content-Length: 65536"),
			headOf("POST", cartsPath+"/"+testCart+"/lines/batch", "Transfer-Encoding: chunked") + "10000\r\n"} {
			h.reset()
			row.edit(&h.engine.admission)
			if got := send(t, addr, head+strings.Repeat(" ", 2*front.FirstBody)).reads(); got.status != row.status || !got.closed ||
				got.header.Get("X-RateLimit-Remaining") != "119" {
				t.Errorf("%s: got %d %s, closed %v; want %d with the budget, closed", name, got.status, got.body, got.closed, row.status)
			}
			if h.engine.admits != 1 {
				t.Errorf("%s: %d requests are counted, want one", name, h.engine.admits)
			}
		}
		h.reset()
		row.edit(&h.engine.admission)
		if got := dial(t, addr).asks(patchOf(front.FirstBody)); got.status != row.status || got.closed {
			t.Errorf("%s, a small body: got %d, closed %v; want %d, open", name, got.status, got.closed, row.status)
		}
	}
	h.reset()
	wantOverload(t, dial(t, addr).asks(patchOf(2*front.FirstBody))) // who may send a body needs memory for it
	if n := h.server.Figures().Bodies; n != 0 {
		t.Errorf("%d bytes are reserved", n)
	}
}

// A client has a bounded number of unfinished bodies. A further one waits until one of them is
// finished. Small bodies and other clients do not wait.
func TestAClientsBodiesWaitForEachOther(t *testing.T) {
	const places = 8
	h, addr := onTCP(t, 100, func(cfg *Config) { cfg.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	from := func(client string, c call) call {
		c.header = append(c.header, "X-Forwarded-For: "+client)
		return c
	}
	const one, alsoOne, other = "2001:db8::1", "2001:db8::2", "192.0.2.1"
	var unfinished []dialed
	wire := from(one, patchOf(2*front.FirstBody)).wire()
	for range places {
		unfinished = append(unfinished, send(t, addr, wire[:len(wire)-1]))
	}
	h.awaitReserved(places * front.FirstBody)
	waiting := send(t, addr, from(alsoOne, patchOf(2*front.FirstBody)).wire())
	for name, c := range map[string]call{"small": from(one, patchOf(front.FirstBody)), "another client's": from(other, patchOf(2*front.FirstBody))} {
		if got := dial(t, addr).asks(c); got.status != 200 {
			t.Errorf("%s: got %d %s, want 200", name, got.status, got.body)
		}
	}
	h.engine.mu.Lock()
	if asked := len(h.engine.asks); asked != 2 {
		t.Errorf("%d requests were admitted, want two: the others wait", asked)
	}
	h.engine.mu.Unlock()
	io.WriteString(unfinished[0], wire[len(wire)-1:])
	for _, d := range []dialed{unfinished[0], waiting} {
		if got := d.reads(); got.status != 200 {
			t.Errorf("after one was finished: got %d %s, want 200", got.status, got.body)
		}
	}
}

// Beyond the places a body waits up to its 408, and a body that has gone gives its place back.
func TestAWaitingBodyIsTimedOut(t *testing.T) {
	_, addr := onTCP(t, 100, func(cfg *Config) {
		cfg.Limits.ClientBodies, cfg.Limits.BodyTime = 1, 30*time.Millisecond
	})
	wire := patchOf(2 * front.FirstBody).wire()
	var all []dialed
	for range 3 {
		all = append(all, send(t, addr, wire[:len(wire)-1]))
	}
	for _, d := range all {
		if got := d.reads(); got.status != 408 {
			t.Errorf("got %d %s, want 408", got.status, got.body)
		}
	}
	if got := dial(t, addr).asks(patchOf(2 * front.FirstBody)); got.status != 200 {
		t.Errorf("afterwards: got %d %s, want 200", got.status, got.body)
	}
}

// A packed change set of at most 1 KiB that unpacks beyond 64 KiB has its own store's turn.
func TestSmallPackedBodiesHaveTheirStoresTurn(t *testing.T) {
	h := start(t)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprintf(w, `{"format":1%s}`, strings.Repeat(" ", 2*defaultBodyLimit))
	w.Close()
	if packed.Len() > front.FirstBody {
		t.Fatalf("%d bytes packed, want at most %d", packed.Len(), front.FirstBody)
	}
	asks := func(taken uuid.UUID) int {
		large := h.server.front.LargeBodies
		if !large.Reserve(taken, changeBodyLimit) {
			t.Fatal("no room for a large body")
		}
		defer large.Release(taken, changeBodyLimit)
		return h.do(call{method: "PATCH", path: catalogPath, body: packed.String(), header: []string{"Content-Encoding: gzip"}}).status
	}
	own := h.engine.admission.Store.ID
	for taken, want := range map[uuid.UUID]int{uuid.Nil: 200, {1}: 200, own: 503} {
		if got := asks(taken); got != want {
			t.Errorf("while %v has a large body: got %d, want %d", taken, got, want)
		}
	}
	if used, _ := h.server.front.LargeBodies.Figures(); used != 0 {
		t.Errorf("%d bytes are reserved", used)
	}
}
