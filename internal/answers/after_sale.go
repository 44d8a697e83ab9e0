package answers

import (
	"slices"
	"time"

	"cartd/commerce"
)

// afterSale is what became of an order, as its customer sees it; storeAfterSale, as the merchant sees it.
var (
	afterSale = Join(
		Rows(Self("payment", Object("Payment", payment...), "")),
		shipped,
		Rows(NullUnless(func(o *commerce.Order) bool { return slices.Contains(commerce.ShownReasons, o.CancelReason) },
			Member("cancel_reason", Names(commerce.ShownReasons...), cancelReason, orderCancelReason))))
	storeAfterSale = Join(
		Rows(Self("payment", Object("StorePayment", append(payment[:len(payment):len(payment)],
			Member("reference", TextOrNull, "The one of the recorded payment.", func(o *commerce.Order) *string { return &o.Payment.Reference }))...), "")),
		shipped,
		Rows(
			Member("cancel_reason", TextOrNull, cancelReason, orderCancelReason),
			Member("restocked", Boolean, "Whether the end of the order returned stock.", func(o *commerce.Order) *bool { return &o.Restocked })))
)

func orderCancelReason(o *commerce.Order) *string { return &o.CancelReason }

const cancelReason = "`unpaid` if the order ended because nobody paid, `customer` if its shopper has cancelled it."

var payment = Rows(
	Value("status", Names(commerce.PaymentStatusNames()...), "not_required if the store does not say that orders must be paid, or for a total of 0.",
		func(o *commerce.Order) string { return o.PaymentStatus().String() }),
	Member("paid_at", TimeOrNull, "", func(o *commerce.Order) *time.Time { return &o.Payment.PaidAt }),
	Member("due_at", TimeOrNull, "When an unpaid order ends.", func(o *commerce.Order) *time.Time { return &o.Payment.DueAt }),
)

var shipped = Rows(
	Value("shipment", OrNull(Shipment), "The last one; null until something is shipped.", (*commerce.Order).Shipment),
	Member("cancelled_at", TimeOrNull, "", func(o *commerce.Order) *time.Time { return &o.CancelledAt }),
)

// Shipment is the last shipment of an order.
var Shipment = Object("Shipment",
	Of(shipmentDetails(""), func(s *commerce.Shipment) *commerce.ShipmentDetails { return &s.ShipmentDetails }),
	Member("shipped_at", Time, "", func(s *commerce.Shipment) *time.Time { return &s.ShippedAt }),
	Member("delivered_at", TimeOrNull, "", func(s *commerce.Shipment) *time.Time { return &s.DeliveredAt }),
)

func shipmentDetails(aboutCarrier string) []Field[*commerce.ShipmentDetails] {
	return Rows(
		Member("carrier", TextOrNull, aboutCarrier, func(s *commerce.ShipmentDetails) *string { return &s.Carrier }),
		Member("tracking_number", TextOrNull, "", func(s *commerce.ShipmentDetails) *string { return &s.TrackingNumber }),
		Member("tracking_url", TextOrNull, "As the merchant sent it.", func(s *commerce.ShipmentDetails) *string { return &s.TrackingURL }),
	)
}
