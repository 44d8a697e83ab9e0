package blackbox_test

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
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

// wantRows wants a list of exactly these rows.
func (c client) wantRows(path, numbers string, rows ...string) {
	c.t.Helper()
	a := c.get(path)
	if got := decoded[pageSeen](a).numbers(); got != numbers {
		c.t.Errorf("%s: %s, want %s", path, got, numbers)
	}
	if want := `{"data":[` + strings.Join(rows, ",") + `],"links":{"first":"` + c.node.base + "/v1/api/" + path[:strings.IndexAny(path+"?", "?")] + "?"; !strings.HasPrefix(string(a.body), want) {
		c.t.Errorf("%v\nwant: %s…", a, want)
	}
	wantPlainHeaders(a)
}

// docs/api/catalogue.md#categories-redirects-sitemap: products_count counts active products that name
// it. Redirects: path is decoded and compared exactly. An empty store has empty lists.
func TestCategoriesAndRedirects(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), withCategories, selling(
		product(itemID(1), "One", "one", object{"category_ids": list{tools, tools}}),
		product(itemID(2), "Two", "two", object{"category_ids": list{handy, garden}}),
		product(itemID(3), "Gone", "gone", object{"category_ids": list{nothing, tools}, "active": false}),
	), func(document object) {
		document["redirects"] = list{
			object{"from": "/old", "to": "/new"}, object{"from": "/Old", "to": "/new?a=1&b=<2>", "status": 302}, object{"from": "/old/ü x?y=1&z#50%", "to": "https://example.org/", "status": 308},
		}
	}), storeFile(t, another(storeOther, keyOther, changes(selling()))))
	category := func(id, slug, name, parent string, count, total int) string {
		return fmt.Sprintf(`{"id":%q,"slug":%q,"name":%q,"parent_id":%s,"products_count":%d,"media":[],"description":null,"metadata":{},"products_total":%d}`, id, slug, name, parent, count, total)
	}
	rows := []string{
		category(tools, "tools", "Tools", "null", 1, 2), category(handy, "Hand tools", "Hand & tools", quoted(tools), 1, 1),
		category(garden, "out/doors?#50%é", "Garden", "null", 1, 1), category(nothing, "90000000-0000-4000-8000-0000000000aa", "Nothing", "null", 0, 0),
	}
	wantText(shop.get(categoriesPath+"/Hand%20tools"), rows[1])
	shop.wantRows(categoriesPath, "1/1 25 of 4: 1-4", rows...)
	shop.wantRows(categoriesPath+"?per_page=2&page=2&category_id=x&q=y&sort=z", "2/2 2 of 4: 3-4", rows[2:]...)

	rows = []string{
		`{"from":"/old","to":"/new","status":301}`, `{"from":"/Old","to":"/new?a=1&b=<2>","status":302}`, `{"from":"/old/ü x?y=1&z#50%","to":"https://example.org/","status":308}`,
	}
	shop.wantRows(redirectsPath, "1/1 25 of 3: 1-3", rows...)
	for query, row := range map[string]int{"path=/old": 0, "path=/Old": 1, "path=%2Fold%2F%C3%BC%20x%3Fy%3D1%26z%2350%25": 2, "path=/none&path=/old": 0} {
		shop.wantRows(redirectsPath+"?"+query, "1/1 25 of 1: 1-1", rows[row])
	}
	for _, path := range []string{"/ol", "/old/", "old", "/OLD", "/new", " /old"} {
		shop.wantRows(redirectsPath+"?path="+url.QueryEscape(path), "1/1 25 of 0: null-null")
	}
	for path, size := range map[string]string{productsPath: "25", categoriesPath: "25", redirectsPath: "25", sitemapPath: "100"} {
		shop.withKey(keyOther).wantRows(path, "1/1 "+size+" of 0: null-null")
	}
}

// docs/api/catalogue.md#categories-redirects-sitemap: active products, then all categories; a path
// leads to its object. A page has at most 1,000 entries.
func TestSitemap(t *testing.T) {
	t.Parallel()
	odd := "b/ü ?#%&+\"<漢>"
	shop := serveFiles(t, storeFile(t, base(), withCategories, selling(
		product(itemID(1), "One", "one.A-b_c~1", nil), product(itemID(2), "Gone", "gone", object{"active": false}), product(itemID(3), "Two", odd, nil),
	)))
	const first = `{"type":"product","id":"a1000000-0000-4000-8000-000000000001","slug":"one.A-b_c~1","path":"/products/one.A-b_c~1"}`
	shop.wantRows(sitemapPath+"?per_page=1", "1/6 1 of 6: 1-1", first)
	var seen []string
	whole := shop.get(sitemapPath + "?per_page=1001")
	for _, row := range decoded[struct {
		Data []struct{ Type, ID, Slug, Path string }
	}](whole).Data {
		seen = append(seen, row.Type+" "+row.Slug)
		if got := decoded[struct{ ID, Slug string }](shop.get("catalog" + row.Path)); got.ID != row.ID || got.Slug != row.Slug {
			t.Errorf("%s leads to %+v, want %+v", row.Path, got, row)
		}
	}
	if got, want := decoded[pageSeen](whole).numbers()+" "+strings.Join(seen, ", "), "1/1 1000 of 6: 1-6 product one.A-b_c~1, product "+odd+
		", category tools, category Hand tools, category out/doors?#50%é, category 90000000-0000-4000-8000-0000000000aa"; got != want {
		t.Errorf("the sitemap has %s, want %s", got, want)
	}
}

// cataloguePages are one page of each route of the base store with categories.
var cataloguePages = []string{productsPath, productsPath + "/hammer", categoriesPath, categoriesPath + "/tools", redirectsPath, sitemapPath}

// The catalogue needs its module, and carts do not.
func TestCatalogueGuards(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, another(storeNoCatalog, keyNoCatalog, changes(withCategories, without("catalog"))))).withKey(keyNoCatalog)
	for _, path := range cataloguePages {
		shop.get(path).want(403, `{"error":"Module not enabled: catalog"}`)
	}
	shop.add(shop.newCart(), hammer, "1")
}

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
