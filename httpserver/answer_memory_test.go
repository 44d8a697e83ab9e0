package httpserver

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
)

// otherStore is another store than that of the harness.
var otherStore = uuid.UUID{0: 7}

// largeCart makes the engine answer with a cart whose JSON has at least this many bytes.
func largeCart(h *harness, bytes int) {
	c, _, _ := threeLines()
	text := strings.Repeat("x", 1000)
	for len(c.Lines)*len(text) < bytes {
		c.Lines = append(c.Lines, commerce.Line{ID: c.Lines[0].ID, ProductID: c.Lines[0].ProductID, Name: text, Quantity: commerce.One})
	}
	h.engine.reply = engine.Reply{Cart: c, Stamp: engine.Stamp{Counter: 1, Writer: 1, Sequence: 1}, Size: bytes}
}

func (h *harness) awaitAnswers(is func(bytes int64) bool) {
	h.t.Helper()
	await(h.t, "answers to take other memory", func() bool { return is(h.server.Figures().Answers) })
}

var readCart = call{method: "GET", path: cartsPath + "/" + testCart}

// Unread answers take the memory of their store. Beyond its share the store gets 503, reads too;
// once they are read, or their connections end, it is served again.
func TestUnreadAnswersAreBounded(t *testing.T) {
	const answer = 8 << 20 // more than the buffers of a socket
	h, addr := onTCP(t, 100, func(cfg *Config) { cfg.Limits.AnswerBytes = 4 * 3 * answer })
	largeCart(h, answer)
	var unread []dialed
	for range 8 {
		unread = append(unread, send(t, addr, readCart.wire()))
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes > answer })
	small := dial(t, addr)
	refused := false
	for len(unread) < 50 && !refused {
		got := small.asks(readCart)
		if refused = got.status == 503; !refused {
			unread = append(unread, send(t, addr, readCart.wire()))
		} else if got.header.Get("Retry-After") != "1" {
			t.Errorf("refused without Retry-After: %v", got.header)
		}
	}
	if used := h.server.Figures().Answers; !refused || used > 3*answer {
		t.Errorf("refused %v, %d bytes are in use", refused, used)
	}
	for i, client := range unread {
		if i%2 == 0 {
			client.Close()
		} else {
			go io.Copy(io.Discard, client)
		}
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
	if got := small.asks(readCart); got.status != 200 {
		t.Errorf("afterwards: %d", got.status)
	}
}

// A write of a store without any room is refused ahead of its visit: nothing is done.
func TestNoWriteWithoutRoomForItsAnswer(t *testing.T) {
	h := start(t)
	share := int(h.server.Figures().MaxAnswers / 4)
	h.server.front.Answers.Reserve(sampleStore().ID, share)
	for _, c := range []call{{method: "POST", path: cartsPath}, {method: "PATCH", path: readCart.path, body: "{}"}, {method: "GET", path: "/v1/api/me"}} {
		if got := h.do(c); got.status != 503 || h.engine.visits != 0 {
			t.Errorf("%s %s: %d after %d visits; want 503 and none", c.method, c.path, got.status, h.engine.visits)
		}
	}
	h.server.front.Answers.Release(sampleStore().ID, share)
	if got := h.do(call{method: "POST", path: cartsPath}); got.status != 201 {
		t.Errorf("with room: %d", got.status)
	}
}

