package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// CartView is a cart as it is evaluated for a visitor of its store.
type CartView struct {
	Store *commerce.Store
	*commerce.Evaluation
}

// Cart is the cart of the envelope. Spec: Cart envelope.
var Cart = Object("Cart",
	Member("id", UUID, "Keep it secret: a visitor needs no more to use the cart.", func(v CartView) uuid.UUID { return v.Cart.ID }),
	Constant[CartView]("currency", commerce.Currency, ""),
	Member("status", Names("active", "converted", "merged"), "Only an active cart accepts writes.",
		func(v CartView) string { return v.Cart.Status.String() }),
	Member("email", TextOrNull, "Lower case.", func(v CartView) string { return v.Cart.Email }),
	Member("metadata", Metadata, "The metadata that the storefront has set.", func(v CartView) commerce.Metadata { return v.Cart.Metadata }),
	Member("discount_code", Pointer(Text), "The code that was attached first, as it was sent.", func(v CartView) *string { return v.Cart.FirstCode() }),
	Member("discount_code_error", codeError,
		"Why the code has no effect; null if it applies or none is set.", func(v CartView) string { return v.Evaluation.FirstCodeError() }),
	Member("discounts", List(Discount, (*commerce.AppliedDiscount).Frozen), "In the order of their application.",
		func(v CartView) []commerce.AppliedDiscount { return v.Evaluation.Discounts }),
	Member("policy", Policy, "The store's current settings.",
		func(v CartView) PolicyView { return PolicyView{&v.Store.Policy, v.Evaluation.VATDisplay} }),
	Member("requires_quote", Boolean, "If true, checkout refuses the cart with QUOTE_REQUIRED.", func(v CartView) bool { return v.Evaluation.RequiresQuote }),
	Member("quote_reasons", quoteReasons, "",
		func(v CartView) []string { return v.Evaluation.QuoteReasons }),
	Self("lines", Counted(CartLine, func(v CartView) int { return len(v.Cart.Lines) }, cartLine), "In the order in which they were first added."),
	Member("totals", CartTotals, "", func(v CartView) *commerce.Evaluation { return v.Evaluation }),
)

var quoteReasons = List(Names("cart_threshold", "configurator_choice", "customer_group", "product_purchasability"), deref[string])

// cartLine is a line with its evaluated total.
func cartLine(v CartView, i int) LineView {
	return LineView{&v.Cart.Lines[i], v.Evaluation.LineTotals[i]}
}

// CartAnswerView is a cart for an answer. Visitor is nil unless the answer has the cart's details, Stock
// unless they have the stock.
type CartAnswerView struct {
	CartView
	Visitor *commerce.Visitor
	Stock   *commerce.CartStock
}

// IncludeDetails is the value of ?include= that adds a cart's details, IncludeStock the one that adds the
// available stock to them.
const (
	IncludeDetails = "details"
	IncludeStock   = "stock"
)

var cartAnswer = Rows(
	Member("data", Cart, "", func(v CartAnswerView) CartView { return v.CartView }),
	Self(IncludeDetails, CartDetails, "With `include=details`.").If(func(v CartAnswerView) bool { return v.Visitor != nil }),
)

// CartAnswer is the envelope of a cart.
var CartAnswer = Object("CartAnswer", cartAnswer...)

// CartRowView is a cart of a list with its total.
type CartRowView struct {
	Cart  *commerce.Cart
	Total commerce.Amount
}

// CartRow is a row of the list of carts.
var CartRow = Object("CartRow", CartRowFields...)

// CartRowFields are the fields of a CartRow.
var CartRowFields = Rows(
	Member("id", UUID, "", func(v CartRowView) uuid.UUID { return v.Cart.ID }),
	Member("lines_count", Integer, "", func(v CartRowView) int { return len(v.Cart.Lines) }),
	Member("total", Money, "As totals.total of the cart.", func(v CartRowView) commerce.Amount { return v.Total }),
	Member("email", TextOrNull, "", func(v CartRowView) string { return v.Cart.Email }),
	Member("created_at", Time, "", func(v CartRowView) time.Time { return v.Cart.CreatedAt }),
	Member("last_activity_at", Time, "The last write.", func(v CartRowView) time.Time { return v.Cart.UpdatedAt }),
	Member("expires_at", Time, "", func(v CartRowView) time.Time { return v.Cart.ExpiresAt }),
)
