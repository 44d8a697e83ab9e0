package httpserver

import (
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// obstacle is one reason not to serve a request.
type obstacle struct {
	name    string
	applies func(*route) bool
	raise   func(*fakeEngine, *call)
	status  int
	body    string
}

func always(*route) bool { return true }

// needs tells the routes of a module.
func needs(m commerce.Module) func(*route) bool {
	return func(r *route) bool { return r.guards != nil && slices.Contains(r.guards.Modules, m) }
}

// obstacles in the order in which they answer. Spec: Authentication; Errors.
var obstacles = []obstacle{
	{"body too large", always,
		func(_ *fakeEngine, c *call) {
			limit := defaultBodyLimit
			if strings.HasSuffix(c.path, "/batch") {
				limit = batchBodyLimit
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
	{"module disabled", needs(commerce.ModuleCommerce),
		func(e *fakeEngine, _ *call) { e.admission.Store.Modules = 0 },
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

// For every route and every pair of obstacles the earlier one a.
func TestGuardOrder(t *testing.T) {
	h := start(t)
	for i := range routes {
		r := &routes[i]
		if r.guards == nil {
			continue
		}
		for first := range obstacles {
			for second := first; second < len(obstacles); second++ {
				a, b := &obstacles[first], &obstacles[second]
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

// reset makes the engine admit everything again.
func (h *harness) reset() {
	fresh := newFakeEngine()
	fresh.admission.Visitor.Known = true
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	h.engine.admission, h.engine.admitErr = fresh.admission, nil
	h.engine.reply, h.engine.err = fresh.reply, nil
	h.engine.node, h.engine.outdated = nil, 0
	h.engine.admits, h.engine.visits, h.engine.refreshes = 0, 0, 0
	h.engine.asks, h.engine.requests, h.engine.called = nil, nil, nil
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

// Spec: Scopes named. Reading asks for commerce:read, everything else for commerce:write.
func TestScopesOfTheCartRoutes(t *testing.T) {
	h := start(t)
	for i := range routes {
		if !strings.HasPrefix(routes[i].path, cartsPath) {
			continue
		}
		for _, scope := range []commerce.Scope{commerce.CommerceRead, commerce.CommerceWrite, commerce.SalesWrite} {
			h.engine.admission.Key = &commerce.APIKey{Scopes: commerce.Scopes(0).With(scope)}
			want := scope == commerce.CommerceWrite
			if routes[i].method == "GET" {
				want = scope == commerce.CommerceRead
			}
			if got := h.do(sample(&routes[i])); (got.status != 403) != want {
				t.Errorf("%s %s with %s: got %d", routes[i].method, routes[i].path, scope, got.status)
			}
		}
	}
}
