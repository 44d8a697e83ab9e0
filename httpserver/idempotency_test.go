package httpserver

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

const cartURL = cartsPath + "/" + testCart

// writes has a request on every route that accepts an Idempotency-Key.
var writes = []call{
	{method: "POST", path: cartsPath},
	{method: "PATCH", path: cartURL, body: `{"metadata":null}`},
	{method: "POST", path: cartURL + "/lines", body: `{"product_id":"` + testLine + `","quantity":1}`},
	{method: "PATCH", path: linePathOf(testLine), body: `{"quantity":2}`},
	{method: "DELETE", path: linePathOf(testLine)},
}

// with adds header lines to a call.
func (c call) with(lines ...string) call {
	c.header = append(append([]string{}, c.header...), lines...)
	return c
}

// longKey is long enough for every route.
const longKey = "Idempotency-Key: 0123456789abcdef"

// keyOf returns the key that the engine got for a call.
func (h *harness) keyOf(c call) *engine.IdempotencyKey {
	h.t.Helper()
	h.do(c)
	return h.lastRequest().Idempotency
}

func TestWritesHaveAnIdempotencyKeyAndReadsHaveNone(t *testing.T) {
	h := start(t)
	for _, c := range writes {
		key := h.keyOf(c.with(longKey))
		if key == nil || key.Status != h.do(c).status {
			t.Errorf("%s %s: key %+v; want one with the status of the success", c.method, c.path, key)
			continue
		}
		ask := h.engine.asks[len(h.engine.asks)-2]
		if record := strings.HasPrefix(c.path, cartURL); record != (ask.Idempotency != nil) || record && ask.Idempotency.Name != key.Name {
			t.Errorf("%s %s: admission was asked for %v; want the entry of %x where there is a record", c.method, c.path, ask.Idempotency, key.Name)
		}
		if h.lastRequest().Idempotency != nil {
			t.Errorf("%s %s: a key without one being sent", c.method, c.path)
		}
	}
	for _, method := range []string{"GET", "HEAD"} {
		key := h.keyOf(call{method: method, path: cartURL}.with("Idempotency-Key: é"))
		if ask := h.engine.asks[len(h.engine.asks)-1]; key != nil || ask.Idempotency != nil {
			t.Errorf("%s: key %v, %v; want none for a read", method, key, ask.Idempotency)
		}
	}
}

// Method, route, ids and body identify a request; everything else may differ.
func TestWhichRequestsAreTheSame(t *testing.T) {
	h := start(t)
	upper := strings.ToUpper(testCart)
	line := call{method: "PATCH", path: linePathOf(testLine), body: `{"quantity":2}`}.with(longKey)
	same := []call{
		line.with("X-Customer-Token: " + testToken),
		line.with("If-Match: *", "User-Agent: another"),
		{method: "PATCH", path: cartsPath + "/" + upper + "/lines/" + strings.ToUpper(testLine) + "/", body: line.body, header: line.header},
		{method: "PATCH", path: line.path + "?utm=1", body: line.body, header: line.header, chunked: true},
	}
	want := *h.keyOf(line)
	for i, c := range same {
		if got := *h.keyOf(c); got != want {
			t.Errorf("same %d: %+v, want %+v", i, got, want)
		}
	}
	others := []call{
		{method: "DELETE", path: line.path, body: line.body},
		{method: "PATCH", path: line.path, body: `{"quantity": 2}`},
		{method: "PATCH", path: line.path},
		{method: "PATCH", path: linePathOf(testCart), body: line.body},
		{method: "PATCH", path: cartURL, body: line.body},
		{method: "POST", path: cartURL + "/lines", body: line.body},
	}
	requests := map[[16]byte]bool{want.Request: true}
	for i, c := range others {
		got := *h.keyOf(c.with(longKey))
		if got.Name != want.Name || requests[got.Request] {
			t.Errorf("other %d: %+v; want the name %x and a request of its own", i, got, want.Name)
		}
		requests[got.Request] = true
	}
}

// A value of the path that is no id belongs to the request, in whatever way it is percent-encoded.
func TestTheCodeInAPathBelongsToTheRequest(t *testing.T) {
	h := start(t)
	request := func(path string) [16]byte {
		return h.keyOf(call{method: "DELETE", path: cartURL + "/discount" + path}.with(longKey)).Request
	}
	all, one, again, other := request(""), request("/A%20B"), request("/%41%20B"), request("/AB")
	if one != again {
		t.Error("another spelling of a code is another request")
	}
	if one == other || one == all || other == all {
		t.Error("two codes, or all of them, are one request")
	}
}

