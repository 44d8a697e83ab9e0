package httpserver

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// tokenOf returns the token in a sample of a route.
func tokenOf(r *route) string {
	if strings.HasPrefix(r.path, tokenOrderPath) {
		return sampleStore().OrderToken(uuid.MustParse(testQuote))
	}
	return quoteToken
}

// sample returns a request that succeeds on a row of the table.
func sample(r *route) call {
	path := strings.NewReplacer("{id}", testCart, "{lineId}", testLine, "{token}", tokenOf(r), "{list}", "products").Replace(r.path)
	path += map[string]string{
		"GET " + levelsPath: "?sku=none&x=", "GET " + contactsPath: "?awaiting=true&x=", "GET " + storeCartsPath: "?short=5f0c6f0e&x=",
	}[r.method+" "+r.path]
	c := call{method: r.method, path: path}
	switch r.method + " " + r.path {
	case "POST " + salePath + "/refunds", "POST " + salePath + "/returns":
		c.body = `{"reference":"R 1","lines":[{"line_id":"` + testLine + `","quantity":1}]}`
	case "POST " + linesPath:
		c.body = `{"product_id":"` + testLine + `","quantity":1}`
	case "POST " + batchPath:
		c.body = `{"lines":[{"product_id":"` + testLine + `","quantity":1}]}`
	case "POST " + discountPath:
		c.body = `{"code":"WELCOME10"}`
	case "POST " + configuratorPath + "/quote":
		c.body = `{"dimensions":{"width":1200,"height":1000},"choices":["linen"]}`
	case "PATCH " + linePath:
		c.body = `{"quantity":2}`
	case "POST " + addressesPath:
		c.body = `{"name":"Ada","street":"Dam 1","postal_code":"1012","city":"Amsterdam","country":"NL"}`
	case "POST " + adjustmentsPath:
		c.body = `{"product_id":"` + testLine + `","quantity":1}`
	case "PATCH " + catalogPath:
		c.body = `{"format":1}`
	case "POST " + codesPath:
		c.body = `{"batch":2,"count":3}`
	case "PUT " + passwordPath:
		c.body = `{"current_password":"before","password":"password","password_confirmation":"password"}`
	case "POST " + contactsPath + "/register", "POST " + contactsPath + "/login":
		c.body = `{"email":"a@b.co","password":"password"}`
	case "POST " + contactsPath + "/forgot-password", "PUT " + externalAccountPath:
		c.body = `{"email":"a@b.co"}`
	case "POST " + salePath + "/payment":
		c.body = `{"reference":"pi_1","amount":0}`
	case "POST " + contactsPath + "/reset-password":
		c.body = `{"token":"t","email":"a@b.co","password":"password","password_confirmation":"password"}`
	}
	return c
}

var modulesRow = regexp.MustCompile(`(?m)^\| ([a-z]+) \| (.*?) \|`)

// The table of modules in docs/api/contract.md names the routes of each module: the longest path
// that a route's path begins with stands in the row of its module.
func TestTheContractNamesTheRoutesOfEachModule(t *testing.T) {
	page, err := os.ReadFile("../docs/api/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## Modules\n")
	table, _, _ := strings.Cut(rest, "\n## ")
	rows, modules := map[string]string{}, map[string]bool{}
	for _, row := range modulesRow.FindAllStringSubmatch(table, -1) {
		modules[row[1]] = true
		for _, path := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1) {
			rows["/v1/api/"+path[1]] = row[1]
		}
	}
	for _, name := range commerce.AllModules().Names() {
		if !modules[name] {
			t.Errorf("the table has no row of %s", name)
		}
	}
	for i := range routes {
		r := &routes[i]
		if r.guards == manageStore || r.guards == readDocument || r.guards == readStore { // it is about the store and judges no module
			continue
		}
		want := ""
		switch {
		case r.guards == nil:
		case r.guards.Quotes:
			want = commerce.ModuleSales.String()
		case len(r.guards.Modules) > 0:
			want = r.guards.Modules[0].String()
		}
		for _, path := range r.allPaths() {
			longest := ""
			for listed := range rows {
				if strings.HasPrefix(path+"/", listed+"/") && len(listed) > len(longest) {
					longest = listed
				}
			}
			if rows[longest] != want {
				t.Errorf("%s is listed with module %q, and belongs to %q", path, rows[longest], want)
			}
		}
	}
}

