package answers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/field"
)

// QuoteView is a quote as it is at a time. Token is empty unless the answer shows the quote's token; LinesCount is for rows of a list.
type QuoteView struct {
	*commerce.Quote
	Totals     *commerce.OrderTotals
	Now        time.Time
	Token      string
	LinesCount int
	// OrderTotal is the total with the fixed delivery; nil without one.
	OrderTotal *commerce.Amount
}

// QuoteAt is a quote at a time, without its token.
func QuoteAt(q *commerce.Quote, now time.Time) QuoteView {
	totals := q.Totals()
	v := QuoteView{Quote: q, Totals: &totals, Now: now}
	if total, fixed := q.OrderTotal(); fixed {
		v.OrderTotal = &total
	}
	return v
}

// QuoteRowAt is a quote of a list.
func QuoteRowAt(row *engine.QuoteRow, now time.Time) QuoteView {
	return QuoteView{Quote: row.Quote, Totals: &row.Totals, Now: now, LinesCount: row.LinesCount, OrderTotal: row.OrderTotal}
}

// The forms of a quote: docs/api/quotes.md#the-request.
var (
	Quote    = field.Object("Quote", quote...)
	QuoteRow = field.Object("QuoteRow", slices.Concat(quoteHead,
		field.Rows(field.Value("lines_count", Integer, "", func(v QuoteView) int { return v.LinesCount })), quoteRest, field.Rows(quoteCreated), quoteTerms)...)
	QuoteAnswer = field.Object("QuoteAnswer", field.Self("data", Quote, ""))
	// QuoteAccepted is an accepted quote with its order.
	QuoteAccepted = field.Object("QuoteAccepted",
		field.Value("quote", Quote, "", func(v AcceptedView) QuoteView { return v.Quote }),
		field.Value("order", Order, "", func(v AcceptedView) *commerce.Order { return v.Order }))
)

var quoteLines = field.Rows(field.Value("lines", soldLines(QuoteLine), "",
	func(v QuoteView) SoldLines { return SoldLines{Lines: v.Goods.Lines, Tax: &v.Tax} }))

// quoteTerms are the members of the merchant's offers.
var quoteTerms = field.Rows(
	field.Member("version", Integer, "Counts the offers; 0 ahead of the first. An accept names it.", func(v QuoteView) *int { return &v.Version }),
	field.Member("offer_message", TextOrNull, "The merchant's.", func(v QuoteView) *string { return &v.OfferMessage }),
	field.Value("shipping", field.OrNull(quoteShipping), "The fixed delivery; null if the customer chooses a method.", quoteShippingOf),
	field.Value("order_total", field.Pointer(Money), "The total with the fixed delivery; null without one.",
		func(v QuoteView) *commerce.Amount { return v.OrderTotal }),
	field.Member("withdrawn_at", TimeOrNull, "", func(v QuoteView) *time.Time { return &v.WithdrawnAt }),
	field.Member("withdraw_reason", TextOrNull, "", func(v QuoteView) *string { return &v.WithdrawReason }),
	field.Value("change_request", field.OrNull(changeRequest), "The customer's open wish for a change.", func(v QuoteView) changeAsked {
		return changeAsked{v.ChangeMessage, v.ChangeAt}
	}),
)

type changeAsked struct {
	message string
	at      time.Time
}

var changeRequest = field.Object("QuoteChangeAsked",
	field.Value("message", TextOrNull, "Null after an erasure.", func(c changeAsked) string { return c.message }),
	field.Value("at", Time, "", func(c changeAsked) time.Time { return c.at }))

// quoteShippingView is the fixed delivery of a quote with its taxation.
type quoteShippingView struct {
	*commerce.FixedDelivery
	id  uuid.UUID
	tax *commerce.Taxation
}

func quoteShippingOf(v QuoteView) (s quoteShippingView) {
	if v.Delivery == nil {
		return s
	}
	s = quoteShippingView{v.Delivery, v.Delivery.MethodID, &v.Tax}
	if s.id == uuid.Nil {
		s.id = v.ID
	}
	return s
}

var quoteShipping = field.Object("QuoteShipping",
	field.Value("shipping_method_id", UUID, "What an accept may send: the method's id, else the quote's.", func(s quoteShippingView) uuid.UUID { return s.id }),
	field.Member("name", Text, "", func(s quoteShippingView) *string { return &s.Name }),
	field.Member("price_amount", Amount, "In minor units.", func(s quoteShippingView) *commerce.Amount { return &s.Price }),
	field.Member("price", Money, "", func(s quoteShippingView) *commerce.Amount { return &s.Price }),
	field.Value("tax_rate", Percent, "In per cent.", func(s quoteShippingView) commerce.Percent { return s.tax.Charged(s.Rate) }))

