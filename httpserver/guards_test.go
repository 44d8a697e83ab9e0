package httpserver

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
)

// reason is one reason to refuse a request.
type reason struct {
	name    string
	applies func(*route) bool
	raise   func(*fakeEngine, *call)
	status  int
	body    string
}

func always(*route) bool { return true }

// needs selects the routes of a module.
func needs(m commerce.Module) func(*route) bool {
	return func(r *route) bool { return r.guards != nil && slices.Contains(r.guards.Modules, m) }
}

// takesLines reports whether the body of a route of orders may have lines.
func takesLines(path string) bool {
	return slices.Contains([]string{"cancel", "refunds", "shipments", "returns"}, path[strings.LastIndexByte(path, '/')+1:])
}

// reasons are in the order of judgement. Spec: Authentication; Errors.
var reasons = []reason{
	{"body too large", always,
		func(_ *fakeEngine, c *call) {
			limit := defaultBodyLimit
			switch {
			case strings.HasSuffix(c.path, "/batch"), c.path == pricePath, strings.HasPrefix(c.path, salesPath) && takesLines(c.path),
				c.method == "PATCH" && strings.HasPrefix(c.path, storeQuotesPath+"/"), c.method == "POST" && c.path == storeQuotesPath:
				limit = batchBodyLimit
			case strings.HasSuffix(c.path, "/accept"):
				limit = acceptBodyLimit
			case c.method == "PATCH" && strings.HasPrefix(c.path, catalogPath):
				limit = changeBodyLimit
			}
			c.body = strings.Repeat(" ", limit+1)
		},
		413, message("The request body is too large.")},
	{"Redis away", always,
		func(e *fakeEngine, _ *call) { e.admitErr = engine.ErrUnavailable },
		503, message("Service Unavailable")},
	{"limit by address reached", always,
		func(e *fakeEngine, _ *call) { e.admission.Key, e.admission.Budget.Granted = nil, false },
		429, message("Too Many Attempts.")},
	{"no key", always,
		func(e *fakeEngine, _ *call) { e.admission.Key = nil },
		401, message("Unauthenticated.")},
	{"store suspended", always,
		func(e *fakeEngine, _ *call) { e.admission.Store.Suspended = true },
		403, `{"message":"Tenant suspended.","code":"tenant_suspended"}`},
	{"limit of the store reached", always,
		func(e *fakeEngine, _ *call) {
			if e.admission.Key != nil {
				e.admission.Budget.Granted = false
			}
		},
		429, message("Too Many Attempts.")},
	{"quotes off", func(r *route) bool { return r.guards != nil && r.guards.Quotes },
		func(e *fakeEngine, _ *call) { e.admission.Store.Quotes.Enabled = false },
		404, `{"error":"Module not enabled: sales"}`},
	{"module disabled", needs(commerce.ModuleCommerce),
		func(e *fakeEngine, _ *call) {
			e.admission.Store.Modules = commerce.Modules(0).With(commerce.ModuleSales)
		},
		403, `{"error":"Module not enabled: {module}"}`},
	{"scope missing", func(r *route) bool { return r.guards != nil && r.guards.Scopes != 0 },
		func(e *fakeEngine, _ *call) {
			if e.admission.Key != nil {
				e.admission.Key.Scopes = 0
			}
		},
		403, message("Invalid ability provided.")},
	{"customer token missing", func(r *route) bool { return r.guards != nil && r.guards.Token != nil },
		func(e *fakeEngine, _ *call) { e.admission.Visitor.Known = false },
		401, message("{token}")},
	{"customers module disabled", func(r *route) bool { return r.path == claimPath },
		func(e *fakeEngine, _ *call) {
			e.admission.Store.Modules &^= commerce.Modules(0).With(commerce.ModuleCustomers)
		},
		401, message("Unauthenticated.")},
	{"empty customer token", func(r *route) bool { return r.guards != nil && r.guards.SentToken != nil },
		func(e *fakeEngine, c *call) {
			e.admission.Visitor.Known = false
			c.header = append(c.header, "X-Customer-Token: ")
		},
		401, message("Invalid customer token.")},
	{"path id is no UUID", func(r *route) bool { return r.record == cartRecord },
		func(_ *fakeEngine, c *call) { c.path = strings.Replace(c.path, testCart, "nonsense", 1) },
		404, message("No query results for model [Cart] nonsense")},
	{"refused by the engine", func(r *route) bool { return strings.HasPrefix(r.path, cartsPath) },
		func(e *fakeEngine, _ *call) { e.err = commerce.CartOwned },
		403, message("This cart belongs to a customer.")},
}

// On every route, of two reasons the earlier one answers.
func TestGuardOrder(t *testing.T) {
	h := start(t)
	for i := range routes {
		r := &routes[i]
		if r.guards == nil {
			continue
		}
		for first := range reasons {
			for second := first; second < len(reasons); second++ {
				a, b := &reasons[first], &reasons[second]
				if !a.applies(r) || !b.applies(r) {
					continue
				}
				h.reset()
				c := sample(r)
				a.raise(h.engine, &c)
				b.raise(h.engine, &c)
				got := h.do(c)
				want := a.body
				if len(r.guards.Modules) > 0 {
					want = strings.ReplaceAll(want, "{module}", r.guards.Modules[0].String())
				}
				if r.guards.Token != nil {
					want = strings.ReplaceAll(want, "{token}", r.guards.Token.Message)
				}
				if got.status != a.status || got.body != want {
					t.Errorf("%s %s, %s and %s: got %d %s, want %d %s", r.method, r.path, a.name, b.name, got.status, got.body, a.status, want)
				}
			}
		}
	}
}

