package blackbox_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// basketOf is the body of the price of a basket with so many unknown codes, and codes of the store.
func basketOf(unknown int, known ...string) string {
	var codes []string
	for i := range unknown {
		codes = append(codes, quoted(fmt.Sprint("nothing-", i)))
	}
	for _, code := range known {
		codes = append(codes, quoted(code))
	}
	return `{"lines":[],"discount_codes":[` + strings.Join(codes, ",") + `]}`
}

// budgetedShop is a node behind a trusted proxy with a store of 488 requests a minute, 120 of a client, and ten codes a cart. It
// returns a caller of an address.
func budgetedShop(t *testing.T) func(addr string) client {
	file := storeFile(t, base(), withDiscounts, setting("rate_limit_per_minute", 488), setting("limits", object{"per_client": 120}),
		setting("policy", object{"max_discount_codes": 10}))
	shop := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{file}, flags: []string{"--trusted-proxies", "127.0.0.1"}}).client(t)
	return func(addr string) client { return shop.withHeader("X-Forwarded-For", addr) }
}

// docs/api/limits.md#budgets-inside-a-store: one address with baskets of ten unknown codes leaves the store's limit to others.
func TestUnknownCodesOfAClientLeaveTheStore(t *testing.T) {
	t.Parallel()
	// Without a trusted proxy only the request limits count codes.
	file := storeFile(t, base(), setting("rate_limit_per_minute", 488), setting("limits", object{"per_client": 120}),
		setting("policy", object{"max_discount_codes": 10}), func(document object) {
			keys := document["api_keys"].(list)
			keys[1].(object)["client_limit"] = false
		})
	shop := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{file}}).client(t)
	visitor, server := shop.withKey(keyReader), shop.withKey(keyAll)
	for i := range 44 {
		a := visitor.post("commerce/price", basketOf(10))
		if i < 10 { // 11 requests each
			a.wantStatus(200).wantHeader("X-RateLimit-Limit", "120").wantHeader("X-RateLimit-Remaining", strconv.Itoa(120-11*(i+1)))
			continue
		}
		a.want(429, tooMany).wantHeader("X-RateLimit-Limit", "120").wantHeader("X-RateLimit-Remaining", "10")
		if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 || wait > 61 {
			t.Errorf("Retry-After: %q", a.header.Get("Retry-After"))
		}
	}
	server.get("me").wantStatus(200).wantHeader("X-RateLimit-Limit", "488").wantHeader("X-RateLimit-Remaining", strconv.Itoa(488-110-1))
	// What was refused as a whole counts nowhere: the client has its ten left.
	for left := 9; left >= 0; left-- {
		visitor.get("me").wantStatus(200).wantHeader("X-RateLimit-Remaining", strconv.Itoa(left))
	}
	visitor.get("me").want(429, tooMany).wantHeader("X-RateLimit-Remaining", "0")
	server.post("commerce/carts", "").wantStatus(201).wantHeader("X-RateLimit-Remaining", strconv.Itoa(488-110-12))
}

// What is refused ahead of its codes counts as one request, and so does a basket whose codes the store has.
func TestWhatABasketCountsForItsClient(t *testing.T) {
	t.Parallel()
	from := budgetedShop(t)
	left := 120
	visitor := from("203.0.113.1")
	for _, c := range []struct {
		key, body     string
		status, count int
	}{
		{keyReader, basketOf(0, "FIVE", "Ten10", "cable"), 200, 1},
		{keyReader, basketOf(0), 200, 1},
		{keyReader, ``, 200, 1},
		{keyReader, `[`, 400, 1},
		{keyReader, strings.Replace(basketOf(9), "}", `,"country":"x"}`, 1), 422, 1},
		{keyReader, strings.Replace(basketOf(9), "}", `,"at":"2040-01-01T00:00:00Z"}`, 1), 403, 1},
		{keyReader, basketOf(11), 422, 1},
		{keyWriter, basketOf(9), 403, 1},
		{keyReader, basketOf(2, "FIVE"), 200, 3},
		{keyReader, basketOf(0, "OFF"), 200, 2}, // inactive
	} {
		a := visitor.withKey(c.key).post("commerce/price", c.body).wantStatus(c.status)
		left -= c.count
		if limit := a.header.Get("X-RateLimit-Limit"); limit == "120" { // else that of its tries leaves less
			a.wantHeader("X-RateLimit-Remaining", strconv.Itoa(left))
		}
		if a = visitor.get("me"); a.header.Get("X-RateLimit-Remaining") != strconv.Itoa(left-1) {
			t.Errorf("%s: %s are left of the client's limit, want %d", c.body, a.header.Get("X-RateLimit-Remaining"), left-1)
		}
		left--
	}
}

// An attach is one request of its client and of the store, known or not. Beyond the client's limit it counts nowhere.
func TestAttachesCountForTheClient(t *testing.T) {
	t.Parallel()
	from := budgetedShop(t)
	other, visitor := from("203.0.113.2"), from("203.0.113.1")
	path := visitor.newCart()
	for i := range 119 {
		if i%10 == 0 {
			path = other.newCart()
		}
		visitor.attach(path, fmt.Sprint("guess", i)).wantStatus(200)
	}
	visitor.attach(path, "guess").want(429, tooMany).wantHeader("X-RateLimit-Limit", "120").wantHeader("X-RateLimit-Remaining", "0")
	third := from("203.0.113.3").get("me").wantHeader("X-RateLimit-Limit", "120").wantHeader("X-RateLimit-Remaining", "119")
	third.wantStatus(200)
	from("203.0.113.4").withKey(keyReader).get("me").wantStatus(200)
	// 1 + 119 of the visitor, 12 of the other, 2 since: the store's limit has 354 left, which 120 of three clients do not reach.
	for i, addr := range []string{"203.0.113.5", "203.0.113.6"} {
		for j := range 120 {
			a := from(addr).get("me").wantStatus(200)
			if left := 488 - 120 - 12 - 2 - 120*i - j - 1; left < 120-j-1 {
				a.wantHeader("X-RateLimit-Limit", "488").wantHeader("X-RateLimit-Remaining", strconv.Itoa(left))
			}
		}
	}
	for left := 113; left >= 0; left-- {
		from("203.0.113.7").get("me").wantStatus(200).wantHeader("X-RateLimit-Limit", "488").wantHeader("X-RateLimit-Remaining", strconv.Itoa(left))
	}
	wantRefused(from("203.0.113.8").get("me"), 488)
}

// merchantsScopes are those of docs/api/keys.md#a-merchants-scopes.
var merchantsScopes = []string{"orders:read", "orders:write", "catalog:manage", "contacts:manage", "sales:manage", "store:read"}

// docs/api/keys.md#a-merchants-scopes: visitors use up the limit, and a login elsewhere goes on.
func TestMerchantsScopesBehindVisitors(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base(), setting("rate_limit_per_minute", 120), func(document object) {
		for _, scope := range append(slices.Clone(merchantsScopes), "catalog:write") {
			document["api_keys"] = append(document["api_keys"].(list), apiKey(scope, "secret-key-"+scope, scope))
		}
	})
	shop := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{file}}).client(t)
	for range 120 {
		shop.get("me").wantStatus(200)
	}
	wantRefused(shop.get("me"), 120)
	wantRefused(shop.withKey("secret-key-catalog:write").get("me"), 120)
	shop.withKey("secret-key-contacts:manage").request("PUT", "contacts/by-external-id/a", `{"email":"a@example.com"}`).wantStatus(201)
	for _, scope := range merchantsScopes {
		shop.withKey("secret-key-" + scope).get("me").wantStatus(200)
	}
}
