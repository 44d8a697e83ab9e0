//go:build long

package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// A cache shows each visitor what the server would answer without it: after another token and another
// origin, in each order of two. docs/api/customers.md#customer-token.
func TestLongCachesShowNoOtherVisitorsHeaders(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{storeFile(t, base(), withCategories)},
		flags: []string{"--cors-origins", "https://a.example,https://b.example"}})
	guest := n.client(t).withKey(keyAll)
	cart := guest.newCart()
	guest.add(cart, hammer, "1")
	visitors := map[string]client{
		"a guest": guest, "an ended token": guest.withToken(tokenExpired), "a wrong token": guest.withToken("nobody-has-this"), "Ada": guest.withToken(tokenAda),
		"a page of a.example": guest.withHeader("Origin", "https://a.example"), "a page of b.example": guest.withHeader("Origin", "https://b.example"),
	}
	for _, path := range []string{
		"catalog/products", "catalog/products/" + hammer, "catalog/products?unknown=1", "catalog/categories", "catalog/sitemap", "catalog/redirects",
		cart, cart + "/explain", cart + "/checkout",
	} {
		want := map[string]answer{}
		for name, visitor := range visitors {
			want[name] = visitor.get(path).wantStatus(http.StatusOK)
		}
		for first := range visitors {
			for second := range visitors {
				cache := browserCache{}
				cache.get(visitors[first], path)
				if problem := cache.get(visitors[second], path).otherHeader(want[second], visitors[second]); problem != "" {
					t.Errorf("%s to %s after %s: %s", path, second, first, problem)
				}
			}
		}
	}
}
