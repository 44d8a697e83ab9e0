package storefile

import (
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// categoryTree are the categories. A parent may follow its children in the document.
var categoryTree = then(listOf(category), func(d *document, _ value, all *[]commerce.Category) {
	categories, parents := *all, d.parents
	for i := range categories {
		categories[i].ParentID = parents[i].reference(&d.categories, aCategory)
	}
	tree, conflict := d.stored.tree(d, categories, parents)
	if !refuseCycles(tree, conflict) && !d.kept {
		refuseLevels(tree, conflict)
	}
})

var category = objectKind("category",
	field.Required("id", uniqueID(func(d *document) *register[uuid.UUID] { return &d.categories }), "", func(c *commerce.Category) *uuid.UUID { return &c.ID }),
	field.Required("name", name, "", func(c *commerce.Category) *string { return &c.Name }),
	field.Required("slug", uniqueName(func(d *document) *register[string] { return &d.categorySlugs }), "", func(c *commerce.Category) *string { return &c.Slug }),
	described[commerce.Category]("parent_id", anID, "null for a category of the first level."),
	rule(func(d *document, o value, _ *commerce.Category) {
		d.parents = keep(d, d.parents, o.get("parent_id"))
	}),
	field.Optional("description", lines, "", func(c *commerce.Category) *string { return &c.Description }),
	field.Optional("media", media, "", func(c *commerce.Category) *[]commerce.Media { return &c.Media }),
	field.Optional("metadata", metadata, "", func(c *commerce.Category) *commerce.Metadata { return &c.Metadata }),
)

// indexOf maps the categories' ids to their indexes.
func indexOf(categories []commerce.Category) map[uuid.UUID]int {
	index := make(map[uuid.UUID]int, len(categories))
	for i := range categories {
		index[categories[i].ID] = i
	}
	return index
}

// MaxLevels is the number of levels of the tree of categories.
const MaxLevels = 32

// refuseLevels refuses each category on the first level beyond MaxLevels. There are no cycles.
func refuseLevels(categories []commerce.Category, conflict func(at int, message string)) {
	index := indexOf(categories)
	levels := make([]int, len(categories)) // 0 if not known yet; the roots have 1
	var path []int
	for i := range categories {
		path = path[:0]
		at, on := i, true
		for on && levels[at] == 0 {
			path = append(path, at)
			at, on = parentOf(categories, index, at)
		}
		level := 0
		if on {
			level = levels[at]
		}
		for n := len(path) - 1; n >= 0; n-- {
			level++
			levels[path[n]] = level
			if level == MaxLevels+1 {
				conflict(path[n], fmt.Sprintf("makes more than %d levels of categories", MaxLevels))
			}
		}
	}
}

// refuseCycles refuses each cycle once, at the cycle's first category, and returns whether there is
// one. It walks up from every category. A walk ends at a category that an earlier walk has visited.
func refuseCycles(categories []commerce.Category, conflict func(at int, message string)) (refused bool) {
	index := indexOf(categories)
	walked := make([]int, len(categories)) // the number of the walk that visited it, 0 if none
	for i := range categories {
		at, on := i, true
		for on && walked[at] == 0 {
			walked[at] = i + 1
			at, on = parentOf(categories, index, at)
		}
		if on && walked[at] == i+1 {
			conflict(firstOfCycle(categories, index, at), "makes a cycle of categories")
			refused = true
		}
	}
	return refused
}

// parentOf returns the index of a category's parent, false if it has none.
func parentOf(categories []commerce.Category, index map[uuid.UUID]int, at int) (int, bool) {
	id := categories[at].ParentID
	if id == uuid.Nil {
		return 0, false
	}
	parent, ok := index[id]
	return parent, ok
}

// firstOfCycle returns the lowest index on the cycle that contains start.
func firstOfCycle(categories []commerce.Category, index map[uuid.UUID]int, start int) int {
	lowest := start
	for at, _ := parentOf(categories, index, start); at != start; at, _ = parentOf(categories, index, at) {
		lowest = min(lowest, at)
	}
	return lowest
}