func TestEveryRouteAnswers(t *testing.T) {
	h := start(t)
	ids := map[string]bool{}
	for i := range routes {
		r := &routes[i]
		for _, slash := range []string{"", "/", "?page=1", "/?page=1"} {
			c := sample(r)
			c.path += slash
			got := h.do(c)
			if got.status != r.status {
				t.Errorf("%s %s: got %d %s, want %d", c.method, c.path, got.status, got.body, r.status)
			}
			media := r.media()
			if r.api.media != "" && r.api.media != eventStream {
				media += "; charset=utf-8"
			}
			cached := "no-cache, private"
			if r.guards == nil && r.tagged { // a static file
				cached = "public, max-age=3600"
			}
			expectHeadersOf(t, got, media, cached)
			if limit := got.header.Get("X-RateLimit-Limit"); (limit == "120") != (r.guards != nil) {
				t.Errorf("%s %s: X-RateLimit-Limit is %q, limited is %v", c.method, c.path, limit, r.guards != nil)
			}
			ids[got.header.Get("X-Request-Id")] = true
		}
	}
	if len(ids) != 4*len(routes) {
		t.Errorf("%d requests got %d different ids", 4*len(routes), len(ids))
	}
}

func TestEveryRouteReachesItsEngineMethod(t *testing.T) {
	want := map[string]string{
		"POST " + cartsPath: "create", "GET " + cartsPath: "carts", "GET " + cartPath: "read", "PATCH " + cartPath: "change",
		"POST " + linesPath: "change", "PATCH " + linePath: "change", "DELETE " + linePath: "change", "POST " + batchPath: "change",
		"GET " + eventsPath: "read", "POST " + claimPath: "change", "POST " + cartPath + "/copy": "read create", "POST " + orderPath + "/copy": "order create",
		"POST " + discountPath: "try of 0.0.0.0 change", "DELETE " + discountPath: "change", "DELETE " + codePath: "change",
		"GET " + explainPath: "read", "GET " + methodsPath: "read",
		"POST " + requestPath: "change quote", "GET " + quotePath: "token quote", "GET " + quotePath + "/shipping-methods": "token quote", "GET " +
			tokenOrderPath: "order", "POST " + tokenOrderPath + "/copy": "order create", "GET " + quotesPath: "quotes", "GET " + quotesPath + "/{id}": "quote",
		"POST " + quotePath + "/accept": "answer of 0.0.0.0 change quote order", "POST " + quotePath + "/decline": "answer of 0.0.0.0 change quote",
		"POST " + quotePath + "/change-request": "answer of 0.0.0.0 change quote",
		"GET " + storeQuotesPath:                "quotes of the store", "POST " + storeQuotesPath: "quote entry make quote",
		"GET " + storeQuotePath: "quote", "PATCH " + storeQuotePath: "change quote", "DELETE " + storeQuotePath + "/draft": "change quote",
		"POST " + storeQuotePath + "/withdraw": "change quote", "POST " + storeQuotePath + "/offer": "change quote",
		"POST " + checkoutPath: "change order", "PATCH " + checkoutPath: "change", "GET " + checkoutPath: "read",
		"GET " + ordersPath: "orders", "GET " + orderPath: "order",
		"GET " + salesPath: "orders by number", "GET " + salePath: "order", "POST " + orderPath + "/cancel": "change order",
		"POST " + tokenOrderPath + "/cancel": "change order", "POST " + salePath + "/payment": "change order", "POST " + salePath +
			"/cancel": "change order",
		"POST " + salePath + "/refund": "change order", "POST " + salePath + "/shipment": "change order", "POST " + salePath + "/delivered": "change order",
		"POST " + salePath + "/refunds": "change order", "POST " + salePath + "/shipments": "change order", "POST " + salePath + "/returns": "change order",
		"GET " + addressesPath: "read contact", "POST " + addressesPath: "change contact",
		"PATCH " + addressPath: "change contact", "DELETE " + addressPath: "change contact",
		"GET " + profilePath: "read contact", "PATCH " + profilePath: "change contact", "PUT " + passwordPath: "change password",
		"POST " + contactsPath + "/register": "register", "POST " + contactsPath + "/login": "login",
		"POST " + contactsPath + "/logout": "logout", "POST " + contactsPath + "/forgot-password": "forgot password",
		"PUT " + externalAccountPath: "put account", "POST " + accountTokensPath: "issue token", "DELETE " + accountTokensPath: "end tokens",
		"POST " + contactsPath + "/reset-password": "reset password", "POST " + adjustmentsPath: "adjust stock",
		"GET " + levelsPath: "", "GET " + contactsPath: "contacts", "GET " + contactPath: "", "PATCH " + contactPath: "change contact",
		"GET " + summaryPath: "summary",
		"GET " + usesPath:    "use counts", "GET " + webhooksPath: "webhooks", "GET " + historyPath: "history", "GET " + storeCartsPath: "scan",
		"GET " + storeCartPath: "",
		"GET " + storePath:     "store", "PUT " + closedPath: "close ", "DELETE " + closedPath: "open", "GET " + documentPath: "entries",
		"GET " + documentPath + "/{id}": "entry",
		"POST " + codesPath:             "give codes", "PATCH " + catalogPath: "change catalogue", "PATCH " + productsPath + "/{id}": "change catalogue",
	}
	h := start(t)
	for i := range routes {
		h.reset()
		h.do(sample(&routes[i]))
		called := strings.Join(h.engine.called, " ")
		if name := routes[i].method + " " + routes[i].path; called != want[name] {
			t.Errorf("%s: called %q, want %q", name, called, want[name])
		}
	}
}

