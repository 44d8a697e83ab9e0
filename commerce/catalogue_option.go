package commerce

import "slices"

// Option is an attribute in which a product's active variants differ.
type Option struct {
	Name   string
	Values []string
}

// optionNumbers is an attribute of a product's variants while its options are made.
type optionNumbers struct {
	Option
	// set has the numbers of the values of the variant that is being read, first those of the first
	// variant, sorted.
	set, first []int32
	variants   int // that have the attribute
	differs    bool
}

// options returns the attributes in which a product's active variants differ, with their values,
// both in the order in which they appear first. A variant without an attribute has the product's.
func (x *attributeIndexing) options(p *Product) (options []Option) {
	var all []*optionNumbers
	byName, seen, active := map[int32]*optionNumbers{}, map[int32]bool{}, 0
	for i := range p.Variants {
		v := &p.Variants[i]
		if !v.Active {
			continue
		}
		active++
		for name, a := range x.effective(p, v) {
			o := byName[name]
			if o == nil {
				o = &optionNumbers{Option: Option{Name: a.Name}}
				byName[name], all = o, append(all, o)
			}
			if o.set == nil {
				o.set, o.variants = []int32{}, o.variants+1
			}
			for _, text := range a.Values {
				value := x.value(name, text)
				o.set = append(o.set, value)
				if !seen[value] {
					seen[value] = true
					o.Values = append(o.Values, text)
				}
			}
		}
		for _, o := range all {
			o.endVariant()
		}
	}
	for _, o := range all {
		if o.differs || o.variants < active {
			options = append(options, o.Option)
		}
	}
	return options
}

// endVariant compares the values of a variant with those of the first one.
func (o *optionNumbers) endVariant() {
	if o.set == nil {
		return // the variant does not have the attribute
	}
	slices.Sort(o.set)
	o.set = slices.Compact(o.set)
	if o.first == nil {
		o.first = o.set
	}
	o.differs = o.differs || !slices.Equal(o.set, o.first)
	o.set = nil
}

// hasOptions reports whether a product may have options.
func (p *Product) hasOptions() bool {
	active := 0
	attributes := false
	for i := range p.Variants {
		if v := &p.Variants[i]; v.Active {
			active++
			attributes = attributes || len(v.Attributes) > 0
		}
	}
	return active > 1 && attributes
}

// Options returns the attributes in which the active variants of an active product differ.
func (c *Catalogue) Options(p *Product) []Option { return c.options[p] }
