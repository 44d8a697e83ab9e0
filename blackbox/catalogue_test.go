package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
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
