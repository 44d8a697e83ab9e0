package blackbox_test

import (
	"net/http"
	"strings"
	"testing"
)

// slugs lists the slugs of a list's rows.
func (a answer) slugs() string {
	a.t.Helper()
	var all []string
	for _, row := range decoded[struct{ Data []productSeen }](a).Data {
		all = append(all, row.Slug)
	}
	return strings.Join(all, " ")
}

// listCase is a query of the product list with the slugs that it finds.
type listCase struct{ token, query, want string }

func (c client) wantLists(cases []listCase) {
	c.t.Helper()
	for _, row := range cases {
		a := c.withToken(row.token).get(productsPath + "?" + row.query)
		if got := a.slugs(); got != row.want {
			c.t.Errorf("%q, token %q: %q, want %q", row.query, row.token, got, row.want)
		}
	}
}

// choices are variants of the n-th product by their SKUs. A "!" marks an inactive one.
func choices(n int, skus ...string) (all list) {
	for i, sku := range skus {
		own, inactive := strings.CutPrefix(sku, "!")
		all = append(all, object{"id": variantID(100*n + i), "name": sku, "sku": own, "active": !inactive})
	}
	return all
}

// The catalogue page, filters.
func TestProductFilters(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), withCategories, selling(
		product(itemID(1), "Saw", "saw", object{"sku": "S-1", "category_ids": list{tools}}),
		product(itemID(2), "Drill", "drill", object{"sku": "s-1", "category_ids": list{handy, tools}}),
		product(itemID(3), "Rake", "rake", object{"sku": "S-1 +x", "category_ids": list{garden}, "variants": choices(3, "R-1", "!R-2", "S-1")}),
		product(itemID(4), "Blind", "blind", object{"capability": "made_to_measure", "configurator": blindConfigurator(), "category_ids": list{handy}}),
		product(itemID(5), "Gone", "gone", object{"sku": "S-1", "active": false, "category_ids": list{tools, nothing}}),
		product(itemID(6), "Plain", "plain", nil),
	)))
	const all = "saw drill rake blind plain"
	shop.wantLists([]listCase{
		{"", "", all},
		{"", "category_id=" + tools, "saw drill"},
		{"", "category_id=" + handy, "drill blind"},
		{"", "category_id=" + strings.ToUpper(handy), "drill blind"},
		{"", "category_id=" + unknownID, ""},
		{"", "category_id=tools", ""},
		{"", "sku=S-1", "saw rake"},
		{"", "sku=s-1", "drill"},
		{"", "sku=S-1+%2Bx", "rake"},
		{"", "sku=R-1", "rake"},
		{"", "sku=R-2", ""},
		{"", "capability=made_to_measure", "blind"},
		{"", "category_id=&sku=&capability=&sort=&q=", all},
		{"", "category_id&sku&capability&sort&q", all},
		{"", "q=+%20&page=&per_page=", all},
		{"", "unknown=1&product_ids[]=2", all},
		{"", "category_id=" + handy + "&capability=standard&q=dri&sku=s-1", "drill"},
		{"", "sku=S-1&sku=R-1", "rake"},
		{"", "sku=unknown&category_id=" + garden + "&sku=S-1", "rake"},
		{"", "category_id=" + tools + "&category_id=", all},
		{"", "capability=other&capability=standard&sort=other&sort=name", "drill plain rake saw"},
		{"", "q=" + strings.Repeat("x", 256) + "&q=saw", "saw"},
		{"", "q=" + strings.Repeat("%C3%A9", 255), ""},
		{"", "per_page=1&page=2&category_id=" + handy, "blind"},
	})
	const noSort, noCapability = "The selected sort is invalid.", "The selected capability is invalid."
	const longQ = "The q field must not be greater than 255 characters."
	for _, c := range []struct{ query, want string }{
		{"sort=prices", oneField("sort", noSort, "")},
		{"sort=name&sort=other", oneField("sort", noSort, "")},
		{"capability=Standard", oneField("capability", noCapability, "")},
		{"q=" + strings.Repeat("x", 256), oneField("q", longQ, "")},
		{"q=" + strings.Repeat("%C3%A9", 256), oneField("q", longQ, "")},
		{"sort=x&capability=x", `{"message":"` + noCapability + `","errors":{"capability":["` + noCapability + `"],"sort":["` + noSort + `"]}}`},
	} {
		shop.get(productsPath+"?"+c.query).want(http.StatusUnprocessableEntity, c.want)
	}
}

// A misspelt parameter has no effect, and X-Ignored-Parameters names it.
func TestUnknownParametersAreNamed(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), selling(product(itemID(1), "One", "one", object{}))))
	for path, want := range map[string]string{
		"me":                 "",
		"me?include=colours": "include.colours",
		"catalog/products?q=one&page=1&sort=price":   "",
		"catalog/products?Q=two&prise=1&include=a,b": "Q, prise, include.a, include.b",
	} {
		a := shop.get(path)
		if got := a.header.Get("X-Ignored-Parameters"); a.status != 200 || got != want {
			t.Errorf("%v\nX-Ignored-Parameters %q, want %q", a, got, want)
		}
	}
}