// reset makes the engine admit every request again.
func (h *harness) reset() {
	fresh := newFakeEngine()
	fresh.admission.Visitor.Known = true
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	h.engine.admission, h.engine.admitErr = fresh.admission, nil
	h.engine.reply, h.engine.err = fresh.reply, nil
	h.engine.node, h.engine.outdated = nil, 0
	h.engine.admits, h.engine.visits, h.engine.refreshes = 0, 0, 0
	h.engine.asks, h.engine.requests, h.engine.contacts, h.engine.called = nil, nil, nil, nil
}

func TestGuardsLetEverythingElsePass(t *testing.T) {
	h := start(t)
	for i := range routes {
		h.reset()
		if got := h.do(sample(&routes[i])); got.status != routes[i].status {
			t.Errorf("%s %s: got %d %s, want %d", routes[i].method, routes[i].path, got.status, got.body, routes[i].status)
		}
	}
}

func TestKeyGuard(t *testing.T) {
	h := start(t)
	for name, raise := range map[string]func(*engine.Facts){
		"no store":    func(a *engine.Facts) { a.Store = nil },
		"neither":     func(a *engine.Facts) { a.Store, a.Key = nil, nil },
		"revoked key": func(a *engine.Facts) { a.Key = &commerce.APIKey{Scopes: writeCarts.Scopes, Revoked: true} },
	} {
		h.reset()
		raise(&h.engine.admission)
		got := h.do(call{method: "POST", path: cartsPath})
		if got.status != 401 || got.header.Get("X-RateLimit-Remaining") != "119" {
			t.Errorf("%s: got %d %s with %v, want 401 with the budget", name, got.status, got.body, got.header)
		}
	}
}

// Reads need commerce:read, other requests commerce:write. For quotes sales:read and sales:write
// are enough. Spec: Scopes named.
func TestScopesOfCartsAndQuotes(t *testing.T) {
	h := start(t)
	for i := range routes {
		quote := routes[i].path == requestPath || strings.HasPrefix(routes[i].path, quotesPath)
		if !quote && !strings.HasPrefix(routes[i].path, cartsPath) {
			continue
		}
		for _, scope := range []commerce.Scope{commerce.CommerceRead, commerce.CommerceWrite, commerce.SalesRead, commerce.SalesWrite, commerce.CatalogRead} {
			h.engine.admission.Key = &commerce.APIKey{Scopes: commerce.Scopes(0).With(scope)}
			want := scope == commerce.CommerceWrite || quote && scope == commerce.SalesWrite
			if routes[i].method == "GET" && routes[i].path != checkoutPath { // which shows addresses
				want = scope == commerce.CommerceRead || quote && scope == commerce.SalesRead
			}
			if got := h.do(sample(&routes[i])); (got.status != 403) != want {
				t.Errorf("%s %s with %s: got %d", routes[i].method, routes[i].path, scope, got.status)
			}
		}
	}
}

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

// Spec: API key 1. Scheme in any letter case, one key after it.
func TestBearer(t *testing.T) {
	for _, row := range []struct {
		name string
		sent []string
		key  string // empty if unauthenticated
	}{
		{"plain", []string{"Bearer k"}, "k"},
		{"small", []string{"bearer k"}, "k"},
		{"spaces around", []string{"  Bearer   k  "}, "k"},
		{"signs", []string{"Bearer a.b-c_d~e+f/g=="}, "a.b-c_d~e+f/g=="},
		{"none", nil, ""},
		{"no key", []string{"Bearer"}, ""},
		{"a blank key", []string{"Bearer   "}, ""},
		{"no space", []string{"Bearerk"}, ""},
		{"another scheme", []string{"Basic k"}, ""},
		{"a second scheme", []string{"Token Bearer k"}, ""},
		{"two keys", []string{"Bearer k l"}, ""},
		{"key alone", []string{"k"}, ""},
		{"two headers", []string{"Bearer k", "Bearer l"}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var header fasthttp.RequestHeader
			for _, value := range row.sent {
				header.Add("Authorization", value)
			}
			var sent sentHeaders
			sent.read(&header)
			key, ok := bearer(&sent.authorization)
			if string(key) != row.key || ok != (row.key != "") {
				t.Errorf("bearer(%q) = %q, %v, want %q", row.sent, key, ok, row.key)
			}
		})
	}
}

// A key in the query, the body or another header does not count. Spec: API key 1.
func TestOnlyAuthorizationHasTheKey(t *testing.T) {
	h := start(t)
	h.do(call{method: "GET", path: "/v1/api/me?api_key=" + testKey + "&access_token=" + testKey, anonymous: true, body: `{"api_key":"` + testKey + `"}`,
		header: []string{"X-Api-Key: " + testKey, "Cookie: Authorization=Bearer " + testKey}})
	if h.engine.asks[0].Key != nil {
		t.Error("a key was found")
	}
}
