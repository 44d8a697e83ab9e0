package catalogue

import (
	"iter"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Catalogue has the active products and the categories of a store, with indexes. It is never changed. docs/api/catalogue.md.
type Catalogue struct {
	// Products are the active products in the document's order. A position is an index into them.
	Products   []*commerce.Product
	Categories []CategoryNode // in the document's order

	// positionOf also has the ids of inactive products, with -1: these ids are taken.
	positionOf     map[uuid.UUID]int32
	categoryByID   map[uuid.UUID]*CategoryNode
	categoryBySlug map[string]*CategoryNode
	// byCategory and bySKU have positions, ascending.
	byCategory map[uuid.UUID][]int32
	bySKU      map[string][]int32
	redirects  map[string][]commerce.Redirect // of one row each, by commerce.PathKey
	words      wordIndex
	// categoryWords has the words of the names of Categories. Its positions are indexes into them.
	categoryWords wordIndex
	attributes    attributeIndex
	options       map[*commerce.Product][]Option
	byName        productOrder
	roots         []*CategoryNode // in the document's order
	moments       priceMoments
}

// New indexes a store. Time and memory grow with the products' names, SKUs and attributes, and the names
// of the categories.
func New(s *commerce.Store) *Catalogue {
	c := &Catalogue{
		positionOf: make(map[uuid.UUID]int32, len(s.Products)),
		byCategory: map[uuid.UUID][]int32{}, bySKU: map[string][]int32{}, redirects: map[string][]commerce.Redirect{},
		options: map[*commerce.Product][]Option{},
	}
	for _, p := range s.Products {
		if !p.Active {
			c.positionOf[p.ID] = -1
			continue
		}
		c.positionOf[p.ID] = int32(len(c.Products))
		c.Products = append(c.Products, p)
	}
	c.indexProducts(s.Languages)
	c.moments = indexMoments(c.Products)
	for i, r := range s.Redirects {
		if from := commerce.PathKey(r.From); c.redirects[from] == nil {
			c.redirects[from] = s.Redirects[i : i+1]
		}
	}
	c.indexCategories(s.Categories, s.Languages)
	return c
}

func (c *Catalogue) indexProducts(languages commerce.Languages) {
	names := make([]string, len(c.Products))
	texts, attributes := newWordIndexing(languages), newAttributeIndexing()
	skus := 0
	for _, p := range c.Products {
		for range shownSKUs(p) {
			skus++
		}
	}
	c.bySKU = make(map[string][]int32, skus)
	first := make([]int32, 0, skus) // the first position of each SKU, in one array
	for i, p := range c.Products {
		position := int32(i)
		for _, id := range p.CategoryIDs {
			appendPosition(c.byCategory, id, position)
		}
		names[i] = commerce.NormalizeText(p.Name)
		texts.addText(p.Name, true)
		for i := range p.Variants {
			if v := &p.Variants[i]; v.Active {
				texts.addText(v.Name, true)
			}
		}
		attributes.addProduct(p, texts)
		if options := attributes.options(); options != nil {
			c.options[p] = options
		}
		for sku := range shownSKUs(p) {
			if c.bySKU[sku] == nil {
				first = append(first, position)
				c.bySKU[sku] = first[len(first)-1 : len(first) : len(first)]
			} else {
				appendPosition(c.bySKU, sku, position)
			}
			texts.addText(sku, false)
		}
		texts.endProduct()
	}
	c.words, c.byName, c.attributes = texts.index(), orderByName(names), attributes.index()
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

// Redirect returns the redirect of a path as a list of one row or none.
func (c *Catalogue) Redirect(from string) []commerce.Redirect {
	return c.redirects[commerce.PathKey(from)]
}
