package storefile

import (
	"fmt"

	"cartd/commerce"
)

// matrix is a price table: one row for each break of y, one amount for each break of x.
var matrix = objectKind("matrix",
	required("id", unique(text, func(d *document) *register[string] { return &d.made.matrices }), "", func(m *commerce.Matrix) *string { return &m.ID }),
	required("name", name, "", func(m *commerce.Matrix) *string { return &m.Name }),
	member("when", listOf(known(text.schema, (*document).condition)), "The choices that it is for.", func(m *commerce.Matrix) *[]string { return &m.When }),
	required("x", axis, "", func(m *commerce.Matrix) *string { return &m.X }),
	required("y", axis, "", func(m *commerce.Matrix) *string { return &m.Y }),
	required("x_breaks", lengthBreaks, "", func(m *commerce.Matrix) *[]int64 { return &m.XBreaks }),
	required("y_breaks", lengthBreaks, "", func(m *commerce.Matrix) *[]int64 { return &m.YBreaks }),
	required("amounts", listOf(listOf(amount)), "One list for each of y_breaks, with an amount for each of x_breaks.",
		func(m *commerce.Matrix) *[][]commerce.Amount { return &m.Amounts }),
	rule(func(_ *document, o object, m *commerce.Matrix) {
		o.get("amounts").judgeTable(len(m.XBreaks), len(m.YBreaks))
	}),
)

// condition reads the id of a choice.
func (d *document) condition(f field) string {
	id := f.text()
	if id != "" && !d.made.choices.has(id) {
		f.conflict("is not the id of a choice")
	}
	return id
}

// axis is the key of a dimension.
var axis = known(text.schema, (*document).axis)

func (d *document) axis(f field) string {
	key := f.text()
	if key != "" && !d.made.dimensions.has(key) {
		f.conflict("is not the key of a dimension")
	}
	return key
}

// lengthBreaks are ascending lengths in millimetres, at least one.
var lengthBreaks = ahead(
	filled(listOf(ascending[int64](length.schema, maxLength, "must be greater than the break before it"))),
	func(d *document) { d.above = -1 })

// judgeTable checks the numbers of columns and rows, each only if the breaks are known.
func (f field) judgeTable(columns, rows int) {
	if rows > 0 && f.isList() && f.raw.Len() != rows {
		f.conflict(fmt.Sprintf("must have %d rows, one for each of y_breaks", rows))
	}
	for _, raw := range f.raw.Items() {
		if row := (field{r: f.r, raw: raw}); columns > 0 && row.isList() && raw.Len() != columns {
			row.conflict(fmt.Sprintf("must have %d amounts, one for each of x_breaks", columns))
		}
	}
}
