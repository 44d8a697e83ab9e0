package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
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

// CopyView is a new cart with the lines of its original that it lacks.
type CopyView struct {
	CartAnswerView
	LeftOut []commerce.LeftOut
}

// CopyAnswer is the envelope of the new cart, with the lines that it lacks.
var CopyAnswer = field.Object("CopyAnswer",
	field.Of(cartAnswer, func(v CopyView) CartAnswerView { return v.CartAnswerView }),
	field.Value("left_out", field.List(LeftOutLine),
		"The lines that the new cart lacks; of a cancelled or unpaid order also what is short. Empty on a replay.",
		func(v CopyView) []commerce.LeftOut { return v.LeftOut }),
)

// LeftOutLine is a line that a copy lacks.
var LeftOutLine = field.Object("LeftOutLine",
	field.Member("product_id", UUID, "", func(l *commerce.LeftOut) *uuid.UUID { return &l.ProductID }),
	field.Member("variant_id", UUIDOrNull, "", func(l *commerce.LeftOut) *uuid.UUID { return &l.VariantID }),
	field.Member("quantity", Quantity, "", func(l *commerce.LeftOut) *commerce.Quantity { return &l.Quantity }),
	field.Member("properties", propertiesOrNull, "The line's texts; null if it has none.",
		func(l *commerce.LeftOut) **commerce.Properties { return &l.Properties }),
	field.Member("reason", Text, "The code with which an add of the line is refused today, or the refusal's message if it has no code; "+
		"OUT_OF_STOCK for what is short of a line that the cart has.",
		func(l *commerce.LeftOut) *string { return &l.Reason }),
)

// CartDetails is what a page shows of a cart beside its envelope. docs/api/carts.md#details.
var CartDetails = field.Object("CartDetails",
	field.Value("requires_shipping", Boolean, "true if a line's product is shipped: the order then needs a method and an address.",
		func(v CartAnswerView) bool { return v.Cart.RequiresShipping(v.Store) }),
	field.Member("merged_into", UUIDOrNull, "Of a merged cart the cart that it was folded into. Follow it until one is active or 404.",
		func(v CartAnswerView) *uuid.UUID { return &v.Cart.MergedInto }),
	field.Value("discount_codes", discountCodes, "All attached codes, in the order of attaching.",
		func(v CartAnswerView) *commerce.Evaluation { return v.Evaluation }),
	field.Of(taxation, func(v CartAnswerView) *commerce.Taxation { return &v.Tax }),
	field.Self("lines", Kind[CartAnswerView]{Schema: openapi.Map(CartLineDetails.Schema), Append: appendLineDetails}, "By the line's id."),
)

