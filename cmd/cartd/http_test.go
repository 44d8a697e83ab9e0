package main_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// route is one known path with the methods it has, in the order of the 405 text.
type route struct {
	path    string
	methods string
}

func knownRoutes(cartPath string) []route {
	return []route{
		{"me", "GET, HEAD"},
		{"commerce/carts", "POST"},
		{cartPath, "GET, HEAD, PATCH"},
		{cartPath + "/lines", "POST"},
		{cartPath + "/lines/" + unknownID, "PATCH, DELETE"},
		{"catalog/products", "GET, HEAD"},
		{"catalog/products/hammer", "GET, HEAD"},
		{"catalog/categories", "GET, HEAD"},
		{"catalog/categories/" + unknownID, "GET, HEAD"},
		{"catalog/redirects", "GET, HEAD"},
		{"catalog/sitemap", "GET, HEAD"},
	}
}

// The conventions: 405 in JSON with Allow, before any guard.
func TestMethodsThatARouteDoesNotHave(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop, keySuspended)
	for _, r := range knownRoutes(shop.newCart()) {
		has := strings.Split(r.methods, ", ")
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if slices.Contains(has, method) {
				continue
			}
			for _, key := range []string{keyShop, keySuspended, ""} {
				want := "The " + method + " method is not supported for route v1/api/" + r.path + ". Supported methods: " + r.methods + "."
				a := shop.withKey(key).request(method, r.path, "").want(http.StatusMethodNotAllowed, `{"message":`+quoted(want)+`}`)
				wantMethods(a, has)
				wantUnlimited(a)
			}
		}
	}
	shop.request("HEAD", "commerce/carts", "").wantStatus(http.StatusMethodNotAllowed)
}

func wantMethods(a answer, want []string) {
	a.t.Helper()
	got := strings.Split(strings.ReplaceAll(a.header.Get("Allow"), " ", ""), ",")
	for _, method := range want {
		if !slices.Contains(got, method) {
			a.t.Errorf("%v\nAllow: got %q, want %s in it", a, a.header.Get("Allow"), method)
		}
	}
}

// The conventions: OPTIONS on a known path 200 with Allow.
func TestOptions(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	for _, r := range knownRoutes(shop.newCart()) {
		for _, key := range []string{keyShop, ""} {
			a := shop.withKey(key).request("OPTIONS", r.path, "").wantStatus(http.StatusOK)
			wantMethods(a, strings.Split(r.methods, ", "))
			wantUnlimited(a)
		}
	}
	wantUnlimited(shop.request("OPTIONS", "foo", "").wantStatus(http.StatusNotFound))
}

// The conventions: HEAD wherever GET is.
func TestHeadAnswersLikeGetWithoutABody(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	shop.add(path, hammer, "1")
	for _, at := range []string{path, path + "/", "me", "/v1/ping", "/healthz", "/readyz", "commerce/carts/" + unknownID, "foo"} {
		get, head := shop.get(at), shop.request("HEAD", at, "")
		if head.status != get.status || len(head.body) != 0 {
			t.Errorf("%v\nwant: %d without a body", head, get.status)
		}
		for _, name := range []string{"Content-Type", "Content-Length", "X-RateLimit-Limit"} {
			head.wantHeader(name, get.header.Get(name))
		}
	}
}

func TestUnknownRoutes(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop, keySuspended)
	path := shop.newCart()
	for _, at := range []string{
		"/v1/api/foo", "/v1/api/commerce", "/v1/api/commerce/cart", "/v1/api/" + path + "/line", "/v2/api/me",
		"/v1/API/me", "/v1/api/Commerce/carts", "/V1/ping", "/v1/api/commerce//carts", "/v1//api/me", "/v1/api/me/you",
	} {
		for _, key := range []string{keyShop, keySuspended, ""} {
			want := "The route " + strings.Trim(at, "/") + " could not be found."
			wantUnlimited(shop.withKey(key).get(at).want(http.StatusNotFound, `{"message":`+quoted(want)+`}`))
		}
	}
	for _, at := range []string{"/v1/api/me//", "/v1/api/" + path + "//", "//v1/api/me", "//v1/ping", "/"} {
		wantUnlimited(shop.get(at).wantStatus(http.StatusNotFound))
	}
}

