package storefile

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// categoryTree reads the categories, whose parents may stand behind them.
func (d *document) categoryTree(f field) []commerce.Category {
	var parents []field
	categories := list(f, func(item field) commerce.Category {
		category, parent := d.category(item)
		parents = keep(&d.reader, parents, parent)
		return category
	})
	for i, parent := range parents {
		categories[i].ParentID = parent.reference(d.categories, aCategory)
	}
	refuseCycles(categories, parents)
	return categories
}

// category reads a category and returns its parent unread.
func (d *document) category(f field) (commerce.Category, field) {
	o := f.object()
	defer o.close()
	return commerce.Category{
		ID:   o.required("id").uniqueID(&d.categories),
		Name: o.required("name").text(),
		Slug: o.required("slug").uniqueText(&d.categorySlugs),
	}, o.get("parent_id")
}

// refuseCycles refuses each cycle once, at its category that stands first.
// Walking up from every category, a walk stops where an earlier one has been.
func refuseCycles(categories []commerce.Category, parents []field) {
	place := make(map[uuid.UUID]int, len(categories))
	for i := range categories {
		place[categories[i].ID] = i
	}
	walked := make([]int, len(categories)) // by which walk, from 1
	for i := range categories {
		at, on := i, true
		for on && walked[at] == 0 {
			walked[at] = i + 1
			at, on = parentOf(categories, place, at)
		}
		if on && walked[at] == i+1 {
			parents[firstOfCycle(categories, place, at)].conflict("makes a cycle of categories")
		}
	}
}

// parentOf returns the place of a category's parent; false: it has none.
func parentOf(categories []commerce.Category, place map[uuid.UUID]int, at int) (int, bool) {
	id := categories[at].ParentID
	if id == uuid.Nil {
		return 0, false
	}
	parent, ok := place[id]
	return parent, ok
}

// firstOfCycle returns the lowest place on the cycle through a place.
func firstOfCycle(categories []commerce.Category, place map[uuid.UUID]int, start int) int {
	lowest := start
	for at, _ := parentOf(categories, place, start); at != start; at, _ = parentOf(categories, place, at) {
		lowest = min(lowest, at)
	}
	return lowest
}
