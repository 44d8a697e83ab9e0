package storefile

import (
	"iter"

	"github.com/google/uuid"

	"cartd/commerce"
)

// lostEntries are the entries that a change set removes and that others may name.
type lostEntries struct {
	taxCodes                     map[string]bool
	groups, categories, products map[uuid.UUID]bool
}

// lostReferences is an entry that stays and names entries that the set removes.
type lostReferences struct {
	list *storedList
	// at is its index in the store, result that in the document that results, count the number of those references.
	at, result, count int
}

// lost walks the store for the entries that name what the set removes, in the order of the document. It walks nothing if the set
// removes nothing that others may name.
func (s *stored) lost() (all []lostReferences) {
	l := &lostEntries{
		taxCodes: s.removed["tax_rates"].texts, groups: s.removed["customer_groups"].ids,
		categories: s.removed["categories"].ids, products: s.removed[productList].ids,
	}
	if len(l.taxCodes)+len(l.groups)+len(l.categories)+len(l.products) == 0 {
		return nil
	}
	for i := range storedLists {
		list, result := &storedLists[i], 0
		if list.lost == nil {
			continue
		}
		gone, removed := s.gone[list.name], s.removed[list.name]
		for at := range list.len(s.store) {
			if gone.empty() || !list.isIn(gone, s.store, at) {
				if n := list.lost(s.store, at, l); n > 0 {
					all = append(all, lostReferences{list, at, result, n})
				}
			} else if list.isIn(removed, s.store, at) {
				continue
			}
			result++
		}
	}
	return all
}

// in counts the ids of a list that are among those of a map.
func in(lost map[uuid.UUID]bool, ids []uuid.UUID) (n int) {
	if len(lost) == 0 {
		return 0
	}
	for _, id := range ids {
		n += counted(lost[id])
	}
	return n
}

func counted(lost bool) int {
	if lost {
		return 1
	}
	return 0
}

func (l *lostEntries) ofCategory(c *commerce.Category) int { return counted(l.categories[c.ParentID]) }

func (l *lostEntries) ofSettings(s *commerce.Store) int { return in(l.groups, s.Quotes.GroupIDs) }

func (l *lostEntries) ofMethod(m *commerce.ShippingMethod) int {
	return counted(l.taxCodes[m.Tax.Code])
}

func (l *lostEntries) ofDiscount(d *commerce.Discount) int {
	return in(l.groups, d.GroupIDs) + l.ofRange(&d.ProductRange) + l.ofRange(&d.Buy.ProductRange) + l.ofRange(&d.Get.ProductRange)
}

func (l *lostEntries) ofRange(r *commerce.ProductRange) int {
	return in(l.products, r.ProductIDs) + in(l.products, r.ExcludedIDs) + in(l.categories, r.CategoryIDs)
}

func (l *lostEntries) ofProduct(p *commerce.Product) int {
	n := in(l.categories, p.CategoryIDs)
	if len(l.taxCodes) > 0 {
		n += counted(l.taxCodes[p.Tax.Code])
	}
	if len(l.groups) > 0 {
		n += l.ofPrices(&p.Prices)
		for i := range p.Variants {
			n += l.ofPrices(&p.Variants[i].Prices)
		}
	}
	if len(l.products) > 0 {
		for component := range componentsOfProduct(p) {
			n += counted(l.products[component])
		}
	}
	return n
}

func (l *lostEntries) ofPrices(p *commerce.Prices) (n int) {
	for i := range p.Group {
		n += counted(l.groups[p.Group[i].GroupID])
	}
	for i := range p.Tiers {
		n += counted(l.groups[p.Tiers[i].GroupID])
	}
	for i := range p.Periods {
		n += counted(l.groups[p.Periods[i].GroupID])
	}
	return n
}

// componentsOfProduct are the products that a product is made of, as often as it names them.
func componentsOfProduct(p *commerce.Product) iter.Seq[uuid.UUID] {
	return func(yield func(uuid.UUID) bool) {
		if p.Configurator == nil {
			return
		}
		each := func(components []commerce.Component) bool {
			for i := range components {
				if !yield(components[i].ProductID) {
					return false
				}
			}
			return true
		}
		if !each(p.Configurator.Components) {
			return
		}
		for _, group := range p.Configurator.Groups {
			for i := range group.Choices {
				if !each(group.Choices[i].Components) {
					return
				}
			}
		}
	}
}
