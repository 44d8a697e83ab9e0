package httpserver

import (
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

func TestAdmissionGetsKeyCartAndToken(t *testing.T) {
	key, token := commerce.HashSecret([]byte(testKey)), commerce.HashSecret([]byte(testToken))
	var unresolved commerce.KeyHash
	cart := uuid.MustParse(testCart)
	for _, row := range []struct {
		name string
		call call
		want engine.Request
	}{
		{"me", call{method: "GET", path: "/v1/api/me"}, engine.Request{KeyHash: key, Guards: anyKey}},
		{"no key", call{method: "GET", path: "/v1/api/me", anonymous: true}, engine.Request{Guards: anyKey}},
		{"a new cart", call{method: "POST", path: cartsPath}, engine.Request{KeyHash: key}},
		{"a cart", call{method: "GET", path: cartsPath + "/" + testCart}, engine.Request{KeyHash: key, CartID: cart}},
		{"a cart in capitals", call{method: "GET", path: cartsPath + "/5F0C6F0E-8F3A-4A53-9B1A-3A1C5D0E7F11"}, engine.Request{KeyHash: key, CartID: cart}},
		{"a line", call{method: "DELETE", path: linePathOf(testLine)}, engine.Request{KeyHash: key, CartID: cart}},
		{"no UUID", call{method: "GET", path: cartsPath + "/x"}, engine.Request{KeyHash: key}},
		{"a token", call{method: "POST", path: cartsPath, header: []string{"X-Customer-Token: " + testToken}}, engine.Request{KeyHash: key, Token: &token}},
		{"two tokens", call{method: "POST", path: cartsPath, header: []string{"X-Customer-Token: " + testToken, "X-Customer-Token: " + testToken}},
			engine.Request{KeyHash: key, Token: &unresolved}},
		{"a token and an empty one", call{method: "POST", path: cartsPath, header: []string{"X-Customer-Token: " + testToken, "X-Customer-Token:"}},
			engine.Request{KeyHash: key, Token: &unresolved}},
		{"an empty token", call{method: "POST", path: cartsPath, header: []string{"X-Customer-Token: "}}, engine.Request{KeyHash: key}},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := start(t, func(c *Config) { c.RequestTimeout = 3 * time.Second })
			h.do(row.call)
			got := h.engine.asks[0]
			if got.KeyHash != row.want.KeyHash || !sameHash(got.Token, row.want.Token) || got.CartID != row.want.CartID ||
				got.Guards.Fallback != (row.want.Guards == anyKey) {
				t.Errorf("got %+v, want %+v", got, row.want)
			}
			if got.Caller.Addr != netip.IPv4Unspecified() {
				t.Errorf("client: got %v, want 0.0.0.0 for a peer without an IP address", got.Caller)
			}
			if got.Deadline.Sub(got.Began) != 3*time.Second {
				t.Errorf("from %v to %v, want 3s", got.Began, got.Deadline)
			}
		})
	}
}

func sameHash(a, b *commerce.KeyHash) bool { return a == b || a != nil && b != nil && *a == *b }

// The engine judges the request by the facts of its admission.
func TestTheEngineGetsTheAdmittedFacts(t *testing.T) {
	h := start(t)
	h.engine.admission.Visitor = commerce.Visitor{Known: true, CustomerID: uuid.MustParse(testLine)}
	h.engine.admission.Cart.Stamp = engine.Stamp{Counter: 7, Writer: 8, Sequence: 9}
	h.do(call{method: "GET", path: cartsPath + "/" + testCart})
	got, ask := h.lastRequest(), h.engine.asks[0]
	if got.Visitor != h.engine.admission.Visitor || got.Cart.Stamp != h.engine.admission.Cart.Stamp || !got.Now.Equal(testNow) {
		t.Errorf("got %+v, want %+v", got.Facts, h.engine.admission)
	}
	if got.CartID != ask.CartID || !got.Began.Equal(ask.Began) || !got.Deadline.Equal(ask.Deadline) {
		t.Errorf("got cart %v from %v to %v, want the admitted request: %+v", got.CartID, got.Began, got.Deadline, ask)
	}
}

// Spec: Limits, Rate-limit headers.
func TestBudgetHeaders(t *testing.T) {
	reset := time.Date(2026, 11, 20, 10, 0, 30, 0, time.UTC)
	for _, row := range []struct {
		name                                string
		budget                              engine.Budget
		status                              int
		limit, remaining, retry, resetStamp string
	}{
		{"granted", engine.Budget{Granted: true, Limit: 120, Remaining: 7}, 200, "120", "7", "", ""},
		{"more than the limit is left", engine.Budget{Granted: true, Limit: 120, Remaining: 149}, 200, "120", "120", "", ""},
		{"the last one", engine.Budget{Granted: true, Limit: 5}, 200, "5", "0", "", ""},
		{"refused", engine.Budget{Limit: 120, RetryAfter: 30 * time.Second, Reset: reset}, 429, "120", "0", "30", "1795168830"},
		{"rounded up", engine.Budget{Limit: 120, RetryAfter: 30*time.Second + time.Nanosecond, Reset: reset.Add(time.Millisecond)}, 429, "120",
			"0", "31", "1795168831"},
		{"at least a second", engine.Budget{Limit: 120, Reset: reset}, 429, "120", "0", "1", "1795168830"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := start(t)
			h.engine.admission.Budget = row.budget
			got := h.do(call{method: "GET", path: "/v1/api/me"})
			if got.status != row.status {
				t.Errorf("got %d, want %d", got.status, row.status)
			}
			wantBudget(t, got, row.limit, row.remaining, row.retry, row.resetStamp)
		})
	}
}

func TestRefusalsHaveBudgetHeaders(t *testing.T) {
	h := start(t)
	for _, err := range []error{commerce.CartOwned, commerce.NotFound("Cart", testCart), commerce.ProductUnavailable, commerce.InvalidJSON} {
		h.engine.err = err
		got := h.do(call{method: "POST", path: cartsPath})
		if got.header.Get("X-RateLimit-Limit") != "120" || got.header.Get("X-RateLimit-Remaining") != "119" {
			t.Errorf("%v: got %v", err, got.header)
		}
	}
	h.engine.err = engine.ErrUnavailable // a read that was counted
	if got := h.do(call{method: "GET", path: cartURL}); got.status != 503 || got.header.Get("X-RateLimit-Remaining") != "119" {
		t.Errorf("%d with %v; want 503 with the budget", got.status, got.header)
	}
	h.engine.admitErr = engine.ErrUnavailable
	expectNoBudget(t, h.do(call{method: "GET", path: cartURL}))
}

// Header names have the specification's spelling, because people read them.
func TestHeaderSpelling(t *testing.T) {
	for _, name := range [][]byte{headerAllow, headerCache, headerRequestID, headerRetryAfter, headerVary, headerOrigin, headerExpose, headerMethods,
		headerHeaders, headerMaxAge} {
		if want := http.CanonicalHeaderKey(string(name)); string(name) != want {
			t.Errorf("got %s, want %s", name, want)
		}
	}
}
