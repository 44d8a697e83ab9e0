package answers

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"cartd/commerce"
)

// The models of this package are answers as encoding/json writes them, with the members in the order of
// the specification's tables.

// object is a JSON object: names and values in turn.
type object []any

func (o object) MarshalJSON() ([]byte, error) {
	var members []string
	for i := 0; i < len(o); i += 2 {
		members = append(members, slowJSON(o[i])+":"+slowJSON(o[i+1]))
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// slowJSON encodes a value with encoding/json, without HTML escaping.
func slowJSON(v any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// slowList is a list of at least no items, each encoded by a function.
func slowList[T any](items []T, encode func(*T) any) []any {
	list := []any{}
	for i := range items {
		list = append(list, encode(&items[i]))
	}
	return list
}

func euros(a commerce.Amount) object { return object{"amount", a, "currency", "EUR"} }

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func idOrNull(id uuid.UUID) any {
	if id == uuid.Nil {
		return nil
	}
	return id
}

// slowDecimal returns the shortest decimal of n/per.
func slowDecimal(n, per int64) json.Number {
	return json.Number(strconv.FormatFloat(float64(n)/float64(per), 'f', -1, 64))
}

func slowPercent(p commerce.Percent) json.Number {
	return slowDecimal(int64(p), int64(commerce.Hundred)/100)
}

func slowMetadata(m commerce.Metadata) any {
	if m == nil {
		return nil
	}
	all := object{}
	for _, e := range m {
		var value any = json.RawMessage(e.Value.Text)
		if e.Value.IsString {
			value = e.Value.Text
		}
		all = append(all, e.Key, value)
	}
	return all
}

func slowDiscount(id uuid.UUID, name, code string, kind commerce.DiscountKind, a commerce.Amount) object {
	return object{"id", id, "name", name, "code", orNull(code), "kind", kind.String(), "amount", a}
}

func slowTaxes(rows []commerce.TaxRow) []any {
	return slowList(rows, func(row *commerce.TaxRow) any {
		return object{"rate", slowPercent(row.Rate), "base", row.Base, "tax", row.Tax}
	})
}

// slowCart is a cart with its evaluation.
func slowCart(c *commerce.Cart, s *commerce.Store, e *commerce.Evaluation) string {
	lines := []any{}
	for i := range c.Lines {
		line := append(slowLine(&c.Lines[i], e.LineTotals[i]), "attributes", slowAttributes(&c.Lines[i]))
		if c.Lines[i].Properties != nil {
			line = append(line, "properties", slowProperties(c.Lines[i].Properties))
		}
		lines = append(lines, line)
	}
	return slowJSON(object{"data", object{
		"id", c.ID, "currency", "EUR", "status", c.Status.String(), "email", orNull(c.Email), "metadata", slowMetadata(c.Metadata),
		"discount_code", c.FirstCode(), "discount_code_error", orNull(e.FirstCodeError()),
		"discounts", slowList(e.Discounts, func(a *commerce.AppliedDiscount) any {
			return slowDiscount(a.Discount.ID, a.Discount.Name, a.Discount.Code, a.Discount.Kind, a.Amount)
		}),
		"policy", slowPolicy(&s.Policy, e.VATDisplay),
		"requires_quote", e.RequiresQuote, "quote_reasons", append([]string{}, e.QuoteReasons...), "lines", lines,
		"totals", object{
			"subtotal", euros(e.Subtotal), "tax_total", euros(e.TaxTotal), "total", euros(e.Total), "discount_total", euros(e.DiscountTotal),
			"tax_breakdown", slowTaxes(e.Breakdown),
		},
	}})
}

func slowPolicy(p *commerce.Policy, vatDisplay string) object {
	return object{
		"identity_mode", p.IdentityMode, "audience", p.Audience, "min_order_value_amount", p.MinOrderValue, "max_lines", p.MaxLines,
		"max_quantity_per_line", p.MaxQuantityPerLine / commerce.One,
		"pricing", object{
			"guest_price_visibility", p.Pricing.GuestPriceVisibility, "vat_display", vatDisplay,
			"show_original_price", p.Pricing.ShowOriginalPrice, "show_tier_table", p.Pricing.ShowTierTable,
		},
	}
}

func slowProperties(all *commerce.Properties) (shown object) {
	for _, p := range *all {
		shown = append(shown, p.Key, p.Value)
	}
	return shown
}

// slowSoldLine is a line of an order or a quote, whose prices include tax or not.
func slowSoldLine(l *commerce.OrderLine, t *commerce.Taxation, attributes object, parted ...any) any {
	rate := l.TaxRate
	if t.Exemption != commerce.NotExempt {
		rate = l.Tax
	}
	line := slowLine(&l.Line, l.Total)
	line[3] = idOrNull(l.ProductID) // null for a line outside the catalogue
	line = append(line, "unit_price_without_tax", euros(slowNet(l.UnitPrice, rate, t.Included)),
		"line_total_without_tax", euros(slowNet(l.Total, rate, t.Included)),
		"tax_rate", slowPercent(l.TaxRate), "variant_name", orNull(l.VariantName), "unit", l.Unit.String())
	line = append(append(line, parted...), "attributes", attributes)
	if l.Properties == nil {
		return line
	}
	labels := object{}
	for _, p := range *l.Properties {
		if p.Label != "" {
			labels = append(labels, p.Key, p.Label)
		}
	}
	return append(line, "properties", slowProperties(l.Properties), "property_labels", labels)
}

// slowLine is a line without its attributes.
func slowLine(l *commerce.Line, total commerce.Amount) object {
	return object{
		"id", l.ID, "product_id", l.ProductID, "variant_id", idOrNull(l.VariantID), "name", l.Name, "sku", orNull(l.SKU),
		"quantity", slowDecimal(int64(l.Quantity), 1000), "unit_price_amount", l.UnitPrice, "unit_price", euros(l.UnitPrice), "line_total", euros(total),
	}
}

func slowAttributes(l *commerce.Line) any {
	if l.Configuration == nil {
		return nil
	}
	return object{"configuration", slowConfiguration(l.Configuration)}
}

func slowConfiguration(c *commerce.Configuration) any {
	if c == nil {
		return nil
	}
	dimensions := object{}
	for _, d := range c.Dimensions {
		dimensions = append(dimensions, d.Key, d.Value)
	}
	return append(object{"dimensions", dimensions, "choices", append([]string{}, c.Choices...)}, slowMade(c)...)
}

// slowMade are the members that a configuration shares with its quote.
func slowMade(c *commerce.Configuration) object {
	return object{
		"breakdown", slowList(c.Breakdown, func(p *commerce.PricePart) any { return object{"label", p.Label, "amount", p.Amount} }),
		"components", slowList(c.Components, func(u *commerce.ComponentUse) any {
			return object{"product_id", u.ProductID, "qty", u.Quantity}
		}),
		"matrix", object{"id", c.MatrixID, "name", c.MatrixName},
	}
}

// slowNet is an amount without its tax, if it includes it. A rate is in thousand millionths of a per cent.
func slowNet(a commerce.Amount, rate commerce.Percent, included bool) commerce.Amount {
	if !included {
		return a
	}
	tax := decimal.NewFromInt(int64(a)).Mul(decimal.NewFromInt(int64(rate))).DivRound(decimal.NewFromInt(int64(commerce.Hundred+rate)), 30)
	return a - commerce.Amount(tax.Round(0).IntPart())
}