// The conventions: one trailing slash serves the same route, no redirects.
func TestOneTrailingSlashServesTheSameRoute(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := "commerce/carts/" + shop.post("commerce/carts/", "").cart(http.StatusCreated).ID
	lineID := shop.post(path+"/lines/", addBody(hammer, "1")).cart(http.StatusCreated).Lines[0].ID
	shop.patch(path+"/lines/"+lineID+"/", `{"quantity":2}`).wantStatus(http.StatusOK)
	shop.patch(path+"/", `{"email":"a@b"}`).wantStatus(http.StatusOK)
	shop.get(path+"/").want(http.StatusOK, string(shop.get(path).body))
	shop.remove(path + "/lines/" + lineID + "/").wantStatus(http.StatusOK)
	shop.get("me/").want(http.StatusOK, string(shop.get("me").body))
	shop.get("/v1/ping/").want(http.StatusOK, `{"message":"pong"}`)
}

// The conventions: a path id in any letter case; one that is no UUID is unknown.
func TestPathIDs(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	id := strings.TrimPrefix(path, "commerce/carts/")
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	upper := "commerce/carts/" + strings.ToUpper(id)
	shop.get(upper).want(http.StatusOK, string(shop.get(path).body))
	shop.patch(upper+"/lines/"+strings.ToUpper(lineID), `{"quantity":3}`).wantStatus(http.StatusOK)
	if id != strings.ToLower(id) || lineID != strings.ToLower(lineID) {
		t.Errorf("the ids %s and %s are not lower case", id, lineID)
	}
	for _, other := range []string{"abc", strings.ReplaceAll(id, "-", ""), "urn:uuid:" + id, id + "0", id[1:], "1", id[:35] + "g"} {
		want := `{"message":` + quoted("No query results for model [Cart] "+other) + `}`
		shop.get("commerce/carts/"+other).want(http.StatusNotFound, want)
		shop.post("commerce/carts/"+other+"/lines", addBody(hammer, "1")).want(http.StatusNotFound, want)
		want = strings.Replace(want, "[Cart]", "[CartLine]", 1)
		shop.remove(path+"/lines/"+other).want(http.StatusNotFound, want)
		shop.patch(path+"/lines/"+other, `{"quantity":1}`).want(http.StatusNotFound, want)
	}
	shop.get("commerce/carts/%7B" + id + "%7D").wantStatus(http.StatusNotFound)
}

// The conventions: bodies of 64 KiB, more is 413, before any guard.
func TestTheLargestBody(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	shop.patch(path, strings.Repeat(" ", maxBody-2)+"{}").wantStatus(http.StatusOK)
	for _, at := range []string{path, "commerce/carts/" + unknownID} {
		for _, key := range []string{keyShop, ""} {
			a := shop.withKey(key).patch(at, strings.Repeat(" ", maxBody-1)+"{}")
			wantUnlimited(a.want(413, `{"message":"The request body is too large."}`))
		}
	}
}

// wantUnlimited wants none of the headers of a limited route.
func wantUnlimited(a answer) {
	a.t.Helper()
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"} {
		a.wantHeader(name, "")
	}
}

