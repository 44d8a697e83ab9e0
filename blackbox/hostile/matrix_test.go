package hostile

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// The credentials of the matrix. The attacked store is the demo's, with other keys; the other store has
// the same customers, products and ids, and the owner's e-mail with another domain.
const (
	fullKey    = "key-with-every-scope"
	revokedKey = "key-that-is-revoked"
	otherKey   = "key-of-the-other-store"

	owner        = "demo-token-ada"
	stranger     = "demo-token-trade"
	expiredToken = "token-that-has-expired"

	ownersEmail = "ada@example.com"
	ownersLogin = `{"email":"` + ownersEmail + `","password":"northwind-ada"}`
	ownersStore = "11111111-1111-4111-8111-111111111111"
)

const strangersLogin = `{"email":"inkoop@vandijk.example.com","password":"northwind-trade"}`

// scopes are all scopes; each has a key of its own.
var scopes = []string{
	"commerce:read", "commerce:write", "contacts:read", "contacts:write", "catalog:read", "catalog:write", "sales:read", "sales:write",
	"customers:read", "customers:write", "orders:read", "orders:write", "catalog:manage",
	"contacts:manage", "sales:manage", "store:read",
}

func keyOf(scope string) string { return "key-with-only-" + scope }

// door is one route with its answer to each kind of caller.
type door struct {
	method, path string
	// scopes are those of which a key needs one: "" for none, "open" for a route without a key.
	scopes string
	body   string
	// of is the record that the caller names. It belongs to the owner.
	of fixture
	// without, stranger, broken and owner are the statuses for a key with every scope and no token,
	// another customer's token, a token that does not resolve, and the owner's token.
	without, stranger, broken, owner int
	// other is the status for the other store's key and its own owner's token.
	other int
}

// fixture is a record of the attacked store, made anew where a request may change it.
type fixture string

const (
	nothing  fixture = ""
	cart     fixture = "a cart of the owner with a line and a code"
	order    fixture = "an order of the owner"
	paid     fixture = "a paid order of the owner"
	shipped  fixture = "a shipped order of the owner"
	quote    fixture = "a quote of the owner"
	address  fixture = "an address of the owner"
	account  fixture = "the owner's account"
	session  fixture = "a session of the owner"
	contents fixture = "the store's document"
	external fixture = "an account whose customer logs in elsewhere"
)

const (
	aProduct  = "10000000-0000-4000-8000-000000000901"
	aStocked  = "10000000-0000-4000-8000-000000000201"
	aBlind    = "10000000-0000-4000-8000-000000000101"
	aCategory = "30000000-0000-4000-8000-000000000001"
	aVoucher  = "60000000-0000-4000-8000-000000000020"
	aCode     = "SHIP3"

	place    = `{"name":"Ada Lovelace","street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL"}`
	delivery = `"shipping_method_id":"70000000-0000-4000-8000-000000000001","shipping_address":` + place
	line     = `{"product_id":"` + aProduct + `","quantity":1}`
	blind    = `{"dimensions":{"width":1200,"height":1500},"choices":["blackout","blackout-night","wall-mount","chain"]}`

	carts  = "/v1/api/commerce/carts"
	orders = "/v1/api/commerce/orders"
	sales  = "/v1/api/orders"
	quotes = "/v1/api/sales/quotes"
	asked  = "/v1/api/quotes"
	me     = "/v1/api/contacts/me"
	in     = "/v1/api/contacts"
	goods  = "/v1/api/catalog/products"
)