// Routes without guards need no key and are not counted. Spec: API key 1, Limits.
func TestOpenRoutesAreNeitherGuardedNorCounted(t *testing.T) {
	h := start(t)
	h.engine.admitErr = engine.ErrUnavailable
	for i := range routes {
		c := sample(&routes[i])
		c.anonymous = true
		got := h.do(c)
		if open := got.status == 200; open == (routes[i].guards != nil) {
			t.Errorf("%s %s: got %d, limited is %v", c.method, c.path, got.status, routes[i].guards != nil)
		}
		if (routes[i].guards != nil) != strings.HasPrefix(routes[i].path, "/v1/api/") {
			t.Errorf("%s is limited: %v", routes[i].path, routes[i].guards != nil)
		}
	}
}

func TestHeadWhereverGetIs(t *testing.T) {
	h := start(t)
	for i := range routes {
		if routes[i].method != "GET" {
			continue
		}
		c := sample(&routes[i])
		get := h.do(c)
		c.method = "HEAD"
		head := h.do(c)
		if head.status != get.status || head.body != "" || head.header.Get("Content-Length") != get.header.Get("Content-Length") {
			t.Errorf("HEAD %s: got %d %q, length %s; GET got %d, length %s", c.path,
				head.status, head.body, head.header.Get("Content-Length"), get.status, get.header.Get("Content-Length"))
		}
	}
}

