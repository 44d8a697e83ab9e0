package httpserver

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// The shapes of an explanation.
var (
	divisionShape = func(s *openapi.Schema) *openapi.Schema {
		return s.May("of", openapi.Integer, "of × multiply = quotient × divide + remainder.").
			May("multiply", openapi.Integer, "").May("divide", openapi.Integer, "").
			May("quotient", openapi.Integer, "").May("remainder", openapi.Integer, "").
			May("extra", openapi.Integer, "The amount that rounding adds to the quotient.")
	}
	lineStepShape = divisionShape(openapi.Object("LineStep").
			Has("step", openapi.Names("line"), "").
			Has("line_id", openapi.UUID, "").Has("name", openapi.Text, "").
			Has("price_from", openapi.Names("stored", "base", "group", "tier", "variant", "configuration"), "").
			May("tier_min_quantity_thousandths", openapi.Integer, "").
			May("breakdown", breakdownShape, "").
			Has("unit_price_amount", openapi.Integer, "").
			Has("quantity_thousandths", openapi.Integer, "").
			Has("amount", openapi.Integer, ""))
	codeStepShape = openapi.Object("CodeStep").
			Has("step", openapi.Names("code"), "").
			Has("code", openapi.Text, "").Has("error", openapi.Text.OrNull(), "")
	discountStepShape = divisionShape(openapi.Object("DiscountStep").
				Has("step", openapi.Names("discount"), "").
				Has("discount_id", openapi.UUID, "").Has("name", openapi.Text, "").
				Has("code", openapi.Text.OrNull(), "").Has("kind", openapi.Text, "").
				Has("before", openapi.Integer, "").
				May("fixed_amount", openapi.Integer, "").
				May("bought_thousandths", openapi.Integer, "").May("buy_min_quantity_thousandths", openapi.Integer, "").
				May("qualifies_times", openapi.Integer, "").May("get_quantity_thousandths", openapi.Integer, "").
				May("get_percent", openapi.Number, "").May("reduced_thousandths", openapi.Integer, "").
				May("unit_price_amount", openapi.Integer, "").
				Has("amount", openapi.Integer, "").
				Has("lines", openapi.List(divisionShape(openapi.Object("DiscountShare").
					Has("line_id", openapi.UUID, "").Has("before", openapi.Integer, "").
					Has("amount", openapi.Integer, "").Has("after", openapi.Integer, ""))).OrNull(), "Each line's share. null if the shares of all discounts are more than 5,000, or if `discount_id` names another discount."))
	taxStepShape = divisionShape(openapi.Object("TaxStep").
			Has("step", openapi.Names("tax"), "").
			Has("rate", openapi.Number, "In per cent.").Has("sum", openapi.Integer, "").
			Has("base", openapi.Integer, "").Has("tax", openapi.Integer, ""))
	totalsStepShape = openapi.Object("TotalsStep").
			Has("step", openapi.Names("totals"), "").
			Has("lines", openapi.Integer, "").Has("discount_total", openapi.Integer, "").
			Has("subtotal", openapi.Integer, "").Has("tax_total", openapi.Integer, "").Has("total", openapi.Integer, "")
	explanationShape = openapi.Object("Explanation").Has("data", openapi.Object("ExplanationSteps").
				Has("steps", openapi.List(openapi.AnyOf(lineStepShape, codeStepShape, discountStepShape, taxStepShape, totalsStepShape)),
			"In the order of the calculation. Amounts are in minor units, quantities in thousandths.").
		Has("checks", openapi.List(openapi.Object("CheckoutCheck").
			Has("code", openapi.Text.OrNull(), "").Has("message", openapi.Text, "").
			Has("line_id", openapi.UUID.OrNull(), "The line, if its product is no longer available.").
			Has("product_id", openapi.UUID.OrNull(), "The item, if there is too little stock of it; the next three fields too.").
			Has("variant_id", openapi.UUID.OrNull(), "").
			Has("requested", openapi.Number.OrNull(), "").Has("available", openapi.Number.OrNull(), "")),
			"The refusals that a checkout would get now, in order; empty if it would succeed."), "")
)

// appendExplanation begins {data:{steps:[…],checks:[…]}} and writes the steps: the lines, the code,
// the discounts in the order of their application, the tax rates, the totals. Amounts are in minor
// units, quantities in thousandths.
func appendExplanation(dst []byte, x *commerce.Explanation) []byte {
	dst = append(dst, `{"data":{"steps":[`...)
	for i := range x.Lines {
		dst = append(appendLineStep(dst, &x.Lines[i]), ',')
	}
	if x.Code != nil {
		dst = appendString(append(dst, `{"step":"code","code":`...), x.Code.Code)
		dst = appendText(append(dst, `,"error":`...), x.Code.Error)
		dst = append(dst, `},`...)
	}
	for i := range x.Discounts {
		dst = append(appendDiscountStep(dst, &x.Discounts[i]), ',')
	}
	for i := range x.Taxes {
		dst = append(appendTaxStep(dst, &x.Taxes[i]), ',')
	}
	dst = append(dst, `{"step":"totals"`...)
	dst = appendMember(dst, "lines", int64(x.Totals.Lines))
	dst = appendMember(dst, "discount_total", int64(x.Totals.DiscountTotal))
	dst = appendMember(dst, "subtotal", int64(x.Totals.Subtotal))
	dst = appendMember(dst, "tax_total", int64(x.Totals.TaxTotal))
	dst = appendMember(dst, "total", int64(x.Totals.Total))
	return append(dst, `}]`...)
}

