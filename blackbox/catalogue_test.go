package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const (
	productsPath   = "catalog/products"
	categoriesPath = "catalog/categories"

	storeNoStock   = "e0000000-0000-4000-8000-00000000000f"
	storeNoCatalog = "e0000000-0000-4000-8000-000000000010"

	keyNoStock   = "secret-key-no-stock-15"
	keyNoCatalog = "secret-key-no-catalog-16"

	tools   = "90000000-0000-4000-8000-000000000001" // a category
	handy   = "90000000-0000-4000-8000-000000000002" // its child
	garden  = "90000000-0000-4000-8000-000000000003" // with a slug of reserved characters
	nothing = "90000000-0000-4000-8000-000000000004" // with a slug that is a UUID
)

// itemID is the id of the n-th product of a test, variantID that of the n-th variant.
func itemID(n int) string    { return fmt.Sprintf("a1000000-0000-4000-8000-%012d", n) }
func variantID(n int) string { return fmt.Sprintf("b1000000-0000-4000-8000-%012d", n) }

// selling replaces the base store's products.
func selling(products ...any) func(object) {
	return func(document object) { document["products"] = products }
}

// withCategories adds a category with a child, and two with unusual slugs.
func withCategories(document object) {
	document["categories"] = list{
		object{"id": tools, "name": "Tools", "slug": "tools"},
		object{"id": handy, "name": "Hand & tools", "slug": "Hand tools", "parent_id": tools},
		object{"id": garden, "name": "Garden", "slug": "out/doors?#50%é"},
		object{"id": nothing, "name": "Nothing", "slug": "90000000-0000-4000-8000-0000000000aa"},
	}
}

// productSeen is a product as a client reads it.
type productSeen struct {
	Slug, Name  string
	StockStatus string `json:"stock_status"`
	Variants    []struct {
		Name        string
		StockStatus string `json:"stock_status"`
	}
}

// decoded is the body of a 200.
func decoded[T any](a answer) (v T) {
	a.t.Helper()
	if err := json.Unmarshal(a.wantStatus(http.StatusOK).body, &v); err != nil {
		a.t.Fatalf("%v\n%v", a, err)
	}
	return v
}

