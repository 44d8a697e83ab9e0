package storefile

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// The numbers of categories and of excluded products that one range of products may name.
const (
	maxRangeCategories = 200
	maxExcluded        = 1000
)

// rangeRows are the members that choose the products of a discount, or those to buy and to get.
var rangeRows = []row[*commerce.ProductRange]{
	field.Optional("product_ids", listOf(productID), "", func(r *commerce.ProductRange) *[]uuid.UUID { return &r.ProductIDs }),
	field.Optional("category_ids", atMost(listOf(categoryID), maxRangeCategories, "categories"),
		"The products of these categories and of all below them, beside those of product_ids; every product if both are empty.",
		func(r *commerce.ProductRange) *[]uuid.UUID { return &r.CategoryIDs }),
	field.Optional("excluded_product_ids", atMost(listOf(productID), maxExcluded, "products"), "Never these.",
		func(r *commerce.ProductRange) *[]uuid.UUID { return &r.ExcludedIDs }),
}
