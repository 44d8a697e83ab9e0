package httpserver

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// The shapes of the cart envelope. Spec: Cart.
var (
	moneyShape = openapi.Object("Money").
			Has("amount", openapi.Integer, "In minor units (cents).").
			Has("currency", openapi.Names(commerce.Currency), "")
	appliedDiscountShape = openapi.Object("AppliedDiscount").
				Has("id", openapi.UUID, "").
				Has("name", openapi.Text, "").
				Has("code", openapi.Text.OrNull(), "As the store spells it; null for an automatic discount.").
				Has("kind", openapi.Names(commerce.DiscountKindNames()...), "").
				Has("amount", openapi.Integer, "The amount taken off, in minor units; 0 for a shipping discount until a method is chosen.")
	policyShape = openapi.Object("CartPolicy").
			Has("identity_mode", openapi.Names("guest_allowed", "login_required", "guest_only"), "Who may check out.").
			Has("audience", openapi.Names("both", "b2b_only", "b2c_only"), "").
			Has("min_order_value_amount", openapi.Integer.OrNull(), "The minimum total of an order, in minor units; null if there is none.").
			Has("max_lines", openapi.Integer, "").
			Has("max_quantity_per_line", openapi.Integer, "").
			Has("pricing", openapi.Object("PricingDisplay").
				Has("guest_price_visibility", openapi.Names("visible", "hidden"), "").
				Has("vat_display", openapi.Names("inc", "ex"), "ex for every business customer.").
				Has("show_original_price", openapi.Boolean, "Show the price without the discount beside the new one.").
				Has("show_tier_table", openapi.Boolean, "Show tables of quantity prices."), "How prices are shown to this visitor.")
	taxShape = openapi.Object("TaxBreakdown").
			Has("rate", openapi.Number, "In per cent.").
			Has("base", openapi.Integer, "Without tax, in minor units.").
			Has("tax", openapi.Integer, "In minor units.")
	totalsShape = openapi.Object("CartTotals").
			Has("subtotal", moneyShape, "Goods without tax.").
			Has("tax_total", moneyShape, "").
			Has("total", moneyShape, "subtotal + tax_total.").
			Has("discount_total", moneyShape, "The sum of the discounts on goods, in the store's price basis.").
			Has("tax_breakdown", openapi.List(taxShape), "One entry for each rate, the highest first.")
	metadataShape = openapi.Map(openapi.Types("string", "number", "boolean", "null")).OrNull()
	cartShape     = openapi.Object("Cart").
			Has("id", openapi.UUID, "Keep it secret: a visitor needs no more to use the cart.").
			Has("currency", openapi.Names(commerce.Currency), "").
			Has("status", openapi.Names("active", "converted", "merged"), "Only an active cart accepts writes.").
			Has("email", openapi.Text.OrNull(), "Lower case.").
			Has("metadata", metadataShape, "The metadata that the storefront has set.").
			Has("discount_code", openapi.Text.OrNull(), "As it was sent.").
			Has("discount_code_error", openapi.Names("invalid", "expired", "min_order", "not_eligible", "usage_limit").OrNull(), "Why the code has no effect; null if it applies or none is set.").
			Has("discounts", openapi.List(appliedDiscountShape), "In the order of their application.").
			Has("policy", policyShape, "The store's current settings.").
			Has("requires_quote", openapi.Boolean, "If true, checkout refuses the cart with QUOTE_REQUIRED.").
			Has("quote_reasons", openapi.List(openapi.Names("cart_threshold", "configurator_choice", "customer_group", "product_purchasability")), "").
			Has("lines", openapi.List(lineShape), "In the order in which they were first added.").
			Has("totals", totalsShape, "")
	cartAnswer = withDetails("CartAnswer")
)

// appendCart writes the cart envelope, in the order of the specification's table.
// Spec: Cart envelope.
func appendCart(dst []byte, c *commerce.Cart, s *commerce.Store, e *commerce.Evaluation) []byte {
	dst = appendUUID(append(dst, `{"data":{"id":`...), c.ID)
	dst = append(dst, `,"currency":"`+commerce.Currency+`"`...)
	dst = appendString(append(dst, `,"status":`...), c.Status.String())
	dst = appendText(append(dst, `,"email":`...), c.Email)
	dst = appendMetadata(append(dst, `,"metadata":`...), c.Metadata)
	dst = appendCode(append(dst, `,"discount_code":`...), c.DiscountCode)
	dst = appendText(append(dst, `,"discount_code_error":`...), e.DiscountError)
	dst = appendDiscounts(append(dst, `,"discounts":`...), e.Discounts)
	dst = appendPolicy(append(dst, `,"policy":`...), &s.Policy, e.VATDisplay)
	dst = strconv.AppendBool(append(dst, `,"requires_quote":`...), e.RequiresQuote)
	dst = appendStrings(append(dst, `,"quote_reasons":`...), e.QuoteReasons)
	dst = appendLines(append(dst, `,"lines":`...), c.Lines, e.LineTotals)
	dst = appendTotals(append(dst, `,"totals":`...), e)
	return append(dst, `}}`...)
}

