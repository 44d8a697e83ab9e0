package blackbox_test

import (
	"net/http"
	"net/url"
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
		{"", "per_page=1&page=2&category_id=" + handy, "blind"},
	})
	const noSort, noCapability = "The selected sort is invalid.", "The selected capability is invalid."
	const longQ = "The q field must not be greater than 255 characters."
	for _, c := range []struct{ query, want string }{
		{"sort=prices", oneField("sort", noSort, "")},
		{"sort=Name", oneField("sort", noSort, "")},
		{"sort=--name", oneField("sort", noSort, "")},
		{"sort=name,price", oneField("sort", noSort, "")},
		{"sort=name&sort=other", oneField("sort", noSort, "")},
		{"capability=Standard", oneField("capability", noCapability, "")},
		{"capability=simple&category_id=" + unknownID, oneField("capability", noCapability, "")},
		{"q=" + strings.Repeat("x", 256), oneField("q", longQ, "")},
		{"q=" + strings.Repeat("%C3%A9", 256), oneField("q", longQ, "")},
		{"sort=x&capability=x", `{"message":"` + noCapability + `","errors":{"capability":["` + noCapability + `"],"sort":["` + noSort + `"]}}`},
	} {
		shop.get(productsPath+"?"+c.query).want(http.StatusUnprocessableEntity, c.want)
	}
}

// The catalogue page, sort: null prices last, ties in the document's order, both ways.
func TestProductOrder(t *testing.T) {
	t.Parallel()
	sold := func(n int, slug, name string, price any, trade int) object {
		p := product(itemID(n), name, slug, object{"price_amount": price})
		if trade >= 0 {
			p["group_prices"] = object{groupTrade: trade}
		}
		return p
	}
	goods := changes(selling(
		sold(1, "zebra", "Zebra", 300, -1),
		sold(2, "eclair", "éclair", nil, 250),
		sold(3, "apple", "apple", 100, 900),
		sold(4, "ECLAIR", "ECLAIR", 300, -1),
		sold(5, "aepfel", "Äpfel", 0, -1),
		sold(6, "none", "Éclair", nil, -1),
		with(sold(7, "many", "strasse", 500, -1), "variants", list{object{"id": variantID(1), "name": "x", "price_amount": 50}, object{"id": variantID(2), "name": "y"}}),
		sold(8, "street", "Straße", 100, -1),
	))
	hidden := setting("policy", object{"pricing": object{"guest_price_visibility": "hidden"}})
	shop := serveFiles(t, storeFile(t, base(), goods...), storeFile(t, another(storeHidden, keyHidden, append(goods, hidden))))
	const all = "zebra eclair apple ECLAIR aepfel none many street"
	byName, byNameDown := "aepfel apple eclair ECLAIR none many street zebra", "zebra many street eclair ECLAIR none apple aepfel"
	up, down := "aepfel many apple street zebra ECLAIR eclair none", "zebra ECLAIR apple street many aepfel eclair none"
	upTrade, downTrade := "aepfel many street eclair zebra ECLAIR apple none", "apple zebra ECLAIR eclair street many aepfel none"
	shop.wantLists([]listCase{
		{"", "", all}, {"", "sort=name", byName}, {"", "sort=-name", byNameDown}, {"", "sort=price", up}, {"", "sort=-price", down},
		{wrongToken, "sort=price", up}, {tokenBob, "sort=-price", down},
		{tokenTess, "sort=price", upTrade}, {tokenTess, "sort=-price", downTrade}, {tokenTess, "sort=-name", byNameDown},
		{"", "sort=price&per_page=3&page=2", "street zebra ECLAIR"},
		{"", "sort=-price&q=eclair", "ECLAIR eclair none"},
	})
	shop.withKey(keyHidden).wantLists([]listCase{
		{"", "sort=price", all}, {"", "sort=-price", all}, {"", "sort=name", byName},
		{tokenAda, "sort=price", up}, {tokenTess, "sort=-price", downTrade},
	})
}

// The catalogue page, q. TestListMatchesTheModel and TestFoldText of commerce have the rules of words.
func TestProductSearch(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("w", 254)
	goods := list{}
	for i, p := range []struct {
		slug, name, sku string
		variants        []string
	}{
		{"blind", "Roller Blind, white", "RB-1", nil},
		{"glove", "Work gloves", "", []string{"WG-77x", "!OFF-1"}},
		{"street", "Straße", "", nil},
		{"cafe", "Cafe\u0301 CRÈME", "", nil},
		{"neil", "O'Neil_shirt 2.5kg", "", nil},
		{"wide", "ＡＢＣ ﬁne Ⅷ", "", nil},
		{"greek", "Οδυσσεύς", "", nil},
		{"cyrillic", "Ёлка «Зима»", "", nil},
		{"japan", "がく 漢字", "", nil},
		{"korea", "한국", "", nil},
		{"hindi", "हिन्दी", "", nil},
		{"arabic", "مُحَمَّد ٣", "", nil},
		{"long", long + " end", "", nil},
	} {
		more := object{"variants": choices(i, p.variants...)}
		if p.sku != "" {
			more["sku"] = p.sku
		}
		goods = append(goods, product(itemID(i), p.name, p.slug, more))
	}
	goods = append(goods, product(itemID(50), "Roller of the past", "past", object{"sku": "RB-1", "active": false}))
	shop := serveFiles(t, storeFile(t, base(), selling(goods...)))
	for _, c := range []struct{ q, want string }{
		{"roller", "blind"}, {"oller", "blind"}, {"xxller", ""}, {"blind roller", "blind"}, {"roller gloves", ""}, {"  white\t\n", "blind"}, {"past", ""},
		{"rb roller", "blind"}, {"77X", "glove"}, {"OFF-1", ""}, {"STRAẞE", "street"}, {"Cre\u0300me caf", "cafe"}, {"o'neil", "neil"}, {"2,5", "neil"},
		{"viii", "wide"}, {"ΟΔΥΣΣΕΎΣ", "greek"}, {"ЕЛКА", "cyrillic"}, {"か", "japan"}, {"字", ""}, {"한", "korea"}, {"हिन्दी", "hindi"}, {"محمد", "arabic"},
		{long[:200], "long"}, {strings.Repeat("é", 255), ""},
	} {
		a := shop.get(productsPath + "?q=" + url.QueryEscape(c.q))
		if got := a.slugs(); got != c.want {
			t.Errorf("q %q finds %q, want %q", short(c.q), got, c.want)
		}
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
