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
	storeHidden    = "e0000000-0000-4000-8000-000000000011" // hides prices from guests

	keyNoStock     = "secret-key-no-stock-15"
	keyNoCatalog   = "secret-key-no-catalog-16"
	keyHidden      = "secret-key-hidden-17"
	keyCatalogue   = "secret-key-catalogue-18"    // of the base store, with catalog:read alone
	keyOtherScopes = "secret-key-other-scopes-19" // of the base store, without catalog:read and commerce:read

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
	ID, Slug, Name string
	StockStatus    string `json:"stock_status"`
	Price          *money
	TierPrices     []tierSeen `json:"tier_prices"`
	Variants       []struct {
		ID, Name    string
		SKU         *string
		Price       *money
		StockStatus string     `json:"stock_status"`
		TierPrices  []tierSeen `json:"tier_prices"`
	}
}

type tierSeen struct {
	MinQuantity json.Number `json:"min_quantity"`
	UnitPrice   money       `json:"unit_price"`
}

// decoded is the body of a 200.
func decoded[T any](a answer) (v T) {
	a.t.Helper()
	if err := json.Unmarshal(a.wantStatus(http.StatusOK).body, &v); err != nil {
		a.t.Fatalf("%v\n%v", a, err)
	}
	return v
}

// The catalogue page, Product: every field, in its order.
func TestProductsAreShownInFull(t *testing.T) {
	t.Parallel()
	goods := changes(withCategories, selling(
		product(itemID(1), `Blind & <rail> "é"`, "rail", object{
			"sku": "RB-1", "description": "a/b\nc", "unit": "m", "requires_shipping": false, "track_stock": true, "stock": "0.001",
			"purchasability": "quote", "tax": "books", "price_amount": 1999, "category_ids": list{handy, tools}, "tiers": list{tier("2.50", 1799)},
		}),
		product(itemID(2), "Bare", "bare", object{"tax": "zero"}),
		product(itemID(3), "Wide", "wide", object{
			"capability": "made_to_measure", "configurator": blindConfigurator(), "price_amount": 5, "tiers": list{tier("1", 4)}, "track_stock": true,
		}),
		product(itemID(4), "Gloves", "gloves", object{"sku": "G", "price_amount": 1000, "variants": list{
			object{"id": variantID(1), "name": "Off", "sku": "G-O", "active": false, "price_amount": 1},
			object{"id": variantID(2), "name": "M"},
			object{"id": variantID(3), "name": "L", "sku": "G-L", "price_amount": 900, "tiers": list{tier("10", 700)}},
		}}),
	))
	shop := serveFiles(t, storeFile(t, base(), goods...), storeFile(t, another(storeNoConfigure, keyNoConfigurator, append(goods, without("configurator")))),
		storeFile(t, another(storeNoCommerce, keyNoCommerce, append(goods, without("commerce"), setting("prices_include_tax", false)))))
	// The members of a product without them, and of a variant.
	const display = `"media":[],"attributes":{},"metadata":{},`
	const noDisplay, noVariantDisplay = `,` + display + `"options":[],"weight_grams":null,"price_from":null,"media_count":0}`, `,` + display + `"weight_grams":null}`
	const rail = `{"id":"a1000000-0000-4000-8000-000000000001","slug":"rail","name":"Blind & <rail> \"é\"","sku":"RB-1","description":"a/b\nc",
		"capability":"standard","capability_active":true,"unit":"m","requires_shipping":false,"track_stock":true,"stock_status":"in_stock",
		"purchasability":"quote","price":{"amount":1999,"currency":"EUR"},"price_without_tax":{"amount":1895,"currency":"EUR"},"price_includes_tax":true,"tax_rate":5.5,
		"tier_prices":[{"min_quantity":2.5,"unit_price":{"amount":1799,"currency":"EUR"}}],
		"category_ids":["90000000-0000-4000-8000-000000000002","90000000-0000-4000-8000-000000000001"],"variants":[],"variants_count":0` + noDisplay
	const bare = `{"id":"a1000000-0000-4000-8000-000000000002","slug":"bare","name":"Bare","sku":null,"description":null,
		"capability":"standard","capability_active":true,"unit":"piece","requires_shipping":true,"track_stock":false,"stock_status":"untracked",
		"purchasability":"direct","price":null,"price_without_tax":null,"price_includes_tax":true,"tax_rate":0,"tier_prices":[],"category_ids":[],"variants":[],"variants_count":0` + noDisplay
	const wide = `{"id":"a1000000-0000-4000-8000-000000000003","slug":"wide","name":"Wide","sku":null,"description":null,
		"capability":"made_to_measure","capability_active":true,"unit":"piece","requires_shipping":true,"track_stock":true,"stock_status":"untracked",
		"purchasability":"direct","price":null,"price_without_tax":null,"price_includes_tax":true,"tax_rate":21,"tier_prices":[],"category_ids":[],"variants":[],"variants_count":0` + noDisplay
	const gloves = `{"id":"a1000000-0000-4000-8000-000000000004","slug":"gloves","name":"Gloves","sku":"G","description":null,
		"capability":"standard","capability_active":true,"unit":"piece","requires_shipping":true,"track_stock":false,"stock_status":"untracked",
		"purchasability":"direct","price":{"amount":900,"currency":"EUR"},"price_without_tax":{"amount":744,"currency":"EUR"},"price_includes_tax":true,"tax_rate":21,"tier_prices":[],"category_ids":[],"variants":[
		{"id":"b1000000-0000-4000-8000-000000000002","name":"M","sku":null,"price":{"amount":1000,"currency":"EUR"},"price_without_tax":{"amount":826,"currency":"EUR"},"stock_status":"untracked","tier_prices":[]` + noVariantDisplay + `,
		{"id":"b1000000-0000-4000-8000-000000000003","name":"L","sku":"G-L","price":{"amount":900,"currency":"EUR"},"price_without_tax":{"amount":744,"currency":"EUR"},"stock_status":"untracked",
		"tier_prices":[{"min_quantity":10,"unit_price":{"amount":700,"currency":"EUR"}}]` + noVariantDisplay + `],"variants_count":2` + noDisplay
	inactive := strings.NewReplacer(`"capability_active":true`, `"capability_active":false`)
	exclusive := strings.NewReplacer(`"capability_active":true`, `"capability_active":false`, `"price_includes_tax":true`, `"price_includes_tax":false`,
		`"price_without_tax":{"amount":744`, `"price_without_tax":{"amount":900`, `"price_without_tax":{"amount":826`, `"price_without_tax":{"amount":1000`)
	for _, c := range []struct{ key, slug, want string }{
		{keyShop, "rail", rail}, {keyShop, "bare", bare}, {keyShop, "wide", wide}, {keyShop, "gloves", gloves},
		{keyNoConfigurator, "wide", inactive.Replace(wide)}, {keyNoConfigurator, "gloves", gloves},
		{keyNoCommerce, "gloves", exclusive.Replace(gloves)}, {keyNoCommerce, "wide", strings.Replace(wide, `includes_tax":true`, `includes_tax":false`, 1)},
	} {
		wantText(shop.withKey(c.key).get(productsPath+"/"+c.slug), c.want)
	}
	rows := strings.Join([]string{rail, bare, wide, gloves}, ",")
	at := shop.node.base + "/v1/api/catalog/products"
	wantText(shop.get(productsPath), `{"data":[`+rows+`],"links":{"first":"`+at+`?page=1","last":"`+at+`?page=1","prev":null,"next":null},
		"meta":{"current_page":1,"from":1,"last_page":1,"links":[{"url":null,"label":"&laquo; Previous","active":false},
		{"url":"`+at+`?page=1","label":"1","active":true},{"url":null,"label":"Next &raquo;","active":false}],"path":"`+at+`","per_page":25,"to":4,"total":4}}`)
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

// The catalogue page, id or slug: decoded once; a UUID is tried as an id first, in any case of
// letters.
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
		"PLAIN", "plai", "plain2", "tools", "Two%20words", "two+words", "%252F%252F", "%25252F", "grosse", strings.ToUpper(uuidSlug),
		"gone", gone, strings.ToUpper(gone), unknownID, "elsewhere", itemID(99), variantID(99), "%7B" + itemID(0) + "%7D",
	} {
		shop.get(productsPath + "/" + unknown).wantStatus(http.StatusNotFound)
	}
	for _, c := range []struct{ path, model, id string }{
		{productsPath, "Product", unknownID}, {productsPath, "Product", "unknown"}, {productsPath, "Product", gone}, {productsPath, "Product", itemID(99)},
		{categoriesPath, "Category", unknownID}, {categoriesPath, "Category", "PLAIN"}, {categoriesPath, "Category", variantID(99)}, {categoriesPath, "Category", "elsewhere"},
	} {
		shop.get(c.path+"/"+c.id).want(http.StatusNotFound, `{"message":"No query results for model [`+c.model+`] `+c.id+`"}`)
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
