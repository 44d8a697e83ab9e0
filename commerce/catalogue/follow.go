package catalogue

import (
	"slices"

	"cartd/commerce"
)

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
