package catalogue

import (
	"cmp"
	"slices"

	"cartd/commerce"
)

// An attribute filter and a facet look at rows. A product stands for its rows: each active variant
// with the product's attributes under its own, or the product itself if it has no variants. Names and
// values are compared normalized and have numbers, so that a row is a list of numbers.

// attributeIndex finds rows by the values of their attributes.
type attributeIndex struct {
	names   []string // as first written, by the number of a name
	nameOf  map[string]int32
	valueOf map[attributeValue]int32
	// values has the value of each number. The values of a name follow each other in the order of
	// their texts, as first written: those of name n are valuesOf[n].from to valuesOf[n].to-1.
	values   []attributeValue
	valuesOf []numberRange
	// counted is the number of the values whose names have facets. They are the first.
	counted int32
	// The rows of the product at a position are rowsOf[position] to rowsOf[position+1]-1.
	rowsOf []int32
	// rowValues has the numbers of the values of each row.
	rowValues lists
	// productValues has the numbers of the values of each product's rows together, each once.
	productValues lists
	// valueRows has the rows of each value, ascending.
	valueRows lists
}

// numberRange are the numbers from from to to-1.
type numberRange struct{ from, to int32 }

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
	words [][]word

	// product and row are the values of the product and of the row that are being read.
	product, row []readValue
	// ownIn is, for each name, the last row whose variant has the name itself, plus 1.
	ownIn []int32
	// seen are the values of the product's rows, in the order in which they appear first. seenAt is
	// for each value its index among them.
	seen   []seenValue
	seenAt []int32
}

// readValue is a value of an attribute, as written and in numbers.
type readValue struct {
	attribute, text string
	name, number    int32
}

// seenValue is a value with the number of the product's rows that have it.
type seenValue struct {
	readValue
	lastRow, rows int32
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
	normalized := commerce.NormalizeText(written)
	n, known := x.nameOf[normalized]
	if !known {
		n = int32(len(x.names))
		x.names, x.ownIn = append(x.names, written), append(x.ownIn, 0)
		x.nameOf[normalized] = n
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
	normalized := commerce.NormalizeText(written)
	n, known := x.valueOf[attributeValue{name, normalized}]
	if !known {
		n = int32(len(x.values))
		x.values, x.seenAt = append(x.values, key), append(x.seenAt, 0)
		x.words = append(x.words, slices.Collect(words(written)))
		x.valueOf[attributeValue{name, normalized}] = n
	}
	x.writtenValues[key] = n
	return n
}

// read appends the values of attributes. own is the row whose variant has them, plus 1, or 0.
func (x *attributeIndexing) read(to []readValue, attributes []commerce.Attribute, own int32) []readValue {
	for i := range attributes {
		a := &attributes[i]
		name := x.name(a.Name)
		if own > 0 {
			x.ownIn[name] = own
		}
		for _, text := range a.Values {
			to = append(to, readValue{a.Name, text, name, x.value(name, text)})
		}
	}
	return to
}

// addProduct adds the rows of the next product, and the words of their values.
func (x *attributeIndexing) addProduct(p *commerce.Product, texts *wordIndexing) {
	x.product, x.seen = x.read(x.product[:0], p.Attributes, 0), x.seen[:0]
	x.addWords(texts, x.product)
	if len(p.Variants) == 0 {
		x.row = append(x.row[:0], x.product...)
		x.addRow()
	}
	for i := range p.Variants {
		if p.Variants[i].Active {
			x.addVariant(&p.Variants[i], texts)
		}
	}
	x.rowsOf = append(x.rowsOf, int32(len(x.rowValues.starts)-1))
	for i := range x.seen {
		x.productValues.all = append(x.productValues.all, x.seen[i].number)
	}
	x.productValues.end()
}

// addVariant adds the row of a variant: its own values, then those of the product under names that it
// does not have itself.
func (x *attributeIndexing) addVariant(v *commerce.Variant, texts *wordIndexing) {
	row := int32(len(x.rowValues.starts))
	x.row = x.read(x.row[:0], v.Attributes, row)
	x.addWords(texts, x.row)
	for i := range x.product {
		if x.ownIn[x.product[i].name] != row {
			x.row = append(x.row, x.product[i])
		}
	}
	x.addRow()
}

// addRow adds each value of the row once.
func (x *attributeIndexing) addRow() {
	row := int32(len(x.rowValues.starts))
	for i := range x.row {
		value := &x.row[i]
		at := x.seenAt[value.number]
		if int(at) >= len(x.seen) || x.seen[at].number != value.number {
			at = int32(len(x.seen))
			x.seenAt[value.number], x.seen = at, append(x.seen, seenValue{readValue: *value})
		}
		if seen := &x.seen[at]; seen.lastRow != row {
			seen.lastRow = row
			seen.rows++
			x.rowValues.all = append(x.rowValues.all, value.number)
		}
	}
	x.rowValues.end()
}

// addWords does nothing without an index of words.
func (x *attributeIndexing) addWords(texts *wordIndexing, values []readValue) {
	if texts == nil {
		return
	}
	for i := range values {
		for _, w := range x.words[values[i].number] {
			texts.add(w, true)
		}
	}
}

// index sorts the values of each name by their texts and numbers them anew, those of names without
// facets last.
func (x *attributeIndexing) index() attributeIndex {
	last := make([]int, len(x.names)) // 1 for a name without facets
	for i, spread := range x.spreads() {
		if spread.Identifies() {
			last[i] = 1
		}
	}
	order := make([]int32, len(x.values))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		one, other := &x.values[a], &x.values[b]
		return cmp.Or(cmp.Compare(last[one.name], last[other.name]), cmp.Compare(one.name, other.name), cmp.Compare(one.text, other.text))
	})
	numbers, sorted := make([]int32, len(order)), make([]attributeValue, len(order))
	x.valuesOf = make([]numberRange, len(x.names))
	for n, old := range order {
		value := x.values[old]
		numbers[old], sorted[n] = int32(n), value
		of := &x.valuesOf[value.name]
		if of.to == 0 {
			of.from = int32(n)
		}
		of.to = int32(n) + 1
		if last[value.name] == 0 {
			x.counted = int32(n) + 1
		}
	}
	x.values = sorted
	for key, old := range x.valueOf {
		x.valueOf[key] = numbers[old]
	}
	x.rowValues.renumber(numbers)
	x.productValues.renumber(numbers)
	x.valueRows = x.rowValues.inverse(len(x.values))
	x.rowsOf = slices.Clip(x.rowsOf)
	return x.attributeIndex
}

// end ends the list whose numbers were appended to all.
func (l *lists) end() { l.starts = append(l.starts, int32(len(l.all))) }

// renumber gives the numbers in all lists new ones. Nothing is appended afterwards.
func (l *lists) renumber(numbers []int32) {
	for i, old := range l.all {
		l.all[i] = numbers[old]
	}
	l.all, l.starts = slices.Clip(l.all), slices.Clip(l.starts)
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
		normalized := commerce.NormalizeText(f.Name)
		at, seen := byName[normalized]
		if !seen {
			at = len(all)
			byName[normalized] = at
			all = append(all, attributeCondition{-1, makeBitSet(len(x.rowValues.starts) - 1)})
		}
		name, known := x.nameOf[normalized]
		if !known {
			continue
		}
		all[at].name = name
		for _, text := range f.Values {
			if value, known := x.valueOf[attributeValue{name, commerce.NormalizeText(text)}]; known {
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
