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

// afterSale is what became of an order, as its customer sees it; storeAfterSale, as the merchant sees it.
var (
	afterSale = slices.Concat(
		field.Rows(field.Self("payment", field.Object("Payment", payment...), "")),
		shipped,
		field.Rows(field.NullUnless(func(o *commerce.Order) bool { return slices.Contains(commerce.ShownReasons, o.CancelReason) },
			field.Member("cancel_reason", Names(commerce.ShownReasons...), cancelReason, orderCancelReason))))
	storeAfterSale = slices.Concat(
		field.Rows(field.Self("payment", field.Object("StorePayment", append(payment[:len(payment):len(payment)],
			field.Member("reference", TextOrNull, "The one of the recorded payment.", func(o *commerce.Order) *string { return &o.Payment.Reference }))...), "")),
		shipped,
		field.Rows(
			field.Member("cancel_reason", TextOrNull, cancelReason, orderCancelReason),
			field.Member("restocked", Boolean, "Whether the end of the order returned stock.", func(o *commerce.Order) *bool { return &o.Restocked })))
)

func orderCancelReason(o *commerce.Order) *string { return &o.CancelReason }

const cancelReason = "`unpaid` if the order ended because nobody paid, `customer` if its shopper has cancelled it."

var payment = field.Rows(
	field.Value("status", Names(commerce.PaymentStatusNames()...), "not_required if the store does not say that orders must be paid, or for a total of 0.",
		func(o *commerce.Order) string { return o.PaymentStatus().String() }),
	field.Member("paid_at", TimeOrNull, "", func(o *commerce.Order) *time.Time { return &o.Payment.PaidAt }),
	field.Member("due_at", TimeOrNull, "When an unpaid order ends.", func(o *commerce.Order) *time.Time { return &o.Payment.DueAt }),
)

var shipped = field.Rows(
	field.Value("shipment", field.OrNull(Shipment), "The last one; null until something is shipped.", (*commerce.Order).Shipment),
	field.Member("cancelled_at", TimeOrNull, "", func(o *commerce.Order) *time.Time { return &o.CancelledAt }),
)

// Shipment is the last shipment of an order.
var Shipment = field.Object("Shipment",
	field.Of(shipmentDetails(""), func(s *commerce.Shipment) *commerce.ShipmentDetails { return &s.ShipmentDetails }),
	field.Member("shipped_at", Time, "", func(s *commerce.Shipment) *time.Time { return &s.ShippedAt }),
	field.Member("delivered_at", TimeOrNull, "", func(s *commerce.Shipment) *time.Time { return &s.DeliveredAt }),
)

func shipmentDetails(aboutCarrier string) []Field[*commerce.ShipmentDetails] {
	return field.Rows(
		field.Member("carrier", TextOrNull, aboutCarrier, func(s *commerce.ShipmentDetails) *string { return &s.Carrier }),
		field.Member("tracking_number", TextOrNull, "", func(s *commerce.ShipmentDetails) *string { return &s.TrackingNumber }),
		field.Member("tracking_url", TextOrNull, "As the merchant sent it.", func(s *commerce.ShipmentDetails) *string { return &s.TrackingURL }),
	)
}
