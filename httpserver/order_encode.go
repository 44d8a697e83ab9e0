package httpserver

import (
	"strconv"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
)

// The shapes of orders.
var (
	orderLineShape    = soldLineShape("OrderLine")
	orderAddressShape = openapi.Object("OrderAddress").
				Has("label", openapi.Text.OrNull(), "").Has("name", openapi.Text, "").Has("street", openapi.Text, "").
				Has("postal_code", openapi.Text, "").Has("city", openapi.Text, "").Has("country", openapi.Text, "").
				Has("phone", openapi.Text.OrNull(), "")
	paymentShape = openapi.Object("Payment").
			Has("status", openapi.Names(commerce.PaymentStatusNames()...), "not_required if the store does not say that orders must be paid, or for a total of 0.").
			Has("paid_at", openapi.Time.OrNull(), "").
			Has("due_at", openapi.Time.OrNull(), "When an unpaid order ends.")
	shipmentShape = openapi.Object("Shipment").
			Has("carrier", openapi.Text.OrNull(), "").
			Has("tracking_number", openapi.Text.OrNull(), "").
			Has("tracking_url", openapi.Text.OrNull(), "As the merchant sent it.").
			Has("shipped_at", openapi.Time, "").
			Has("delivered_at", openapi.Time.OrNull(), "")
	unpaidShape   = openapi.Names(commerce.UnpaidReason)
	orderShape    = orderRest(orderHeadShape("Order", paymentShape, unpaidShape).Has("lines", openapi.List(orderLineShape), ""))
	orderRowShape = orderRest(orderHeadShape("OrderRow", paymentShape, unpaidShape).Has("lines_count", openapi.Integer, ""))
	orderAnswer   = openapi.Object("OrderAnswer").Has("data", orderShape, "")
	ordersAnswer  = listOf("OrderList", orderRowShape)
)

// orderHeadShape has the fields ahead of an order's lines.
func orderHeadShape(name string, payment, reason *openapi.Schema) *openapi.Schema {
	return openapi.Object(name).
		Has("id", openapi.UUID, "").
		Has("number", openapi.Integer, "1, 2, 3 … in each store, without a gap.").
		Has("cart_id", openapi.UUID.OrNull(), "").
		Has("quote_id", openapi.UUID.OrNull(), "").
		Has("status", openapi.Names(commerce.OrderStatusNames()...), "").
		Has("currency", openapi.Names(commerce.Currency), "").
		Has("email", openapi.Text.OrNull(), "Null after an erasure.").
		Has("customer_id", openapi.UUID.OrNull(), "The account, else the guest, else null. contact_id is the same.").
		Has("contact_id", openapi.UUID.OrNull(), "").
		Has("customer_note", openapi.Text.OrNull(), "").
		Has("reference", openapi.Text.OrNull(), "").
		Has("metadata", metadataShape, "The cart's at that moment.").
		Has("placed_at", openapi.Time, "").
		Has("payment", payment, "").
		Has("shipment", shipmentShape.OrNull(), "Null until the order is shipped.").
		Has("cancelled_at", openapi.Time.OrNull(), "").
		Has("cancel_reason", reason.OrNull(), "`unpaid` if the order ended because nobody paid.")
}

// soldLineShape has the fields that lines of orders and of quotes share.
func soldLineShape(name string) *openapi.Schema {
	return openapi.Object(name).
		Has("id", openapi.UUID, "").
		Has("product_id", openapi.UUID, "").
		Has("variant_id", openapi.UUID.OrNull(), "").
		Has("name", openapi.Text, "").
		Has("sku", openapi.Text.OrNull(), "").
		Has("quantity", openapi.Number, "").
		Has("unit_price_amount", openapi.Integer, "In minor units.").
		Has("unit_price", moneyShape, "").
		Has("line_total", moneyShape, "After discounts.").
		Has("tax_rate", openapi.Number, "In per cent.").
		Has("variant_name", openapi.Text.OrNull(), "The variant's on that day.").
		Has("unit", openapi.Names(commerce.UnitNames()...), "The product's on that day.").
		Has("attributes", lineAttributesShape, "")
}

