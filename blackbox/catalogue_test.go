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
func itemID(n int) string { return fmt.Sprintf("a1000000-0000-4000-8000-%012d", n) }

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

// slugs lists the slugs of a list's rows.
func (a answer) slugs() string {
	a.t.Helper()
	var all []string
	for _, row := range decoded[struct{ Data []productSeen }](a).Data {
		all = append(all, row.Slug)
	}
	return strings.Join(all, " ")
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
