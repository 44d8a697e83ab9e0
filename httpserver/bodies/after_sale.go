package bodies

import (
	"cartd/commerce"
	"cartd/internal/openapi"
)

// The bodies of what becomes of an order.
var (
	Payment = Object("PaymentRequest",
		Required("reference", Text(commerce.MaxPaymentReference), "The payment provider's; the same again changes nothing.",
			func(p *commerce.PayOrder) *string { return &p.Reference }),
		Required("amount", Amount, "The order's total, in minor units.", func(p *commerce.PayOrder) *commerce.Amount { return &p.Amount }))
	Cancel = Object("CancelRequest",
		Optional("reason", TextOrNull(commerce.MaxCancelReason), "Not shown to the customer.", func(c *commerce.CancelOrder) *string { return &c.Reason }),
		Optional("restock", Default(Boolean.Shaped(openapi.Boolean), true), "Whether the stock that the sale took comes back.",
			func(c *commerce.CancelOrder) *bool { return &c.Restock }))
	Refund = Object("RefundRequest",
		Optional("reference", TextOrNull(commerce.MaxPaymentReference), "The payment provider's.", func(r *commerce.RefundOrder) *string { return &r.Reference }))
	Shipment = Object("ShipmentRequest",
		Optional("carrier", TextOrNull(commerce.MaxCarrier), "", func(s *commerce.ShipOrder) *string { return &s.Carrier }),
		Optional("tracking_number", TextOrNull(commerce.MaxTrackingNumber), "", func(s *commerce.ShipOrder) *string { return &s.TrackingNumber }),
		Optional("tracking_url", TextOrNull(commerce.MaxTrackingURL), "", func(s *commerce.ShipOrder) *string { return &s.TrackingURL }))
)