var quote = slices.Concat(quoteHead,
	quoteLines,
	quoteRest,
	field.Rows(
		field.If(func(v QuoteView) bool { return v.Token != "" }, field.Value("token", Text,
			"The quote's secret; only in the answer to its request, and to its customer by its id.", func(v QuoteView) string { return v.Token })),
		quoteCreated),
	quoteTerms)

// AcceptedView is an accepted quote with its order.
type AcceptedView struct {
	Quote QuoteView
	Order *commerce.Order
}

var quoteHead = field.Rows(
	field.Member("id", UUID, "", func(v QuoteView) *uuid.UUID { return &v.ID }),
	field.Member("number", field.OrNull(LongNumber), "1, 2, 3 … in each store, apart from the numbers of orders; null ahead of the first offer.",
		func(v QuoteView) *int64 { return &v.Number }),
	field.Value("status", Names("draft", "offered", "accepted", "declined", "expired", "withdrawn"), "", func(v QuoteView) string { return v.Status(v.Now) }),
	field.Value("acceptance_mode", Names("click", "signature"), "The store's setting when the quote was requested.",
		func(v QuoteView) string { return v.AcceptanceMode() }),
	Constant[QuoteView]("currency", commerce.Currency, ""),
	field.Member("cart_id", UUIDOrNull, "Null for a quote of the merchant's own.", func(v QuoteView) *uuid.UUID { return &v.CartID }),
	field.Value("customer_id", UUIDOrNull, "The account, else the guest, else null. contact_id is the same.", quoteCustomer),
	field.Value("contact_id", UUIDOrNull, "", quoteCustomer),
	field.Member("email", TextOrNull, "Null after an erasure.", func(v QuoteView) *string { return &v.Email }),
	field.Member("name", TextOrNull, "", func(v QuoteView) *string { return &v.Name }),
	field.Member("company_name", TextOrNull, "", func(v QuoteView) *string { return &v.CompanyName }),
	field.Member("phone", TextOrNull, "", func(v QuoteView) *string { return &v.Phone }),
	field.Member("message", TextOrNull, "", func(v QuoteView) *string { return &v.Message }),
	field.Member("reference", TextOrNull, "", func(v QuoteView) *string { return &v.Reference }),
	field.Member("metadata", Metadata, "The cart's at that moment.", func(v QuoteView) *commerce.Metadata { return &v.Metadata }),
	field.Member("quote_reasons", Texts, "Why the cart needed a quote.", func(v QuoteView) *[]string { return &v.Reasons }),
)

func quoteCustomer(v QuoteView) uuid.UUID { return v.Customer.ID }

var quoteRest = field.Rows(
	field.Member("discounts", discounts, "", func(v QuoteView) *[]commerce.OrderDiscount { return &v.Goods.Discounts }),
	field.Member("discount_total", Money, "The same as in totals.", func(v QuoteView) *commerce.Amount { return &v.Totals.DiscountTotal }),
	field.Value("totals", quoteTotals, "", func(v QuoteView) *commerce.OrderTotals { return v.Totals }),
	field.Member("valid_until", TimeOrNull, "Null ahead of the first offer.", func(v QuoteView) *time.Time { return &v.ValidUntil }),
	field.Member("order_id", UUIDOrNull, "The order of an accepted quote.", func(v QuoteView) *uuid.UUID { return &v.OrderID }),
	field.Member("signer_name", TextOrNull, "", func(v QuoteView) *string { return &v.SignerName }),
	field.Member("accepted_at", TimeOrNull, "", func(v QuoteView) *time.Time { return &v.AcceptedAt }),
	field.Member("declined_at", TimeOrNull, "", func(v QuoteView) *time.Time { return &v.DeclinedAt }),
	field.Member("decline_reason", TextOrNull, "", func(v QuoteView) *string { return &v.DeclineReason }),
	field.Of(soldTaxation, func(v QuoteView) SoldTaxationView { return SoldTaxationView{&v.Tax, v.VATID} }),
)

var quoteCreated = field.Member("created_at", Time, "", func(v QuoteView) *time.Time { return &v.CreatedAt })
