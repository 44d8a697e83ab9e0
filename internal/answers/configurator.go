package answers

import (
	"encoding/hex"

	"github.com/google/uuid"

	"cartd/commerce"
)

// ConfiguratorView is the configurator of a product.
type ConfiguratorView struct {
	*commerce.Configurator
	Product uuid.UUID
}

// Configurator shows the dimensions, choices and matrices of a product.
var Configurator = Object("ConfiguratorSchema",
	Member("product_id", UUID, "", func(v ConfiguratorView) uuid.UUID { return v.Product }),
	Member("dimensions", List(Object("Dimension",
		Member("key", Text, "", func(d *commerce.Dimension) string { return d.Key }),
		Member("label", Text, "", func(d *commerce.Dimension) string { return d.Label }),
		Member("unit", Text, "", func(d *commerce.Dimension) string { return d.Unit }),
		Member("min", LongNumber, "", func(d *commerce.Dimension) int64 { return d.Min }),
		Member("max", LongNumber, "", func(d *commerce.Dimension) int64 { return d.Max }),
		Member("step", LongNumber, "Counted from min.", func(d *commerce.Dimension) int64 { return d.Step }),
	), itself[*commerce.Dimension]), "", func(v ConfiguratorView) []commerce.Dimension { return v.Dimensions }),
	Member("groups", List(Object("ChoiceGroup",
		Member("id", Text, "", func(g *commerce.ChoiceGroup) string { return g.ID }),
		Member("label", Text, "", func(g *commerce.ChoiceGroup) string { return g.Label }),
		Member("required", Boolean, "", func(g *commerce.ChoiceGroup) bool { return g.Required }),
		Member("multiple", Boolean, "", func(g *commerce.ChoiceGroup) bool { return g.Multiple }),
		Member("choices", List(Object("Choice",
			Member("id", Text, "", func(c *commerce.Choice) string { return c.ID }),
			Member("label", Text, "", func(c *commerce.Choice) string { return c.Label }),
			Member("price", ChoicePrice, "", func(c *commerce.Choice) *commerce.ChoicePrice { return &c.Price }),
			Member("requires", Texts, "Choices that must be chosen together with this one.", func(c *commerce.Choice) []string { return c.Requires }),
		), itself[*commerce.Choice]), "", func(g *commerce.ChoiceGroup) []commerce.Choice { return g.Choices }),
	), itself[*commerce.ChoiceGroup]), "", func(v ConfiguratorView) []commerce.ChoiceGroup { return v.Groups }),
	Member("matrices", List(Matrix, func(m *commerce.Matrix) MatrixView { return MatrixView{m.ID, m.Name} }), "",
		func(v ConfiguratorView) []commerce.Matrix { return v.Matrices }),
)

// ChoicePrice is a choice's price in the form of the store document.
var ChoicePrice = Object("ChoicePrice",
	Member("type", Names("fixed", "percent", "per_m2"), "", func(p *commerce.ChoicePrice) string { return p.Kind.String() }),
	Member("amount", Amount, "In minor units; for per_m2 the price of a square metre of the first two dimensions.",
		func(p *commerce.ChoicePrice) commerce.Amount { return p.Amount }).If(func(p *commerce.ChoicePrice) bool { return p.Kind != commerce.PricePercent }),
	Member("percent", Text, "Per cent of the matrix amount, an exact decimal.",
		func(p *commerce.ChoicePrice) string { return p.Percent.String() }).If(func(p *commerce.ChoicePrice) bool { return p.Kind == commerce.PricePercent }),
)

// ConfigurationQuote is the price of a configuration.
var ConfigurationQuote = Object("ConfigurationQuote", Join(
	Rows(
		Member("unit_price_amount", Amount, "In minor units.", func(q *commerce.ConfigurationQuote) commerce.Amount { return q.UnitPrice }),
		Member("unit_price", Money, "", func(q *commerce.ConfigurationQuote) commerce.Amount { return q.UnitPrice })),
	Of(priced("", "", ""), func(q *commerce.ConfigurationQuote) *commerce.Configuration { return q.Snapshot }),
	Rows(
		Member("config_hash", Text, "The same for the same product, dimensions and choices, in any order.",
			func(q *commerce.ConfigurationQuote) string { return hex.EncodeToString(q.Snapshot.Hash[:]) }),
		Member("requires_quote", Boolean, "true if a choice can only be ordered with a quote.",
			func(q *commerce.ConfigurationQuote) bool { return q.RequiresQuote })))...)
