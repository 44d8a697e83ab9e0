package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// CartView is a cart as it is evaluated for a visitor of its store.
type CartView struct {
	Store *commerce.Store
	*commerce.Evaluation
}

// Cart is the cart of the envelope. Spec: Cart envelope.
var Cart = field.Object("Cart",
	field.Of(cartState, func(v CartView) *commerce.Cart { return v.Cart }),
	field.Of(cartDiscounts, func(v CartView) *commerce.Evaluation { return v.Evaluation }),
	field.Value("policy", Policy, "The store's current settings.", func(v CartView) PolicyView { return PolicyView{&v.Store.Policy, v.VATDisplay} }),
	field.Of(cartQuote, func(v CartView) *commerce.Evaluation { return v.Evaluation }),
)

var cartState = field.Rows(
	field.Member("id", UUID, "Keep it secret: a visitor needs no more to use the cart.", cartID),
	Constant[*commerce.Cart]("currency", commerce.Currency, ""),
	field.Value("status", Names("active", "converted", "merged"), "Only an active cart accepts writes.",
		func(c *commerce.Cart) string { return c.Status.String() }),
	field.Member("email", TextOrNull, "Lower case.", cartEmail),
	field.Member("metadata", Metadata, "The metadata that the storefront has set.", func(c *commerce.Cart) *commerce.Metadata { return &c.Metadata }),
	field.Value("discount_code", field.Pointer(Text), "The code that was attached first, as it was sent.", (*commerce.Cart).FirstCode),
)

var cartDiscounts = field.Rows(
	field.Value("discount_code_error", codeError, "Why the code has no effect; null if it applies or none is set.", (*commerce.Evaluation).FirstCodeError),
	appliedDiscounts,
)

var appliedDiscounts = field.Member("discounts", field.Viewed(Discount, (*commerce.AppliedDiscount).Frozen), "In the order of their application.",
	func(e *commerce.Evaluation) *[]commerce.AppliedDiscount { return &e.Discounts })

var cartQuote = field.Rows(
	field.Member("requires_quote", Boolean, "If true, checkout refuses the cart with QUOTE_REQUIRED.",
		func(e *commerce.Evaluation) *bool { return &e.RequiresQuote }),
	field.Member("quote_reasons", quoteReasons, "", func(e *commerce.Evaluation) *[]string { return &e.QuoteReasons }),
	field.Self("lines", field.Counted(CartLine,
		func(e *commerce.Evaluation) int { return len(e.Cart.Lines) }, cartLine), "In the order in which they were first added."),
	field.Self("totals", CartTotals, ""),
)

var quoteReasons = field.Values(Names("cart_threshold", "configurator_choice", "customer_group", "product_purchasability"))

func cartID(c *commerce.Cart) *uuid.UUID { return &c.ID }
func cartEmail(c *commerce.Cart) *string { return &c.Email }

// cartLine is a line with its evaluated total.
func cartLine(e *commerce.Evaluation, i int) LineView {
	return LineView{&e.Cart.Lines[i], e.LineTotals[i]}
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

var cartAnswer = field.Rows(
	field.Value("data", Cart, "", func(v CartAnswerView) CartView { return v.CartView }),
	field.If(func(v CartAnswerView) bool { return v.Visitor != nil }, field.Self(IncludeDetails, CartDetails, "With `include=details`.")),
)

// CartAnswer is the envelope of a cart.
var CartAnswer = field.Object("CartAnswer", cartAnswer...)

// CartRowView is a cart of a list with its total.
type CartRowView struct {
	Cart  *commerce.Cart
	Total commerce.Amount
}

// CartRow is a row of the list of carts.
var CartRow = field.Object("CartRow", CartRowFields...)

// CartRowFields are the fields of a CartRow.
var CartRowFields = field.Rows(
	field.Of(field.Rows(
		field.Member("id", UUID, "", cartID),
		field.Value("lines_count", Integer, "", func(c *commerce.Cart) int { return len(c.Lines) }),
	), cartOfRow),
	field.Value("total", Money, "As totals.total of the cart.", func(v CartRowView) commerce.Amount { return v.Total }),
	field.Of(field.Rows(
		field.Member("email", TextOrNull, "", cartEmail),
		field.Member("created_at", Time, "", func(c *commerce.Cart) *time.Time { return &c.CreatedAt }),
		field.Member("last_activity_at", Time, "The last write.", func(c *commerce.Cart) *time.Time { return &c.UpdatedAt }),
		field.Member("expires_at", Time, "", func(c *commerce.Cart) *time.Time { return &c.ExpiresAt }),
	), cartOfRow),
)

func cartOfRow(v CartRowView) *commerce.Cart { return v.Cart }