func TestOtherMethods(t *testing.T) {
	h := start(t)
	for path, allow := range map[string]string{
		"/healthz":                                   "GET, HEAD",
		"/v1/ping":                                   "GET, HEAD",
		"/v1/api/me":                                 "GET, HEAD",
		"/v1/api/commerce/carts":                     "POST, GET, HEAD",
		"/v1/api/commerce/carts/":                    "POST, GET, HEAD",
		"/v1/api/commerce/carts/x":                   "GET, HEAD, PATCH",
		"/v1/api/commerce/carts/x/lines":             "POST",
		"/v1/api/commerce/carts/x/lines/" + testLine: "PATCH, DELETE",
		"/v1/api/commerce/carts/x/lines/batch":       "PATCH, DELETE, POST",
		"/v1/api/commerce/carts/x/discount":          "POST, DELETE",
		"/v1/api/commerce/carts/x/explain":           "GET, HEAD",
		"/v1/api/contacts/me":                        "GET, HEAD, PATCH",
		"/v1/api/contacts/me/addresses":              "GET, HEAD, POST",
		"/v1/api/customers/me/addresses/x":           "PATCH, DELETE",
		"/v1/api/customers/login":                    "POST, GET, HEAD, PATCH",
	} {
		got := h.expect(call{method: "OPTIONS", path: path}, 200, "")
		expectOther(t, path, got, allow)
		for _, method := range []string{"LINK", "TRACE", "CONNECT", "PURGE", "get"} {
			text := "The " + method + " method is not supported for route " + strings.Trim(path, "/") + ". Supported methods: " + allow + "."
			expectOther(t, path, h.expect(call{method: method, path: path, anonymous: true}, 405, message(text)), allow)
		}
	}
	if len(h.engine.asks) > 0 {
		t.Errorf("%d of them were counted", len(h.engine.asks))
	}
}

func expectOther(t *testing.T, path string, got answer, allow string) {
	t.Helper()
	if got.header.Get("Allow") != allow {
		t.Errorf("%s: Allow is %q, want %q", path, got.header.Get("Allow"), allow)
	}
	expectCommonHeaders(t, got)
	expectNoBudget(t, got)
}

func TestUnknownRoutes(t *testing.T) {
	h := start(t)
	for sent, named := range map[string]string{
		"/":                                  "/",
		"/v1":                                "v1",
		"/v1/api/foo":                        "v1/api/foo",
		"/v1/api/foo/":                       "v1/api/foo",
		"/v1/api/foo?x=/v1/ping":             "v1/api/foo",
		"/v1//ping":                          "v1//ping",
		"//v1/ping":                          "v1/ping",
		"//shop.example/v1/ping":             "shop.example/v1/ping",
		"//shop.example/v1/ping?u=http://":   "shop.example/v1/ping",
		"/v1/ping//":                         "v1/ping",
		"/V1/ping":                           "V1/ping",
		"/v1/Ping":                           "v1/Ping",
		"/v1/p%69ng":                         "v1/p%69ng",
		"/v1/api/../ping":                    "v1/api/../ping",
		"/v1/api/commerce/carts//lines":      "v1/api/commerce/carts//lines",
		"/v1/api/commerce/carts/x/y":         "v1/api/commerce/carts/x/y",
		"/v1/api/commerce/carts/x/lines/y/z": "v1/api/commerce/carts/x/lines/y/z",
		"/v1/api/\"":                         "v1/api/\"",
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS", "PURGE"} {
			got := h.expect(call{method: method, path: sent, anonymous: true}, 404, message("The route "+named+" could not be found."))
			expectNoBudget(t, got)
			expectCommonHeaders(t, got)
		}
	}
	if len(h.engine.asks) > 0 {
		t.Errorf("%d of them were counted", len(h.engine.asks))
	}
}

func TestAbsoluteFormIsServed(t *testing.T) {
	h := start(t)
	h.expect(call{method: "GET", path: "http://shop.example/v1/ping"}, 200, `{"message":"pong"}`)
	h.expect(call{method: "GET", path: "http://shop.example/v1//ping"}, 404, message("The route v1//ping could not be found."))
}
