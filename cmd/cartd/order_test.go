package main_test

import (
	"net/http"
	"strings"
	"testing"
)

// Spec: Errors. Each request has two faults; the one that is judged first answers.
func TestTheFirstOfTwoFaultsAnswers(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop, keySmall, keyNoConfigurator)
	for _, c := range []refusalCase{
		{name: "cart before ownership of nothing", call: "PATCH commerce/carts/" + unknownID, body: `{`, status: 404,
			want: `{"message":"No query results for model [Cart] ` + unknownID + `"}`},
		{name: "ownership before line", owner: tokenAda, call: "PATCH {cart}/lines/" + unknownID, body: `{"quantity":1}`, status: 403, want: cartOwned},
		{name: "ownership before body", owner: tokenAda, call: addCall, body: `{`, status: 403, want: cartOwned},
		{name: "ownership before fields", owner: tokenAda, call: addCall, body: `{}`, status: 403, want: cartOwned},
		{name: "line before body", call: "PATCH {cart}/lines/" + unknownID, body: `{`, status: 404,
			want: `{"message":"No query results for model [CartLine] ` + unknownID + `"}`},
		{name: "line before fields", call: "PATCH {cart}/lines/" + unknownID, body: `{}`, status: 404,
			want: `{"message":"No query results for model [CartLine] ` + unknownID + `"}`},
		{name: "fields before product", call: addCall, body: addBody(relic, "0"), status: 422,
			want: oneField("quantity", "The quantity field must be greater than 0.", "")},
		{name: "product before variant", call: addCall, body: addBody(relic, "1", variant(glovesS)), status: 422, want: oneField("product_id", noProduct, "")},
		{name: "capability before variant", key: keyNoConfigurator, call: addCall, body: addBody(blind, "1", variant(glovesS)), status: 422,
			want: oneField("product_id", noProduct, "CAPABILITY_INACTIVE")},
		{name: "variant before configuration", call: addCall, body: addBody(hammer, "1", variant(glovesS), unpriced), status: 422,
			want: oneField("variant_id", "This product has no variants.", invalid)},
		{name: "variant before missing configuration", call: addCall, body: addBody(blind, "1", variant(glovesS)), status: 422,
			want: oneField("variant_id", "Configurable products have no variants.", invalid)},
		{name: "configuration before price", call: addCall, body: addBody(mystery, "1", unpriced), status: 422,
			want: oneField("configuration", "This product is not configurable.", invalid)},
		{name: "configurator before whole number", call: addCall, body: addBody(blind, "1.5", unpriced), status: 422,
			want: oneField("configuration", "No price is available for this configuration.", invalid)},
		{name: "price before whole number", call: addCall, body: addBody(mystery, "1.5"), status: 422, want: oneField("product_id", noProduct, "NOT_PURCHASABLE")},
		{name: "whole number before maximum", call: addCall, body: addBody(hammer, "100.5"), status: 422,
			want: oneField("quantity", "The quantity must be a whole number.", "")},
		{name: "maximum before line limit", key: keySmall, given: []string{addBody(hammer, "1"), addBody(nails, "1")},
			call: addCall, body: addBody(cable, "6"), status: 422, want: aboveMax},
		{name: "change: whole number before maximum", given: []string{addBody(hammer, "1")}, call: changeCall, body: `{"quantity":100.5}`, status: 422,
			want: oneField("quantity", "The quantity must be a whole number.", "")},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(shop.in(t)) })
	}
}