// docs/api/catalogue.md#products: what a document says of a product, in its answer.
func TestProductsAreShownInFull(t *testing.T) {
	t.Parallel()
	goods := changes(withCategories, selling(
		product(itemID(1), `Blind & <rail> "é"`, "rail", object{
			"sku": "RB-1", "description": "a/b\nc", "unit": "m", "requires_shipping": false, "track_stock": true, "stock": "0.001",
			"purchasability": "quote", "tax": "books", "price_amount": 1999, "category_ids": list{handy, tools}, "tiers": list{tier("2.50", 1799)},
		}),
		product(itemID(2), "Wide", "wide", object{"capability": "made_to_measure", "configurator": blindConfigurator(), "price_from_amount": 9000}),
		product(itemID(3), "Gloves", "gloves", object{"price_amount": 1000, "group_prices": object{groupTrade: 800}, "variants": list{
			object{"id": variantID(1), "name": "Off", "active": false, "price_amount": 1}, object{"id": variantID(2), "name": "M", "sku": "G-M"},
		}}),
	))
	shop := serveFiles(t, storeFile(t, base(), goods...), storeFile(t, another(storeNoConfigure, keyNoConfigurator, append(goods, without("configurator")))),
		storeFile(t, another(storeExcludingTax, keyExcludingTax, append(goods, setting("prices_include_tax", false), exPolicy)))) // it hides prices from guests
	const rail = `{"id":"a1000000-0000-4000-8000-000000000001","slug":"rail","name":"Blind & <rail> \"é\"","sku":"RB-1","description":"a/b\nc",
		"capability":"standard","capability_active":true,"unit":"m","requires_shipping":false,"track_stock":true,"stock_status":"in_stock",
		"purchasability":"quote","price":{"amount":1999,"currency":"EUR"},"price_without_tax":{"amount":1895,"currency":"EUR"},"price_includes_tax":true,"tax_rate":5.5,
		"tier_prices":[{"min_quantity":2.5,"unit_price":{"amount":1799,"currency":"EUR"}}],
		"category_ids":["90000000-0000-4000-8000-000000000002","90000000-0000-4000-8000-000000000001"],"variants":[],"variants_count":0,
		"media":[],"attributes":{},"metadata":{},"options":[],"weight_grams":null,"price_from":null,"media_count":0}`
	wantText(shop.get(productsPath+"/rail"), rail)
	shop.wantRows(productsPath+"?q=rail", "1/1 25 of 1: 1-1", strings.NewReplacer("\n", "", "\t", "").Replace(rail))
	for _, c := range []struct{ key, token, slug, want string }{
		{keyShop, "", "gloves", `"price":{"amount":1000,"currency":"EUR"},"price_without_tax":{"amount":826,`},
		{keyShop, "", "gloves", `"variants":[{"id":"b1000000-0000-4000-8000-000000000002","name":"M","sku":"G-M","price":{"amount":1000,`},
		{keyShop, tokenTess, "gloves", `"price":{"amount":800,`},
		{keyExcludingTax, "", "gloves", `"price":null,"price_without_tax":null,"price_includes_tax":false,`},
		{keyExcludingTax, tokenAda, "gloves", `"price":{"amount":1000,"currency":"EUR"},"price_without_tax":{"amount":1000,`},
		{keyShop, "", "wide", `"capability_active":true,`}, {keyShop, "", "wide", `"price_from":{"amount":9000,`}, {keyNoConfigurator, "", "wide", `"capability_active":false,`},
	} {
		if a := shop.withKey(c.key).withToken(c.token).get(productsPath + "/" + c.slug); !strings.Contains(string(a.body), c.want) {
			t.Errorf("%v\nwant: %s in it", a, c.want)
		}
	}
	hidden := shop.withKey(keyExcludingTax) // hidden prices hide the catalogue's prices only
	hidden.post(hidden.newCart()+"/lines", addBody(itemID(3), "1", variant(variantID(2)))).wantLines(201, "Gloves 1 × 1000 = 1000")
}

// slugs lists the slugs of a list's rows.
func (a answer) slugs() string {
	a.t.Helper()
	var all []string
	for _, row := range decoded[struct{ Data []productSeen }](a).Data {
		all = append(all, row.Slug)
	}
	return strings.Join(all, " ")
}