// orderRest adds the fields after an order's lines.
func orderRest(s *openapi.Schema) *openapi.Schema {
	return s.Has("discounts", openapi.List(appliedDiscountShape), "The same as discount_breakdown.").
		Has("discount_breakdown", openapi.List(appliedDiscountShape), "With the shipping discount.").
		Has("shipping_method", orderMethodShape.OrNull(), "").
		Has("shipping_address", orderAddressShape.OrNull(), "").
		Has("billing_address", orderAddressShape.OrNull(), "").
		Has("totals", openapi.Object("OrderTotals").
			Has("subtotal", moneyShape, "Goods without tax.").
			Has("shipping_total", moneyShape, "Shipping without tax.").
			Has("tax_total", moneyShape, "").
			Has("discount_total", moneyShape, "The sum of the discounts on goods.").
			Has("total", moneyShape, "").
			Has("tax_breakdown", openapi.List(taxShape), ""), "").
		Has("discount_total", moneyShape, "The same as in totals.")
}

// AppendOrder writes an order with its lines: docs/api/checkout.md#orders.
func AppendOrder(dst []byte, o *commerce.Order) []byte {
	dst = appendAfterSale(appendOrderHead(dst, o), o)
	return appendOrderRest(appendOrderLines(dst, o), o)
}

// AppendStoreOrder writes an order as the merchant's own systems see it, with its lines or without.
func AppendStoreOrder(dst []byte, o *commerce.Order, lines bool) []byte {
	dst = appendStoreAfterSale(appendOrderHead(dst, o), o)
	if lines {
		dst = appendOrderLines(dst, o)
	}
	return appendOrderRest(dst, o)
}

func appendOrderLines(dst []byte, o *commerce.Order) []byte {
	dst = append(dst, `,"lines":[`...)
	for i := range o.Lines {
		dst = appendOrderLine(appendComma(dst, i), &o.Lines[i])
	}
	return append(dst, ']')
}

// appendOrderRow writes an order with the number of its lines, for lists.
func appendOrderRow(dst []byte, o engine.OrderRow) []byte {
	dst = appendAfterSale(appendOrderHead(dst, o.Order), o.Order)
	dst = appendInt(append(dst, `,"lines_count":`...), o.LinesCount)
	return appendOrderRest(dst, o.Order)
}

func appendOrderHead(dst []byte, o *commerce.Order) []byte {
	dst = appendUUID(append(dst, `{"id":`...), o.ID)
	dst = strconv.AppendInt(append(dst, `,"number":`...), o.Number, 10)
	dst = appendUUIDOrNull(append(dst, `,"cart_id":`...), o.CartID)
	dst = appendUUIDOrNull(append(dst, `,"quote_id":`...), o.QuoteID)
	dst = append(dst, `,"status":"`+o.Status.String()+`","currency":"`+commerce.Currency+`","email":`...)
	dst = appendText(dst, o.Email)
	dst = appendUUIDOrNull(append(dst, `,"customer_id":`...), o.Customer.ID)
	dst = appendUUIDOrNull(append(dst, `,"contact_id":`...), o.Customer.ID)
	dst = appendText(append(dst, `,"customer_note":`...), o.CustomerNote)
	dst = appendText(append(dst, `,"reference":`...), o.Reference)
	dst = appendMetadata(append(dst, `,"metadata":`...), o.Metadata)
	return appendTime(append(dst, `,"placed_at":`...), o.PlacedAt)
}

func appendOrderLine(dst []byte, l *commerce.OrderLine) []byte {
	dst = appendSoldLine(dst, l)
	dst = strconv.AppendBool(append(dst, `,"returnable":`...), l.Returnable)
	dst = appendIntOrNull(append(dst, `,"lead_time_days":`...), l.LeadTimeDays)
	return append(dst, "}}"...)
}

// appendSoldLine writes the fields that lines of orders and of quotes share. It leaves the object
// attributes open.
func appendSoldLine(dst []byte, l *commerce.OrderLine) []byte {
	dst = appendLineFields(dst, &l.Line, l.Total)
	dst = l.TaxRate.AppendJSON(append(dst, `,"tax_rate":`...))
	dst = appendText(append(dst, `,"variant_name":`...), l.VariantName)
	dst = appendString(append(dst, `,"unit":`...), l.Unit.String())
	dst = append(dst, `,"attributes":{"configuration":`...)
	if l.Configuration == nil {
		return append(dst, "null"...)
	}
	return appendConfiguration(dst, l.Configuration)
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
		dst = append(appendMoney(append(dst, `,"price_with_tax":`...), o.Shipping.PriceWithTax), '}')
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
	return appendRecipient(appendText(append(dst, `{"label":`...), a.Label), a)
}