// Spec: API key 4 and 5. The guards stand in one order on every route.
func TestGuardsStandInOneOrderOnEveryRoute(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop, keySuspended, keyNoCommerce)
	for _, route := range []string{
		"POST commerce/carts", "GET commerce/carts/" + unknownID, "HEAD commerce/carts/" + unknownID, "PATCH commerce/carts/" + unknownID,
		"POST commerce/carts/" + unknownID + "/lines", "PATCH commerce/carts/" + unknownID + "/lines/" + unknownID,
		"DELETE commerce/carts/" + unknownID + "/lines/" + unknownID, "POST commerce/carts/" + unknownID + "/lines/batch",
		"POST commerce/carts/" + unknownID + "/discount", "DELETE commerce/carts/" + unknownID + "/discount",
		"GET commerce/carts/" + unknownID + "/explain", "HEAD commerce/carts/" + unknownID + "/explain",
	} {
		for _, c := range []refusalCase{
			{name: "no key", key: noKey, status: 401, want: `{"message":"Unauthenticated."}`},
			{name: "revoked key", key: keyRevoked, status: 401, want: `{"message":"Unauthenticated."}`},
			{name: "suspended, module off", key: keySuspended, status: 403, want: `{"message":"Tenant suspended.","code":"tenant_suspended"}`},
			{name: "module off", key: keyNoCommerce, status: 403, want: `{"error":"Module not enabled: commerce"}`},
			{name: "module off, no scope", key: keyBare, status: 403, want: `{"error":"Module not enabled: commerce"}`},
			{name: "no scope", key: keyNothing, status: 403, want: `{"message":"Invalid ability provided."}`},
		} {
			c.call, c.body = route, "{" // judged after every guard
			t.Run(route+", "+c.name, func(t *testing.T) { c.runGuard(shop.in(t)) })
		}
	}
}

// runGuard is run for any method: HEAD has no body to compare.
func (c refusalCase) runGuard(shop client) {
	if !strings.HasPrefix(c.call, "HEAD ") {
		c.run(shop)
		return
	}
	shop.key = c.key
	if c.key == noKey {
		shop.key = ""
	}
	shop.request(http.MethodHead, strings.TrimPrefix(c.call, "HEAD "), "").wantStatus(c.status)
}

// Spec: Carts, scope commerce:read (reads) or commerce:write (writes).
func TestEachRouteTakesItsScope(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	lineID := shop.add(path, hammer, "1").Lines[0].ID
	for _, c := range []struct {
		method, path, body string
		reader, writer     int
	}{
		{"POST", "commerce/carts", "", 403, 201},
		{"GET", path, "", 200, 403},
		{"HEAD", path, "", 200, 403},
		{"PATCH", path, "{}", 403, 200},
		{"POST", path + "/lines", addBody(nails, "1"), 403, 201},
		{"PATCH", path + "/lines/" + lineID, `{"quantity":2}`, 403, 200},
		{"DELETE", path + "/lines/" + lineID, "", 403, 200},
		{"POST", path + "/lines/batch", batchBody(addBody(nails, "1")), 403, 201},
		{"POST", path + "/discount", `{"code":"a"}`, 403, 200},
		{"DELETE", path + "/discount", "", 403, 200},
		{"GET", path + "/explain", "", 200, 403},
		{"GET", "catalog/products", "", 200, 403},
		{"HEAD", "catalog/products/hammer", "", 200, 403},
		{"GET", "me", "", 200, 200},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			shop.in(t).withKey(keyReader).request(c.method, c.path, c.body).wantStatus(c.reader)
			shop.in(t).withKey(keyWriter).request(c.method, c.path, c.body).wantStatus(c.writer)
		})
	}
}

// Spec: API key 1. The conventions: scheme in any case, one key after it.
func TestOnlyABearerKeyIsTaken(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop).withKey("")
	for _, c := range []struct {
		header string
		status int
	}{
		{"Bearer " + keyShop, 200},
		{"bearer " + keyShop, 200},
		{"BEARER " + keyShop, 200},
		{"", 401},
		{keyShop, 401},
		{"Bearer", 401},
		{"Bearer ", 401},
		{"Basic " + keyShop, 401},
		{"Token Bearer " + keyShop, 401},
		{"Bearer " + keyShop + " " + keyShop, 401},
		{"Bearer Bearer " + keyShop, 401},
		{"Bearer " + keyShop + "x", 401},
		{"Bearer " + strings.ToUpper(keyShop), 401},
		{"Bearer " + keyRevoked, 401},
	} {
		t.Run(c.header, func(t *testing.T) {
			shop.in(t).withHeader("Authorization", c.header).get("me").wantStatus(c.status)
		})
	}
	shop.get("me?api_key="+keyShop).want(401, `{"message":"Unauthenticated."}`)
	shop.request("POST", "commerce/carts", `{"api_key":"`+keyShop+`"}`).want(401, `{"message":"Unauthenticated."}`)
}