// doors has a row for every route of the API's description.
var doors = []door{
	{"GET", "/healthz", "open", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/readyz", "open", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/openapi.json", "open", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/docs", "open", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/docs/redoc.js", "open", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/ping", "open", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/me", "", "", nothing, 200, 200, 200, 200, 200},

	// A cart with an account is the account's.
	{"POST", carts, "commerce:write", "", nothing, 201, 201, 201, 201, 201},
	{"GET", carts, "commerce:read", "", cart, 401, 200, 401, 200, 200},
	{"GET", carts + "/{id}", "commerce:read", "", cart, 403, 403, 403, 200, 404},
	{"PATCH", carts + "/{id}", "commerce:write", `{"metadata":{"a":1}}`, cart, 403, 403, 403, 200, 404},
	{"GET", carts + "/{id}/events", "commerce:read", "", cart, 403, 403, 403, 200, 404},
	{"POST", carts + "/{id}/lines", "commerce:write", line, cart, 403, 403, 403, 201, 404},
	{"PATCH", carts + "/{id}/lines/{lineId}", "commerce:write", `{"quantity":2}`, cart, 403, 403, 403, 200, 404},
	{"DELETE", carts + "/{id}/lines/{lineId}", "commerce:write", "", cart, 403, 403, 403, 200, 404},
	{"POST", carts + "/{id}/lines/batch", "commerce:write", `{"lines":[` + line + `]}`, cart, 403, 403, 403, 201, 404},
	{"POST", carts + "/{id}/claim", "commerce:write", "", cart, 401, 403, 401, 200, 404},
	{"POST", carts + "/{id}/copy", "commerce:write", "", cart, 403, 403, 403, 201, 404},
	{"POST", carts + "/{id}/discount", "commerce:write", `{"code":"` + aCode + `"}`, cart, 403, 403, 403, 200, 404},
	{"DELETE", carts + "/{id}/discount", "commerce:write", "", cart, 403, 403, 403, 200, 404},
	{"DELETE", carts + "/{id}/discount/{code}", "commerce:write", "", cart, 403, 403, 403, 200, 404},
	{"GET", carts + "/{id}/explain", "commerce:read", "", cart, 403, 403, 403, 200, 404},
	{"GET", carts + "/{id}/shipping-methods", "commerce:read", "", cart, 403, 403, 403, 200, 404},
	{"GET", carts + "/{id}/checkout", "commerce:write", "", cart, 403, 403, 403, 200, 404},
	{"PATCH", carts + "/{id}/checkout", "commerce:write", "{" + delivery + "}", cart, 403, 403, 403, 200, 404},
	{"POST", carts + "/{id}/checkout", "commerce:write", "{" + delivery + "}", cart, 403, 403, 401, 201, 404},
	{"POST", carts + "/{id}/quote-request", "commerce:write sales:write", `{"email":"` + ownersEmail + `"}`, cart, 403, 403, 401, 201, 404},

	// A basket is no cart: a bad token is a guest's.
	{"POST", "/v1/api/commerce/price", "commerce:read", `{"lines":[` + line + `]}`, nothing, 200, 200, 200, 200, 200},

	// An order or a quote is its account's, or of anyone who has its token.
	{"GET", orders, "commerce:read", "", order, 401, 200, 401, 200, 200},
	{"GET", orders + "/{id}", "commerce:read", "", order, 401, 404, 401, 200, 404},
	{"POST", orders + "/{id}/copy", "commerce:write", "", order, 401, 404, 401, 201, 404},
	{"POST", orders + "/by-token/{token}/copy", "commerce:write", "", order, 201, 201, 201, 201, 404},
	{"POST", orders + "/{id}/cancel", "commerce:write", "", order, 401, 404, 401, 200, 404},
	{"POST", orders + "/by-token/{token}/cancel", "commerce:write", "", order, 200, 200, 200, 200, 404},
	{"GET", orders + "/by-token/{token}", "commerce:read", "", order, 200, 200, 200, 200, 404},
	{"GET", quotes, "commerce:read sales:read", "", quote, 401, 200, 401, 200, 200},
	{"GET", quotes + "/{id}", "commerce:read sales:read", "", quote, 401, 404, 401, 200, 404},
	{"GET", quotes + "/by-token/{token}", "commerce:read sales:read", "", quote, 200, 200, 200, 200, 404},
	{"GET", quotes + "/by-token/{token}/shipping-methods", "commerce:read sales:read", "", quote, 200, 200, 200, 200, 404},
	{"POST", quotes + "/by-token/{token}/accept", "commerce:write sales:write", `{"signer_name":"A",` + delivery + `}`, quote, 201, 201, 201, 201, 404},
	{"POST", quotes + "/by-token/{token}/decline", "commerce:write sales:write", `{}`, quote, 200, 200, 200, 200, 404},
	{"POST", quotes + "/by-token/{token}/change-request", "commerce:write sales:write", `{"message":"m"}`, quote, 200, 200, 200, 200, 404},

	// The merchant's own systems: the key alone decides.
	{"GET", sales, "orders:read", "", order, 200, 200, 200, 200, 200},
	{"GET", sales + "/{id}", "orders:read", "", order, 200, 200, 200, 200, 404},
	{"POST", sales + "/{id}/payment", "orders:write", `{"reference":"r","amount":{total}}`, order, 200, 200, 200, 200, 404},
	{"POST", sales + "/{id}/cancel", "orders:write", `{}`, order, 200, 200, 200, 200, 404},
	{"POST", sales + "/{id}/refund", "orders:write", `{}`, paid, 200, 200, 200, 200, 404},
	{"POST", sales + "/{id}/shipment", "orders:write", `{"carrier":"c"}`, paid, 200, 200, 200, 200, 404},
	{"POST", sales + "/{id}/refunds", "orders:write", `{"reference":"r {n}","amount":1}`, paid, 200, 200, 200, 200, 404},
	{"POST", sales + "/{id}/shipments", "orders:write", `{"carrier":"c"}`, paid, 200, 200, 200, 200, 404},
	{"POST", sales + "/{id}/returns", "orders:write", `{"lines":[{"line_id":"{lineId}","quantity":1}]}`, shipped, 200, 200, 200, 200, 404},
	{"POST", sales + "/{id}/delivered", "orders:write", "", shipped, 200, 200, 200, 200, 404},
	{"PATCH", "/v1/api/catalog", "catalog:manage", `{"format":1,"set":{"redirects":[{"from":"/of-a-hostile","to":"/x","status":302}]}}`, contents,
		200, 200, 200, 200, 200},
	{"PATCH", goods + "/{id}", "catalog:manage", `{"lead_time_days":77}`, contents, 200, 200, 200, 200, 200},
	{"POST", "/v1/api/catalog/discounts/{id}/codes", "catalog:manage", `{"batch":1,"count":2}`, contents, 200, 200, 200, 200, 200},
	{"POST", "/v1/api/catalog/stock-adjustments", "catalog:write", `{"product_id":"` + aStocked + `","quantity":1}`, contents, 201, 201, 201, 201, 201},

	// What a merchant asks. Without a query a list is a fault, and {list} is no list.
	{"GET", "/v1/api/store", "store:read", "", nothing, 200, 200, 200, 200, 200},
	{"PUT", "/v1/api/store/closed", "catalog:manage", `{"message":1}`, nothing, 422, 422, 422, 422, 422},
	{"DELETE", "/v1/api/store/closed", "catalog:manage", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/catalog/document/{list}", "store:read catalog:manage", "", nothing, 404, 404, 404, 404, 404},
	{"GET", "/v1/api/catalog/document/{list}/{id}", "store:read catalog:manage", "", nothing, 404, 404, 404, 404, 404},
	{"GET", "/v1/api/catalog/discounts/{id}/uses", "store:read", "", contents, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/stock/levels", "store:read", "", nothing, 422, 422, 422, 422, 422},
	{"GET", in, "store:read sales:manage", "", nothing, 422, 422, 422, 422, 422},
	{"GET", in + "/{id}", "store:read sales:manage", "", external, 200, 200, 200, 200, 404},
	{"PATCH", in + "/{id}", "sales:manage", `{}`, external, 200, 200, 200, 200, 404},
	{"GET", "/v1/api/carts", "store:read", "", nothing, 422, 422, 422, 422, 422},
	{"GET", "/v1/api/carts/{id}", "store:read", "", cart, 200, 200, 200, 200, 404},
	{"GET", asked, "store:read sales:manage", "", nothing, 200, 200, 200, 200, 200},
	{"POST", asked, "sales:manage", `{}`, nothing, 201, 201, 201, 201, 201},
	{"GET", asked + "/{id}", "store:read sales:manage", "", quote, 200, 200, 200, 200, 404},
	{"PATCH", asked + "/{id}", "sales:manage", `{}`, quote, 200, 200, 200, 200, 404},
	{"DELETE", asked + "/{id}/draft", "sales:manage", "", quote, 204, 204, 204, 204, 404},
	{"POST", asked + "/{id}/offer", "sales:manage", `{}`, quote, 200, 200, 200, 200, 404},
	{"POST", asked + "/{id}/withdraw", "sales:manage", `{}`, quote, 200, 200, 200, 200, 404},
	{"GET", "/v1/api/webhooks", "store:read", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/summary", "store:read", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/history", "store:read", "", nothing, 200, 200, 200, 200, 200},

	// The catalogue is everyone's who has a key. The other store has products with the same ids.
	{"GET", goods, "catalog:read commerce:read", "", nothing, 200, 200, 200, 200, 200},
	{"GET", goods + "/{id}", "catalog:read commerce:read", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/catalog/categories", "catalog:read commerce:read", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/catalog/categories/{id}", "catalog:read commerce:read", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/catalog/redirects", "catalog:read commerce:read", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/catalog/sitemap", "catalog:read commerce:read", "", nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/configurator/products/{id}/schema", "catalog:read commerce:read", "", nothing, 200, 200, 200, 200, 200},
	{"POST", "/v1/api/configurator/products/{id}/quote", "catalog:read commerce:read", blind, nothing, 200, 200, 200, 200, 200},
	{"GET", "/v1/api/stock/availability", "catalog:read commerce:read", "", nothing, 200, 200, 200, 200, 200},

	// The token decides whose account it is.
	{"GET", me, "contacts:read customers:read", "", account, 401, 200, 401, 200, 200},
	{"PATCH", me, "contacts:write customers:write", `{"phone":"1"}`, account, 401, 200, 401, 200, 200},
	{"GET", me + "/addresses", "contacts:read customers:read", "", address, 401, 200, 401, 200, 200},
	{"POST", me + "/addresses", "contacts:write customers:write", place, account, 401, 201, 401, 201, 201},
	{"PATCH", me + "/addresses/{id}", "contacts:write customers:write", `{"phone":"1"}`, address, 401, 404, 401, 200, 404},
	{"DELETE", me + "/addresses/{id}", "contacts:write customers:write", "", address, 401, 404, 401, 204, 404},
	{"PUT", me + "/password", "contacts:write customers:write",
		`{"current_password":"not the password","password":"a-new-password","password_confirmation":"a-new-password"}`, account, 401, 422, 401, 422, 422},
	{"POST", in + "/register", "contacts:write customers:write", `{"email":"new-{n}@example.com","password":"a-good-password"}`, account, 201, 201, 201, 201, 201},
	{"POST", in + "/forgot-password", "contacts:write customers:write", `{"email":"nobody@example.com"}`, account, 202, 202, 202, 202, 202},
	{"POST", in + "/reset-password", "contacts:write customers:write", `{"token":"token-token-token-token-token-token-token-1","email":"` + ownersEmail +
		`","password":"the-next-password","password_confirmation":"the-next-password"}`, account, 422, 422, 422, 422, 422},
	{"POST", in + "/logout", "contacts:write customers:write", "", session, 401, 204, 401, 204, 401}, // a session of this store is none of the other
	{"PUT", in + "/by-external-id/{external_id}", "contacts:manage", `{"email":"new-{n}@example.com"}`, account, 201, 201, 201, 201, 201},
	{"POST", in + "/{id}/tokens", "contacts:manage", "", external, 201, 201, 201, 201, 404},
	{"DELETE", in + "/{id}/tokens", "contacts:manage", "", external, 204, 204, 204, 204, 404},
	{"POST", in + "/login", "contacts:write customers:write", strangersLogin, account, 200, 200, 200, 200, 200},
}

const (
	unauthenticated = `{"message":"Unauthenticated."}`
	scopeMissing    = `{"message":"Invalid ability provided."}`
	unknownToken    = "no such token"
)

// Every route answers callers of each kind as its row says: of the keys with one scope, one that it
// takes and one that it does not take. Changes of the catalogue are left to the long test.
func TestEveryRouteAnswersItsCallers(t *testing.T) {
	t.Parallel()
	knockEverywhere(t, false)
}

// knockEverywhere sends every route's request as every kind of caller. No refused request has changed
// the record that it names, and no answer to a stranger or another store shows the owner. With every,
// a key of each scope comes, and the aliases of the paths are asked too.
func knockEverywhere(t *testing.T, every bool) {
	t.Helper()
	h := enter(t, "embedded")
	h.every = every
	rowed := map[string]bool{}
	routes := h.routes()
	for _, d := range doors {
		rowed[d.method+" "+d.path] = true
		if !every && d.scopes == "catalog:manage" {
			continue // each change of the catalogue waits a second for the one before
		}
		h.knock(d)
		for _, alias := range routes[d.method+" "+d.path] {
			if !every {
				break
			}
			d.path = alias
			h.knock(d)
		}
	}
	for route := range routes {
		if !rowed[route] {
			t.Errorf("%s has no row in doors", route)
		}
		delete(rowed, route)
	}
	for route := range rowed {
		t.Errorf("the row %s has no route", route)
	}
}

// routes are the routes of the API's description, each with the aliases of its path.
func (h *house) routes() map[string][]string {
	h.t.Helper()
	var description struct {
		Paths map[string]map[string]struct {
			Aliases []string `json:"x-aliases"`
		}
	}
	if err := json.Unmarshal([]byte(h.send("GET", "/openapi.json", "", "", "").body), &description); err != nil {
		h.t.Fatal(err)
	}
	all := map[string][]string{}
	for path, methods := range description.Paths {
		for method, operation := range methods {
			all[strings.ToUpper(method)+" "+path] = operation.Aliases
		}
	}
	return all
}

// caller is one kind of caller with the status that a route answers it.
type caller struct {
	who, key, token string
	status          int
	body            string // of the answer; "" for any
}

// callers are all kinds of callers of a route that needs a key. Without every there is one key of a
// scope that it takes, and one of a scope that it does not take.
func (d door) callers(every bool) (all []caller) {
	for _, key := range []string{"", "no such key", revokedKey} {
		all = append(all, caller{"the key " + key, key, owner, http.StatusUnauthorized, unauthenticated})
	}
	came := map[bool]bool{}
	for _, scope := range scopes {
		takes := d.scopes == "" || slices.Contains(strings.Fields(d.scopes), scope)
		if came[takes] && !every {
			continue
		}
		came[takes] = true
		c := caller{"a key with only " + scope, keyOf(scope), owner, d.owner, ""}
		if !takes {
			c.status, c.body = http.StatusForbidden, scopeMissing
		}
		all = append(all, c)
	}
	return append(all,
		caller{"no token", fullKey, "", d.without, ""},
		caller{"another customer", fullKey, stranger, d.stranger, ""},
		caller{"an expired token", fullKey, expiredToken, d.broken, ""},
		caller{"a token of no one", fullKey, unknownToken, d.broken, ""},
		caller{"the other store", otherKey, owner, d.other, ""},
		caller{"the owner", fullKey, owner, d.owner, ""})
}

// harmless reports whether the caller may change nothing of the owner's: it is refused, or what it
// does concerns a record of its own.
func (d door) harmless(c caller) bool {
	return c.status >= http.StatusBadRequest || c.key == otherKey || c.token == stranger && d.without >= http.StatusBadRequest
}

// knock sends a route's request as every kind of caller. First come those that may change nothing: all
// of them name one record. Others that change something come to a record of their own.
func (h *house) knock(d door) {
	h.t.Helper()
	if d.scopes == "open" {
		for _, key := range []string{"", "no such key", revokedKey, otherKey, fullKey} {
			h.ask(d, caller{"the key " + key, key, "", d.owner, ""}, named{})
		}
		return
	}
	n := h.make(d.of)
	before := h.show(n)
	for _, c := range d.callers(h.every) {
		if d.harmless(c) {
			h.ask(d, c, n)
		}
	}
	h.cross(d, n)
	if after := h.show(n); after != before {
		h.t.Errorf("%s %s: refused requests have changed the record from\n%s\nto\n%s", d.method, d.path, before, after)
	}
	for _, c := range d.callers(h.every) {
		if !d.harmless(c) && d.method == "GET" {
			h.ask(d, c, n)
		} else if !d.harmless(c) {
			h.ask(d, c, h.make(d.of))
		}
	}
}

// ask sends a caller's request about a record.
func (h *house) ask(d door, c caller, n named) {
	h.t.Helper()
	token := c.token
	if of, ok := n.sessions[token]; ok {
		token = of
	}
	a := h.send(d.method, d.fill(n), c.key, token, strings.NewReplacer("{total}", n.total, "{lineId}", n.line).Replace(d.body))
	if a.status != c.status || c.body != "" && a.body != c.body {
		h.t.Errorf("%s %s, %s: got %d %.300s, want %d %s", d.method, d.path, c.who, a.status, a.body, c.status, c.body)
	}
	if d.harmless(c) && d.scopes != "open" && strings.Contains(a.body, ownersEmail) {
		h.t.Errorf("%s %s, %s: the answer shows the owner: %.300s", d.method, d.path, c.who, a.body)
	}
}

// cross names a part of the owner's record below a record of the stranger's own, and a token of one kind
// as one of the other.
func (h *house) cross(d door, n named) {
	h.t.Helper()
	wrong := n
	switch {
	case strings.Contains(d.path, "{lineId}"):
		wrong.id = idIn(h.send("POST", carts, fullKey, stranger, "").body, "id")
	case strings.Contains(d.path, "{token}") && d.of == quote:
		wrong.token = h.make(order).token
	case strings.Contains(d.path, "{token}"):
		wrong.token = h.make(quote).token
	default:
		return
	}
	if a := h.send(d.method, d.fill(wrong), fullKey, stranger, d.body); a.status != http.StatusNotFound {
		h.t.Errorf("%s %s with names that do not belong together: got %d %.300s, want 404", d.method, d.path, a.status, a.body)
	}
}
