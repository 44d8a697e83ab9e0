package answers

import (
	"math/rand/v2"

	"github.com/google/uuid"

	"cartd/commerce"
)

// dice makes random carts, stores and evaluations from a seed.
type dice struct{ *rand.Rand }

func (d dice) text() string {
	alphabet := []string{"a", "Z", " ", "é", "漢", "😀", `"`, `\`, "/", "<", ">", "&", "'", "\n", "\t", "\b", "\f", "\r", "\x00", "\x1f", "\x7f", "\u0085",
		"\u2028", "\u2029", "\ufeff", "\ufffd", "\xff", "\xe2\x82"}
	var text string
	for range d.IntN(6) {
		text += alphabet[d.IntN(len(alphabet))]
	}
	return text
}

func (d dice) texts() []string {
	var list []string
	for range d.IntN(3) {
		list = append(list, d.text())
	}
	return list
}

func (d dice) id() uuid.UUID {
	var id uuid.UUID
	if d.IntN(4) > 0 {
		for i := range id {
			id[i] = byte(d.IntN(256))
		}
	}
	return id
}

func (d dice) amount() commerce.Amount {
	return commerce.Amount(d.Int64N(int64(commerce.MaxAmount) >> d.IntN(53)))
}

func (d dice) bool() bool { return d.IntN(2) == 0 }

func (d dice) configuration() *commerce.Configuration {
	c := &commerce.Configuration{Choices: d.texts(), MatrixID: d.text(), MatrixName: d.text()}
	for range d.IntN(3) {
		c.Dimensions = append(c.Dimensions, commerce.DimensionValue{Key: d.text(), Value: d.Int64N(5000) - 10})
		c.Breakdown = append(c.Breakdown, commerce.PricePart{Label: d.text(), Amount: d.amount()})
		c.Components = append(c.Components, commerce.ComponentUse{ProductID: d.id(), Quantity: d.text()})
	}
	return c
}

func (d dice) cart() *commerce.Cart {
	c := &commerce.Cart{ID: d.id(), Status: commerce.CartStatus(d.IntN(3)), Email: d.text()}
	if d.bool() {
		c.Codes = []commerce.AttachedCode{{Code: d.text()}, {Code: d.text()}}[:1+d.IntN(2)]
		c.Metadata = commerce.Metadata{}
	}
	for range d.IntN(3) {
		value := []commerce.Scalar{{IsString: true, Text: d.text()}, {Text: "null"}, {Text: "true"}, {Text: "1.50"}, {Text: "-0e7"}}[d.IntN(5)]
		c.Metadata = append(c.Metadata, commerce.MetadataEntry{Key: d.text(), Value: value})
	}
	for range d.IntN(4) {
		l := commerce.Line{ID: d.id(), ProductID: d.id(), VariantID: d.id(), Name: d.text(), SKU: d.text(),
			Quantity: commerce.Quantity(1 + d.Int64N(int64(commerce.MaxQuantity))), UnitPrice: d.amount()}
		if d.bool() {
			l.Configuration = d.configuration()
		}
		if d.bool() {
			l.Properties = d.properties()
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}

// properties are texts of text fields, then those of the front end's own.
func (d dice) properties() *commerce.Properties {
	all := commerce.Properties{}
	for i := range 1 + d.IntN(3) {
		all = append(all, commerce.Property{Key: string(rune('a' + i)), Value: d.text(), Label: "L" + d.text()})
	}
	for i := range d.IntN(3) {
		all = append(all, commerce.Property{Key: "_" + string(rune('a'+i)), Value: d.text()})
	}
	return &all
}

func (d dice) evaluation(c *commerce.Cart) *commerce.Evaluation {
	e := &commerce.Evaluation{Subtotal: d.amount(), TaxTotal: d.amount(), Total: d.amount(), DiscountTotal: d.amount(),
		RequiresQuote: d.bool(), QuoteReasons: d.texts(), VATDisplay: d.text()}
	for range c.Codes {
		e.CodeErrors = append(e.CodeErrors, d.text())
	}
	for range c.Lines {
		e.LineTotals = append(e.LineTotals, d.amount())
	}
	for range d.IntN(3) {
		e.Discounts = append(e.Discounts, commerce.AppliedDiscount{Discount: &commerce.Discount{ID: d.id(), Name: d.text(), Code: d.text(),
			Kind: commerce.DiscountKind(d.IntN(4))}, Amount: d.amount()})
		e.Breakdown = append(e.Breakdown, commerce.TaxRow{Rate: commerce.Percent(d.IntN(1001)) * (commerce.Hundred / 1000), Base: d.amount(), Tax: d.amount()})
	}
	return e
}

func (d dice) store() *commerce.Store {
	s := &commerce.Store{PricesIncludeTax: true}
	s.Policy = commerce.Policy{
		IdentityMode: d.text(), Audience: d.text(), MaxLines: d.IntN(1000), MaxQuantityPerLine: commerce.Quantity(1+d.IntN(99999999)) * commerce.One,
		Pricing: commerce.PricingDisplay{GuestPriceVisibility: d.text(), ShowOriginalPrice: d.bool(), ShowTierTable: d.bool()},
	}
	if d.bool() {
		amount := d.amount()
		s.Policy.MinOrderValue = &amount
	}
	return s
}