// The scope of a key is the cart; for POST /carts it is the store, and the customer if a token
// resolves.
func TestOneKeyInTwoScopesIsTwoKeys(t *testing.T) {
	h := start(t)
	names := map[[16]byte]string{}
	note := func(what string, c call) {
		t.Helper()
		name := h.keyOf(c.with(longKey)).Name
		if before, taken := names[name]; taken {
			t.Errorf("%s has the name of %s", what, before)
		}
		names[name] = what
	}
	create := call{method: "POST", path: cartsPath}
	note("a guest's creation", create)
	again := *h.keyOf(create.with(longKey, "X-Customer-Token: nobody's"))
	if names[again.Name] != "a guest's creation" {
		t.Error("a token that does not resolve is in the scope")
	}
	note("a cart", call{method: "PATCH", path: cartURL})
	note("another cart", call{method: "PATCH", path: cartsPath + "/" + testLine})
	for _, customer := range []string{testCart, testLine} {
		h.engine.admission.Visitor = commerce.Visitor{Known: true, CustomerID: uuid.MustParse(customer)}
		note("a creation by "+customer, create)
	}
	other := *h.engine.admission.Store
	other.ID = uuid.UUID{1}
	h.engine.admission.Store, h.engine.admission.Visitor = &other, commerce.Visitor{}
	note("another store's creation", create)
}

func TestWhichKeysAreValid(t *testing.T) {
	h := start(t)
	patch, create := writes[1], writes[0]
	for _, c := range []struct {
		name         string
		call         call
		header       []string
		valid, other bool // in a cart's route, and in POST /carts
	}{
		{"one character", patch, []string{"Idempotency-Key: a"}, true, false},
		{"15 characters", patch, []string{"Idempotency-Key: " + strings.Repeat("a", 15)}, true, false},
		{"16 characters", patch, []string{"Idempotency-Key: " + strings.Repeat("a", 16)}, true, true},
		{"255 characters", patch, []string{"Idempotency-Key: " + strings.Repeat("~", 255)}, true, true},
		{"256 characters", patch, []string{"Idempotency-Key: " + strings.Repeat("a", 256)}, false, false},
		{"nothing", patch, []string{"Idempotency-Key:"}, false, false},
		{"spaces inside", patch, []string{"idempotency-key: \"a b c d e f g h i j\""}, true, true},
		{"beyond ASCII", patch, []string{"Idempotency-Key: 0123456789abcdeé"}, false, false},
		{"two", patch, []string{longKey, longKey}, false, false},
		{"two, one of them empty", patch, []string{longKey, "Idempotency-Key:"}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.t = t
			h.do(patch.with(c.header...))
			if r := h.lastRequest(); (r.Idempotency != nil) != c.valid || (r.Fault == commerce.IdempotencyKeyInvalid) == c.valid {
				t.Errorf("PATCH: key %v, fault %v; want valid %v", r.Idempotency, r.Fault, c.valid)
			}
			if c.other {
				h.expect(create.with(c.header...), 201, h.do(create).body)
				return
			}
			h.expect(create.with(c.header...), 400, message("The idempotency key is not valid."))
		})
	}
	h.t = t
}

// A wrong key goes to the engine with the command. It is judged with the body, and comes first of
// its faults.
func TestTheEngineGetsAWrongKeyWithTheCommand(t *testing.T) {
	h := start(t)
	for _, c := range writes[1:] {
		c.body = "no JSON"
		h.do(c.with("Idempotency-Key:"))
		if r := h.lastRequest(); r.Fault != commerce.IdempotencyKeyInvalid || r.Idempotency != nil || r.Command == nil {
			t.Errorf("%s %s: fault %v, key %v", c.method, c.path, r.Fault, r.Idempotency)
		}
	}
	h.engine.admission.Key = &commerce.APIKey{Scopes: readCarts.Scopes}
	for _, c := range writes {
		h.expect(c.with("Idempotency-Key:"), 403, message("Invalid ability provided."))
	}
}

func TestAReplayIsMarkedAndHasTheFirstStatus(t *testing.T) {
	h := start(t)
	for _, c := range writes {
		h.engine.reply.Replayed = false
		first := h.do(c.with(longKey))
		h.engine.reply.Replayed = true
		again := h.do(c.with(longKey))
		if again.status != first.status || again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s %s: %d %v; want %d, replayed", c.method, c.path, again.status, again.header, first.status)
		}
		if value := first.header.Get("Idempotent-Replayed"); value != "" {
			t.Errorf("%s %s: Idempotent-Replayed is %q the first time", c.method, c.path, value)
		}
	}
}
