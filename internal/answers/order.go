package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// The forms of an order: docs/api/checkout.md#orders.
var (
	Order    = Object("Order", Join(orderHead, afterSale, settled, orderShare, Rows(partsOf(Part)), orderLines, orderRest)...)
	OrderRow = Object("OrderRow",
		Of(Join(orderHead, afterSale, settled), orderOfRow),
		shippingShare(func(r engine.OrderRow) (commerce.Amount, bool) { return r.ShippingShare, r.Shipping != nil }),
		Of(Rows(partsOf(Part)), orderOfRow),
		Value("lines_count", Integer, "", func(r engine.OrderRow) int { return r.LinesCount }),
		Of(orderRest, orderOfRow),
	)
	OrderAnswer = Object("OrderAnswer", Self("data", Order, ""))
	// StoreOrder is an order as the merchant's own systems see it, OrderNews the same without lines, for events.
	StoreOrder = Object("StoreOrder", storeOrder...)
	OrderNews  = Object("", Join(storeHead, orderRest)...)
)

var (
	storeHead  = Join(orderHead, storeAfterSale, settled, orderShare, Rows(partsOf(StorePart)))
	storeOrder = Join(storeHead, orderLines, orderRest)
)

func orderOfRow(r engine.OrderRow) *commerce.Order { return r.Order }

var orderHead = Rows(
	Member("id", UUID, "", func(o *commerce.Order) *uuid.UUID { return &o.ID }),
	Member("number", LongNumber, "1, 2, 3 … in each store, without a gap.", func(o *commerce.Order) *int64 { return &o.Number }),
	Member("cart_id", UUIDOrNull, "", func(o *commerce.Order) *uuid.UUID { return &o.CartID }),
	Member("quote_id", UUIDOrNull, "", func(o *commerce.Order) *uuid.UUID { return &o.QuoteID }),
	Value("status", Names(commerce.OrderStatusNames()...), "", func(o *commerce.Order) string { return o.Status.String() }),
	Constant[*commerce.Order]("currency", commerce.Currency, ""),
	Member("email", TextOrNull, "Null after an erasure.", func(o *commerce.Order) *string { return &o.Email }),
	Value("customer_id", UUIDOrNull, "The account, else the guest, else null. contact_id is the same.", orderCustomer),
	Value("contact_id", UUIDOrNull, "", orderCustomer),
	Member("customer_note", TextOrNull, "", func(o *commerce.Order) *string { return &o.CustomerNote }),
	Member("reference", TextOrNull, "", func(o *commerce.Order) *string { return &o.Reference }),
	Member("metadata", Metadata, "The cart's at that moment.", func(o *commerce.Order) *commerce.Metadata { return &o.Metadata }),
	Member("placed_at", Time, "", func(o *commerce.Order) *time.Time { return &o.PlacedAt }),
	If(func(o *commerce.Order) bool { return !o.ArchivedAt.IsZero() }, Member("archived_at", Time,
		"Only of an order of which the operator has archived the rest: its lists are empty, its texts and addresses null.",
		func(o *commerce.Order) *time.Time { return &o.ArchivedAt })),
)

func orderCustomer(o *commerce.Order) uuid.UUID { return o.Customer.ID }

var orderLines = Rows(Value("lines", soldLines(OrderLine), "", func(o *commerce.Order) SoldLines {
	shares, _ := o.Shares()
	return SoldLines{Lines: o.Lines, Tax: &o.Tax, counts: o.Counts(), shares: shares, waiting: o.Waiting()}
}))

var orderRest = Rows(
	Value("discounts", discounts, "The same as discount_breakdown.", orderDiscounts),
	Value("discount_breakdown", discounts, "With the shipping discount.", orderDiscounts),
	Value("shipping_method", OrNull(OrderShippingMethod), "", shippingOf),
	Member("shipping_address", OrNull(OrderAddress), "", func(o *commerce.Order) **commerce.Address { return &o.ShippingAddress }),
	Member("billing_address", OrNull(OrderAddress), "", func(o *commerce.Order) **commerce.Address { return &o.BillingAddress }),
	Value("totals", OrderTotals, "", func(o *commerce.Order) *commerce.OrderTotals { return &o.Totals }),
	Member("discount_total", Money, "The same as in totals.", func(o *commerce.Order) *commerce.Amount { return &o.Totals.DiscountTotal }),
	Of(soldTaxation, func(o *commerce.Order) SoldTaxationView { return SoldTaxationView{&o.Tax, o.VATID} }),
)

var discounts = Values(Discount)

func orderDiscounts(o *commerce.Order) []commerce.OrderDiscount { return o.Discounts }
