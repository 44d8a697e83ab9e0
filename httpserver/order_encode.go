package httpserver

import (
	"strconv"

	"cartd/commerce"
)

// AppendOrder writes an order. The lifecycle page, Checkout.
func AppendOrder(dst []byte, o *commerce.Order) []byte {
	dst = appendOrderHead(dst, o)
	dst = append(dst, `,"lines":[`...)
	for i := range o.Lines {
		dst = appendOrderLine(appendComma(dst, i), &o.Lines[i])
	}
	return appendOrderRest(append(dst, ']'), o)
}

// appendOrderRow writes an order as lists show it.
func appendOrderRow(dst []byte, o *commerce.Order) []byte {
	dst = appendOrderHead(dst, o)
	dst = appendInt(append(dst, `,"lines_count":`...), len(o.Lines))
	return appendOrderRest(dst, o)
}

func appendOrderHead(dst []byte, o *commerce.Order) []byte {
	dst = appendUUID(append(dst, `{"id":`...), o.ID)
	dst = strconv.AppendInt(append(dst, `,"number":`...), o.Number, 10)
	dst = appendUUIDOrNull(append(dst, `,"cart_id":`...), o.CartID)
	dst = appendUUIDOrNull(append(dst, `,"quote_id":`...), o.QuoteID)
	dst = append(dst, `,"status":"`+commerce.OrderStatus+`","currency":"`+commerce.Currency+`","email":`...)
	dst = appendString(dst, o.Email)
	dst = appendUUIDOrNull(append(dst, `,"customer_id":`...), o.Customer.ID)
	dst = appendUUIDOrNull(append(dst, `,"contact_id":`...), o.Customer.ID)
	dst = appendText(append(dst, `,"customer_note":`...), o.CustomerNote)
	dst = appendText(append(dst, `,"reference":`...), o.Reference)
	return appendTime(append(dst, `,"placed_at":`...), o.PlacedAt)
}

func appendOrderLine(dst []byte, l *commerce.OrderLine) []byte {
	dst = appendLineFields(dst, &l.Line, l.Total)
	dst = l.TaxRate.AppendJSON(append(dst, `,"tax_rate":`...))
	dst = append(dst, `,"attributes":{"configuration":`...)
	if l.Configuration == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendConfiguration(dst, l.Configuration)
	}
	dst = strconv.AppendBool(append(dst, `,"returnable":`...), l.Returnable)
	dst = append(dst, `,"lead_time_days":`...)
	if l.LeadTimeDays == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendInt(dst, *l.LeadTimeDays)
	}
	return append(dst, "}}"...)
}

func appendOrderRest(dst []byte, o *commerce.Order) []byte {
	for _, name := range [...]string{`,"discounts":[`, `,"discount_breakdown":[`} {
		dst = append(dst, name...)
		for i := range o.Discounts {
			dst = appendDiscount(appendComma(dst, i), &o.Discounts[i])
		}
		dst = append(dst, ']')
	}
	dst = append(dst, `,"shipping_method":`...)
	if o.Shipping == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendShipping(dst, o.Shipping)
	}
	dst = appendSnapshot(append(dst, `,"shipping_address":`...), o.ShippingAddress)
	dst = appendSnapshot(append(dst, `,"billing_address":`...), o.BillingAddress)
	t := &o.Totals
	dst = appendMoney(append(dst, `,"totals":{"subtotal":`...), t.Subtotal)
	dst = appendMoney(append(dst, `,"shipping_total":`...), t.ShippingTotal)
	dst = appendMoney(append(dst, `,"tax_total":`...), t.TaxTotal)
	dst = appendMoney(append(dst, `,"discount_total":`...), t.DiscountTotal)
	dst = appendMoney(append(dst, `,"total":`...), t.Total)
	dst = appendTaxRows(dst, t.Breakdown)
	dst = appendMoney(append(dst, `,"discount_total":`...), t.DiscountTotal)
	return append(dst, '}')
}

// appendSnapshot writes the address of an order, or null.
func appendSnapshot(dst []byte, a *commerce.Address) []byte {
	if a == nil {
		return append(dst, "null"...)
	}
	return appendPlace(appendText(append(dst, `{"label":`...), a.Label), a)
}