// docs/api/catalogue.md#products: each parameter of the list of products has its effect.
func TestProductQueries(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), withCategories, selling(
		product(itemID(1), "Shirt", "shirt", object{"sku": "S-1", "price_amount": 2000, "category_ids": list{handy}, "attributes": object{"Material": list{"Cotton", "Linen"}},
			"media": list{object{"url": "/1.svg"}, object{"url": "/2.svg"}}, "variants": list{
				object{"id": variantID(1), "name": "White L", "sku": "S-1 +L", "attributes": object{"Colour": "White", "Size": "L"}},
				object{"id": variantID(2), "name": "Blue S", "attributes": object{"Colour": "Blue", "Size": "S"}, "price_amount": 2500},
			}}),
		product(itemID(2), "Mug 18 V", "mug", object{"price_amount": 500, "category_ids": list{tools}, "attributes": object{"Colour": "white"}}),
		product(itemID(3), "Blind", "blind", object{"capability": "made_to_measure", "configurator": blindConfigurator(), "price_from_amount": 9000, "category_ids": list{garden}}),
		product(itemID(4), "Socks", "socks", object{"category_ids": list{handy, tools}, "attributes": object{"Colour": "Crème brûlée"}}),
	)))
	const all = "shirt mug blind socks"
	for _, c := range []struct{ query, want string }{
		{"category_id=" + strings.ToUpper(tools), "mug socks"}, {"category_id=tools", ""}, {"in_category=tools", "shirt mug socks"}, {"in_category=" + handy, "shirt socks"},
		{"ids[]=" + itemID(4) + "&ids[]=none&ids[]=" + itemID(1), "socks shirt"}, {"sku=S-1+%2BL", "shirt"}, {"sku=s-1", ""}, {"capability=made_to_measure", "blind"},
		{"price_min=501&price_max=9000", "shirt blind"}, {"price_max=-1", ""}, {"price_min=99999999999999999999", ""},
		{"attributes[Colour]=White&attributes[Size]=L", "shirt"}, {"attributes[COLOUR][]=blue&attributes[Colour][]=creme+brulee", "shirt socks"}, {"attributes[Colour]=", all},
		{"q=18v", "mug"}, {"q=" + strings.Repeat("%C3%A9", 255), ""}, {"sort=name", "blind mug shirt socks"}, {"sort=-name", "socks shirt mug blind"},
		{"sort=price", "mug shirt blind socks"}, {"sort=-price", "blind shirt mug socks"},
		{"category_id=&sku=+&capability&sort=&q=+&price_min=&in_category=&unknown=1", all}, // blank and unknown ones
		{"sku=other&sku=S-1", "shirt"}, {"capability=other&capability=standard&sort=other&sort=name", "mug shirt socks"}, // the last one counts
		{"q=shirt&in_category=tools&sku=S-1&price_max=2000&attributes[Material]=linen", "shirt"}, {"per_page=1&page=2&category_id=" + handy, "socks"},
	} {
		if got := shop.get(productsPath + "?" + c.query).slugs(); got != c.want {
			t.Errorf("%s: %q, want %q", c.query, got, c.want)
		}
	}
	for query, want := range map[string]string{
		"include=facets&in_category=tools": `,"facets":{"attributes":[{"name":"Colour","values":[{"value":"White","count":2},{"value":"Blue","count":1},{"value":"Crème brûlée","count":1}]},
			{"name":"Material","values":[{"value":"Cotton","count":1},{"value":"Linen","count":1}]},{"name":"Size","values":[{"value":"L","count":1},{"value":"S","count":1}]}],
			"categories":[{"id":"90000000-0000-4000-8000-000000000002","count":2}],"price":{"min":500,"max":2000}},"links":{`,
		"sku=S-1":                  `"media":[{"url":"/1.svg","alt":null}],"attributes":`, // a row has the first picture only
		"include=facets&q=nothing": `"price":{"min":null,"max":null}},"links":{`, "": `],"links":{`,
		"q=wihte+sokcs": `"corrected":{"wihte":"white","sokcs":"socks"}}}`,
	} {
		if a := shop.get(productsPath + "?" + query); !strings.Contains(string(a.body), strings.NewReplacer("\n", "", "\t", "").Replace(want)) {
			t.Errorf("%s: %s\nwant %s in it", query, a.body, want)
		}
	}
	many := func(format string, n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(format, i))
		}
		return strings.Join(all, "&")
	}
	const noCapability, noSort = "The selected capability is invalid.", "The selected sort is invalid."
	for _, c := range []struct{ query, want string }{
		{"sort=x&capability=x", fieldErrors("capability", noCapability, "sort", noSort)},
		{"q=" + strings.Repeat("%C3%A9", 256), fieldErrors("q", "The q field must not be greater than 255 characters.")},
		{"price_min=1.5&price_max=abc", fieldErrors("price_min", "The price min field must be an integer.", "price_max", "The price max field must be an integer.")},
		{many("ids[]=%d", 101), fieldErrors("ids", "The ids field must not have more than 100 items.")},
		{many("attributes[n%d]=v", 11), fieldErrors("attributes", "The attributes field must not have more than 10 items.")},
		{many("attributes[n][]=v%d", 51), fieldErrors("attributes", "The attributes field must not have more than 50 items.")},
	} {
		shop.get(productsPath+"?"+c.query).want(422, c.want)
	}
	shop.get(productsPath + "?" + many("ids[]=%d", 100) + "&" + many("attributes[n%d]=v", 10) + "&" + many("attributes[n0][]=v%d", 40)).wantStatus(200)
}

