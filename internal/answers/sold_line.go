package answers

import (
	"slices"
	"strconv"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// SoldLines are the lines of an order or a quote with their taxation.
type SoldLines struct {
	Lines []commerce.OrderLine
	Tax   *commerce.Taxation
	// counts are those of an order's lines, nil if all are 0. shares are their shares of the total, nil if they are
	// the line totals.
	counts []commerce.LineCounts
	shares []commerce.Amount
	// waiting says of each line whether it waits for goods, nil if none does.
	waiting []commerce.Waiting
	// unmade is the order of which the commit makes what waits; nil if that is known.
	unmade *commerce.Order
}

// SoldLineView is one of SoldLines.
type SoldLineView struct {
	*commerce.OrderLine
	tax    *commerce.Taxation
	counts commerce.LineCounts
	share  commerce.Amount
	commerce.Waiting
	// ahead are the numbers of the order's takes that say whether the line waits, if the commit makes them.
	ahead []int
}

// at is the line with an index.
func (s SoldLines) at(i int) SoldLineView {
	v := SoldLineView{OrderLine: &s.Lines[i], tax: s.Tax, share: s.Lines[i].Total}
	if s.counts != nil {
		v.counts = s.counts[i]
	}
	if s.shares != nil {
		v.share = s.shares[i]
	}
	if s.waiting != nil {
		v.Waiting = s.waiting[i]
	}
	if s.unmade != nil {
		v.ahead = s.unmade.AheadOf(i)
	}
	return v
}

// soldLines is the kind of all lines.
func soldLines(line Kind[SoldLineView]) Kind[SoldLines] {
	return field.Counted(line, func(v SoldLines) int { return len(v.Lines) }, SoldLines.at)
}

// soldFields are the fields that the lines of orders and of quotes share.
var soldFields = field.Rows(
	field.Of(lineFields(UUIDOrNull, Quantity, "", "", ""), func(l SoldLineView) *commerce.Line { return &l.Line }),
	field.Member("line_total", Money, aboutLineTotal, func(l SoldLineView) *commerce.Amount { return &l.Total }),
	field.Value("unit_price_without_tax", Money, "For display; rounded by itself. The totals stay the truth.",
		func(l SoldLineView) commerce.Amount { return l.Net(l.UnitPrice, l.tax) }),
	field.Value("line_total_without_tax", Money, "For display, as above.", func(l SoldLineView) commerce.Amount { return l.Net(l.Total, l.tax) }),
	field.Of(asSold, func(l SoldLineView) *commerce.OrderLine { return l.OrderLine }),
)

var asSold = field.Rows(
	field.Member("tax_rate", Percent, "In per cent.", func(l *commerce.OrderLine) *commerce.Percent { return &l.TaxRate }),
	field.Member("variant_name", TextOrNull, "The variant's on that day.", func(l *commerce.OrderLine) *string { return &l.VariantName }),
	field.Value("unit", unit, "The product's on that day.", func(l *commerce.OrderLine) string { return l.Unit.String() }),
)

// OrderLine and QuoteLine are lines of an order and of a quote.
var (
	OrderLine = field.Object("OrderLine", slices.Concat(soldFields, partedLine,
		soldLine(func(l SoldLineView) AttributesView { return AttributesView{l.Configuration, l.OrderLine} }))...)
	QuoteLine = field.Object("QuoteLine", append(soldFields[:len(soldFields):len(soldFields)],
		soldLine(func(l SoldLineView) AttributesView { return AttributesView{Configuration: l.Configuration} })...)...)
)

// partedLine is what became of a line of an order.
var partedLine = field.Rows(
	field.Value("total_share", Money, "The line's part of the order's total: what a refund of all its pieces comes to.",
		func(l SoldLineView) commerce.Amount { return l.share }),
	field.Value("shipped_quantity", Quantity, "", func(l SoldLineView) commerce.Quantity { return l.counts.Shipped }),
	field.Value("cancelled_quantity", Quantity, "", func(l SoldLineView) commerce.Quantity { return l.counts.Cancelled }),
	field.Value("returned_quantity", Quantity, "Of those that were shipped.", func(l SoldLineView) commerce.Quantity { return l.counts.Returned }),
	field.Value("refunded_quantity", Quantity, "", func(l SoldLineView) commerce.Quantity { return l.counts.Refunded }),
	field.Self("backordered", Kind[SoldLineView]{Schema: openapi.Boolean, Append: appendBackordered},
		"The sale left less than nothing on hand: the line waits for goods."),
	field.Value("available_from", DateOrNull, "The day on which they were expected at the sale; null if the line does not wait, or the day was not known.",
		func(l SoldLineView) commerce.Date { return l.From }),
)

// appendBackordered writes whether the line waits, or in a stored event the list of takes that say it.
func appendBackordered(dst []byte, l SoldLineView) []byte {
	if l.ahead == nil {
		return strconv.AppendBool(dst, l.Backordered)
	}
	return takeNumbers.Append(dst, l.ahead)
}

var takeNumbers = field.Values(Integer)

// soldLine are the fields that follow, with the line's attributes.
func soldLine(attributes func(l SoldLineView) AttributesView) []Field[SoldLineView] {
	return field.Rows(
		field.Value("attributes", soldAttributes, "", attributes),
		field.If(func(l SoldLineView) bool { return l.Properties != nil },
			field.Value("properties", Properties, "The shopper's texts, as in the cart. Only on lines that have some.",
				func(l SoldLineView) []commerce.Property { return propertiesOf(l.Properties) }),
			field.Value("property_labels", PropertyLabels, "The labels of the texts on that day, but for keys of the front end's own. Only on lines with properties.",
				func(l SoldLineView) []commerce.Property { return l.Properties.Labelled() })),
	)
}

// soldAttributes is never null, but described as the attributes of all lines.
var soldAttributes = field.Shaped(LineAttributes, field.OrNull(LineAttributes).Schema)
