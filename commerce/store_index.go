package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// storeIndex finds the products of a store, and its discounts.
type storeIndex struct {
	productByID Shared[uuid.UUID, *Product]
	// productOfVariant finds a variant's product.
	productOfVariant Shared[uuid.UUID, *Product]
	productBySlug    Shared[string, *Product]
	discounts        discountIndex
	trackedProducts  int // the number of products whose stock is tracked
	backorders       int // the number of products with a back order, their own or a variant's
}

// Index indexes the store's products and prepares its discounts. The loader of a Store calls it once, while no
// other goroutine sees the Store.
func (s *Store) Index() { s.IndexAfter(&Store{}) }

// IndexAfter is Index for a store that follows another one, with which it has most of its products in common. Its
// work grows with the products that differ. Only if the discounts or the categories are others than the same
// slices, the ranges of the discounts are made anew, which takes a walk over the products.
func (s *Store) IndexAfter(before *Store) {
	s.storeIndex = before.storeIndex
	changes, _ := s.ProductChanges(before)
	byID, ofVariant, bySlug := s.productByID.Change(), s.productOfVariant.Change(), s.productBySlug.Change()
	added, variants := 0, 0
	for _, c := range changes {
		if c.Before == nil {
			added++
			variants += len(c.After.Variants)
		}
	}
	byID.Grow(added)
	bySlug.Grow(added)
	ofVariant.Grow(variants)
	for _, c := range changes { // a slug or a variant may go from one product to another
		was, is := c.Before, c.After
		if was == nil {
			continue
		}
		if is == nil {
			byID.Delete(was.ID)
		}
		if is == nil || is.Slug != was.Slug {
			bySlug.Delete(was.Slug)
		}
		for i := range was.Variants {
			if id := was.Variants[i].ID; is == nil || is.Variant(id) == nil {
				ofVariant.Delete(id)
			}
		}
		if was.TrackStock {
			s.trackedProducts--
		}
		if len(was.Backorders()) > 0 {
			s.backorders--
		}
	}
	for _, c := range changes {
		is := c.After
		if is == nil {
			continue
		}
		byID.Set(is.ID, is)
		bySlug.Set(is.Slug, is)
		for i := range is.Variants {
			ofVariant.Set(is.Variants[i].ID, is)
		}
		if is.TrackStock {
			s.trackedProducts++
		}
		if len(is.Backorders()) > 0 {
			s.backorders++
		}
	}
	s.productByID, s.productOfVariant, s.productBySlug = byID.Done(), ofVariant.Done(), bySlug.Done()
	if s.discounts.lists != nil && same(s.Discounts, before.Discounts) && same(s.Categories, before.Categories) {
		s.discounts.follow(changes)
	} else {
		s.discounts = indexDiscounts(s)
	}
}

// same reports whether two slices are the same part of the same array.
func same[E any](a, b []E) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Product returns the product with this id, active or not, or nil.
func (s *Store) Product(id uuid.UUID) *Product { return s.productByID.Get(id) }

// ProductOfVariant returns the product that has the variant with this id, active or not, or nil.
func (s *Store) ProductOfVariant(id uuid.UUID) *Product { return s.productOfVariant.Get(id) }

// ProductOfSlug returns the product with this slug, active or not, or nil.
func (s *Store) ProductOfSlug(slug string) *Product { return s.productBySlug.Get(slug) }

// ActiveProduct returns the active product with an id or, if no product has the id, with a slug; else nil. The
// id of an inactive product is never used as a slug.
func (s *Store) ActiveProduct(idOrSlug string) *Product {
	var p *Product
	if id, ok := ParseID(idOrSlug); ok {
		p = s.Product(id)
	}
	if p == nil {
		p = s.productBySlug.Get(idOrSlug)
	}
	if p == nil || !p.Active {
		return nil
	}
	return p
}

// ProductChange is a product of two stores, one of which follows the other. Before is nil if it is new, After if it
// is gone.
type ProductChange struct{ Before, After *Product }

// ProductChanges lists the products that differ from those of the store before: those with another pointer. moved
// is true if the products of both stores are not in the same order.
func (s *Store) ProductChanges(before *Store) (changes []ProductChange, moved bool) {
	rest := before.Products
	for _, p := range s.Products {
		if len(rest) > 0 && rest[0] == p {
			rest = rest[1:]
			continue
		}
		was := before.Product(p.ID)
		if was == nil {
			changes = append(changes, ProductChange{nil, p})
			continue
		}
		at := slices.Index(rest, was)
		if at < 0 {
			return s.productChangesByID(before), true
		}
		for _, gone := range rest[:at] {
			changes = append(changes, ProductChange{gone, nil})
		}
		if was != p {
			changes = append(changes, ProductChange{was, p})
		}
		rest = rest[at+1:]
	}
	for _, gone := range rest {
		changes = append(changes, ProductChange{gone, nil})
	}
	return changes, false
}

// productChangesByID is ProductChanges for products in another order.
func (s *Store) productChangesByID(before *Store) (changes []ProductChange) {
	left := make(map[uuid.UUID]bool, len(s.Products))
	for _, p := range s.Products {
		left[p.ID] = true
		if was := before.Product(p.ID); was != p {
			changes = append(changes, ProductChange{was, p})
		}
	}
	for _, was := range before.Products {
		if !left[was.ID] {
			changes = append(changes, ProductChange{was, nil})
		}
	}
	return changes
}
