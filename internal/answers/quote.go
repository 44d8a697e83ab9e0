package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// QuoteView is a quote as it is at a time. Token is empty unless the answer shows the quote's token; LinesCount is for rows of a list.
type QuoteView struct {
	*commerce.Quote
	Totals     *commerce.OrderTotals
	Now        time.Time
	Token      string
	LinesCount int
}

// QuoteAt is a quote at a time, without its token.
func QuoteAt(q *commerce.Quote, now time.Time) QuoteView {
	totals := q.Totals()
	return QuoteView{Quote: q, Totals: &totals, Now: now}
}

// QuoteRowAt is a quote of a list.
func QuoteRowAt(row *engine.QuoteRow, now time.Time) QuoteView {
	return QuoteView{Quote: row.Quote, Totals: &row.Totals, Now: now, LinesCount: row.LinesCount}
}

// The forms of a quote: docs/api/quotes.md#the-request.
var (
	Quote    = Object("Quote", quote...)
	QuoteRow = Object("QuoteRow", Join(quoteHead,
		Rows(Member("lines_count", Integer, "", func(v QuoteView) int { return v.LinesCount })), quoteRest, Rows(quoteCreated))...)
	QuoteAnswer = Object("QuoteAnswer", Self("data", Quote, ""))
	// QuoteAccepted is an accepted quote with its order.
	QuoteAccepted = Object("QuoteAccepted",
		Member("quote", Quote, "", func(v AcceptedView) QuoteView { return v.Quote }),
		Member("order", Order, "", func(v AcceptedView) *commerce.Order { return v.Order }))
)

var quote = Join(quoteHead,
	Rows(Member("lines", soldLines(QuoteLine), "", func(v QuoteView) SoldLines { return SoldLines{Lines: v.Goods.Lines, Tax: &v.Tax} })),
	quoteRest,
	Rows(
		Member("token", Text, "The quote's secret; only in the answer to its request, and to its customer by its id.",
			func(v QuoteView) string { return v.Token }).If(func(v QuoteView) bool { return v.Token != "" }),
		quoteCreated))

// AcceptedView is an accepted quote with its order.
type AcceptedView struct {
	Quote QuoteView
	Order *commerce.Order
}

var quoteHead = Rows(
	Member("id", UUID, "", func(v QuoteView) uuid.UUID { return v.ID }),
	Member("number", LongNumber, "1, 2, 3 … in each store, apart from the numbers of orders.", func(v QuoteView) int64 { return v.Number }),
	Member("status", Names("draft", "offered", "accepted", "declined", "expired"), "", func(v QuoteView) string { return v.Status(v.Now) }),
	Member("acceptance_mode", Names("click", "signature"), "The store's setting when the quote was requested.",
		func(v QuoteView) string { return v.AcceptanceMode() }),
	Constant[QuoteView]("currency", commerce.Currency, ""),
	Member("cart_id", UUID, "", func(v QuoteView) uuid.UUID { return v.CartID }),
	Member("customer_id", UUIDOrNull, "The account, else the guest, else null. contact_id is the same.", quoteCustomer),
	Member("contact_id", UUIDOrNull, "", quoteCustomer),
	Member("email", TextOrNull, "Null after an erasure.", func(v QuoteView) string { return v.Email }),
	Member("name", TextOrNull, "", func(v QuoteView) string { return v.Name }),
	Member("company_name", TextOrNull, "", func(v QuoteView) string { return v.CompanyName }),
	Member("phone", TextOrNull, "", func(v QuoteView) string { return v.Phone }),
	Member("message", TextOrNull, "", func(v QuoteView) string { return v.Message }),
	Member("reference", TextOrNull, "", func(v QuoteView) string { return v.Reference }),
	Member("metadata", Metadata, "The cart's at that moment.", func(v QuoteView) commerce.Metadata { return v.Metadata }),
	Member("quote_reasons", Texts, "Why the cart needed a quote.", func(v QuoteView) []string { return v.Reasons }),
)

func quoteCustomer(v QuoteView) uuid.UUID { return v.Customer.ID }

var quoteRest = Join(Rows(
	Member("discounts", discounts, "", func(v QuoteView) []commerce.OrderDiscount { return v.Goods.Discounts }),
	Member("discount_total", Money, "The same as in totals.", func(v QuoteView) commerce.Amount { return v.Totals.DiscountTotal }),
	Member("totals", quoteTotals, "", func(v QuoteView) *commerce.OrderTotals { return v.Totals }),
	Member("valid_until", Time, "", func(v QuoteView) time.Time { return v.ValidUntil }),
	Member("order_id", UUIDOrNull, "The order of an accepted quote.", func(v QuoteView) uuid.UUID { return v.OrderID }),
	Member("signer_name", TextOrNull, "", func(v QuoteView) string { return v.SignerName }),
	Member("accepted_at", TimeOrNull, "", func(v QuoteView) time.Time { return v.AcceptedAt }),
	Member("declined_at", TimeOrNull, "", func(v QuoteView) time.Time { return v.DeclinedAt }),
	Member("decline_reason", TextOrNull, "", func(v QuoteView) string { return v.DeclineReason }),
), Of(soldTaxation, func(v QuoteView) SoldTaxationView { return SoldTaxationView{&v.Tax, v.VATID} }))

var quoteCreated = Member("created_at", Time, "", func(v QuoteView) time.Time { return v.CreatedAt })
