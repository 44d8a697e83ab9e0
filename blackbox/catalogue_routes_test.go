package blackbox_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const (
	redirectsPath = "catalog/redirects"
	sitemapPath   = "catalog/sitemap"
)

// The catalogue page, categories: products_count counts active products that name it.
func TestCategories(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), withCategories, selling(
		product(itemID(1), "One", "one", object{"category_ids": list{tools, tools}}),
		product(itemID(2), "Two", "two", object{"category_ids": list{handy, tools, garden}}),
		product(itemID(3), "Gone", "gone", object{"category_ids": list{nothing, tools}, "active": false}),
	)))
	rows := []struct{ id, slug, row string }{
		{tools, "tools", `{"id":"90000000-0000-4000-8000-000000000001","slug":"tools","name":"Tools","parent_id":null,"products_count":2,"media":[],"description":null,"metadata":{},"products_total":2}`},
		{handy, "Hand%20tools", `{"id":"90000000-0000-4000-8000-000000000002","slug":"Hand tools","name":"Hand & tools",` +
			`"parent_id":"90000000-0000-4000-8000-000000000001","products_count":1,"media":[],"description":null,"metadata":{},"products_total":1}`},
		{garden, "out%2Fdoors%3F%2350%25%c3%a9", `{"id":"90000000-0000-4000-8000-000000000003","slug":"out/doors?#50%é","name":"Garden","parent_id":null,"products_count":1,"media":[],"description":null,"metadata":{},"products_total":1}`},
		{nothing, "90000000-0000-4000-8000-0000000000aa",
			`{"id":"90000000-0000-4000-8000-000000000004","slug":"90000000-0000-4000-8000-0000000000aa","name":"Nothing","parent_id":null,"products_count":0,"media":[],"description":null,"metadata":{},"products_total":0}`},
	}
	var all []string
	for _, c := range rows {
		wantText(shop.get(categoriesPath+"/"+c.id), c.row)
		wantText(shop.get(categoriesPath+"/"+c.slug), c.row)
		all = append(all, c.row)
	}
	shop.wantRows(categoriesPath, "1/1 25 of 4: 1-4", all...)
	shop.wantRows(categoriesPath+"?per_page=2&page=2&category_id=x&q=y&sort=z", "2/2 2 of 4: 3-4", all[2:]...)
	shop.wantRows(categoriesPath+"?per_page=1000", "1/1 100 of 4: 1-4", all...)
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

// The catalogue page, redirects: path is decoded and compared exactly.
func TestRedirects(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), func(document object) {
		document["redirects"] = list{
			object{"from": "/old", "to": "/new"}, object{"from": "/Old", "to": "/new?a=1&b=<2>", "status": 302},
			object{"from": "/old/ü x?y=1&z#50%", "to": "https://example.org/", "status": 308}, object{"from": "/a%20b", "to": "/a"},
		}
	}))
	rows := []string{
		`{"from":"/old","to":"/new","status":301}`, `{"from":"/Old","to":"/new?a=1&b=<2>","status":302}`,
		`{"from":"/old/ü x?y=1&z#50%","to":"https://example.org/","status":308}`, `{"from":"/a%20b","to":"/a","status":301}`,
	}
	shop.wantRows(redirectsPath, "1/1 25 of 4: 1-4", rows...)
	shop.wantRows(redirectsPath+"?per_page=3&page=2", "2/2 3 of 4: 4-4", rows[3])
	for query, row := range map[string]int{
		"path=/old": 0, "path=%2Fold": 0, "path=/Old": 1, "path=%2Fold%2F%C3%BC%20x%3Fy%3D1%26z%2350%25": 2, "path=/old/%C3%BC+x%3Fy=1%26z%2350%25": 2,
		"path=/a%2520b": 3, "path=/none&path=/old": 0, "path=/old&page=1&utm=2": 0,
	} {
		shop.wantRows(redirectsPath+"?"+query, "1/1 25 of 1: 1-1", rows[row])
	}
	for _, path := range []string{"/ol", "/old/", "old", "/OLD", "/new", "/a b", "/a%20b%20", " /old", "/none"} {
		shop.wantRows(redirectsPath+"?path="+url.QueryEscape(path), "1/1 25 of 0: null-null")
	}
}

