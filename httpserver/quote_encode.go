package httpserver

import (
	"strconv"
	"time"

	"cartd/commerce"
)

// AppendQuote writes a quote as it is at a time, without its token. The lifecycle page, Quote request.
func AppendQuote(dst []byte, q *commerce.Quote, now time.Time) []byte {
	return appendQuote(dst, q, now, "")
}

// appendQuote writes a quote with its token; empty: it is not shown.
func appendQuote(dst []byte, q *commerce.Quote, now time.Time, token string) []byte {
	dst = appendUUID(append(dst, `{"id":`...), q.ID)
	dst = strconv.AppendInt(append(dst, `,"number":`...), q.Number, 10)
	dst = appendString(append(dst, `,"status":`...), q.Status(now))
	dst = appendString(append(dst, `,"acceptance_mode":`...), q.AcceptanceMode())
	dst = append(dst, `,"currency":"`+commerce.Currency+`","cart_id":`...)
	dst = appendUUID(dst, q.CartID)
	dst = appendUUIDOrNull(append(dst, `,"customer_id":`...), q.Customer.ID)
	dst = appendUUIDOrNull(append(dst, `,"contact_id":`...), q.Customer.ID)
	dst = appendString(append(dst, `,"email":`...), q.Email)
	for _, text := range [...]struct{ member, text string }{
		{`,"name":`, q.Name}, {`,"company_name":`, q.CompanyName}, {`,"phone":`, q.Phone},
		{`,"message":`, q.Message}, {`,"reference":`, q.Reference},
	} {
		dst = appendText(append(dst, text.member...), text.text)
	}
	dst = appendStrings(append(dst, `,"quote_reasons":`...), q.Reasons)
	dst = appendQuoteGoods(dst, q)
	dst = appendTime(append(dst, `,"valid_until":`...), q.ValidUntil)
	dst = appendUUIDOrNull(append(dst, `,"order_id":`...), q.OrderID)
	dst = appendText(append(dst, `,"signer_name":`...), q.SignerName)
	dst = appendTimeOrNull(append(dst, `,"accepted_at":`...), q.AcceptedAt)
	dst = appendTimeOrNull(append(dst, `,"declined_at":`...), q.DeclinedAt)
	dst = appendText(append(dst, `,"decline_reason":`...), q.DeclineReason)
	if token != "" {
		dst = appendString(append(dst, `,"token":`...), token)
	}
	return append(appendTime(append(dst, `,"created_at":`...), q.CreatedAt), '}')
}

// appendQuoteGoods writes what a quote offers, and what that comes to.
func appendQuoteGoods(dst []byte, q *commerce.Quote) []byte {
	dst = append(dst, `,"lines":[`...)
	for i := range q.Goods.Lines {
		dst = append(appendSoldLine(appendComma(dst, i), &q.Goods.Lines[i]), "}}"...)
	}
	dst = append(dst, `],"discounts":[`...)
	for i := range q.Goods.Discounts {
		dst = appendDiscount(appendComma(dst, i), &q.Goods.Discounts[i])
	}
	t := q.Totals()
	dst = appendMoney(append(dst, `],"discount_total":`...), t.DiscountTotal)
	dst = appendMoney(append(dst, `,"totals":{"subtotal":`...), t.Subtotal)
	dst = appendMoney(append(dst, `,"tax_total":`...), t.TaxTotal)
	dst = appendMoney(append(dst, `,"discount_total":`...), t.DiscountTotal)
	dst = appendMoney(append(dst, `,"total":`...), t.Total)
	return appendTaxRows(dst, t.Breakdown)
}

func appendTimeOrNull(dst []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(dst, "null"...)
	}
	return appendTime(dst, t)
}