// appendChecks writes checks and ends the answer.
func appendChecks(dst []byte, checks []commerce.CheckoutCheck) []byte {
	dst = append(dst, `,"checks":[`...)
	for i := range checks {
		c := &checks[i]
		dst = appendText(append(appendComma(dst, i), `{"code":`...), c.Code)
		dst = appendString(append(dst, `,"message":`...), c.Message)
		dst = append(appendUUIDOrNull(append(dst, `,"line_id":`...), c.LineID), ',')
		if c.Short == nil {
			dst = append(dst, `"product_id":null,"variant_id":null,"requested":null,"available":null}`...)
			continue
		}
		dst = append(appendShort(dst, c.Short), '}')
	}
	return append(dst, `]}}`...)
}

func appendLineStep(dst []byte, l *commerce.LineStep) []byte {
	dst = appendUUID(append(dst, `{"step":"line","line_id":`...), l.Line.ID)
	dst = appendString(append(dst, `,"name":`...), l.Line.Name)
	dst = appendString(append(dst, `,"price_from":`...), l.From.Source.String())
	if l.From.Tier > 0 {
		dst = appendMember(dst, "tier_min_quantity_thousandths", int64(l.From.Tier))
	}
	if c := l.Line.Configuration; c != nil {
		dst = appendParts(append(dst, `,"breakdown":`...), c.Breakdown)
	}
	dst = appendMember(dst, "unit_price_amount", int64(l.Line.UnitPrice))
	dst = appendMember(dst, "quantity_thousandths", int64(l.Line.Quantity))
	dst = appendDivision(dst, &l.Division)
	return append(appendMember(dst, "amount", int64(l.Amount)), '}')
}

func appendDiscountStep(dst []byte, s *commerce.DiscountStep) []byte {
	d := s.Discount
	dst = appendUUID(append(dst, `{"step":"discount","discount_id":`...), d.ID)
	dst = appendString(append(dst, `,"name":`...), d.Name)
	dst = appendText(append(dst, `,"code":`...), d.Code)
	dst = appendString(append(dst, `,"kind":`...), d.Kind.String())
	dst = appendMember(dst, "before", int64(s.Before))
	switch b := s.Bogo; {
	case s.Whole != nil:
		dst = appendDivision(dst, s.Whole)
	case b == nil && d.Value.Fixed:
		dst = appendMember(dst, "fixed_amount", int64(d.Value.Amount))
	case b != nil:
		dst = appendMember(dst, "bought_thousandths", int64(b.Bought))
		dst = appendMember(dst, "buy_min_quantity_thousandths", int64(b.Minimum))
		dst = appendMember(dst, "qualifies_times", b.Times)
		dst = appendMember(dst, "get_quantity_thousandths", int64(b.Each))
		dst = d.Get.Percent.AppendJSON(append(dst, `,"get_percent":`...))
		dst = appendMember(dst, "reduced_thousandths", int64(b.Units))
		dst = appendMember(dst, "unit_price_amount", int64(b.UnitPrice))
	}
	dst = appendMember(dst, "amount", int64(s.Amount))
	if s.Shares == nil {
		return append(dst, `,"lines":null}`...)
	}
	dst = append(dst, `,"lines":[`...)
	for i := range s.Shares {
		share := &s.Shares[i]
		dst = appendUUID(append(appendComma(dst, i), `{"line_id":`...), share.Line.ID)
		dst = appendMember(dst, "before", int64(share.Before))
		dst = appendDivision(dst, &share.Division)
		dst = appendMember(dst, "amount", int64(share.Amount))
		dst = append(appendMember(dst, "after", int64(share.After)), '}')
	}
	return append(dst, `]}`...)
}

func appendTaxStep(dst []byte, t *commerce.TaxStep) []byte {
	dst = t.Rate.AppendJSON(append(dst, `{"step":"tax","rate":`...))
	dst = appendMember(dst, "sum", int64(t.Sum))
	dst = appendDivision(dst, &t.Division)
	dst = appendMember(dst, "base", int64(t.Base))
	return append(appendMember(dst, "tax", int64(t.Tax)), '}')
}

// appendDivision writes of × multiply = quotient × divide + remainder.
func appendDivision(dst []byte, d *commerce.Division) []byte {
	dst = d.Of.Append(append(dst, `,"of":`...), 10)
	dst = d.Multiply.Append(append(dst, `,"multiply":`...), 10)
	dst = d.Divide.Append(append(dst, `,"divide":`...), 10)
	dst = d.Quotient.Append(append(dst, `,"quotient":`...), 10)
	dst = d.Remainder.Append(append(dst, `,"remainder":`...), 10)
	return appendMember(dst, "extra", d.Extra)
}

// appendMember writes a further member of an object. Its name needs no escapes.
func appendMember(dst []byte, name string, n int64) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return strconv.AppendInt(dst, n, 10)
}

// appendParts writes a configuration's price breakdown.
func appendParts(dst []byte, parts []commerce.PricePart) []byte {
	dst = append(dst, '[')
	for i, part := range parts {
		dst = appendString(append(appendComma(dst, i), `{"label":`...), part.Label)
		dst = append(appendAmount(append(dst, `,"amount":`...), part.Amount), '}')
	}
	return append(dst, ']')
}
