package storefile

import (
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// stored are the entries of a store that stay beside a change set: those that it neither sets nor removes. A document that is read
// as a whole has none; its methods then answer for no entries.
type stored struct {
	store *commerce.Store
	// gone are the keys that the set sets or removes, by list; removed are those that it removes.
	gone, removed map[string]keySet
	// The others are made when they are needed first.
	at            map[string]map[string]int
	categorySlugs map[string]*commerce.Category
	codes         map[string]*commerce.Discount
	prefixes      map[string]batchOf
	components    map[uuid.UUID]bool
	// lostCount is the number of references to removed entries that were not read.
	lostCount int
}

// keySet has keys of one list: of UUIDs, or of texts.
type keySet struct {
	ids   map[uuid.UUID]bool
	texts map[string]bool
}

func (k *keySet) add(list *outline, key string) {
	if list.key().has(textKey) {
		k.texts[key] = true
		return
	}
	id, _ := commerce.ParseID(key)
	k.ids[id] = true
}

func (k keySet) empty() bool { return len(k.ids)+len(k.texts) == 0 }

// batchOf is a batch of codes, by its index in its discount.
type batchOf struct {
	*commerce.Discount
	at int
}

// besideSet are the entries of a store that stay beside a change set.
func besideSet(store *commerce.Store, c *ChangeSet) *stored {
	s := &stored{store: store, gone: map[string]keySet{}, removed: map[string]keySet{}, at: map[string]map[string]int{}}
	for _, list := range changeLists {
		gone := keySet{map[uuid.UUID]bool{}, map[string]bool{}}
		removed := keySet{map[uuid.UUID]bool{}, map[string]bool{}}
		for _, entry := range c.set[list.name] {
			gone.add(list, entry.key)
		}
		for key := range c.remove[list.name] {
			gone.add(list, key)
			removed.add(list, key)
		}
		s.gone[list.name], s.removed[list.name] = gone, removed
	}
	if c.product != uuid.Nil {
		s.gone[productList].ids[c.product] = true
	}
	return s
}

// answer lets the registers of a document answer for the entries, too.
func (s *stored) answer(d *document) {
	d.stored = s
	d.groups.stored = func(id uuid.UUID) bool { return !s.gone["customer_groups"].ids[id] && s.store.Group(id) != nil }
	d.categories.stored = func(id uuid.UUID) bool { return !s.gone["categories"].ids[id] && s.has("categories", id.String()) }
	d.products.stored = func(id uuid.UUID) bool { return !s.gone[productList].ids[id] && s.store.Product(id) != nil }
	d.goods.stored = func(id uuid.UUID) bool { p, _ := s.good(id); return p != nil }
	d.goods.path = func(id uuid.UUID) string {
		p, variant := s.good(id)
		path := s.pathOf(productList, p.ID.String())
		if variant >= 0 {
			path += ".variants[" + strconv.Itoa(variant) + "]"
		}
		return path + ".id"
	}
	d.productSlugs.stored = func(slug string) bool { return s.productOfSlug(slug) != nil }
	d.productSlugs.path = func(slug string) string { return s.pathOf(productList, s.productOfSlug(slug).ID.String()) + ".slug" }
	d.categorySlugs.stored = func(slug string) bool { return s.categoryOf(slug) != nil }
	d.categorySlugs.path = func(slug string) string { return s.pathOf("categories", s.categoryOf(slug).ID.String()) + ".slug" }
	d.discountCodes.stored = func(code string) bool { return s.discountOf(code) != nil }
	d.discountCodes.path = func(code string) string { return s.pathOf(discountList, s.discountOf(code).ID.String()) + ".code" }
	d.batchPrefixes.stored = func(prefix string) bool { return s.batchOf(prefix).Discount != nil }
	d.batchPrefixes.path = func(prefix string) string {
		b := s.batchOf(prefix)
		return s.pathOf(discountList, b.ID.String()) + ".code_batches[" + strconv.Itoa(b.at) + "].prefix"
	}
}

// good is the product that has the id, or a variant of it with its index; −1 for the product itself.
func (s *stored) good(id uuid.UUID) (p *commerce.Product, variant int) {
	variant = -1
	if p = s.store.Product(id); p == nil {
		if p = s.store.ProductOfVariant(id); p == nil {
			return nil, 0
		}
		variant = slices.IndexFunc(p.Variants, func(v commerce.Variant) bool { return v.ID == id })
	}
	if s.gone[productList].ids[p.ID] {
		return nil, 0
	}
	return p, variant
}

func (s *stored) productOfSlug(slug string) *commerce.Product {
	if p := s.store.ProductOfSlug(slug); p != nil && !s.gone[productList].ids[p.ID] {
		return p
	}
	return nil
}

func (s *stored) categoryOf(slug string) *commerce.Category {
	if s.categorySlugs == nil {
		s.categorySlugs = map[string]*commerce.Category{}
		for i := range s.store.Categories {
			if c := &s.store.Categories[i]; !s.gone["categories"].ids[c.ID] {
				s.categorySlugs[c.Slug] = c
			}
		}
	}
	return s.categorySlugs[slug]
}

func (s *stored) discountOf(code string) *commerce.Discount {
	s.readCodes()
	return s.codes[code]
}

func (s *stored) batchOf(prefix string) batchOf {
	s.readCodes()
	return s.prefixes[prefix]
}

// readCodes notes the codes and the prefixes of the discounts.
func (s *stored) readCodes() {
	if s.codes != nil {
		return
	}
	s.codes, s.prefixes = map[string]*commerce.Discount{}, map[string]batchOf{}
	for _, d := range s.withDiscounts(nil) {
		if d.Code != "" {
			s.codes[commerce.CodeKey(d.Code)] = d
		}
		for at := range d.CodeBatches {
			s.prefixes[commerce.BatchPrefixKey(d.CodeBatches[at].Prefix)] = batchOf{d, at}
		}
	}
}

// taxRate is the rate of a code; false if there is none.
func (s *stored) taxRate(code string) (rate commerce.TaxRate, ok bool) {
	if s == nil || s.gone["tax_rates"].texts[code] {
		return rate, false
	}
	for _, rate = range s.store.TaxRates {
		if rate.Code == code {
			return rate, true
		}
	}
	return rate, false
}

// taxCodes are the codes of the tax rates.
func (s *stored) taxCodes() (codes []string) {
	if s == nil {
		return nil
	}
	for _, rate := range s.store.TaxRates {
		if !s.gone["tax_rates"].texts[rate.Code] {
			codes = append(codes, rate.Code)
		}
	}
	return codes
}

// batch is the batch of a number that a discount has, also one that the set sets; nil if there is none.
func (s *stored) batch(discount uuid.UUID, number int) *commerce.CodeBatch {
	if s == nil {
		return nil
	}
	if d := s.store.Discount(discount); d != nil {
		return d.Batch(int64(number))
	}
	return nil
}

// isComponent reports whether a made-to-measure product uses a product.
func (s *stored) isComponent(id uuid.UUID) bool {
	if s == nil {
		return false
	}
	if s.components == nil {
		s.components = map[uuid.UUID]bool{}
		s.eachProduct(func(p *commerce.Product) {
			for component := range componentsOfProduct(p) {
				s.components[component] = true
			}
		})
	}
	return s.components[id]
}

func (s *stored) eachProduct(visit func(p *commerce.Product)) {
	gone := s.gone[productList].ids
	for _, p := range s.store.Products {
		if !gone[p.ID] {
			visit(p)
		}
	}
}

// eachMoment visits the beginnings and ends of all price periods.
func (s *stored) eachMoment(visit func(at time.Time)) {
	if s == nil {
		return
	}
	periods := func(prices *commerce.Prices) {
		for _, p := range prices.Periods {
			visit(p.From)
			visit(p.Until)
		}
	}
	s.eachProduct(func(p *commerce.Product) {
		periods(&p.Prices)
		for i := range p.Variants {
			periods(&p.Variants[i].Prices)
		}
	})
}

// withDiscounts are the discounts with those of the set, in any order.
func (s *stored) withDiscounts(set []commerce.Discount) (all []*commerce.Discount) {
	if s != nil {
		all = staying(s.store.Discounts, func(d *commerce.Discount) bool { return s.gone[discountList].ids[d.ID] })
	}
	return append(all, pointers(set)...)
}

// withMethods are the shipping methods with those of the set, in any order.
func (s *stored) withMethods(set []commerce.ShippingMethod) (all []*commerce.ShippingMethod) {
	if s != nil {
		all = staying(s.store.ShippingMethods, func(m *commerce.ShippingMethod) bool { return s.gone["shipping_methods"].ids[m.ID] })
	}
	return append(all, pointers(set)...)
}

func staying[T any](all []T, gone func(*T) bool) []*T {
	return slices.DeleteFunc(pointers(all), gone)
}

func pointers[T any](all []T) []*T {
	to := make([]*T, len(all))
	for i := range all {
		to[i] = &all[i]
	}
	return to
}

// tree are all categories with those of the set, in the order of the document that results, and the function that refuses the parent
// of one of them.
func (s *stored) tree(d *document, set []commerce.Category, parents []value) ([]commerce.Category, func(at int, message string)) {
	if s == nil {
		return set, func(at int, message string) { parents[at].conflict(message) }
	}
	of := indexOf(set)
	var tree []commerce.Category
	var fields []value // absent for those that stay
	add := func(c commerce.Category, parent value) { tree, fields = append(tree, c), append(fields, parent) }
	for _, c := range s.store.Categories {
		at, isSet := of[c.ID]
		switch {
		case isSet:
			add(set[at], parents[at])
			delete(of, c.ID)
		case !s.removed["categories"].ids[c.ID]:
			add(c, value{})
		}
	}
	for at, c := range set {
		if _, isNew := of[c.ID]; isNew {
			add(c, parents[at])
		}
	}
	return tree, func(at int, message string) {
		if !fields[at].absent() {
			fields[at].conflict(message)
			return
		}
		parent := tree[at].ParentID.String()
		d.elsewhere = append(d.elsewhere, storedFault{"categories", at, Fault{
			Path: "categories[" + strconv.Itoa(at) + "].parent_id", Message: message, Value: strconv.Quote(parent), ID: tree[at].ID.String(),
		}})
	}
}

// storedFault is a fault of an entry that stays, whose text is not read, or of a list as a whole, whose index is −1.
type storedFault struct {
	list string
	at   int
	Fault
}

// conflictOf adds a fault of a whole list of the document.
func (d *document) conflictOf(f value, list, message string) {
	if d.stored == nil {
		f.conflict(message)
		return
	}
	d.elsewhere = append(d.elsewhere, storedFault{list, -1, Fault{Path: list, Message: message, kind: ofContent}})
}