// CartLineDetails are the details of a line.
var CartLineDetails = field.Object("CartLineDetails",
	field.NullUnless(hasProduct, field.Member("slug", Text, "The product's. This field and the next seven are null if the product is gone.",
		func(d *commerce.LineDetails) *string { return &d.Product.Slug })),
	field.NullUnless(hasVariant, field.Member("variant_name", Text, "null also without variant.",
		func(d *commerce.LineDetails) *string { return &d.Variant.Name })),
	field.NullUnless(hasProduct,
		field.Value("unit", unit, "", func(d *commerce.LineDetails) string { return d.Product.Unit.String() }),
		field.Member("tax_rate", Percent, "In per cent.", func(d *commerce.LineDetails) *commerce.Percent { return &d.Rate })),
	field.Member("media", field.OrNull(Picture), "The variant's first picture, else the product's; null if there is none.",
		func(d *commerce.LineDetails) **commerce.Media { return &d.Picture }),
	field.NullUnless(hasVariant, field.Member("attributes", Attributes, "The variant's; null without variant.",
		func(d *commerce.LineDetails) *[]commerce.Attribute { return &d.Variant.Attributes })),
	field.NullUnless(hasProduct, field.Member("requires_shipping", Boolean, "", func(d *commerce.LineDetails) *bool { return &d.Product.RequiresShipping })),
	field.NullUnless(showsOriginal, field.Member("original_unit_price", Money,
		"The base price, or the group's, if the policy shows it, it is above the unit price, and "+
			"a present price for the line's quantity equals the unit price.", func(d *commerce.LineDetails) *commerce.Amount { return &d.Original })),
	field.Member("stored_unit_price", Money, "What the last add, change or claim stored.", func(d *commerce.LineDetails) *commerce.Amount { return &d.Stored }),
	field.NullUnless(hasCurrent, field.Member("current_unit_price", Money, "What a PATCH of the line with its own quantity would store now, "+
		"also where prices are hidden from guests. null for a configured line, and if the product cannot be priced.",
		func(d *commerce.LineDetails) *commerce.Amount { return &d.Current })),
	field.Value("price_changed", Boolean, "`current_unit_price` is not null and differs from `stored_unit_price`.", (*commerce.LineDetails).PriceChanged),
	field.Member("full_total", Money, "The line before discounts.", func(d *commerce.LineDetails) *commerce.Amount { return &d.Full }),
	field.Member("discount_amount", Money, "The line's share of the discounts: full_total − discount_amount = line_total.",
		func(d *commerce.LineDetails) *commerce.Amount { return &d.Discount }),
	field.Member("unit_price_without_tax", Money, "For display; rounded by itself. The totals stay the truth.",
		func(d *commerce.LineDetails) *commerce.Amount { return &d.UnitNet }),
	field.Member("line_total_without_tax", Money, "For display, as above; so are the next ones.",
		func(d *commerce.LineDetails) *commerce.Amount { return &d.TotalNet }),
	field.Member("full_total_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.FullNet }),
	field.Member("discount_amount_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.DiscountNet }),
	field.NullUnless(showsOriginal,
		field.Member("original_unit_price_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.OriginalNet })),
	field.Member("stored_unit_price_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.StoredNet }),
	field.NullUnless(hasCurrent,
		field.Member("current_unit_price_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.CurrentNet })),
	field.Of(pack, (*commerce.LineDetails).Pack),
	field.Value("purchasable", Boolean, "false if a checkout would refuse the line today. It knows about too little stock only with `include=details,stock`.",
		func(d *commerce.LineDetails) bool { return d.Refused == nil }),
	field.NullUnless(func(d *commerce.LineDetails) bool { return d.Refused != nil }, field.Value("reason", Text,
		"Why not: the code of the refusal, or its message if it has none.", func(d *commerce.LineDetails) string { return d.Refused.Reason() })),
	field.If(func(d *commerce.LineDetails) bool { return d.StockRead },
		field.NullUnless(func(d *commerce.LineDetails) bool { return d.HasLevel },
			field.Value("available", Stock, "With `include=details,stock`: what the cart can have of the line's product or variant, what it holds included; "+
				"null if its stock is not tracked.", func(d *commerce.LineDetails) commerce.Micros { return d.Level.Available() }),
			field.Value("available_now", Stock, "With `include=details,stock`: what is there already of it.",
				func(d *commerce.LineDetails) commerce.Micros { return d.Level.Now() })),
		field.Member("available_from", DateOrNull, "With `include=details,stock`: the day on which it is expected, while nothing is there and it can be ordered; "+
			"else null.", func(d *commerce.LineDetails) *commerce.Date { return &d.State.From })),
)

func hasProduct(d *commerce.LineDetails) bool    { return d.Product != nil }
func hasVariant(d *commerce.LineDetails) bool    { return d.Variant != nil }
func hasCurrent(d *commerce.LineDetails) bool    { return d.HasCurrent }
func showsOriginal(d *commerce.LineDetails) bool { return d.ShowsOriginal }

// appendLineDetails writes the details of the lines by their ids.
func appendLineDetails(dst []byte, v CartAnswerView) []byte {
	prices := v.Store.PriceView(v.Visitor, v.Evaluation.Tax.Country, v.Evaluation.Now)
	dst = append(dst, '{')
	for i := range v.Cart.Lines {
		dst = append(UUID.Append(field.Comma(dst, i), v.Cart.Lines[i].ID), ':')
		dst = CartLineDetails.Append(dst, v.Evaluation.LineDetails(v.Store, prices, i, v.Stock))
	}
	return append(dst, '}')
}
