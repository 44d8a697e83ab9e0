package answers

import (
	"slices"
	"time"

	"cartd/commerce"
	"cartd/internal/field"
)

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
