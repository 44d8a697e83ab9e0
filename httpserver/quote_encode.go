package httpserver

import (
	"strconv"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
)

// The shapes of quotes.
var (
	quoteLineShape = soldLineShape("QuoteLine")
	quoteHeadShape = openapi.Object("Quote").
			Has("id", openapi.UUID, "").
			Has("number", openapi.Integer, "1, 2, 3 … in each store, apart from the numbers of orders.").
			Has("status", openapi.Names("draft", "offered", "accepted", "declined", "expired"), "").
			Has("acceptance_mode", openapi.Names("click", "signature"), "The store's setting when the quote was requested.").
			Has("currency", openapi.Names(commerce.Currency), "").
			Has("cart_id", openapi.UUID, "").
			Has("customer_id", openapi.UUID.OrNull(), "The account, else the guest, else null. contact_id is the same.").
			Has("contact_id", openapi.UUID.OrNull(), "").
			Has("email", openapi.Text.OrNull(), "Null after an erasure.").
			Has("name", openapi.Text.OrNull(), "").
			Has("company_name", openapi.Text.OrNull(), "").
			Has("phone", openapi.Text.OrNull(), "").
			Has("message", openapi.Text.OrNull(), "").
			Has("reference", openapi.Text.OrNull(), "").
			Has("metadata", metadataShape, "The cart's at that moment.").
			Has("quote_reasons", openapi.List(openapi.Text), "Why the cart needed a quote.")
	quoteShape = quoteRest(quoteHeadShape.Has("lines", openapi.List(quoteLineShape), "")).
			May("token", openapi.Text, "The quote's secret; only in the answer to its request, and to its customer by its id.").
			Has("created_at", openapi.Time, "")
	quoteRowShape = quoteRest(quoteHeadShape.Named("QuoteRow").Has("lines_count", openapi.Integer, "")).
			Has("created_at", openapi.Time, "")
	quotesAnswer = listOf("QuoteList", quoteRowShape)
	quoteAnswer  = openapi.Object("QuoteAnswer").Has("data", quoteShape, "")
	acceptAnswer = openapi.Object("QuoteAccepted").Has("quote", quoteShape, "").Has("order", orderShape, "")
)

// quoteRest adds the fields after a quote's lines.
func quoteRest(s *openapi.Schema) *openapi.Schema {
	return s.Has("discounts", openapi.List(appliedDiscountShape), "").
		Has("discount_total", moneyShape, "The same as in totals.").
		Has("totals", totalsShape, "").
		Has("valid_until", openapi.Time, "").
		Has("order_id", openapi.UUID.OrNull(), "The order of an accepted quote.").
		Has("signer_name", openapi.Text.OrNull(), "").
		Has("accepted_at", openapi.Time.OrNull(), "").
		Has("declined_at", openapi.Time.OrNull(), "").
		Has("decline_reason", openapi.Text.OrNull(), "")
}

// AppendQuote writes a quote without its token, in its status at a time.
// docs/api/quotes.md#the-request.
func AppendQuote(dst []byte, q *commerce.Quote, now time.Time) []byte {
	return appendQuote(dst, q, now, "")
}

// appendQuote writes a quote, with its token unless that is empty.
func appendQuote(dst []byte, q *commerce.Quote, now time.Time, token string) []byte {
	dst = append(appendQuoteHead(dst, q, now), `,"lines":[`...)
	for i := range q.Goods.Lines {
		dst = append(appendSoldLine(appendComma(dst, i), &q.Goods.Lines[i]), "}}"...)
	}
	totals := q.Totals()
	return appendQuoteRest(append(dst, ']'), q, &totals, token)
}

// appendQuoteRow writes a quote with the number of its lines, for lists.
func appendQuoteRow(dst []byte, q *engine.QuoteRow, now time.Time) []byte {
	dst = appendInt(append(appendQuoteHead(dst, q.Quote, now), `,"lines_count":`...), q.LinesCount)
	return appendQuoteRest(dst, q.Quote, &q.Totals, "")
}

func appendQuoteHead(dst []byte, q *commerce.Quote, now time.Time) []byte {
	dst = appendUUID(append(dst, `{"id":`...), q.ID)
	dst = strconv.AppendInt(append(dst, `,"number":`...), q.Number, 10)
	dst = appendString(append(dst, `,"status":`...), q.Status(now))
	dst = appendString(append(dst, `,"acceptance_mode":`...), q.AcceptanceMode())
	dst = append(dst, `,"currency":"`+commerce.Currency+`","cart_id":`...)
	dst = appendUUID(dst, q.CartID)
	dst = appendUUIDOrNull(append(dst, `,"customer_id":`...), q.Customer.ID)
	dst = appendUUIDOrNull(append(dst, `,"contact_id":`...), q.Customer.ID)
	dst = appendText(append(dst, `,"email":`...), q.Email)
	for _, text := range [...]struct{ member, text string }{
		{`,"name":`, q.Name}, {`,"company_name":`, q.CompanyName}, {`,"phone":`, q.Phone},
		{`,"message":`, q.Message}, {`,"reference":`, q.Reference},
	} {
		dst = appendText(append(dst, text.member...), text.text)
	}
	dst = appendMetadata(append(dst, `,"metadata":`...), q.Metadata)
	return appendStrings(append(dst, `,"quote_reasons":`...), q.Reasons)
}

func appendQuoteRest(dst []byte, q *commerce.Quote, t *commerce.OrderTotals, token string) []byte {
	dst = append(dst, `,"discounts":[`...)
	for i := range q.Goods.Discounts {
		dst = appendDiscount(appendComma(dst, i), &q.Goods.Discounts[i])
	}
	dst = appendMoney(append(dst, `],"discount_total":`...), t.DiscountTotal)
	dst = appendMoney(append(dst, `,"totals":{"subtotal":`...), t.Subtotal)
	dst = appendMoney(append(dst, `,"tax_total":`...), t.TaxTotal)
	dst = appendMoney(append(dst, `,"discount_total":`...), t.DiscountTotal)
	dst = appendMoney(append(dst, `,"total":`...), t.Total)
	dst = appendTaxRows(dst, t.Breakdown)
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

func appendTimeOrNull(dst []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(dst, "null"...)
	}
	return appendTime(dst, t)
}
