package commerce

import (
	"cmp"
	"slices"
)

// An attribute filter and a facet look at rows. A product stands for its rows: each active variant
// with the product's attributes under its own, or the product itself if it has no variants. Names and
// values are compared folded and have numbers, so that a row is a list of numbers.

// attributeIndex finds rows by the values of their attributes.
type attributeIndex struct {
	names   []string // as first written, by the number of a name
	nameOf  map[string]int32
	valueOf map[attributeValue]int32
	// values has the value of each number. The values of a name follow each other in the order of
	// their texts, as first written: those of name n are valuesOf[n] to valuesOf[n+1]-1.
	values   []attributeValue
	valuesOf []int32
	// The rows of the product at a position are rowsOf[position] to rowsOf[position+1]-1.
	rowsOf []int32
	// rowValues has the numbers of the values of each row.
	rowValues lists
	// productValues has the numbers of the values of each product's rows together, each once.
	productValues lists
	// valueRows has the rows of each value, ascending.
	valueRows lists
}

// attributeValue is a text under the number of its name.
type attributeValue struct {
	name int32
	text string
}

// lists are many lists in one array: list i is all[starts[i]:starts[i+1]].
type lists struct{ starts, all []int32 }

func (l *lists) list(i int32) []int32 { return l.all[l.starts[i]:l.starts[i+1]] }

// attributeIndexing numbers names and values while the products are read.
type attributeIndexing struct {
	attributeIndex
	// writtenNames and writtenValues have the numbers of names and values as written.
	writtenNames  map[string]int32
	writtenValues map[attributeValue]int32
	// words has the words of each value, by its number.
	words [][]string
	// own are the numbers of the names of the variant that is being read.
	own []int32
}

func newAttributeIndexing() *attributeIndexing {
	return &attributeIndexing{
		attributeIndex: attributeIndex{
			nameOf: map[string]int32{}, valueOf: map[attributeValue]int32{},
			rowsOf: []int32{0}, rowValues: lists{starts: []int32{0}}, productValues: lists{starts: []int32{0}},
		},
		writtenNames: map[string]int32{}, writtenValues: map[attributeValue]int32{},
	}
}

// name returns the number of a name.
func (x *attributeIndexing) name(written string) int32 {
	if n, known := x.writtenNames[written]; known {
		return n
	}
	folded := FoldText(written)
	n, known := x.nameOf[folded]
	if !known {
		n = int32(len(x.names))
		x.names, x.nameOf[folded] = append(x.names, written), n
	}
	x.writtenNames[written] = n
	return n
}

// value returns the number of a value under a name.
func (x *attributeIndexing) value(name int32, written string) int32 {
	key := attributeValue{name, written}
	if n, known := x.writtenValues[key]; known {
		return n
	}
	folded := FoldText(written)
	n, known := x.valueOf[attributeValue{name, folded}]
	if !known {
		n = int32(len(x.values))
		x.values, x.words = append(x.values, key), append(x.words, words(folded))
		x.valueOf[attributeValue{name, folded}] = n
	}
	x.writtenValues[key] = n
	return n
}

// addProduct adds the rows of the next product.
func (x *attributeIndexing) addProduct(p *Product) {
	if len(p.Variants) == 0 {
		x.addRow(p, nil)
	}
	for i := range p.Variants {
		if p.Variants[i].Active {
			x.addRow(p, &p.Variants[i])
		}
	}
	from := x.rowValues.starts[x.rowsOf[len(x.rowsOf)-1]]
	x.rowsOf = append(x.rowsOf, int32(len(x.rowValues.starts)-1))
	all := &x.productValues
	start := len(all.all)
	all.all = append(all.all, x.rowValues.all[from:]...)
	slices.Sort(all.all[start:])
	all.all = all.all[:start+len(slices.Compact(all.all[start:]))]
	all.starts = append(all.starts, int32(len(all.all)))
}

func (x *attributeIndexing) addRow(p *Product, v *Variant) {
	start := len(x.rowValues.all)
	for name, a := range x.effective(p, v) {
		for _, text := range a.Values {
			if n := x.value(name, text); !slices.Contains(x.rowValues.all[start:], n) {
				x.rowValues.all = append(x.rowValues.all, n)
			}
		}
	}
	x.rowValues.starts = append(x.rowValues.starts, int32(len(x.rowValues.all)))
}

