package httpserver

import (
	"slices"
	"strings"
	"testing"

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