// wantText wants a 200 with exactly this JSON, including the order of its keys.
func wantText(a answer, want string) {
	a.t.Helper()
	want = strings.NewReplacer("\n", "", "\t", "").Replace(want)
	if a.status != http.StatusOK || string(a.body) != want {
		a.t.Errorf("call: %s\n got: %d %s\nwant: 200 %s", a.call, a.status, a.body, want)
	}
	wantPlainHeaders(a)
}

// docs/api/catalogue.md#products: an id or slug is decoded once; a UUID is tried as an id first, in any
// case of letters.
func TestProductsAndCategoriesByIDOrSlug(t *testing.T) {
	t.Parallel()
	const uuidSlug, gone = "a2000000-0000-4000-8000-00000000000a", "a2000000-0000-4000-8000-0000000000ff"
	slugs := []string{
		"plain", "Plain", "two words", "one/two", "/", "50%", "%2F", "plus+plus", "ques?tion#", "größe", "gro\u0308ße", "漢字", "..", "a//b", `"`, "a.b~c-d_e", uuidSlug,
		itemID(0), "tools ",
	}
	var goods, kinds list
	for i, slug := range slugs {
		goods = append(goods, product(itemID(i), slug, slug, nil))
		kinds = append(kinds, object{"id": variantID(i), "name": slug, "slug": slug})
	}
	goods = append(goods, product(gone, "Gone", "gone", object{"active": false}), product(itemID(90), "Hidden by an id", gone, nil))
	elsewhere := func(d object) {
		selling(product(itemID(99), "Elsewhere", "elsewhere", nil))(d)
		d["categories"] = list{object{"id": variantID(99), "name": "Elsewhere", "slug": "elsewhere"}}
	}
	shop := serveFiles(t, storeFile(t, base(), selling(goods...), func(d object) { d["categories"] = kinds }),
		storeFile(t, another(storeOther, keyOther, changes(elsewhere))))
	find := func(path string) string {
		t.Helper()
		return decoded[productSeen](shop.get(path)).Name
	}
	for i, slug := range slugs {
		byID := map[string]string{productsPath: itemID(i), categoriesPath: variantID(i)}
		for path, id := range byID {
			want := slug
			if path == productsPath && slug == itemID(0) {
				want = "plain"
			}
			for _, segment := range []string{percentEncoded(slug), percentEncoded(slug) + "/"} {
				if got := find(path + "/" + segment); got != want {
					t.Errorf("%s/%s is %q, want %q", path, segment, got, want)
				}
			}
			for _, segment := range []string{id, strings.ToUpper(id), percentEncoded(id)} {
				if got := find(path + "/" + segment); got != slug {
					t.Errorf("%s/%s is %q, want %q", path, segment, got, slug)
				}
			}
		}
	}
	for _, unknown := range []string{
		"PLAIN", "plai", "plain2", "two+words", "%25252F", "grosse", strings.ToUpper(uuidSlug), "gone", gone, strings.ToUpper(gone), unknownID, "elsewhere", itemID(99),
	} {
		for path, model := range map[string]string{productsPath: "Product", categoriesPath: "Category"} {
			shown := strings.ReplaceAll(unknown, "%25", "%")
			if len(shown) == len(gone) {
				shown = strings.ToLower(shown)
			}
			shop.get(path+"/"+unknown).want(http.StatusNotFound, `{"message":"No query results for model [`+model+`] `+shown+`"}`)
		}
	}
	shop.withKey(keyOther).get(productsPath + "/elsewhere").wantStatus(http.StatusOK)
}

// percentEncoded writes every byte as %XX.
func percentEncoded(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