// The catalogue page, sitemap: active products, then all categories; a path leads to its object.
func TestSitemap(t *testing.T) {
	t.Parallel()
	odd := "b/ü ?#%&+\"<漢>"
	shop := serveFiles(t, storeFile(t, base(), withCategories, selling(
		product(itemID(1), "One", "one.A-b_c~1", nil), product(itemID(2), "Gone", "gone", object{"active": false}), product(itemID(3), "Two", odd, nil),
	)))
	const first = `{"type":"product","id":"a1000000-0000-4000-8000-000000000001","slug":"one.A-b_c~1","path":"/products/one.A-b_c~1"}`
	shop.wantRows(sitemapPath+"?per_page=1", "1/6 1 of 6: 1-1", first)
	const third = `{"type":"category","id":"90000000-0000-4000-8000-000000000001","slug":"tools","path":"/categories/tools"}`
	shop.wantRows(sitemapPath+"?per_page=1&page=3", "3/6 1 of 6: 3-3", third)
	var seen []string
	for _, row := range decoded[struct {
		Data []struct{ Type, ID, Slug, Path string }
	}](shop.get(sitemapPath)).Data {
		seen = append(seen, row.Type+" "+row.Slug)
		if decodedPath, err := url.PathUnescape(row.Path); err != nil || !strings.HasSuffix(decodedPath, "/"+row.Slug) || strings.ContainsAny(row.Path, " ?#\"<>") {
			t.Errorf("%q has the path %q", row.Slug, row.Path)
		}
		if strings.Count(row.Path, "/") != 2 || strings.ContainsFunc(row.Path, func(r rune) bool { return r > 126 }) {
			t.Errorf("the path %q is not percent-encoded", row.Path)
		}
		got := decoded[struct{ ID, Slug string }](shop.get("catalog" + row.Path))
		if got.ID != row.ID || got.Slug != row.Slug {
			t.Errorf("%s leads to %+v, want %+v", row.Path, got, row)
		}
	}
	if got, want := strings.Join(seen, ", "), "product one.A-b_c~1, product "+odd+", category tools, category Hand tools, "+
		"category out/doors?#50%é, category 90000000-0000-4000-8000-0000000000aa"; got != want {
		t.Errorf("the sitemap has %s, want %s", got, want)
	}
}

// A page of the sitemap has 100 entries, at most 1,000. An empty store has empty lists.
func TestSitemapPages(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), manyItems(1050)), storeFile(t, another(storeOther, keyOther, changes(selling()))))
	for query, want := range map[string]string{
		"": "1/11 100 of 1050: 1-100", "per_page=1000": "1/2 1000 of 1050: 1-1000", "per_page=1001&page=2": "2/2 1000 of 1050: 1001-1050",
		"per_page=101": "1/11 101 of 1050: 1-101", "per_page=0": "1/1050 1 of 1050: 1-1", "per_page=x": "1/11 100 of 1050: 1-100",
	} {
		if got := decoded[pageSeen](shop.get(sitemapPath + "?" + query)).numbers(); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	for path, size := range map[string]string{productsPath: "25", categoriesPath: "25", redirectsPath: "25", sitemapPath: "100"} {
		shop.withKey(keyOther).wantRows(path, "1/1 "+size+" of 0: null-null")
	}
}

// cataloguePages are one page of each route of the base store with categories.
var cataloguePages = []string{productsPath, productsPath + "/hammer", categoriesPath, categoriesPath + "/tools", redirectsPath, sitemapPath}

