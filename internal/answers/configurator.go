package answers

import (
	"encoding/hex"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// ConfiguratorView is the configurator of a product with the taxation of its amounts.
type ConfiguratorView struct {
	*commerce.Configurator
	Tax     commerce.Taxation
	Product *commerce.Product
}

type (
	// GroupView is a group of a configurator.
	GroupView struct {
		ConfiguratorView
		*commerce.ChoiceGroup
	}
	// ChoiceView is a choice of a group.
	ChoiceView struct {
		ConfiguratorView
		*commerce.Choice
	}
)

// Configurator shows the dimensions, choices and matrices of a product.
var Configurator = field.Object("ConfiguratorSchema",
	field.Member("product_id", UUID, "", func(v ConfiguratorView) *uuid.UUID { return &v.Product.ID }),
	field.Value("tax_rate", Percent, "In per cent.", func(v ConfiguratorView) commerce.Percent { return v.Tax.Rate(v.Product.Tax) }),
	field.Member("dimensions", field.List(field.Object("Dimension",
		field.Member("key", Text, "", func(d *commerce.Dimension) *string { return &d.Key }),
		field.Member("label", Text, "", func(d *commerce.Dimension) *string { return &d.Label }),
		field.Member("unit", Text, "", func(d *commerce.Dimension) *string { return &d.Unit }),
		field.Member("min", LongNumber, "", func(d *commerce.Dimension) *int64 { return &d.Min }),
		field.Member("max", LongNumber, "", func(d *commerce.Dimension) *int64 { return &d.Max }),
		field.Member("step", LongNumber, "Counted from min.", func(d *commerce.Dimension) *int64 { return &d.Step }),
	)), "", func(v ConfiguratorView) *[]commerce.Dimension { return &v.Dimensions }),
	field.Self("groups", field.Counted(choiceGroup, func(v ConfiguratorView) int { return len(v.Groups) },
		func(v ConfiguratorView, i int) GroupView { return GroupView{v, &v.Groups[i]} }), ""),
	field.Member("matrices", field.List(matrix(func(m *commerce.Matrix) *string { return &m.ID }, func(m *commerce.Matrix) *string { return &m.Name })), "",
		func(v ConfiguratorView) *[]commerce.Matrix { return &v.Matrices }),
)

var choiceGroup = field.Object("ChoiceGroup",
	field.Member("id", Text, "", func(g GroupView) *string { return &g.ID }),
	field.Member("label", Text, "", func(g GroupView) *string { return &g.Label }),
	field.Member("required", Boolean, "", func(g GroupView) *bool { return &g.Required }),
	field.Member("multiple", Boolean, "", func(g GroupView) *bool { return &g.Multiple }),
	field.Self("choices", field.Counted(choice, func(g GroupView) int { return len(g.Choices) },
		func(g GroupView, i int) ChoiceView { return ChoiceView{g.ConfiguratorView, &g.Choices[i]} }), ""),
)

var choice = field.Object("Choice",
	field.Member("id", Text, "", func(c ChoiceView) *string { return &c.ID }),
	field.Member("label", Text, "", func(c ChoiceView) *string { return &c.Label }),
	field.Self("price", ChoicePrice, ""),
	field.Member("requires", Texts, "Choices that must be chosen together with this one.", func(c ChoiceView) *[]string { return &c.Requires }),
)

// ChoicePrice is a choice's price in the form of the store document, with its amount without tax.
var ChoicePrice = field.Object("ChoicePrice",
	field.Value("type", Names("fixed", "percent", "per_m2"), "", func(c ChoiceView) string { return c.Price.Kind.String() }),
	field.If(func(c ChoiceView) bool { return c.Price.Kind != commerce.PricePercent },
		field.Member("amount", Amount, "In minor units; for per_m2 the price of a square metre of the first two dimensions.",
			func(c ChoiceView) *commerce.Amount { return &c.Price.Amount }),
		field.Value("amount_without_tax", Amount, "In minor units, for display; rounded by itself.",
			func(c ChoiceView) commerce.Amount { return c.Tax.Net(c.Price.Amount, c.Product.Tax) })),
	field.If(func(c ChoiceView) bool { return c.Price.Kind == commerce.PricePercent },
		field.Value("percent", Text, "Per cent of the matrix amount, an exact decimal.",
			func(c ChoiceView) string { return c.Price.Percent.String() })),
)

// ConfigurationQuoteView is the price of a configuration of a product with its taxation.
type ConfigurationQuoteView struct {
	*commerce.ConfigurationQuote
	Tax     commerce.Taxation
	Product *commerce.Product
}

func (v ConfigurationQuoteView) net(a commerce.Amount) commerce.Amount {
	return v.Tax.Net(a, v.Product.Tax)
}

// ConfigurationQuote is the price of a configuration.
var ConfigurationQuote = field.Object("ConfigurationQuote",
	field.Member("unit_price_amount", Amount, "In minor units.", func(v ConfigurationQuoteView) *commerce.Amount { return &v.UnitPrice }),
	field.Member("unit_price", Money, "", func(v ConfigurationQuoteView) *commerce.Amount { return &v.UnitPrice }),
	field.Value("unit_price_without_tax", Money, "For display; rounded by itself.", func(v ConfigurationQuoteView) commerce.Amount { return v.net(v.UnitPrice) }),
	field.Value("tax_rate", Percent, "In per cent.", func(v ConfigurationQuoteView) commerce.Percent { return v.Tax.Rate(v.Product.Tax) }),
	field.Self("breakdown", field.Counted(quotedPart, func(v ConfigurationQuoteView) int { return len(v.Snapshot.Breakdown) },
		func(v ConfigurationQuoteView, i int) quotedPartView {
			return quotedPartView{v, &v.Snapshot.Breakdown[i]}
		}), ""),
	field.Of(made("", ""), func(v ConfigurationQuoteView) *commerce.Configuration { return v.Snapshot }),
	field.Value("config_hash", Text, "The same for the same product, dimensions and choices, in any order.",
		func(v ConfigurationQuoteView) string { return hex.EncodeToString(v.Snapshot.Hash[:]) }),
	field.Member("requires_quote", Boolean, "true if a choice can only be ordered with a quote.",
		func(v ConfigurationQuoteView) *bool { return &v.RequiresQuote }),
)

type quotedPartView struct {
	quote ConfigurationQuoteView
	*commerce.PricePart
}

// quotedPart is a part of the price of a configuration.
var quotedPart = field.Object("QuotedPricePart",
	field.Member("label", Text, "", func(v quotedPartView) *string { return &v.Label }),
	field.Member("amount", Amount, "In minor units.", func(v quotedPartView) *commerce.Amount { return &v.Amount }),
	field.Value("amount_without_tax", Amount, "In minor units, for display; rounded by itself.",
		func(v quotedPartView) commerce.Amount { return v.quote.net(v.Amount) }),
)
