package convert

import (
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// category is a category of the document.
type category struct {
	id     uuid.UUID
	parent *category
	level  int // the roots have 1
	// path is the path of names that a table gives; its id derives from it.
	path string
	// members are those of the document.
	members members
}

func (c *category) name() string { return c.members.text("name") }

// categories are the categories of the document.
type categories struct {
	all   []*category
	byID  map[uuid.UUID]*category
	byKey map[categoryKey]*category
	// spelled are the paths that were said to be spelled in another way.
	spelled map[string]bool
	slugs   slugs
}

// categoryKey identifies a category below its parent: names that differ in letter case or space are
// one category.
type categoryKey struct {
	parent uuid.UUID
	folded string
}

func keyOf(parent *category, name string) categoryKey {
	key := categoryKey{folded: strings.Join(strings.Fields(strings.ToLower(name)), " ")}
	if parent != nil {
		key.parent = parent.id
	}
	return key
}

func newCategories() *categories {
	return &categories{
		byID: map[uuid.UUID]*category{}, byKey: map[categoryKey]*category{}, spelled: map[string]bool{}, slugs: newSlugs(),
	}
}

func (c *categories) members() []members {
	all := make([]members, len(c.all))
	for i := range c.all {
		all[i] = c.all[i].members
	}
	return all
}

func (c *categories) add(one *category) {
	c.all = append(c.all, one)
	c.byID[one.id] = one
	if key := keyOf(one.parent, one.name()); c.byKey[key] == nil {
		c.byKey[key] = one
	}
}

// categoryOf returns the category of a path such as Blinds > Roller, and makes those that are missing.
func (d *Document) categoryOf(at place, handle, path string) *category {
	var parent *category
	for rest := path; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, ">")
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if parent != nil && parent.level == storefile.MaxLevels {
			d.sayOf(at, handle, leftOut, "the path of categories ends at %d levels: %q and what follows it is left out", storefile.MaxLevels, shown(name))
			break
		}
		if name = d.text(at, handle, "the name of a category", name, commerce.MaxName); name != "" {
			parent = d.category(at, handle, parent, name)
		}
	}
	return parent
}

// category returns the category of a name below its parent. One of the earlier document that has the
// id of this path is it, whatever its name is now.
func (d *Document) category(at place, handle string, parent *category, name string) *category {
	path := name
	if parent != nil {
		path = parent.path + " > " + name
	}
	id := d.id("category", path)
	if c := d.categories.byID[id]; c != nil {
		c.path = path
		return c
	}
	if c := d.categories.byKey[keyOf(parent, name)]; c != nil {
		if c.name() != name && !d.categories.spelled[path] {
			d.categories.spelled[path] = true
			d.sayOf(at, handle, changed, "the category %q is taken for %q", shown(name), shown(c.name()))
		}
		return c
	}
	c := &category{id: id, parent: parent, level: 1, path: path}
	c.members = members{{"id", id}, {"name", name}}
	wanted := slugOf(strings.ReplaceAll(path, " > ", "-"))
	if wanted == "" {
		wanted = "category"
	}
	slug := d.categories.slugs.take(wanted)
	if slug != wanted || slugOf(name) == "" {
		d.sayOf(at, handle, changed, "the slug of the category %q is %q", shown(name), shown(slug))
	}
	c.members.set("slug", slug)
	if parent != nil {
		c.level = parent.level + 1
		c.members.set("parent_id", parent.id)
	}
	d.categories.add(c)
	return c
}
