package storefile

import (
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

const (
	// maxLength bounds dimensions and breaks, in millimetres: a thousand kilometres.
	maxLength = 1_000_000_000
	// maxComponents is the number of different products that a configuration may use.
	maxComponents = 50
	// maxChoices is the number of choices that all groups of a product may have together. The time
	// to follow their requires grows with the square of this number.
	maxChoices = 1000
)

// madeToMeasure has the registers of the product whose configurator is being read.
type madeToMeasure struct {
	dimensions, groups, choices, matrices register[string]
	count                                 int // the number of choices
}

var configurator = then(ahead(objectKind("configurator",
	field.Optional("dimensions", listOf(dimension), "", func(c *commerce.Configurator) *[]commerce.Dimension { return &c.Dimensions }),
	field.Optional("groups", then(listOf(choiceGroup), func(d *document, f value, _ *[]commerce.ChoiceGroup) {
		if n := d.made.count; n > maxChoices {
			f.conflict(fmt.Sprintf("must have at most %d choices together, not %d", maxChoices, n))
		}
	}), "", func(c *commerce.Configurator) *[]commerce.ChoiceGroup { return &c.Groups }),
	field.Optional("matrices", listOf(matrix), "", func(c *commerce.Configurator) *[]commerce.Matrix { return &c.Matrices }),
	field.Optional("components", listOf(component), "Used by every configuration.", func(c *commerce.Configurator) *[]commerce.Component { return &c.Components }),
), func(d *document) { d.made = madeToMeasure{} }), func(_ *document, f value, c *commerce.Configurator) {
	if n := usableComponents(c); n > maxComponents {
		f.conflict(fmt.Sprintf("may use up to %d different component products at a time, at most %d are allowed", n, maxComponents))
	}
})

// usableComponents is an upper bound of the component products that one configuration can use. It
// adds the product's own components, the largest choice of each single-choice group and all choices
// of each other group. The true number is lower if groups share products or choices exclude each
// other.
func usableComponents(c *commerce.Configurator) int {
	own, all := products{}, products{}
	own.add(c.Components, nil)
	all.add(c.Components, nil)
	bound := len(own)
	for i := range c.Groups {
		group, largest := products{}, 0
		for _, choice := range c.Groups[i].Choices {
			one := products{}
			one.add(choice.Components, own)
			group.add(choice.Components, own)
			all.add(choice.Components, nil)
			largest = max(largest, len(one))
		}
		if c.Groups[i].Multiple {
			largest = len(group)
		}
		bound += largest
	}
	return min(bound, len(all))
}

// products is a set of products.
type products map[uuid.UUID]bool

// add adds the products of components that are not in others.
func (p products) add(components []commerce.Component, others products) {
	for i := range components {
		if !others[components[i].ProductID] {
			p[components[i].ProductID] = true
		}
	}
}

// length is the kind of lengths in millimetres.
var length = whole[int64](0, maxLength)

var dimension = objectKind("dimension",
	describedRequired[commerce.Dimension]("min", length, ""),
	describedRequired[commerce.Dimension]("max", length, ""),
	rule(func(_ *document, o value, d *commerce.Dimension) {
		var fromOK, toOK bool
		shortest, longest := o.required("min"), o.required("max")
		d.Min, fromOK = shortest.within(0, maxLength)
		d.Max, toOK = longest.within(0, maxLength)
		if fromOK && toOK && d.Min > d.Max {
			longest.conflict("must be at least min")
		}
	}),
	field.Required("key", unique(text,
		func(d *document) *register[string] { return &d.made.dimensions }), "", func(d *commerce.Dimension) *string { return &d.Key }),
	field.Required("label", text, "", func(d *commerce.Dimension) *string { return &d.Label }),
	field.Optional("unit", word("mm"), "", func(d *commerce.Dimension) *string { return &d.Unit }),
	field.Optional("step", wholeOr(1, maxLength, 1, int64(1)), "", func(d *commerce.Dimension) *int64 { return &d.Step }),
)

var choiceGroup = objectKind("choice_group",
	field.Required("id", unique(text, func(d *document) *register[string] { return &d.made.groups }), "", func(g *commerce.ChoiceGroup) *string { return &g.ID }),
	field.Required("label", text, "", func(g *commerce.ChoiceGroup) *string { return &g.Label }),
	field.Optional("required", boolean(false), "", func(g *commerce.ChoiceGroup) *bool { return &g.Required }),
	field.Optional("multiple", boolean(false), "", func(g *commerce.ChoiceGroup) *bool { return &g.Multiple }),
	field.Optional("choices", listOf(choice), "", func(g *commerce.ChoiceGroup) *[]commerce.Choice { return &g.Choices }),
)

// choice may require a choice that does not exist: it is then unavailable, which is no fault of the document.
var choice = ahead(objectKind("choice",
	field.Required("id", unique(text, func(d *document) *register[string] { return &d.made.choices }), "", func(c *commerce.Choice) *string { return &c.ID }),
	field.Required("label", text, "", func(c *commerce.Choice) *string { return &c.Label }),
	field.Optional("price", choicePrice, "A fixed price of 0 if it is absent.", func(c *commerce.Choice) *commerce.ChoicePrice { return &c.Price }),
	field.Optional("requires", listOf(text), "The ids of other choices.", func(c *commerce.Choice) *[]string { return &c.Requires }),
	field.Optional("components", listOf(component), "", func(c *commerce.Choice) *[]commerce.Component { return &c.Components }),
	field.Optional("triggers_quote", boolean(false), "", func(c *commerce.Choice) *bool { return &c.TriggersQuote }),
), func(d *document) { d.made.count++ })

// notOfType is the fault of a member that belongs to another type.
const notOfType = "does not belong to this type"

// others are the members of other types.
func others(members ...string) []refused { return []refused{{members: members, because: notOfType}} }

var choicePrices = makeForms(false,
	form{name: "fixed", requires: []string{"amount"}, refuses: others("percent")},
	form{name: "percent", requires: []string{"percent"}, refuses: others("amount")},
	form{name: "per_m2", requires: []string{"amount"}, refuses: others("percent")},
)

var choicePrice = objectKind("choice_price",
	describedRequired[commerce.ChoicePrice]("type", picked[commerce.ChoicePriceKind](choicePrices.names), ""),
	formed("type", choicePrices, func(p *commerce.ChoicePrice, form int) { p.Kind = commerce.ChoicePriceKind(form) }),
	field.Optional("amount", amount, "", func(p *commerce.ChoicePrice) *commerce.Amount { return &p.Amount }),
	field.Optional("percent", percentage, "", func(p *commerce.ChoicePrice) *commerce.Percent { return &p.Percent }),
	rule(func(d *document, o value, p *commerce.ChoicePrice) {
		if p.Kind == commerce.PricePerM2 {
			d.needArea(o.get("type"))
		}
	}),
)

// needArea refuses a use of square metres if the configurator has fewer than two dimensions.
func (d *document) needArea(f value) {
	if len(d.made.dimensions.at) < 2 {
		f.conflict("needs a configurator with two dimensions")
	}
}

var component = objectKind("component",
	field.Required("product_id", then(anID, func(d *document, f value, id *uuid.UUID) {
		if *id != uuid.Nil {
			d.components = append(d.components, reference{f, *id})
		}
	}), "", func(c *commerce.Component) *uuid.UUID { return &c.ProductID }),
	field.Required("qty", usage, "", func(c *commerce.Component) *commerce.Micros { return &c.Quantity }),
	field.Optional("per", unit, "unit, m2 or the key of a dimension.", func(c *commerce.Component) *string { return &c.Per }),
)

// unit is the kind of the measure; an absent one is a unit.
var unit = field.IfAbsent(known(text.Schema, (*document).per), "unit")

// per reads the measure that multiplies a component's quantity: a unit, a square metre or a metre of
// a dimension.
func (d *document) per(f value) string {
	per := f.text()
	switch {
	case per == "" || per == "unit":
		return "unit"
	case per == "m2":
		d.needArea(f)
	case !d.made.dimensions.has(per):
		f.conflict("must be unit, m2 or the key of a dimension")
	}
	return per
}

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
