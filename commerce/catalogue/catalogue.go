package catalogue

import (
	"iter"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Catalogue has the active products and the categories of a store, with indexes. It is never changed: Follow makes the
// next one. docs/api/catalogue.md.
type Catalogue struct {
	// productIndex numbers the products and finds them. A catalogue has it in common with those that it follows.
	*productIndex
	*categoryIndex
	// products are those of each position; nil for one that was active when the index was made and is not any more.
	products []*commerce.Product
	// every is the set of the others.
	every     ProductSet
	options   commerce.Shared[uuid.UUID, []Option]
	moments   priceMoments
	redirects map[string][]commerce.Redirect // of one row each, by commerce.PathKey
	// outdated is what Outdated returns.
	outdated bool
	// changed are the positions whose product is another one than in the catalogue that this one follows; nil if none
	// is. redated is true if prices change at other moments than there.
	changed bitSet
	redated bool
}

// productIndex finds the products of a store by what Follow does not look up in the products themselves. A position is
// a number of an active product, in the document's order.
type productIndex struct {
	positionOf map[uuid.UUID]int32
	// byCategory and bySKU have positions, ascending.
	byCategory map[uuid.UUID][]int32
	bySKU      map[string][]int32
	words      wordIndex
	attributes attributeIndex
	byName     productOrder
}

// New indexes a store. Time and memory grow with the products' names, SKUs and attributes, and the names
// of the categories.
func New(s *commerce.Store) *Catalogue {
	c := &Catalogue{redirects: indexRedirects(s.Redirects)}
	for _, p := range s.Products {
		if p.Active {
			c.products = append(c.products, p)
		}
	}
	c.every = ProductSet{size: len(c.products)}
	c.productIndex, c.options = indexProducts(c.products, s.Languages)
	c.moments = indexMoments(c.products)
	c.categoryIndex = indexCategories(s.Categories, s.Languages)
	c.count()
	return c
}

func indexProducts(products []*commerce.Product, languages commerce.Languages) (*productIndex, commerce.Shared[uuid.UUID, []Option]) {
	skus := 0
	for _, p := range products {
		for range shownSKUs(p) {
			skus++
		}
	}
	x := &productIndex{
		positionOf: make(map[uuid.UUID]int32, len(products)), byCategory: map[uuid.UUID][]int32{}, bySKU: make(map[string][]int32, skus),
	}
	names := make([]string, len(products))
	texts, attributes := newWordIndexing(languages), newAttributeIndexing()
	var options commerce.Shared[uuid.UUID, []Option]
	withOptions := options.Change()
	first := make([]int32, 0, skus) // the first position of each SKU, in one array
	for i, p := range products {
		position := int32(i)
		x.positionOf[p.ID] = position
		for _, id := range p.CategoryIDs {
			appendPosition(x.byCategory, id, position)
		}
		names[i] = commerce.NormalizeText(p.Name)
		texts.addText(p.Name, true)
		for i := range p.Variants {
			if v := &p.Variants[i]; v.Active {
				texts.addText(v.Name, true)
			}
		}
		attributes.addProduct(p, texts)
		if differ := attributes.options(); differ != nil {
			withOptions.Set(p.ID, differ)
		}
		for sku := range shownSKUs(p) {
			if x.bySKU[sku] == nil {
				first = append(first, position)
				x.bySKU[sku] = first[len(first)-1 : len(first) : len(first)]
			} else {
				appendPosition(x.bySKU, sku, position)
			}
			texts.addText(sku, false)
		}
		texts.endProduct()
	}
	x.words, x.byName, x.attributes = texts.index(), orderByName(names), attributes.index()
	return x, withOptions.Done()
}

// appendPosition adds a position to a list that grows in ascending order, once.
func appendPosition[K comparable](lists map[K][]int32, key K, position int32) {
	list := lists[key]
	if len(list) == 0 || list[len(list)-1] != position {
		lists[key] = append(list, position)
	}
}

// shownSKUs yields the SKUs that find a product: its own and its active variants'.
func shownSKUs(p *commerce.Product) iter.Seq[string] {
	return func(yield func(string) bool) {
		if p.SKU != "" && !yield(p.SKU) {
			return
		}
		for i := range p.Variants {
			if v := &p.Variants[i]; v.Active && v.SKU != "" && !yield(v.SKU) {
				return
			}
		}
	}
}

// Every is the set of all active products.
func (c *Catalogue) Every() ProductSet { return c.every }

// Redirect returns the redirect of a path as a list of one row or none.
func (c *Catalogue) Redirect(from string) []commerce.Redirect {
	return c.redirects[commerce.PathKey(from)]
}

func indexRedirects(all []commerce.Redirect) map[string][]commerce.Redirect {
	byFrom := make(map[string][]commerce.Redirect, len(all))
	for i, r := range all {
		if from := commerce.PathKey(r.From); byFrom[from] == nil {
			byFrom[from] = all[i : i+1]
		}
	}
	return byFrom
}

// Follow returns the catalogue of the store that follows the catalogue's own one. It keeps the index:
// each position gets the product of the next store, or nil if that is gone or inactive. If a member that is indexed
// has changed, the index still has the old one, and Outdated says that a new index is needed. Products that are new to the index are
// not in the catalogue.
//
// The work grows with the products that differ, and with the size of what is copied or counted: a few arrays, the
// categories, the redirects.
func (c *Catalogue) Follow(before, next *commerce.Store) *Catalogue {
	f := *c
	f.changed, f.redated = nil, false
	changes, moved := next.ProductChanges(before)
	f.outdated = c.outdated || moved || next.Languages != before.Languages
	ended := f.take(changes)
	if !sameSlice(next.Redirects, before.Redirects) {
		f.redirects = indexRedirects(next.Redirects)
	}
	sameNodes := sameSlice(next.Categories, before.Categories)
	if sameNodes && !ended {
		return &f
	}
	if sameNodes || next.Languages == before.Languages && sameNames(next.Categories, before.Categories) {
		f.categoryIndex = arrangeCategories(next.Categories, c.categoryWords)
	} else {
		f.categoryIndex = indexCategories(next.Categories, next.Languages)
	}
	f.count()
	return &f
}

// Outdated reports whether the index of the products does not agree with the products any more: New finds others.
func (c *Catalogue) Outdated() bool { return c.outdated }

// take puts the products of the next store in the place of those before. It returns whether a position has none
// any more.
func (c *Catalogue) take(changes []commerce.ProductChange) (ended bool) {
	if len(changes) == 0 {
		return false
	}
	c.products, c.changed = slices.Clone(c.products), makeBitSet(len(c.products))
	options := c.options.Change()
	for _, change := range changes {
		was, is := change.Before, change.After
		at, there := int32(0), false
		if was != nil {
			at, there = c.positionOf[was.ID]
			there = there && c.products[at] != nil
		}
		active := is != nil && is.Active
		if !there {
			c.outdated = c.outdated || active
			continue
		}
		c.products[at] = nil
		c.changed.add(at)
		if !active {
			c.outdated, ended = true, true
			options.Delete(was.ID)
			continue
		}
		c.products[at] = is
		c.redated = c.redated || !samePeriods(was, is)
		if sameIndexed(was, is) {
			continue
		}
		c.outdated = true
		x := newAttributeIndexing()
		x.addProduct(is, nil)
		if differ := x.options(); differ != nil {
			options.Set(is.ID, differ)
		} else {
			options.Delete(is.ID)
		}
	}
	c.options = options.Done()
	if ended {
		c.every = c.present()
	}
	if c.redated {
		c.moments = indexMoments(c.products)
	}
	return ended
}

// present is the set of the positions with a product.
func (c *Catalogue) present() ProductSet {
	all := ProductSet{len(c.products), makeBitSet(len(c.products))}
	for at, p := range c.products {
		if p != nil {
			all.members.add(int32(at))
		}
	}
	return all
}

// sameIndexed reports whether the index has the same of two active products.
func sameIndexed(a, b *commerce.Product) bool {
	return a.Name == b.Name && a.SKU == b.SKU && slices.Equal(a.CategoryIDs, b.CategoryIDs) && sameAttributes(a.Attributes, b.Attributes) &&
		slices.EqualFunc(a.Variants, b.Variants, func(v, w commerce.Variant) bool {
			return v.Name == w.Name && v.SKU == w.SKU && v.Active == w.Active && sameAttributes(v.Attributes, w.Attributes)
		})
}

func sameAttributes(a, b []commerce.Attribute) bool {
	return slices.EqualFunc(a, b, func(v, w commerce.Attribute) bool { return v.Name == w.Name && slices.Equal(v.Values, w.Values) })
}

// samePeriods reports whether the prices of two products change at the same moments.
func samePeriods(a, b *commerce.Product) bool {
	same := func(v, w commerce.Prices) bool {
		return slices.EqualFunc(v.Periods, w.Periods, func(v, w commerce.PricePeriod) bool { return v.From.Equal(w.From) && v.Until.Equal(w.Until) })
	}
	return same(a.Prices, b.Prices) && slices.EqualFunc(a.Variants, b.Variants, func(v, w commerce.Variant) bool {
		return v.Active == w.Active && same(v.Prices, w.Prices)
	})
}

// sameNames reports whether categories have the same names at the same places.
func sameNames(a, b []commerce.Category) bool {
	return slices.EqualFunc(a, b, func(v, w commerce.Category) bool { return v.Name == w.Name })
}

// sameSlice reports whether two slices are the same part of the same array.
func sameSlice[E any](a, b []E) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
