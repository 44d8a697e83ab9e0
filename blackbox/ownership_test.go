package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// serveFiles is serve for store files of the test's own.
func serveFiles(t *testing.T, files ...string) client {
	t.Helper()
	return start(t, options{redis: redistest.Mini(t).URL(), stores: files}).client(t)
}

// access is the status of a read with each token.
type access struct {
	token  string
	status int
}

func (c client) wantAccess(path string, all ...access) {
	c.t.Helper()
	for _, a := range all {
		got := c.withToken(a.token).get(path).wantStatus(a.status)
		if a.status == http.StatusForbidden {
			got.want(http.StatusForbidden, cartOwned)
		}
	}
}

// everyToken: each token may see a cart without an account.
var everyToken = []access{{"", 200}, {tokenAda, 200}, {tokenTess, 200}, {tokenExpired, 200}, {"no such token", 200}}

// onlyAda: only Ada's token may see a cart that is bound to her account.
var onlyAda = []access{{tokenAda, 200}, {"", 403}, {tokenTess, 403}, {tokenExpired, 403}, {"no such token", 403}}

// docs/api/carts.md#binding: no other write of a cart binds it.
func TestOnlyAnEmailBinds(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	account := shop.withToken(tokenAda)
	path := account.newCart()
	id := account.add(path, hammer, "1").Lines[0].ID
	account.patch(path, `{"metadata":{"a":1}}`).wantStatus(200)
	account.patch(path+"/lines/"+id, `{"quantity":2}`).wantStatus(200)
	account.remove(path + "/lines/" + id).wantStatus(200)
	shop.wantAccess(path, everyToken...)
}

// Spec: API key 2.
func TestStoresDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop, keyOther)
	other := shop.withKey(keyOther)
	path := shop.newCart()
	id := shop.add(path, hammer, "1").Lines[0].ID
	missing := `{"message":"No query results for model [Cart] ` + shop.get(path).cart(200).ID + `"}`
	for _, token := range []string{"", tokenAda} {
		c := other.withToken(token)
		for _, a := range []answer{
			c.get(path), c.patch(path, `{"email":"x@y"}`), c.post(path+"/lines", addBody(hammer, "1")),
			c.patch(path+"/lines/"+id, `{"quantity":2}`), c.remove(path + "/lines/" + id),
		} {
			a.want(http.StatusNotFound, missing)
		}
	}
	theirs := other.newCart()
	other.add(theirs, hammer, "2")
	other.remove(theirs+"/lines/"+id).want(404, `{"message":"No query results for model [CartLine] `+id+`"}`)
	shop.get(path).wantLines(200, "Hammer 1 × 1999 = 1999")
	other.get(theirs).wantLines(200, "Hammer 2 × 1999 = 3998")
}
