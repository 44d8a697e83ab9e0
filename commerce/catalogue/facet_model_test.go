package catalogue

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
)

// options are read variant by variant.
func (m shelf) options(p *commerce.Product) (options []Option) {
	var rows []modelRow
	var names []string
	var active []commerce.Variant
	if len(p.Variants) > 0 {
		rows = m.rows(p)
	}
	for _, v := range p.Variants {
		if v.Active {
			active = append(active, v)
		}
	}
	for _, v := range active {
		shown := slices.Clone(v.Attributes)
		for _, a := range p.Attributes {
			if !slices.ContainsFunc(v.Attributes, func(own commerce.Attribute) bool {
				return commerce.NormalizeText(own.Name) == commerce.NormalizeText(a.Name)
			}) {
				shown = append(shown, a)
			}
		}
		for _, a := range shown {
			if len(a.Values) > 0 && !slices.ContainsFunc(names, func(other string) bool { return commerce.NormalizeText(other) == commerce.NormalizeText(a.Name) }) {
				names = append(names, a.Name)
			}
		}
	}
	for _, name := range names {
		set := func(row modelRow) string {
			var normalized []string
			for _, text := range row[commerce.NormalizeText(name)] {
				normalized = append(normalized, commerce.NormalizeText(text))
			}
			slices.Sort(normalized)
			return fmt.Sprint(slices.Compact(normalized))
		}
		option, differs := Option{Name: name}, false
		for _, row := range rows {
			differs = differs || set(row) != set(rows[0])
			for _, text := range row[commerce.NormalizeText(name)] {
				if !slices.ContainsFunc(option.Values, func(other string) bool { return commerce.NormalizeText(other) == commerce.NormalizeText(text) }) {
					option.Values = append(option.Values, text)
				}
			}
		}
		if differs {
			options = append(options, option)
		}
	}
	return options
}

// facets are counted anew for each name, without the filter of that name.
func (m shelf) facets(f *Filter, view commerce.PriceView) *Facets {
	var all Facets
	said := m.search(f.Query)
	type counted struct {
		name   string
		count  int
		values []ValueFacet
	}
	var names []counted
	var within []*commerce.Product
	for _, p := range m.Products {
		if p.Active && m.matchesPrice(p, f, view) && m.matchesOther(p, f, said) && m.matchesCategory(p, f) {
			within = append(within, p)
		}
	}
	for _, name := range m.attributeNames() {
		var others []AttributeFilter
		for _, other := range f.Attributes {
			if commerce.NormalizeText(other.Name) != commerce.NormalizeText(name) {
				others = append(others, other)
			}
		}
		one := counted{name: name}
		for _, p := range within {
			texts := map[string]bool{}
			for _, row := range m.rowsOf[p] {
				if slices.ContainsFunc(merged(others), func(f AttributeFilter) bool { return !row.matches(f) }) {
					continue
				}
				for _, text := range row[commerce.NormalizeText(name)] {
					texts[m.spellings[commerce.NormalizeText(name)+"="+commerce.NormalizeText(text)]] = true
				}
			}
			if len(texts) > 0 {
				one.count++
			}
			for text := range texts {
				i := slices.IndexFunc(one.values, func(v ValueFacet) bool { return v.Text == text })
				if i < 0 {
					i, one.values = len(one.values), append(one.values, ValueFacet{Text: text})
				}
				one.values[i].Count++
			}
		}
		slices.SortFunc(one.values, func(a, b ValueFacet) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text)) })
		if one.count > 0 {
			names = append(names, one)
		}
	}
	slices.SortStableFunc(names, func(a, b counted) int { return cmp.Compare(b.count, a.count) })
	for _, one := range names[:min(20, len(names))] {
		all.Attributes = append(all.Attributes, AttributeFacet{one.name, one.values[:min(50, len(one.values))]})
	}
	for i := range m.Categories {
		c := &m.Categories[i]
		if shown := m.shownBelow(f); shown == nil || c.ParentID != *shown {
			continue
		}
		count := 0
		for _, p := range m.within(c) {
			if m.matchesPrice(p, f, view) && m.matchesAttributes(p, f.Attributes) && m.matchesOther(p, f, said) {
				count++
			}
		}
		all.Categories = append(all.Categories, CategoryFacet{c.ID, count})
	}
	for _, p := range m.Products {
		price, ok := shownPrice(p, view)
		if !p.Active || !ok || !m.matchesOther(p, f, said) || !m.matchesAttributes(p, f.Attributes) || !m.matchesCategory(p, f) {
			continue
		}
		if all.Lowest == nil || price < *all.Lowest {
			all.Lowest = &price
		}
		if all.Highest == nil || price > *all.Highest {
			all.Highest = &price
		}
	}
	return &all
}

// shownBelow is the category whose children a facet shows, the zero id for the roots.
func (m shelf) shownBelow(f *Filter) *uuid.UUID {
	switch {
	case f.InCategory != "":
		if c := m.category(f.InCategory); c != nil {
			return &c.ID
		}
		return nil
	case f.Category != nil:
		if *f.Category == uuid.Nil {
			return nil
		}
		return f.Category
	}
	return &uuid.UUID{}
}

// attributeNames are the names of all attributes in the order of the document, as first written.
func (m shelf) attributeNames() (names []string) {
	m.eachAttribute(func(a commerce.Attribute) {
		if !slices.ContainsFunc(names, func(other string) bool { return commerce.NormalizeText(other) == commerce.NormalizeText(a.Name) }) {
			names = append(names, a.Name)
		}
	})
	return names
}

// eachAttribute visits the attributes of all products, those of a product before its variants'.
func (m shelf) eachAttribute(visit func(commerce.Attribute)) {
	for _, p := range m.Products {
		if !p.Active {
			continue
		}
		for _, a := range p.Attributes {
			visit(a)
		}
		for _, v := range p.Variants {
			for _, a := range v.Attributes {
				if v.Active {
					visit(a)
				}
			}
		}
	}
}
