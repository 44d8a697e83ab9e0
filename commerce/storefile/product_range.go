package storefile

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// The numbers of categories and of excluded products that one range of products may name.
const (
	maxRangeCategories = 200
	maxExcluded        = 1000
)

// rangeRows are the members that choose the products of a discount, or those to buy and to get.
var rangeRows = []row[commerce.ProductRange]{
	member("product_ids", listOf(productID), "", func(r *commerce.ProductRange) *[]uuid.UUID { return &r.ProductIDs }),
	member("category_ids", atMost(listOf(categoryID), maxRangeCategories, "categories"),
		"The products of these categories and of all below them, beside those of product_ids; every product if both are empty.",
		func(r *commerce.ProductRange) *[]uuid.UUID { return &r.CategoryIDs }),
	member("excluded_product_ids", atMost(listOf(productID), maxExcluded, "products"), "Never these.",
		func(r *commerce.ProductRange) *[]uuid.UUID { return &r.ExcludedIDs }),
}
