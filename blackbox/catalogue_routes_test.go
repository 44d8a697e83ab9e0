package blackbox_test

import (
	"fmt"
	"strconv"
	"testing"
)

const (
	redirectsPath = "catalog/redirects"
	sitemapPath   = "catalog/sitemap"
)

// pageSeen is a list's envelope as a client reads it.
type pageSeen struct {
	Meta struct {
		CurrentPage int `json:"current_page"`
		From, To    *int
		LastPage    int `json:"last_page"`
		PerPage     int `json:"per_page"`
		Total       int
	}
}

// numbers writes current and last page, page size, total, from and to.
func (p pageSeen) numbers() string {
	number := func(n *int) string {
		if n == nil {
			return "null"
		}
		return strconv.Itoa(*n)
	}
	m := p.Meta
	return fmt.Sprintf("%d/%d %d of %d: %s-%s", m.CurrentPage, m.LastPage, m.PerPage, m.Total, number(m.From), number(m.To))
}

// cataloguePages are one page of each route of the base store with categories.
var cataloguePages = []string{productsPath, productsPath + "/hammer", categoriesPath, categoriesPath + "/tools", redirectsPath, sitemapPath}

// docs/api/catalogue.md#caching-and-redis-away: the ETag is the hash of the body; 304 on every route.
func TestCatalogueTags(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), withCategories))
	for _, path := range cataloguePages {
		full := shop.get(path).wantStatus(200).wantHeader("Vary", "Authorization, X-Customer-Token")
		tag := full.header.Get("ETag")
		shop.withKey(keyReader).get(path).want(200, string(full.body)).wantHeader("ETag", tag)
		for _, method := range []string{"GET", "HEAD"} {
			a := shop.ifNoneMatch(`"x", W/`+tag).request(method, path, "").wantStatus(304)
			a.wantHeader("ETag", tag).wantHeader("Vary", "Authorization, X-Customer-Token").wantHeader("X-RateLimit-Limit", "2000000")
			shop.ifNoneMatch(`"x"`).request(method, path, "").wantStatus(200).wantHeader("ETag", tag)
		}
	}
	for _, c := range []struct {
		path, other, token string
		same               bool
	}{
		{productsPath, productsPath, tokenTess, false}, {productsPath, productsPath, tokenAda, true}, {productsPath + "/hammer", productsPath + "/hammer", tokenTess, true},
		{categoriesPath, categoriesPath + "?utm=1", "", false}, // its links differ
	} {
		one, other := shop.get(c.path).header.Get("ETag"), shop.withToken(c.token).get(c.other).header.Get("ETag")
		if (one == other) != c.same {
			t.Errorf("%s: %s, %s with the token %q: %s, want the same: %v", c.path, one, c.other, c.token, other, c.same)
		}
	}
}
