package catalogue

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// CategoryNode is a category with the numbers of its active products.
type CategoryNode struct {
	*commerce.Category
	ProductsCount int // that name the category
	ProductsTotal int // that name it or a descendant
	children      []*CategoryNode
}

// categoryIndex has the categories of a store as a tree, and finds them.
type categoryIndex struct {
	Categories     []CategoryNode // in the document's order
	categoryByID   map[uuid.UUID]*CategoryNode
	categoryBySlug map[string]*CategoryNode
	roots          []*CategoryNode // in the document's order
	// categoryWords has the words of the names of Categories. Its positions are indexes into them.
	categoryWords wordIndex
}

// indexCategories makes the tree, and indexes the names. The document has no cycles.
func indexCategories(categories []commerce.Category, languages commerce.Languages) *categoryIndex {
	texts := newWordIndexing(languages)
	for i := range categories {
		texts.addText(categories[i].Name, true)
		texts.endProduct()
	}
	return arrangeCategories(categories, texts.index())
}

// arrangeCategories makes the tree of categories whose names are indexed.
func arrangeCategories(categories []commerce.Category, words wordIndex) *categoryIndex {
	x := &categoryIndex{
		Categories: make([]CategoryNode, len(categories)), categoryWords: words,
		categoryByID: make(map[uuid.UUID]*CategoryNode, len(categories)), categoryBySlug: make(map[string]*CategoryNode, len(categories)),
	}
	for i := range categories {
		node := &x.Categories[i]
		node.Category = &categories[i]
		x.categoryByID[node.ID], x.categoryBySlug[node.Slug] = node, node
	}
	for i := range x.Categories {
		node := &x.Categories[i]
		if parent := x.categoryByID[node.ParentID]; parent != nil {
			parent.children = append(parent.children, node)
		} else {
			x.roots = append(x.roots, node)
		}
	}
	return x
}

// count counts the products of the categories. The nodes belong to the catalogue alone.
func (c *Catalogue) count() {
	last := make([]int32, len(c.products)) // the last category that counted the product, plus 1
	for i := range c.Categories {
		node := &c.Categories[i]
		for at := range node.tree {
			for _, position := range c.byCategory[at.ID] {
				if last[position] != int32(i)+1 && c.products[position] != nil {
					last[position] = int32(i) + 1
					node.ProductsTotal++
				}
			}
			if at == node {
				node.ProductsCount = node.ProductsTotal
			}
		}
	}
}

// tree yields the category and its descendants.
func (n *CategoryNode) tree(yield func(*CategoryNode) bool) {
	for waiting := []*CategoryNode{n}; len(waiting) > 0; {
		at := waiting[len(waiting)-1]
		if !yield(at) {
			return
		}
		waiting = append(waiting[:len(waiting)-1], at.children...)
	}
}

// Category returns the category with an id or, if no category has the id, with a slug; else nil.
func (x *categoryIndex) Category(idOrSlug string) *CategoryNode {
	if id, ok := commerce.ParseID(idOrSlug); ok {
		if node := x.categoryByID[id]; node != nil {
			return node
		}
	}
	return x.categoryBySlug[idOrSlug]
}

// inCategory is the set of the products that name a category or a descendant of it.
func (c *Catalogue) inCategory(n *CategoryNode) ProductSet {
	in := ProductSet{len(c.products), makeBitSet(len(c.products))}
	c.addCategory(in.members, n)
	return in
}

// addCategory adds the products that name a category or a descendant of it.
func (c *Catalogue) addCategory(to bitSet, n *CategoryNode) {
	for at := range n.tree {
		for _, position := range c.byCategory[at.ID] {
			to.add(position)
		}
	}
}
