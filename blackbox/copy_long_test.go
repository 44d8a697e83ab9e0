//go:build long

package blackbox_test

import (
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// docs/api/carts.md#copy: copies of carts and orders, on any node, exactly once.
func TestLongCopies(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes := pair(t, r, keyShop)
	here, far := nodes[0], nodes[1]
	ada := here.withToken(tokenAda)
	original := ada.bound("ada@example.com", "2", "3")
	got, left := far.withToken(tokenAda).post(original+"/copy", "").copied(201)
	if got.ID == idOf(original) || got.Status != "active" || got.Email == nil || *got.Email != "ada@example.com" || len(left) != 0 ||
		got.plain() != here.withToken(tokenAda).get(original).cart(200).plain() {
		t.Errorf("the copy is %+v, left out %v", got, left)
	}
	// Bound to the account: a guest may not read it, and the account's list has it.
	here.get("commerce/carts/"+got.ID).want(403, cartOwned)
	if rows, _ := ada.carts(""); len(rows) != 2 {
		t.Errorf("the account has %+v", rows)
	}
	far.post(original+"/copy", "").want(403, cartOwned)
	far.post("commerce/carts/"+unknownID+"/copy", "").want(404, `{"message":"No query results for model [Cart] `+unknownID+`"}`)
	far.post("commerce/carts/x/copy", "").want(404, `{"message":"No query results for model [Cart] x"}`)

	// A sold cart and its order, with and without the account's token.
	sold := ada.sell("{}")
	if got, _ = ada.post("commerce/carts/"+sold.CartID+"/copy", "").copied(201); len(got.Lines) != 1 {
		t.Errorf("the copy of a sold cart is %+v", got)
	}
	if got, _ = far.withToken(tokenAda).post("commerce/orders/"+sold.ID+"/copy", "").copied(201); len(got.Lines) != 1 || got.Lines[0].ProductID != booklet {
		t.Errorf("the copy of an order is %+v", got)
	}
	here.withToken(tokenTess).post("commerce/orders/"+sold.ID+"/copy", "").want(404, `{"message":"No query results for model [Order] `+sold.ID+`"}`)
	here.post("commerce/orders/"+sold.ID+"/copy", "").want(401, `{"message":"Invalid customer token."}`)

	// Exactly once: the key's scope is that of a creation, with the source in the request.
	key := strings.Repeat("k", 16)
	first := ada.once(key).post(original+"/copy", "")
	made, _ := first.copied(201)
	again := far.withToken(tokenAda).once(key).post(original+"/copy", "")
	if repeated, left := again.copied(201); repeated.ID != made.ID || again.header.Get("Idempotent-Replayed") != "true" || len(left) != 0 {
		t.Errorf("repeated: %+v", again)
	}
	ada.once(key).post("commerce/carts/"+made.ID+"/copy", "").wantStatus(422)
	here.once(strings.Repeat("k", 15)).post(here.newCart()+"/copy", "").want(400, wrongKey)
}
