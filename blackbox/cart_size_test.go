package blackbox_test

import "strings"

// maxCartSize is the maximum size of a cart: docs/decisions.md#limits.
const maxCartSize = 1 << 20

// longSKUs gives two products SKUs that do not fit into one cart. With one of them and the hammer
// some 40 KB are left for metadata.
func longSKUs(document object) {
	products := document["products"].(list)
	findByID(products, hammer)["sku"] = strings.Repeat("h", maxCartSize-12_000)
	findByID(products, nails)["sku"] = strings.Repeat("n", 60_000)
}
