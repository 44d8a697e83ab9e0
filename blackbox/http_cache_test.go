package blackbox_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// browserCache keeps answers by their paths as RFC 9111 has it. As in browsers, what Vary names does not matter
// for If-None-Match.
type browserCache map[string]answer

// get returns what a page sees of an answer: the fresh one, or the stored one with the fields of a 304.
func (c browserCache) get(visitor client, path string) answer {
	stored, there := c[path]
	if there {
		visitor = visitor.withHeader("If-None-Match", stored.header.Get("Etag"))
	}
	fresh := visitor.get(path)
	if there && fresh.status == http.StatusNotModified { // RFC 9111, 4.3.4
		stored.header = stored.header.Clone()
		maps.Copy(stored.header, fresh.header)
		c[path] = stored
		return stored
	}
	fresh.wantStatus(http.StatusOK)
	if strings.Contains(fresh.header.Get("Cache-Control"), "no-store") { // 3: what is stored stays
		return fresh
	}
	if delete(c, path); fresh.header.Get("Etag") != "" {
		c[path] = fresh
	}
	return fresh
}

// ofEachAnswer are headers that differ from answer to answer.
var ofEachAnswer = []string{"X-Request-Id", "X-Ratelimit-Remaining", "Date", "Content-Length"}

// A cache shows each visitor what the server would answer without it: after another token and another
// origin, in each order of two. docs/api/customers.md#customer-token.
func TestCachesShowNoOtherVisitorsHeaders(t *testing.T) {
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

// otherHeader says which header differs from that of the answer without a cache, or nothing.
func (a answer) otherHeader(want answer, visitor client) string {
	both := a.header.Clone()
	maps.Copy(both, want.header)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		got, right := a.header.Values(name), want.header.Values(name)
		switch {
		case slices.Contains(ofEachAnswer, name):
		case strings.HasPrefix(name, "Access-Control-") && visitor.extra.Get("Origin") == "": // no page of another origin reads it
		case !slices.Equal(got, right):
			return fmt.Sprintf("%s is %q, want %q", name, got, right)
		}
	}
	return ""
}
