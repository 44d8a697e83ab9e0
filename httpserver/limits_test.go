package httpserver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// unreservedPaths begin the paths of the routes that leave the store's last requests to carts; explainPath and
// pricePath are such routes, too. docs/api/limits.md#budgets-inside-a-store
var unreservedPaths = []string{"/v1/api/catalog/", "/v1/api/configurator/", "/v1/api/stock/"}

// Catalogue, availability, configurator, price and explain yield, and no other route; nor do the routes of the
// merchant's own systems below them.
func TestRoutesThatYieldToCarts(t *testing.T) {
	for i := range routes {
		r := &routes[i]
		below := func(prefix string) bool { return strings.HasPrefix(r.path+"/", prefix) }
		want := slices.ContainsFunc(unreservedPaths, below) && r.record == noRecord || r.path == explainPath || r.path == pricePath
		if r.guards == manageStore || r.guards == readDocument || r.guards == readStore || r.guards == readLevels {
			want = false
		}
		if r.unreserved != want {
			t.Errorf("%s %s unreserved: %v", r.method, r.path, r.unreserved)
		}
	}
}

// The engine hears of it.
func TestRequestIsUnreserved(t *testing.T) {
	for path, want := range map[string]bool{productsPath: true, cartURL: false, cartURL + "/explain": true} {
		h := start(t)
		h.do(call{method: "GET", path: path})
		if got := h.engine.asks[0].Unreserved; got != want {
			t.Errorf("%s unreserved: %v", path, got)
		}
	}
}

// The headers show the limit that leaves less: the store's or the client's, for a read and for a write.
func TestHeadersShowTheTighterLimit(t *testing.T) {
	for _, row := range []struct {
		name             string
		store, client    engine.Budget
		status           int
		limit, remaining string
	}{
		{"no limit of clients", engine.Budget{Granted: true, Limit: 120, Remaining: 7}, engine.Budget{}, 200, "120", "7"},
		{"the client's leaves less", engine.Budget{Granted: true, Limit: 120, Remaining: 7}, engine.Budget{Granted: true, Limit: 60, Remaining: 6}, 200, "60", "6"},
		{"the same", engine.Budget{Granted: true, Limit: 120, Remaining: 7}, engine.Budget{Granted: true, Limit: 60, Remaining: 7}, 200, "120", "7"},
		{"the store's leaves less", engine.Budget{Granted: true, Limit: 120, Remaining: 5}, engine.Budget{Granted: true, Limit: 60, Remaining: 6}, 200, "120", "5"},
		{"a merchant's key has more than the limit",
			engine.Budget{Granted: true, Limit: 120, Remaining: 149}, engine.Budget{Granted: true, Limit: 200, Remaining: 130},
			200, "120", "120"},
		{"refused by the store", engine.Budget{Limit: 120}, engine.Budget{Granted: true, Limit: 60}, 429, "120", "0"},
	} {
		for _, asked := range []call{{method: "GET", path: cartURL}, {method: "PATCH", path: cartURL}} {
			h := start(t)
			h.engine.admission.Budget, h.engine.client = row.store, row.client
			got := h.do(asked)
			if got.status != row.status || got.header.Get("X-RateLimit-Limit") != row.limit || got.header.Get("X-RateLimit-Remaining") != row.remaining {
				t.Errorf("%s, %s: %d with %v", row.name, asked.method, got.status, got.header)
			}
			if refused := got.header.Get("Retry-After") != ""; refused != (row.status == 429) {
				t.Errorf("%s, %s: Retry-After %q", row.name, asked.method, got.header.Get("Retry-After"))
			}
		}
	}
}

// A request that its client may not make is refused without the store's budget, after the suspension.
func TestRefusedClient(t *testing.T) {
	reset := time.Date(2026, 11, 20, 10, 0, 30, 0, time.UTC)
	for _, asked := range []call{{method: "GET", path: cartURL}, {method: "PATCH", path: cartURL}, {method: "GET", path: "/v1/api/me"}} {
		h := start(t)
		h.engine.client = engine.Budget{Limit: 60, RetryAfter: 30 * time.Second, Reset: reset}
		got := h.do(asked)
		if got.status != 429 || got.body != `{"message":"Too Many Attempts."}` {
			t.Errorf("%s: %d %s", asked.path, got.status, got.body)
		}
		wantBudget(t, got, "60", "0", "30", "1795168830")
		if h.engine.admits+h.engine.visits > 0 {
			t.Errorf("%s: the store has counted the request", asked.path)
		}
		wantFigure(t, "per_client", figure(h.server.metrics.refusals.WithLabelValues("429", "per_client")), 1)
	}
	h := start(t)
	h.engine.client, h.engine.admission.Store.Suspended = engine.Budget{Limit: 60}, true
	if got := h.do(call{method: "GET", path: cartURL}); got.status != 403 {
		t.Errorf("a suspended store: %d", got.status)
	}
}

// A refusal for the reserve has a cause of its own, so that it does not look like a limit that is too low.
func TestRefusalForTheReserve(t *testing.T) {
	for reserved, cause := range map[bool]string{true: "reserved_for_carts", false: "store"} {
		h := start(t)
		h.engine.admission.Budget = engine.Budget{Limit: 120, Reserved: reserved}
		if got := h.do(call{method: "GET", path: productsPath}); got.status != 429 {
			t.Errorf("%d %s", got.status, got.body)
		}
		wantFigure(t, cause, figure(h.server.metrics.refusals.WithLabelValues("429", cause)), 1)
	}
}

// A second limit, such as that of logins, is shown if it leaves less than both.
func TestNestedLimitBesideTheClients(t *testing.T) {
	failures := engine.Budget{Granted: true, Limit: 5, Remaining: 4}
	for left, want := range map[int]string{3: "60", 4: "60", 5: "5"} {
		h := start(t)
		h.engine.client, h.engine.failures, h.engine.err = engine.Budget{Granted: true, Limit: 60, Remaining: left}, failures, commerce.CredentialsRefused
		got := h.do(call{method: "POST", path: contactsPath + "/login", body: `{"email":"ada@example.com","password":"a wrong one"}`})
		if got.status != 422 || got.header.Get("X-RateLimit-Limit") != want {
			t.Errorf("%d left for the client: %d with %v", left, got.status, got.header)
		}
	}
}