// appendMetadata writes the metadata, numbers digit for digit, or null if none was set.
func appendMetadata(dst []byte, m commerce.Metadata) []byte {
	if m == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i := range m {
		dst = append(appendString(appendComma(dst, i), m[i].Key), ':')
		if value := &m[i].Value; value.IsString {
			dst = appendString(dst, value.Text)
		} else {
			dst = append(dst, value.Text...)
		}
	}
	return append(dst, '}')
}

func appendCode(dst []byte, code *string) []byte {
	if code == nil {
		return append(dst, "null"...)
	}
	return appendString(dst, *code)
}

// appendDiscounts writes the applied discounts; an automatic one has no code.
// Spec: discounts.
func appendDiscounts(dst []byte, applied []commerce.AppliedDiscount) []byte {
	dst = append(dst, '[')
	for i := range applied {
		d := applied[i].Discount
		dst = appendDiscount(appendComma(dst, i), &commerce.OrderDiscount{ID: d.ID, Name: d.Name, Code: d.Code, Kind: d.Kind, Amount: applied[i].Amount})
	}
	return append(dst, ']')
}

func appendDiscount(dst []byte, d *commerce.OrderDiscount) []byte {
	dst = appendUUID(append(dst, `{"id":`...), d.ID)
	dst = appendString(append(dst, `,"name":`...), d.Name)
	dst = appendText(append(dst, `,"code":`...), d.Code)
	dst = appendString(append(dst, `,"kind":`...), d.Kind.String())
	dst = appendAmount(append(dst, `,"amount":`...), d.Amount)
	return append(dst, '}')
}

// appendPolicy writes the store's cart policy for a pricing context.
// Spec: policy (evaluated live from store settings).
func appendPolicy(dst []byte, p *commerce.Policy, vatDisplay string) []byte {
	dst = appendString(append(dst, `{"identity_mode":`...), p.IdentityMode)
	dst = appendString(append(dst, `,"audience":`...), p.Audience)
	dst = append(dst, `,"min_order_value_amount":`...)
	if p.MinOrderValue == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendAmount(dst, *p.MinOrderValue)
	}
	dst = strconv.AppendInt(append(dst, `,"max_lines":`...), int64(p.MaxLines), 10)
	dst = p.MaxQuantityPerLine.AppendJSON(append(dst, `,"max_quantity_per_line":`...))
	dst = appendString(append(dst, `,"pricing":{"guest_price_visibility":`...), p.Pricing.GuestPriceVisibility)
	dst = appendString(append(dst, `,"vat_display":`...), vatDisplay)
	dst = strconv.AppendBool(append(dst, `,"show_original_price":`...), p.Pricing.ShowOriginalPrice)
	dst = strconv.AppendBool(append(dst, `,"show_tier_table":`...), p.Pricing.ShowTierTable)
	return append(dst, `}}`...)
}

// Spec: totals.
func appendTotals(dst []byte, e *commerce.Evaluation) []byte {
	dst = appendMoney(append(dst, `{"subtotal":`...), e.Subtotal)
	dst = appendMoney(append(dst, `,"tax_total":`...), e.TaxTotal)
	dst = appendMoney(append(dst, `,"total":`...), e.Total)
	dst = appendMoney(append(dst, `,"discount_total":`...), e.DiscountTotal)
	return appendTaxRows(dst, e.Breakdown)
}

// appendTaxRows writes tax_breakdown and ends the object of the totals.
func appendTaxRows(dst []byte, rows []commerce.TaxRow) []byte {
	dst = append(dst, `,"tax_breakdown":[`...)
	for i := range rows {
		row := &rows[i]
		dst = row.Rate.AppendJSON(append(appendComma(dst, i), `{"rate":`...))
		dst = appendAmount(append(dst, `,"base":`...), row.Base)
		dst = appendAmount(append(dst, `,"tax":`...), row.Tax)
		dst = append(dst, '}')
	}
	return append(dst, `]}`...)
}

// Spec: money.
func appendMoney(dst []byte, a commerce.Amount) []byte {
	dst = appendAmount(append(dst, `{"amount":`...), a)
	return append(dst, `,"currency":"`+commerce.Currency+`"}`...)
}

func appendAmount(dst []byte, a commerce.Amount) []byte { return strconv.AppendInt(dst, int64(a), 10) }
