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

// indexCategories makes the tree, and indexes the names. The document has no cycles.
func (c *Catalogue) indexCategories(categories []commerce.Category, languages commerce.Languages) {
	texts := newWordIndexing(languages)
	c.Categories = make([]CategoryNode, len(categories))
	c.categoryByID, c.categoryBySlug = make(map[uuid.UUID]*CategoryNode, len(categories)), make(map[string]*CategoryNode, len(categories))
	for i := range categories {
		node := &c.Categories[i]
		*node = CategoryNode{Category: &categories[i], ProductsCount: len(c.byCategory[categories[i].ID])}
		c.categoryByID[node.ID], c.categoryBySlug[node.Slug] = node, node
		texts.addText(node.Name, true)
		texts.endProduct()
	}
	c.categoryWords = texts.index()
	for i := range c.Categories {
		node := &c.Categories[i]
		if parent := c.categoryByID[node.ParentID]; parent != nil {
			parent.children = append(parent.children, node)
		} else {
			c.roots = append(c.roots, node)
		}
	}
	last := make([]int32, len(c.Products)) // the last category that counted the product, plus 1
	for i := range c.Categories {
		for at := range c.Categories[i].tree {
			for _, position := range c.byCategory[at.ID] {
				if last[position] != int32(i)+1 {
					last[position] = int32(i) + 1
					c.Categories[i].ProductsTotal++
				}
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
func (c *Catalogue) Category(idOrSlug string) *CategoryNode {
	if id, ok := commerce.ParseID(idOrSlug); ok {
		if node := c.categoryByID[id]; node != nil {
			return node
		}
	}
	return c.categoryBySlug[idOrSlug]
}

// inCategory is the set of the products that name a category or a descendant of it.
func (c *Catalogue) inCategory(n *CategoryNode) ProductSet {
	in := ProductSet{len(c.Products), makeBitSet(len(c.Products))}
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
