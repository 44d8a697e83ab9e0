package blackbox_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

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
