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

// wantAllRefused sends every kind of request to a cart and wants the ownership 403.
func (c client) wantAllRefused(path, lineID string) {
	c.t.Helper()
	for _, a := range []answer{
		c.get(path), c.patch(path, `{"email":"x@y"}`), c.patch(path, `{}`), c.post(path+"/lines", addBody(hammer, "1")),
		c.patch(path+"/lines/"+lineID, `{"quantity":2}`), c.remove(path + "/lines/" + lineID),
		c.post(path+"/lines/batch", batchBody(addBody(hammer, "1"))), c.post(path+"/discount", `{"code":"a"}`), c.remove(path + "/discount"), c.get(path + "/explain"),
	} {
		a.want(http.StatusForbidden, cartOwned)
	}
}

// Spec: Customer token 2, with the customers module off.
func TestOwnershipFailsClosed(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	with := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base())}})
	shop := with.client(t)
	owned, guest, open := shop.newCart(), shop.newCart(), shop.newCart()
	lines := map[string]string{}
	for _, path := range []string{owned, guest, open} {
		lines[path] = shop.add(path, hammer, "1").Lines[0].ID
	}
	shop.withToken(tokenAda).patch(owned, `{"email":"ada@example.com"}`).wantStatus(200)
	shop.patch(guest, `{"email":"new@example.com"}`).wantStatus(200)
	with.Kill()

	off := storeFile(t, base(), without("customers"))
	shop = shop.on(start(t, options{redis: r.URL(), stores: []string{off}, flags: []string{"--store-replace"}}))
	for _, path := range []string{owned, guest} {
		for _, token := range []string{"", tokenAda, tokenTess} {
			shop.withToken(token).wantAllRefused(path, lines[path])
		}
	}
	shop.wantAccess(open, everyToken...)
	shop.add(open, hammer, "1")
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

// A token that one node ends does not resolve on the other node, which has it in memory: it can
// neither read nor write a bound cart, not even at the same time.
func TestATokenEndedOnAnotherNodeOpensNoCart(t *testing.T) {
	nodes := freshPair(t)
	for range 10 {
		here, there := nodes[0].withKey(keyAll), nodes[1].withKey(keyAll)
		token := there.login(adaEmail, adaPassword).signedIn(200).Token
		here, there = here.withToken(token), there.withToken(token)
		path := here.newCart()
		here.patch(path, `{"email":"ada@example.com"}`).wantStatus(200)
		here.add(path, hammer, "1")
		there.post("contacts/logout", "").wantStatus(204)
		for _, o := range together(4, func(i int) outcome {
			if i%2 == 0 {
				return here.outcome("GET", path, "")
			}
			return here.outcome("POST", path+"/lines", addBody(hammer, "1"))
		}) {
			if o.err != nil {
				t.Fatal(o.err)
			}
			o.want(403, cartOwned)
		}
	}
}
