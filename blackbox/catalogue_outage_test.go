package blackbox_test

import (
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// Running nodes follow an import within a second, and the ETag of every page changes.
func TestCatalogueFollowsAnImport(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	imports(t, r, storeFile(t, base(), withCategories)).wantStores(t, "imported")
	shops := []client{start(t, options{redis: r.URL()}).client(t), start(t, options{redis: r.URL()}).client(t)}
	pages := []string{productsPath, productsPath + "/nails", categoriesPath, categoriesPath + "/tools", redirectsPath, sitemapPath}
	before := shops[0].tagsOf(pages)
	imports(t, r, storeFile(t, base(), withCategories, changed(nails, "price_amount", 510), changed(paper, "active", false), func(d object) {
		d["redirects"] = list{object{"from": "/a", "to": "/b"}}
		d["products"] = append(d["products"].(list), product(itemID(1), "New", "new", object{"category_ids": list{tools}}))
	})).wantStores(t, "imported")
	wantFollowed(t, "the catalogue", func(c client) bool {
		return strings.Contains(string(c.get(productsPath+"/nails").body), `"price":{"amount":510,`)
	}, shops)
	for _, c := range shops {
		c.get(productsPath + "/paper").wantStatus(http.StatusNotFound)
		if got := c.get(productsPath + "?q=new&category_id=" + tools).slugs(); got != "new" {
			t.Errorf("the new product is not found: %q", got)
		}
	}
	for i, tag := range shops[0].tagsOf(pages) {
		if tag == before[i] {
			t.Errorf("%s still has its ETag after the import", pages[i])
		}
	}
}
