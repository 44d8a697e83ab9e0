package storefile

import (
	"fmt"

	"cartd/commerce"
)

// matrix reads a price table: one row for each break of y, one amount for each break of x.
func (c *configurator) matrix(f field) commerce.Matrix {
	o := f.object()
	defer o.close()
	m := commerce.Matrix{
		ID:      o.required("id").uniqueText(&c.matrices),
		Name:    o.required("name").name(),
		When:    list(o.get("when"), c.condition),
		X:       c.axis(o.required("x")),
		Y:       c.axis(o.required("y")),
		XBreaks: breaks(o.required("x_breaks")),
		YBreaks: breaks(o.required("y_breaks")),
	}
	m.Amounts = amounts(o.required("amounts"), len(m.XBreaks), len(m.YBreaks))
	return m
}

// condition reads the id of a choice.
func (c *configurator) condition(f field) string {
	id := f.text()
	if id != "" && !c.choices.has(id) {
		f.conflict("is not the id of a choice")
	}
	return id
}

// axis reads the key of a dimension.
func (c *configurator) axis(f field) string {
	key := f.text()
	if key != "" && !c.dimensions.has(key) {
		f.conflict("is not the key of a dimension")
	}
	return key
}

// breaks reads ascending lengths in millimetres, at least one.
func breaks(f field) (all []int64) {
	last := int64(-1)
	for item := range f.items() {
		length, ok := item.within(0, maxLength)
		if ok && length <= last {
			item.conflict("must be greater than the break before it")
		}
		if ok {
			last = length
		}
		all = append(all, length)
	}
	f.notEmpty()
	return all
}

// amounts reads the table as rows[y][x]. It checks the numbers of rows and columns only if the
// breaks are known.
func amounts(f field, columns, rows int) [][]commerce.Amount {
	table := list(f, func(row field) []commerce.Amount {
		cells := list(row, field.amount)
		if columns > 0 && row.isList() && row.raw.Len() != columns {
			row.conflict(fmt.Sprintf("must have %d amounts, one for each of x_breaks", columns))
		}
		return cells
	})
	if rows > 0 && f.isList() && f.raw.Len() != rows {
		f.conflict(fmt.Sprintf("must have %d rows, one for each of y_breaks", rows))
	}
	return table
}
