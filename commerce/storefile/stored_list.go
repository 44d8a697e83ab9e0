package storefile

import (
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
)

// storedList is one of the lists whose entries a store has in memory.
type storedList struct {
	name string
	len  func(s *commerce.Store) int
	// entry is an entry as commerce has it.
	entry func(s *commerce.Store, at int) any
	// id or text is the key of an entry.
	id   func(s *commerce.Store, at int) uuid.UUID
	text func(s *commerce.Store, at int) string
	// lost counts the references of an entry to entries that a set removes; nil if such entries refer to nothing.
	lost func(s *commerce.Store, at int, l *lostEntries) int
	// again reads the text of an entry once more, for the faults of its references.
	again func(d *document, f value)
}

// storedLists are in the order of a canonical document.
var storedLists = []storedList{
	{
		name: "categories", entry: func(s *commerce.Store, at int) any { return &s.Categories[at] },
		len:  func(s *commerce.Store) int { return len(s.Categories) },
		id:   func(s *commerce.Store, at int) uuid.UUID { return s.Categories[at].ID },
		lost: func(s *commerce.Store, at int, l *lostEntries) int { return l.ofCategory(&s.Categories[at]) },
		again: func(d *document, f value) {
			category.Read(f, &commerce.Category{})
			if n := len(d.parents); n > 0 { // not so if there are very many faults
				d.parents[n-1].reference(&d.categories, aCategory)
			}
		},
	}, {
		name: "customer_groups", entry: func(s *commerce.Store, at int) any { return &s.Groups[at] },
		len: func(s *commerce.Store) int { return len(s.Groups) },
		id:  func(s *commerce.Store, at int) uuid.UUID { return s.Groups[at].ID },
	}, {
		name: discountList, entry: func(s *commerce.Store, at int) any { return &s.Discounts[at] },
		len:   func(s *commerce.Store) int { return len(s.Discounts) },
		id:    func(s *commerce.Store, at int) uuid.UUID { return s.Discounts[at].ID },
		lost:  func(s *commerce.Store, at int, l *lostEntries) int { return l.ofDiscount(&s.Discounts[at]) },
		again: func(d *document, f value) { discount.Read(f, &commerce.Discount{}) },
	}, {
		name: productList, entry: func(s *commerce.Store, at int) any { return s.Products[at] },
		len:  func(s *commerce.Store) int { return len(s.Products) },
		id:   func(s *commerce.Store, at int) uuid.UUID { return s.Products[at].ID },
		lost: func(s *commerce.Store, at int, l *lostEntries) int { return l.ofProduct(s.Products[at]) },
		again: func(d *document, f value) {
			d.components = nil
			product.Read(f, &commerce.Product{})
			d.judgeComponents()
		},
	}, {
		name: "redirects", entry: func(s *commerce.Store, at int) any { return &s.Redirects[at] },
		len:  func(s *commerce.Store) int { return len(s.Redirects) },
		text: func(s *commerce.Store, at int) string { return commerce.PathKey(s.Redirects[at].From) },
	}, {
		name: "shipping_methods", entry: func(s *commerce.Store, at int) any { return &s.ShippingMethods[at] },
		len:   func(s *commerce.Store) int { return len(s.ShippingMethods) },
		id:    func(s *commerce.Store, at int) uuid.UUID { return s.ShippingMethods[at].ID },
		lost:  func(s *commerce.Store, at int, l *lostEntries) int { return l.ofMethod(&s.ShippingMethods[at]) },
		again: func(d *document, f value) { shippingMethod.Read(f, &commerce.ShippingMethod{}) },
	}, {
		name:  storeMember,
		len:   func(*commerce.Store) int { return 1 },
		text:  func(*commerce.Store, int) string { return "" },
		lost:  func(s *commerce.Store, _ int, l *lostEntries) int { return l.ofSettings(s) },
		again: func(d *document, f value) { storeObject.Read(f, &commerce.Store{}) },
	}, {
		name: "tax_rates", entry: func(s *commerce.Store, at int) any { return &s.TaxRates[at] },
		len:   func(s *commerce.Store) int { return len(s.TaxRates) },
		text:  func(s *commerce.Store, at int) string { return s.TaxRates[at].Code },
		again: func(d *document, f value) { taxRate.Read(f, &commerce.TaxRate{}) },
	},
}

// storedListAt is the index of a list in storedLists.
func storedListAt(name string) int {
	return slices.IndexFunc(storedLists, func(l storedList) bool { return l.name == name })
}

func listNamed(name string) *storedList { return &storedLists[storedListAt(name)] }

// key is the key of an entry as a text.
func (l *storedList) key(s *commerce.Store, at int) string {
	if l.id != nil {
		return l.id(s, at).String()
	}
	return l.text(s, at)
}

// isIn reports whether an entry is one of the keys.
func (l *storedList) isIn(keys keySet, s *commerce.Store, at int) bool {
	if l.id != nil {
		return len(keys.ids) > 0 && keys.ids[l.id(s, at)]
	}
	return len(keys.texts) > 0 && keys.texts[l.text(s, at)]
}

// path is the path of an entry in the document that results.
func (l *storedList) path(at int) string {
	if l.name == storeMember {
		return storeMember
	}
	return l.name + "[" + strconv.Itoa(at) + "]"
}

// has reports whether the store has the entry, whatever the set does with it.
func (s *stored) has(list, key string) bool {
	if list == productList {
		id, ok := commerce.ParseID(key)
		return ok && s.store.Product(id) != nil
	}
	_, known := s.indexes(list)[key]
	return known
}

// pathOf is the path of an entry that stays.
func (s *stored) pathOf(list, key string) string { return listNamed(list).path(s.indexes(list)[key]) }

// indexes has the entries of a list by their keys, with their indexes in the document that results.
func (s *stored) indexes(list string) map[string]int {
	if all := s.at[list]; all != nil {
		return all
	}
	l, all, next := listNamed(list), map[string]int{}, 0
	for at := range l.len(s.store) {
		all[l.key(s.store, at)] = next
		if !l.isIn(s.removed[list], s.store, at) {
			next++
		}
	}
	s.at[list] = all
	return all
}

// What a product, a variant and an attribute take in memory besides their texts, with their places in the store's
// and the catalogue's indexes. Measured: TestTheMemoryOfAStoreIsEstimated compares the estimate with the heap.
const (
	memoryOfProduct   = 650
	memoryOfVariant   = 490
	memoryOfAttribute = 100
)

// MemoryOf estimates the bytes that a store takes in memory, with its catalogue. settings is the length of
// the text of which it was read: texts take about what they take there.
func MemoryOf(s *commerce.Store, settings int) int64 {
	all := int64(settings) + memoryOfProduct*int64(len(s.Products))
	for _, p := range s.Products {
		all += memoryOfVariant*int64(len(p.Variants)) + memoryOfAttribute*int64(len(p.Attributes))
		for i := range p.Variants {
			all += memoryOfAttribute * int64(len(p.Variants[i].Attributes))
		}
	}
	return all
}
