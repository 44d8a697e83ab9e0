package answers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/field"
)

// The forms of an order: docs/api/checkout.md#orders.
var (
	Order    = field.Object("Order", slices.Concat(orderHead, afterSale, settled, orderShare, field.Rows(partsOf(Part)), orderLines, orderRest)...)
	OrderRow = field.Object("OrderRow",
		field.Of(slices.Concat(orderHead, afterSale, settled), orderOfRow),
		shippingShare(func(r engine.OrderRow) (commerce.Amount, bool) { return r.ShippingShare, r.Shipping != nil }),
		field.Of(field.Rows(partsOf(Part)), orderOfRow),
		field.Value("lines_count", Integer, "", func(r engine.OrderRow) int { return r.LinesCount }),
		field.Of(orderRest, orderOfRow),
	)
	OrderAnswer = field.Object("OrderAnswer", field.Self("data", Order, ""))
	// StoreOrder is an order as the merchant's own systems see it, OrderNews the same without lines, for events.
	StoreOrder = field.Object("StoreOrder", storeOrder...)
	OrderNews  = field.Object("", slices.Concat(storeHead, orderRest)...)
)

var (
	storeHead  = slices.Concat(orderHead, storeAfterSale, settled, orderShare, field.Rows(partsOf(StorePart)))
	storeOrder = slices.Concat(storeHead, orderLines, orderRest)
)

func orderOfRow(r engine.OrderRow) *commerce.Order { return r.Order }

var orderHead = field.Rows(
	field.Member("id", UUID, "", func(o *commerce.Order) *uuid.UUID { return &o.ID }),
	field.Member("number", LongNumber, "1, 2, 3 … in each store, without a gap.", func(o *commerce.Order) *int64 { return &o.Number }),
	field.Member("cart_id", UUIDOrNull, "", func(o *commerce.Order) *uuid.UUID { return &o.CartID }),
	field.Member("quote_id", UUIDOrNull, "", func(o *commerce.Order) *uuid.UUID { return &o.QuoteID }),
	field.Value("status", Names(commerce.OrderStatusNames()...), "", func(o *commerce.Order) string { return o.Status.String() }),
	Constant[*commerce.Order]("currency", commerce.Currency, ""),
	field.Member("email", TextOrNull, "Null after an erasure.", func(o *commerce.Order) *string { return &o.Email }),
	field.Value("customer_id", UUIDOrNull, "The account, else the guest, else null. contact_id is the same.", orderCustomer),
	field.Value("contact_id", UUIDOrNull, "", orderCustomer),
	field.Member("customer_note", TextOrNull, "", func(o *commerce.Order) *string { return &o.CustomerNote }),
	field.Member("reference", TextOrNull, "", func(o *commerce.Order) *string { return &o.Reference }),
	field.Member("metadata", Metadata, "The cart's at that moment.", func(o *commerce.Order) *commerce.Metadata { return &o.Metadata }),
	field.Member("placed_at", Time, "", func(o *commerce.Order) *time.Time { return &o.PlacedAt }),
	field.If(func(o *commerce.Order) bool { return !o.ArchivedAt.IsZero() }, field.Member("archived_at", Time,
		"Only of an order of which the operator has archived the rest: its lists are empty, its texts and addresses null.",
		func(o *commerce.Order) *time.Time { return &o.ArchivedAt })),
)

func orderCustomer(o *commerce.Order) uuid.UUID { return o.Customer.ID }

var orderLines = field.Rows(field.Value("lines", soldLines(OrderLine), "", func(o *commerce.Order) SoldLines {
	shares, _ := o.Shares()
	return SoldLines{Lines: o.Lines, Tax: &o.Tax, counts: o.Counts(), shares: shares, waiting: o.Waiting()}
}))

var orderRest = field.Rows(
	field.Value("discounts", discounts, "The same as discount_breakdown.", orderDiscounts),
	field.Value("discount_breakdown", discounts, "With the shipping discount.", orderDiscounts),
	field.Value("shipping_method", field.OrNull(OrderShippingMethod), "", shippingOf),
	field.Member("shipping_address", field.OrNull(OrderAddress), "", func(o *commerce.Order) **commerce.Address { return &o.ShippingAddress }),
	field.Member("billing_address", field.OrNull(OrderAddress), "", func(o *commerce.Order) **commerce.Address { return &o.BillingAddress }),
	field.Value("totals", OrderTotals, "", func(o *commerce.Order) *commerce.OrderTotals { return &o.Totals }),
	field.Member("discount_total", Money, "The same as in totals.", func(o *commerce.Order) *commerce.Amount { return &o.Totals.DiscountTotal }),
	field.Of(soldTaxation, func(o *commerce.Order) SoldTaxationView { return SoldTaxationView{&o.Tax, o.VATID} }),
)

var discounts = field.Values(Discount)

func orderDiscounts(o *commerce.Order) []commerce.OrderDiscount { return o.Discounts }