// The conventions: rate limit headers on every answer of a limited route.
func TestEveryAnswerOfALimitedRouteSaysTheLimit(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop, keySuspended, keyNoCommerce)
	path, owned := shop.newCart(), shop.newCart()
	shop.withToken(tokenAda).patch(owned, `{"email":"a@b"}`).wantStatus(http.StatusOK)
	const limit, perClient = "2000000", "120"
	for _, c := range []struct {
		name  string
		a     answer
		want  int
		limit string
	}{
		{"created", shop.post("commerce/carts", ""), 201, limit},
		{"read", shop.get(path), 200, limit},
		{"me", shop.get("me"), 200, limit},
		{"added", shop.post(path+"/lines", addBody(hammer, "1")), 201, limit},
		{"no JSON", shop.patch(path, "{"), 400, limit},
		{"no key", shop.withKey("").get(path), 401, perClient},
		{"wrong key", shop.withKey("wrong").get(path), 401, perClient},
		{"revoked key", shop.withKey(keyRevoked).get(path), 401, ""},
		{"suspended", shop.withKey(keySuspended).get(path), 403, limit},
		{"module off", shop.withKey(keyNoCommerce).get(path), 403, limit},
		{"no scope", shop.withKey(keyNothing).get(path), 403, limit},
		{"owned", shop.get(owned), 403, limit},
		{"unknown cart", shop.get("commerce/carts/" + unknownID), 404, limit},
		{"invalid", shop.post(path+"/lines", "{}"), 422, limit},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.a.t = t
			c.a.wantStatus(c.want)
			if c.limit != "" {
				c.a.wantHeader("X-RateLimit-Limit", c.limit)
			}
			if _, err := strconv.Atoi(c.a.header.Get("X-RateLimit-Remaining")); err != nil {
				t.Errorf("%v\nX-RateLimit-Remaining: got %q, want a number", c.a, c.a.header.Get("X-RateLimit-Remaining"))
			}
			c.a.wantHeader("Retry-After", "")
			wantPlainHeaders(c.a)
		})
	}
}

// wantPlainHeaders wants the headers of every JSON answer.
func wantPlainHeaders(a answer) {
	a.t.Helper()
	a.wantHeader("Cache-Control", "no-cache, private")
	if got := a.header.Get("Content-Type"); got != "application/json" {
		a.t.Errorf("%v\nContent-Type: got %q, want application/json", a, got)
	}
}

func TestAnswersOutsideTheLimit(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	for _, a := range []answer{
		shop.withKey("").get("/v1/ping").want(200, `{"message":"pong"}`),
		shop.get("/v1/ping").want(200, `{"message":"pong"}`),
		shop.get("foo").wantStatus(404),
		shop.request("PUT", "me", "").wantStatus(405),
	} {
		wantUnlimited(a)
		wantPlainHeaders(a)
	}
	for _, at := range []string{"/healthz", "/readyz"} {
		wantUnlimited(shop.withKey("").get(at).wantStatus(200))
	}
}

// Content-Type is not looked at.
func TestContentTypeIsNotLookedAt(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "multipart/form-data; boundary=x"} {
		shop.withHeader("Content-Type", kind).patch(path, `{"metadata":{"a":1}}`).wantStatus(http.StatusOK)
	}
}

// The routes page: me.
func TestMe(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop, keyExcludingTax)
	shop.get("me").want(200, `{"store":{"id":"`+storeBase+`","name":"Base Tools"},
		"key":{"name":"storefront","scopes":["commerce:read","commerce:write"]},
		"modules":["catalog","commerce","configurator","sales","stock","objects","customers"],
		"currency":"EUR","prices_include_tax":true,"rate_limit":{"limit":2000000,"window_seconds":60}}`)
	shop.withKey(keyExcludingTax).get("me").want(200, `{"store":{"id":"`+storeExcludingTax+`","name":"Base Tools"},
		"key":{"name":"everything","scopes":["commerce:read","commerce:write","contacts:read","contacts:write","catalog:read",
			"catalog:write","sales:read","sales:write","customers:read","customers:write"]},
		"modules":["catalog","commerce","configurator","sales","stock","objects","customers"],
		"currency":"EUR","prices_include_tax":false,"rate_limit":{"limit":2000000,"window_seconds":60}}`)
	if got := shop.withKey(keyNothing).get("me").wantStatus(200); !strings.Contains(string(got.body), `"scopes":[]`) {
		t.Errorf("%v\nwant: an empty list of scopes", got)
	}
}

// Text of clients comes back unescaped.
func TestTextIsAnsweredUnescaped(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	a := shop.patch(path, `{"metadata":{"note":"a/b <i>&amp; é漢 \u2028"}}`)
	if want := `"a/b <i>&amp; é漢`; !strings.Contains(string(a.body), want) {
		t.Errorf("%v\nwant: %s in it as it is", a, want)
	}
}
