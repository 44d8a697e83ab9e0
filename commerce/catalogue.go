package commerce

import (
	"github.com/google/uuid"
)

// Catalogue is the part of a store that a storefront can browse: its active products and its
// categories, with indexes. It is never changed. Catalogue page.
type Catalogue struct {
	// Products are the active products in the document's order. A position is an index into them.
	Products   []*Product
	Categories []CategoryNode // in the document's order

	// productByID also has the ids of inactive products, with nil: these ids are taken.
	productByID    map[uuid.UUID]*Product
	productBySlug  map[string]*Product
	categoryByID   map[uuid.UUID]*CategoryNode
	categoryBySlug map[string]*CategoryNode
	// byCategory and bySKU have positions, ascending.
	byCategory map[uuid.UUID][]int32
	bySKU      map[string][]int32
	redirects  map[string][]Redirect // of one row each
	words      wordIndex
	byName     productOrder
}

// CategoryNode is a category with the number of its active products.
type CategoryNode struct {
	*Category
	ProductsCount int
}

// NewCatalogue indexes a store. Time and memory grow with the products' names and SKUs.
func NewCatalogue(s *Store) *Catalogue {
	c := &Catalogue{
		Categories:    make([]CategoryNode, len(s.Categories)),
		productByID:   make(map[uuid.UUID]*Product, len(s.Products)),
		productBySlug: make(map[string]*Product, len(s.Products)),
		categoryByID:  map[uuid.UUID]*CategoryNode{}, categoryBySlug: map[string]*CategoryNode{},
		byCategory: map[uuid.UUID][]int32{}, bySKU: map[string][]int32{}, redirects: map[string][]Redirect{},
	}
	for _, p := range s.Products {
		if !p.Active {
			c.productByID[p.ID] = nil
			continue
		}
		c.productByID[p.ID], c.productBySlug[p.Slug] = p, p
		c.Products = append(c.Products, p)
	}
	var names []string
	words := wordIndexing{}
	for i, p := range c.Products {
		position := int32(i)
		for _, id := range p.CategoryIDs {
			appendPosition(c.byCategory, id, position)
		}
		name := FoldText(p.Name)
		names = append(names, name)
		words.add(name, position)
		for sku := range p.shownSKUs {
			appendPosition(c.bySKU, sku, position)
			words.add(FoldText(sku), position)
		}
	}
	c.words, c.byName = words.index(), orderByName(names)
	for i, r := range s.Redirects {
		if c.redirects[r.From] == nil {
			c.redirects[r.From] = s.Redirects[i : i+1]
		}
	}
	for i := range s.Categories {
		node := &c.Categories[i]
		*node = CategoryNode{&s.Categories[i], len(c.byCategory[s.Categories[i].ID])}
		c.categoryByID[node.ID], c.categoryBySlug[node.Slug] = node, node
	}
	return c
}

// appendPosition adds a position to a list that grows in ascending order, once.
func appendPosition[K comparable](lists map[K][]int32, key K, position int32) {
	list := lists[key]
	if len(list) == 0 || list[len(list)-1] != position {
		lists[key] = append(list, position)
	}
}

// shownSKUs yields the SKUs that find a product: its own and its active variants'.
func (p *Product) shownSKUs(yield func(string) bool) {
	if p.SKU != "" && !yield(p.SKU) {
		return
	}
	for i := range p.Variants {
		if v := &p.Variants[i]; v.Active && v.SKU != "" && !yield(v.SKU) {
			return
		}
	}
}

// Product returns the active product with an id or, if no product has the id, with a slug; else
// nil. The id of an inactive product is never used as a slug.
func (c *Catalogue) Product(idOrSlug string) *Product {
	if id, ok := ParseID(idOrSlug); ok {
		if p, taken := c.productByID[id]; taken {
			return p
		}
	}
	return c.productBySlug[idOrSlug]
}

// Category returns the category with an id or, if no category has the id, with a slug; else nil.
func (c *Catalogue) Category(idOrSlug string) *CategoryNode {
	if id, ok := ParseID(idOrSlug); ok {
		if node := c.categoryByID[id]; node != nil {
			return node
		}
	}
	return c.categoryBySlug[idOrSlug]
}

// Redirect returns the redirect of a path as a list of one row or none.
func (c *Catalogue) Redirect(from string) []Redirect { return c.redirects[from] }

// MaxProductQuery is the maximum number of code points in a search.
const MaxProductQuery = 255

// ProductFilter has the conditions of a product list. All must hold; a zero field is no condition.
type ProductFilter struct {
	// Query has words; each is the beginning of a word in the name or in a SKU.
	Query string
	// Category is the category itself, without its descendants. The zero id matches no product.
	Category *uuid.UUID
	// SKU is compared exactly.
	SKU        string
	Capability *Capability
}

// Find returns the products that meet all conditions of a filter.
func (c *Catalogue) Find(f *ProductFilter) ProductSet {
	s := ProductSet{size: len(c.Products)}
	if f.Category != nil {
		s.keep(c.byCategory[*f.Category])
	}
	if f.SKU != "" {
		s.keep(c.bySKU[f.SKU])
	}
	if f.Capability != nil {
		var positions []int32
		for i, p := range c.Products {
			if p.Capability == *f.Capability {
				positions = append(positions, int32(i))
			}
		}
		s.keep(positions)
	}
	for _, word := range queryWords(f.Query) {
		s.keep(c.words.beginning(word))
	}
	return s
}

// Category is a node of the catalogue's tree; ParentID is zero at its root.
type Category struct {
	ID          uuid.UUID
	Name        string
	Slug        string
	ParentID    uuid.UUID
	Description string // may be empty
	Media       []Media
	Metadata    Metadata // public
}

// Redirect sends an old storefront path to a new one.
type Redirect struct {
	From, To string
	Status   int
}
