package catalogue

import (
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The limits of a product list's filters.
const (
	MaxQuery            = 255 // code points of a search
	MaxIDs              = 100
	MaxAttributeNames   = 10
	MaxAttributeFilters = 50 // values, of all names together
)

// Filter has the conditions of a product list. All must hold; a zero field is no condition.
type Filter struct {
	// Query has words; each begins a word, or has the stem of one, in the name, in a SKU, in the name of a
	// variant, in the value of an attribute or in the name of a category.
	Query string
	// Category is the category itself, without its descendants. The zero id matches no product.
	Category *uuid.UUID
	// InCategory is the id or slug of a category; its descendants count, too.
	InCategory string
	// IDs are products. Unknown ones are left out.
	IDs []uuid.UUID
	// SKU is compared exactly.
	SKU        string
	Capability *commerce.Capability
	// PriceMin and PriceMax are inclusive. A product without a shown price matches neither.
	PriceMin, PriceMax *commerce.Amount
	Attributes         []AttributeFilter
}

// ByPrice reports whether the conditions depend on the pricing context.
func (f *Filter) ByPrice() bool { return f.PriceMin != nil || f.PriceMax != nil }

// CheckFilter refuses a filter with too many ids, names or values. ids is the number of the
// ids that were sent, valid or not.
func CheckFilter(f *commerce.Faults, filter *Filter, ids int) {
	if ids > MaxIDs {
		f.Add("ids", commerce.MsgMaxItems("ids", MaxIDs))
	}
	names, values := map[string]bool{}, 0
	for i := range filter.Attributes {
		names[commerce.NormalizeText(filter.Attributes[i].Name)] = true
		values += len(filter.Attributes[i].Values)
	}
	if len(names) > MaxAttributeNames {
		f.Add("attributes", commerce.MsgMaxItems("attributes", MaxAttributeNames))
	} else if values > MaxAttributeFilters {
		f.Add("attributes", commerce.MsgMaxItems("attributes", MaxAttributeFilters))
	}
}

// Found are the products that meet all conditions of a filter.
type Found struct {
	ProductSet
	// Corrected are the words of the query that were replaced.
	Corrected []Correction
	// Partial is true if no product has all words of the query, and these have most of them.
	Partial bool

	// The products that meet a part of the conditions: facets leave out their own.
	category, price, attribute, other ProductSet
	conditions                        []attributeCondition
	// parent is the category filtered by. inCategory is true if there is one, known or not.
	parent     *CategoryNode
	inCategory bool
	order      []int32 // of the ids that were sent
	// own are the products that the words find without a category; nil if all are found so.
	own bitSet
}

// Order is the order of a list that is not sorted: that of the ids that were sent; else the products that
// are found without a category come first. nil is the document's order.
func (f *Found) Order() []int32 {
	if f.order != nil || f.own == nil {
		return f.order
	}
	var first, rest []int32
	for at := range f.each {
		if f.own.has(at) {
			first = append(first, at)
		} else {
			rest = append(rest, at)
		}
	}
	return append(first, rest...)
}

// Find returns the products that meet all conditions of a filter. prices may be nil if the filter is
// not by price. It calls proceed between the words of the query, and ends with its error.
func (c *Catalogue) Find(f *Filter, prices *PriceIndex, proceed func() error) (*Found, error) {
	found := &Found{category: c.every, price: c.every, other: c.every}
	c.findCategory(f, found)
	if f.ByPrice() {
		found.price.keep(prices.between(f.PriceMin, f.PriceMax))
	}
	found.conditions = c.attributes.conditions(f.Attributes)
	found.attribute = c.attributes.products(found.conditions)
	c.findOther(f, found)
	if err := c.findWords(f, found, proceed); err != nil {
		return nil, err
	}
	found.ProductSet = intersection(found.category, found.price, found.attribute, found.other)
	return found, nil
}

// searchSets is the maximum number of sets of products that a list needs at a time. A search needs searchOrder
// more, 32 of them for the order of the products, and four for each word.
const (
	searchSets  = 12
	searchOrder = 2*32 + 8
)

// SearchBytes is the memory that Find and, if they are asked for, facets need for a time, in bytes.
func (c *Catalogue) SearchBytes(f *Filter, facets bool) int {
	rows := len(c.attributes.rowValues.starts) - 1
	sets := searchSets
	if n := len(queryWords(f.Query)); n > 0 {
		sets += searchOrder + 4*n
	}
	bytes := sets*len(c.products)/8 + 2*min(len(f.Attributes), MaxAttributeNames)*rows/8
	if facets {
		bytes += c.facetBytes()
	}
	return bytes
}

func (c *Catalogue) findCategory(f *Filter, found *Found) {
	if f.Category != nil {
		found.inCategory, found.parent = true, c.categoryByID[*f.Category]
		found.category.keep(c.byCategory[*f.Category])
	}
	if f.InCategory == "" {
		return
	}
	found.inCategory, found.parent = true, c.Category(f.InCategory)
	if found.parent == nil {
		found.category.keep(nil)
		return
	}
	found.category.intersect(c.inCategory(found.parent))
}

// findOther finds by the conditions that no facet shows.
func (c *Catalogue) findOther(f *Filter, found *Found) {
	if f.IDs != nil {
		found.order = []int32{}
		for _, id := range f.IDs {
			if at, known := c.positionOf[id]; known && !slices.Contains(found.order, at) {
				found.order = append(found.order, at)
			}
		}
		found.other.keep(found.order)
	}
	if f.SKU != "" {
		found.other.keep(c.bySKU[f.SKU])
	}
	if f.Capability != nil {
		var positions []int32
		for i, p := range c.products {
			if p != nil && p.Capability == *f.Capability {
				positions = append(positions, int32(i))
			}
		}
		found.other.keep(positions)
	}
}
