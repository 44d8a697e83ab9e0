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
	Quote    = Object("Quote", quote...)
	QuoteRow = Object("QuoteRow", Join(quoteHead,
		Rows(Value("lines_count", Integer, "", func(v QuoteView) int { return v.LinesCount })), quoteRest, Rows(quoteCreated), quoteTerms)...)
	QuoteAnswer = Object("QuoteAnswer", Self("data", Quote, ""))
	// QuoteAccepted is an accepted quote with its order.
	QuoteAccepted = Object("QuoteAccepted",
		Value("quote", Quote, "", func(v AcceptedView) QuoteView { return v.Quote }),
		Value("order", Order, "", func(v AcceptedView) *commerce.Order { return v.Order }))
)

var quoteLines = Rows(Value("lines", soldLines(QuoteLine), "",
	func(v QuoteView) SoldLines { return SoldLines{Lines: v.Goods.Lines, Tax: &v.Tax} }))

// quoteTerms are the members of the merchant's offers.
var quoteTerms = Rows(
	Member("version", Integer, "Counts the offers; 0 ahead of the first. An accept names it.", func(v QuoteView) *int { return &v.Version }),
	Member("offer_message", TextOrNull, "The merchant's.", func(v QuoteView) *string { return &v.OfferMessage }),
	Value("shipping", OrNull(quoteShipping), "The fixed delivery; null if the customer chooses a method.", quoteShippingOf),
	Value("order_total", Pointer(Money), "The total with the fixed delivery; null without one.", func(v QuoteView) *commerce.Amount { return v.OrderTotal }),
	Member("withdrawn_at", TimeOrNull, "", func(v QuoteView) *time.Time { return &v.WithdrawnAt }),
	Member("withdraw_reason", TextOrNull, "", func(v QuoteView) *string { return &v.WithdrawReason }),
	Value("change_request", OrNull(changeRequest), "The customer's open wish for a change.", func(v QuoteView) changeAsked {
		return changeAsked{v.ChangeMessage, v.ChangeAt}
	}),
)

type changeAsked struct {
	message string
	at      time.Time
}

var changeRequest = Object("QuoteChangeAsked",
	Value("message", TextOrNull, "Null after an erasure.", func(c changeAsked) string { return c.message }),
	Value("at", Time, "", func(c changeAsked) time.Time { return c.at }))

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

var quoteShipping = Object("QuoteShipping",
	Value("shipping_method_id", UUID, "What an accept may send: the method's id, else the quote's.", func(s quoteShippingView) uuid.UUID { return s.id }),
	Member("name", Text, "", func(s quoteShippingView) *string { return &s.Name }),
	Member("price_amount", Amount, "In minor units.", func(s quoteShippingView) *commerce.Amount { return &s.Price }),
	Member("price", Money, "", func(s quoteShippingView) *commerce.Amount { return &s.Price }),
	Value("tax_rate", Percent, "In per cent.", func(s quoteShippingView) commerce.Percent { return s.tax.Charged(s.Rate) }))

var quote = Join(quoteHead,
	quoteLines,
	quoteRest,
	Rows(
		If(func(v QuoteView) bool { return v.Token != "" }, Value("token", Text,
			"The quote's secret; only in the answer to its request, and to its customer by its id.", func(v QuoteView) string { return v.Token })),
		quoteCreated),
	quoteTerms)

// AcceptedView is an accepted quote with its order.
type AcceptedView struct {
	Quote QuoteView
	Order *commerce.Order
}

var quoteHead = Rows(
	Member("id", UUID, "", func(v QuoteView) *uuid.UUID { return &v.ID }),
	Member("number", OrNull(LongNumber), "1, 2, 3 … in each store, apart from the numbers of orders; null ahead of the first offer.",
		func(v QuoteView) *int64 { return &v.Number }),
	Value("status", Names("draft", "offered", "accepted", "declined", "expired", "withdrawn"), "", func(v QuoteView) string { return v.Status(v.Now) }),
	Value("acceptance_mode", Names("click", "signature"), "The store's setting when the quote was requested.",
		func(v QuoteView) string { return v.AcceptanceMode() }),
	Constant[QuoteView]("currency", commerce.Currency, ""),
	Member("cart_id", UUIDOrNull, "Null for a quote of the merchant's own.", func(v QuoteView) *uuid.UUID { return &v.CartID }),
	Value("customer_id", UUIDOrNull, "The account, else the guest, else null. contact_id is the same.", quoteCustomer),
	Value("contact_id", UUIDOrNull, "", quoteCustomer),
	Member("email", TextOrNull, "Null after an erasure.", func(v QuoteView) *string { return &v.Email }),
	Member("name", TextOrNull, "", func(v QuoteView) *string { return &v.Name }),
	Member("company_name", TextOrNull, "", func(v QuoteView) *string { return &v.CompanyName }),
	Member("phone", TextOrNull, "", func(v QuoteView) *string { return &v.Phone }),
	Member("message", TextOrNull, "", func(v QuoteView) *string { return &v.Message }),
	Member("reference", TextOrNull, "", func(v QuoteView) *string { return &v.Reference }),
	Member("metadata", Metadata, "The cart's at that moment.", func(v QuoteView) *commerce.Metadata { return &v.Metadata }),
	Member("quote_reasons", Texts, "Why the cart needed a quote.", func(v QuoteView) *[]string { return &v.Reasons }),
)

func quoteCustomer(v QuoteView) uuid.UUID { return v.Customer.ID }

var quoteRest = Rows(
	Member("discounts", discounts, "", func(v QuoteView) *[]commerce.OrderDiscount { return &v.Goods.Discounts }),
	Member("discount_total", Money, "The same as in totals.", func(v QuoteView) *commerce.Amount { return &v.Totals.DiscountTotal }),
	Value("totals", quoteTotals, "", func(v QuoteView) *commerce.OrderTotals { return v.Totals }),
	Member("valid_until", TimeOrNull, "Null ahead of the first offer.", func(v QuoteView) *time.Time { return &v.ValidUntil }),
	Member("order_id", UUIDOrNull, "The order of an accepted quote.", func(v QuoteView) *uuid.UUID { return &v.OrderID }),
	Member("signer_name", TextOrNull, "", func(v QuoteView) *string { return &v.SignerName }),
	Member("accepted_at", TimeOrNull, "", func(v QuoteView) *time.Time { return &v.AcceptedAt }),
	Member("declined_at", TimeOrNull, "", func(v QuoteView) *time.Time { return &v.DeclinedAt }),
	Member("decline_reason", TextOrNull, "", func(v QuoteView) *string { return &v.DeclineReason }),
	Of(soldTaxation, func(v QuoteView) SoldTaxationView { return SoldTaxationView{&v.Tax, v.VATID} }),
)

var quoteCreated = Member("created_at", Time, "", func(v QuoteView) *time.Time { return &v.CreatedAt })