// effective yields the attributes of a row with the numbers of their names: the variant's own, then
// those of the product whose names the variant does not have. The variant may be nil.
func (x *attributeIndexing) effective(p *Product, v *Variant) func(yield func(int32, *Attribute) bool) {
	return func(yield func(int32, *Attribute) bool) {
		x.own = x.own[:0]
		if v != nil {
			for i := range v.Attributes {
				name := x.name(v.Attributes[i].Name)
				x.own = append(x.own, name)
				if !yield(name, &v.Attributes[i]) {
					return
				}
			}
		}
		for i := range p.Attributes {
			if name := x.name(p.Attributes[i].Name); !slices.Contains(x.own, name) && !yield(name, &p.Attributes[i]) {
				return
			}
		}
	}
}

// addAttributes adds the words of the values of a product's or variant's own attributes.
func (x wordIndexing) addAttributes(index *attributeIndexing, attributes []Attribute, position int32) {
	for i := range attributes {
		name := index.name(attributes[i].Name)
		for _, text := range attributes[i].Values {
			for _, word := range index.words[index.value(name, text)] {
				x.add(word, position, true)
			}
		}
	}
}

// index sorts the values of each name by their texts and numbers them anew.
func (x *attributeIndexing) index() attributeIndex {
	order := make([]int32, len(x.values))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(x.values[a].name, x.values[b].name), cmp.Compare(x.values[a].text, x.values[b].text))
	})
	numbers, sorted := make([]int32, len(order)), make([]attributeValue, len(order))
	counts := make([]int32, len(x.names)+1)
	for n, old := range order {
		numbers[old], sorted[n] = int32(n), x.values[old]
		counts[x.values[old].name+1]++
	}
	for n := range x.names {
		counts[n+1] += counts[n]
	}
	x.values, x.valuesOf = sorted, counts
	for key, old := range x.valueOf {
		x.valueOf[key] = numbers[old]
	}
	for _, l := range []*lists{&x.rowValues, &x.productValues} {
		for i, old := range l.all {
			l.all[i] = numbers[old]
		}
		l.all, l.starts = slices.Clip(l.all), slices.Clip(l.starts)
	}
	x.valueRows = x.rowValues.inverse(len(x.values))
	x.rowsOf = slices.Clip(x.rowsOf)
	return x.attributeIndex
}

// inverse has, for each of n numbers, the lists that contain it.
func (l *lists) inverse(n int) lists {
	in := lists{starts: make([]int32, n+1), all: make([]int32, len(l.all))}
	for _, number := range l.all {
		in.starts[number+1]++
	}
	for i := range n {
		in.starts[i+1] += in.starts[i]
	}
	next := slices.Clone(in.starts)
	for i := range int32(len(l.starts) - 1) {
		for _, number := range l.list(i) {
			in.all[next[number]] = i
			next[number]++
		}
	}
	return in
}

// AttributeFilter keeps products with a row that has one of several values under a name.
type AttributeFilter struct {
	Name   string
	Values []string
}

// attributeCondition is an attribute filter with the rows that satisfy it. The name is -1 if no
// product has it.
type attributeCondition struct {
	name int32
	rows bitSet
}

// conditions returns the rows of each filter. Filters with the same name are one.
func (x *attributeIndex) conditions(filters []AttributeFilter) (all []attributeCondition) {
	byName := map[string]int{}
	for _, f := range filters {
		folded := FoldText(f.Name)
		at, seen := byName[folded]
		if !seen {
			at = len(all)
			byName[folded] = at
			all = append(all, attributeCondition{-1, makeBitSet(len(x.rowValues.starts) - 1)})
		}
		name, known := x.nameOf[folded]
		if !known {
			continue
		}
		all[at].name = name
		for _, text := range f.Values {
			if value, known := x.valueOf[attributeValue{name, FoldText(text)}]; known {
				for _, row := range x.valueRows.list(value) {
					all[at].rows.add(row)
				}
			}
		}
	}
	return all
}

// products is the set of the products with a row that satisfies all conditions.
func (x *attributeIndex) products(conditions []attributeCondition) ProductSet {
	size := len(x.rowsOf) - 1
	if len(conditions) == 0 {
		return ProductSet{size: size}
	}
	rows := ProductSet{size: len(x.rowValues.starts) - 1, members: conditions[0].rows}
	for _, c := range conditions[1:] {
		rows.intersect(ProductSet{rows.size, c.rows})
	}
	found := ProductSet{size, makeBitSet(size)}
	position := int32(0)
	for row := range rows.each {
		for x.rowsOf[position+1] <= row {
			position++
		}
		found.members.add(position)
	}
	return found
}