// An answer to a write is sent also without room, because the write is done.
func TestTheAnswerToAWriteIsSent(t *testing.T) {
	h := start(t, func(cfg *Config) { cfg.Limits.AnswerBytes, cfg.Limits.AnswerParts = 100<<10, 1 })
	largeCart(h, 1<<20)
	if got := h.do(readCart); got.status != 503 {
		t.Errorf("a read: %d", got.status)
	}
	if got := h.do(call{method: "PATCH", path: readCart.path, body: "{}"}); got.status != 200 || len(got.body) < 1<<20 {
		t.Errorf("a write: %d with %d bytes", got.status, len(got.body))
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
}

// A small answer in a buffer that a large one has left counts by its own size.
func TestSmallAnswersInLargeBuffersAreNotCounted(t *testing.T) {
	h := start(t)
	largeCart(h, keptBody/2)
	for range 20 {
		h.raw("GET", readCart.wire())
	}
	c, _, _ := threeLines()
	h.engine.reply = engine.Reply{Cart: c, Stamp: engine.Stamp{Counter: 1, Writer: 1, Sequence: 1}}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
	h.server.front.Answers.Reserve(sampleStore().ID, int(h.server.Figures().MaxAnswers/4)-1000)
	for range 50 {
		if got := h.do(readCart); got.status != 200 {
			t.Fatalf("a small answer: %d", got.status)
		}
	}
}

// As many large answers are made at once as there are processors. An answer about a record is reserved while
// it waits for its turn, a list only in its turn; small answers do not wait.
func TestLargeAnswersAreMadeInTurn(t *testing.T) {
	h := start(t)
	const record = 1 << 20
	largeCart(h, record)
	making := h.server.making
	for range cap(making.buffers) {
		making.Begin(otherStore, time.Now().Add(time.Minute))
	}
	waits := make(chan answer)
	go func() { waits <- h.do(readCart) }()
	h.awaitAnswers(func(bytes int64) bool { return bytes > recordGrowth*record-(64<<10) })
	select {
	case got := <-waits:
		t.Fatalf("a large answer was made without a turn: %d", got.status)
	default:
	}
	if got := h.do(call{method: "GET", path: "/v1/api/me"}); got.status != 200 {
		t.Errorf("a small answer: %d", got.status)
	}
	making.End(otherStore)
	if got := <-waits; got.status != 200 {
		t.Errorf("in its turn: %d", got.status)
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
	for range cap(making.buffers) - 1 {
		making.End(otherStore)
	}
	if n := making.Users(otherStore) + making.Users(sampleStore().ID); n != 0 {
		t.Errorf("%d turns are left", n)
	}
}

// At the deadline of a request whose turn has not come a read is 503. A write is answered: it is done.
func TestTheTurnOfALargeAnswerHasADeadline(t *testing.T) {
	h := start(t, func(cfg *Config) { cfg.RequestTimeout = 50 * time.Millisecond })
	largeCart(h, 1<<20)
	for range cap(h.server.making.buffers) {
		h.server.making.Begin(otherStore, time.Now().Add(time.Minute))
	}
	for _, c := range []struct {
		call
		status int
	}{
		{readCart, 503}, {call{method: "PATCH", path: readCart.path, body: "{}"}, 200},
		{call{method: "GET", path: "/openapi.json", anonymous: true}, 503},
		{call{method: "GET", path: productsPath + "?x=" + strings.Repeat("x", 8<<10)}, 503}, // its links are long
	} {
		if got := h.do(c.call); got.status != c.status {
			t.Errorf("%s %.60s: got %d, want %d", c.method, c.path, got.status, c.status)
		}
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == 0 })
}

// A write of a record that the node knows is refused ahead of its visit if there is no room for the answer,
// although there is room for a small one.
func TestAWriteReservesItsAnswer(t *testing.T) {
	h := start(t)
	share := int(h.server.Figures().MaxAnswers / 4)
	h.server.front.Answers.Reserve(sampleStore().ID, share-(1<<20))
	h.engine.knownSize = 1 << 20
	patch := call{method: "PATCH", path: readCart.path, body: "{}"}
	if got := h.do(patch); got.status != 503 || h.engine.visits != 0 {
		t.Errorf("a large cart: %d after %d visits", got.status, h.engine.visits)
	}
	h.engine.knownSize = 1 << 10
	if got := h.do(patch); got.status != 200 {
		t.Errorf("a small cart: %d", got.status)
	}
	h.awaitAnswers(func(bytes int64) bool { return bytes == int64(share-(1<<20)) })
}

// The price of a basket is a read, although it is a POST: it is refused without room.
func TestThePriceOfABasketIsNoWrite(t *testing.T) {
	h := start(t, func(cfg *Config) { cfg.Limits.AnswerBytes, cfg.Limits.AnswerParts = 100<<10, 1 })
	ask := call{method: "POST", path: pricePath, body: `{"lines": [` + strings.Repeat(`{"product_id": "x", "quantity": 1},`, 49) + `{}]}`}
	if got := h.do(ask); got.status != 503 {
		t.Errorf("got %d, want 503", got.status)
	}
}

// With Gzip an answer above 1 KiB is packed for a client that accepts it, under the same ETag. Smaller ones,
// and those to other clients, are not.
func TestAnswersArePacked(t *testing.T) {
	off, on := start(t), start(t, func(c *Config) { c.Gzip = true })
	packed, small := 0, 0
	for i := range routes {
		r := &routes[i]
		if r.method != "GET" || r.guards == nil || r.api.media == eventStream {
			continue
		}
		for accepted, accepts := range map[string]bool{"gzip": true, "br, GZIP;q=0.5": true, "gzip;q=0": false, "br": false} {
			off.reset()
			on.reset()
			asked := sample(r)
			asked.header = append(asked.header, "Accept-Encoding: "+accepted)
			plain, got := off.do(asked), on.do(asked)
			if plain.header.Get("Content-Encoding") != "" || strings.Contains(strings.Join(plain.header["Vary"], ","), "Accept-Encoding") {
				t.Errorf("%s is packed without --gzip", asked.path)
			}
			want := accepts && len(plain.body) > packedAbove
			coding, body := got.header.Get("Content-Encoding"), got.body
			if coding == "gzip" {
				text, err := fasthttp.AppendGunzipBytes(nil, []byte(body))
				if body = string(text); err != nil {
					t.Fatal(err)
				}
				packed++
			} else if accepts {
				small++
			}
			if (coding == "gzip") != want || body != plain.body || got.header.Get("ETag") != plain.header.Get("ETag") ||
				!strings.Contains(strings.Join(got.header["Vary"], ","), "Accept-Encoding") {
				t.Errorf("%s accepts %q: %q, ETag %q, Vary %q, %d bytes; want packed %v, ETag %q, %d bytes", asked.path, accepted, coding,
					got.header.Get("ETag"), got.header["Vary"], len(body), want, plain.header.Get("ETag"), len(plain.body))
			}
		}
	}
	if packed == 0 || small == 0 {
		t.Errorf("%d answers are packed, %d are too small", packed, small)
	}
}
