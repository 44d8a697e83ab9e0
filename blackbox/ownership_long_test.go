//go:build long

package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// wantAllRefused sends every kind of request to a cart and wants the ownership 403.
func (c client) wantAllRefused(path, lineID string) {
	c.t.Helper()
	for _, a := range []answer{
		c.get(path), c.patch(path, `{"email":"x@y"}`), c.patch(path, `{}`), c.post(path+"/lines", addBody(hammer, "1")),
		c.patch(path+"/lines/"+lineID, `{"quantity":2}`), c.remove(path + "/lines/" + lineID),
		c.post(path+"/lines/batch", batchBody(addBody(hammer, "1"))), c.post(path+"/discount",
			`{"code":"a"}`), c.remove(path + "/discount"), c.get(path + "/explain"),
	} {
		a.want(http.StatusForbidden, cartOwned)
	}
}

// Spec: Customer token 2, with the customers module off.
func TestLongOwnershipFailsClosed(t *testing.T) {
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

// A token that one node ends does not resolve on the other node, which has it in memory: it can
// neither read nor write a bound cart, not even at the same time.
func TestLongTokenEndedOnAnotherNodeOpensNoCart(t *testing.T) {
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
