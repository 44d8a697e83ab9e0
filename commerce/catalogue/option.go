package catalogue

import (
	"slices"

	"cartd/commerce"
)

// Option is an attribute in which a product's active variants differ.
type Option struct {
	Name   string
	Values []string
}

// options returns the attributes in which the rows of the product that was read last differ, with
// their values, both in the order in which they appear first. A row without an attribute differs from
// one with it. An empty list of values is no attribute.
func (x *attributeIndexing) options() (options []Option) {
	rows := x.rowsOf[len(x.rowsOf)-1] - x.rowsOf[len(x.rowsOf)-2]
	var differ []int32 // the names
	for i := range x.seen {
		if v := &x.seen[i]; v.rows < rows && !slices.Contains(differ, v.name) {
			differ = append(differ, v.name)
		}
	}
	var names []int32 // of the options
	for i := range x.seen {
		v := &x.seen[i]
		if !slices.Contains(differ, v.name) {
			continue
		}
		at := slices.Index(names, v.name)
		if at < 0 {
			at = len(names)
			names, options = append(names, v.name), append(options, Option{Name: v.attribute})
		}
		options[at].Values = append(options[at].Values, v.text)
	}
	return options
}

// Options returns the attributes in which the active variants of an active product differ.
func (c *Catalogue) Options(p *commerce.Product) []Option { return c.options.Get(p.ID) }