// Module and scopes: catalog:read or commerce:read. Carts do not need the module.
func TestCatalogueGuards(t *testing.T) {
	t.Parallel()
	keys := func(d object) {
		d["api_keys"] = append(d["api_keys"].(list), apiKey("catalogue", keyCatalogue, "catalog:read"),
			apiKey("other scopes", keyOtherScopes, "catalog:write", "commerce:write", "sales:read", "contacts:read"))
	}
	shop := serveFiles(t, storeFile(t, base(), withCategories, keys),
		storeFile(t, another(storeNoCatalog, keyNoCatalog, changes(withCategories, without("catalog"), bareKey))),
		storeFile(t, another(storeSuspended, keySuspended, changes(withCategories, setting("suspended", true)))),
		storeFile(t, another(storeNoCommerce, keyNoCommerce, changes(withCategories, without("commerce")))))
	const off, noScope = `{"error":"Module not enabled: catalog"}`, `{"message":"Invalid ability provided."}`
	for _, path := range cataloguePages {
		for _, c := range []struct {
			key    string
			status int
			want   string
		}{
			{"", 401, unauthenticated}, {keyRevoked, 401, unauthenticated}, {keyNoCatalog, 403, off}, {keyBare, 403, off},
			{keyNothing, 403, noScope}, {keyWriter, 403, noScope}, {keyOtherScopes, 403, noScope},
			{keySuspended, 403, `{"message":"Tenant suspended.","code":"tenant_suspended"}`},
			{keyCatalogue, 200, ""}, {keyReader, 200, ""}, {keyNoCommerce, 200, ""},
		} {
			a := shop.withKey(c.key).get(path).wantStatus(c.status)
			if c.want != "" {
				a.want(c.status, c.want)
			}
			if c.key != keyRevoked {
				shop.withKey(c.key).request("HEAD", path, "").wantStatus(c.status).wantHeader("Content-Length", a.header.Get("Content-Length"))
			}
			if c.key != "" && c.key != keyRevoked {
				a.wantHeader("X-RateLimit-Limit", "2000000")
			}
		}
	}
	bare := shop.withKey(keyNoCatalog)
	bare.post(bare.newCart()+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 1999 = 1999")
	shop.get("catalog").wantStatus(http.StatusMethodNotAllowed) // it can be changed only
	shop.get(productsPath + "/hammer/x").wantStatus(http.StatusNotFound)
	shop.get("catalog/Products").wantStatus(http.StatusNotFound)
}

// The catalogue page, ETag: the hash of the body; 304 on every route.
func TestCatalogueTags(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), withCategories))
	for _, path := range cataloguePages {
		full := shop.get(path).wantStatus(200).wantHeader("Vary", "Authorization, X-Customer-Token")
		tag := full.header.Get("ETag")
		if len(tag) < 10 || tag[0] != '"' || tag[len(tag)-1] != '"' {
			t.Errorf("%v\nETag: %q", full, tag)
		}
		shop.get(path).want(200, string(full.body)).wantHeader("ETag", tag)
		shop.withKey(keyReader).get(path).wantHeader("ETag", tag)
		shop.request("HEAD", path, "").wantStatus(200).wantHeader("ETag", tag).wantHeader("Vary", "Authorization, X-Customer-Token")
		for _, c := range []struct {
			tags   string
			status int
		}{
			{tag, 304}, {"W/" + tag, 304}, {`"x", ` + tag, 304}, {"*", 304}, {`"x"`, 200}, {strings.ToUpper(tag), 200}, {strings.Trim(tag, `"`), 200},
		} {
			for _, method := range []string{"GET", "HEAD"} {
				a := shop.ifNoneMatch(c.tags).request(method, path, "").wantStatus(c.status)
				a.wantHeader("ETag", tag).wantHeader("Vary", "Authorization, X-Customer-Token").wantHeader("X-RateLimit-Limit", "2000000")
				wantRemaining(a, 2000000)
				if c.status == 304 && len(a.body) != 0 {
					t.Errorf("%v\nwant: no body", a)
				}
			}
		}
	}
	for _, c := range []struct {
		path, token, other, otherToken string
		same                           bool
	}{
		{productsPath, "", productsPath, tokenTess, false},
		{productsPath, "", productsPath, tokenAda, true},
		{productsPath + "/drill", "", productsPath + "/drill", tokenTess, false},
		{productsPath + "/drill", "", productsPath + "/" + drill, wrongToken, true},
		{productsPath + "/hammer", "", productsPath + "/hammer", tokenTess, true},
		{categoriesPath, "", categoriesPath + "?utm=1", "", false}, // its links differ
		{sitemapPath, "", sitemapPath + "?per_page=99", "", false},
		{productsPath, "", productsPath + "?page=1", "", true},
	} {
		one, other := shop.withToken(c.token).get(c.path).header.Get("ETag"), shop.withToken(c.otherToken).get(c.other).header.Get("ETag")
		if (one == other) != c.same {
			t.Errorf("%s %q: %s, %s %q: %s, want the same: %v", c.path, c.token, one, c.other, c.otherToken, other, c.same)
		}
	}
}
