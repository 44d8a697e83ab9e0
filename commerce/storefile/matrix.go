package storefile

import (
	"fmt"

	"cartd/commerce"
	"cartd/internal/field"
)

// matrix is a price table: one row for each break of y, one amount for each break of x.
var matrix = objectKind("matrix",
	field.Required("id", unique(text, func(d *document) *register[string] { return &d.made.matrices }), "", func(m *commerce.Matrix) *string { return &m.ID }),
	field.Required("name", name, "", func(m *commerce.Matrix) *string { return &m.Name }),
	field.Optional("when", listOf(known(text.Schema, (*document).condition)), "The choices that it is for.",
		func(m *commerce.Matrix) *[]string { return &m.When }),
	field.Required("x", axis, "", func(m *commerce.Matrix) *string { return &m.X }),
	field.Required("y", axis, "", func(m *commerce.Matrix) *string { return &m.Y }),
	field.Required("x_breaks", lengthBreaks, "", func(m *commerce.Matrix) *[]int64 { return &m.XBreaks }),
	field.Required("y_breaks", lengthBreaks, "", func(m *commerce.Matrix) *[]int64 { return &m.YBreaks }),
	field.Required("amounts", listOf(listOf(amount)), "One list for each of y_breaks, with an amount for each of x_breaks.",
		func(m *commerce.Matrix) *[][]commerce.Amount { return &m.Amounts }),
	rule(func(_ *document, o value, m *commerce.Matrix) {
		o.get("amounts").judgeTable(len(m.XBreaks), len(m.YBreaks))
	}),
)

// condition reads the id of a choice.
func (d *document) condition(f value) string {
	id := f.text()
	if id != "" && !d.made.choices.has(id) {
		f.conflict("is not the id of a choice")
	}
	return id
}

// axis is the key of a dimension.
var axis = known(text.Schema, (*document).axis)

func (d *document) axis(f value) string {
	key := f.text()
	if key != "" && !d.made.dimensions.has(key) {
		f.conflict("is not the key of a dimension")
	}
	return key
}

// lengthBreaks are ascending lengths in millimetres, at least one.
var lengthBreaks = ahead(
	filled(listOf(ascending[int64](length.Schema, maxLength, "must be greater than the break before it"))),
	func(d *document) { d.above = -1 })

// judgeTable checks the numbers of columns and rows, each only if the breaks are known.
func (f value) judgeTable(columns, rows int) {
	if rows > 0 && f.isList() && f.raw.Len() != rows {
		f.conflict(fmt.Sprintf("must have %d rows, one for each of y_breaks", rows))
	}
	for _, raw := range f.raw.Items() {
		if row := (value{d: f.d, raw: raw}); columns > 0 && row.isList() && raw.Len() != columns {
			row.conflict(fmt.Sprintf("must have %d amounts, one for each of x_breaks", columns))
		}
	}
}
