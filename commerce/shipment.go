package commerce

import "time"

// Shipment says how an order's goods are on their way. An empty text is null.
type Shipment struct {
	ShipmentDetails
	ShippedAt time.Time
	// DeliveredAt is zero until the order is completed.
	DeliveredAt time.Time
}

// ShipmentDetails are the merchant's texts about a shipment.
type ShipmentDetails struct{ Carrier, TrackingNumber, TrackingURL string }

// The maximum number of code points in a shipment's fields.
const (
	MaxCarrier        = 100
	MaxTrackingNumber = 100
	MaxTrackingURL    = 2048
)

// ShipOrder records the shipment, or corrects its texts. docs/api/orders.md#routes, shipment.
type ShipOrder struct{ ShipmentDetails }

func (ShipOrder) Locate(*Order) *Refusal { return nil }

func (s ShipOrder) Apply(next *Order, in *Input) (Effects, *Refusal) {
	status := next.Payment.Status()
	switch {
	case next.Shipment != nil && next.Shipment.ShipmentDetails == s.ShipmentDetails:
		return Effects{}, nil
	case next.Status == OrderCancelled:
		return Effects{}, OrderIsCancelled
	case !next.ArchivedAt.IsZero():
		return Effects{}, OrderIsArchived
	case status == PaymentIsDue:
		return Effects{}, PaymentDue
	case status == PaymentIsRefunded:
		return Effects{}, OrderIsRefunded
	}
	shipment := Shipment{ShippedAt: in.Now}
	if next.Shipment != nil {
		shipment = *next.Shipment
	}
	shipment.ShipmentDetails = s.ShipmentDetails
	next.Shipment = &shipment
	return in.orderNews(EventOrderShipped, next), nil
}

// DeliverOrder completes the order. An order without a shipping method needs no shipment.
// docs/api/orders.md#routes, delivered.
type DeliverOrder struct{}

func (DeliverOrder) Locate(*Order) *Refusal { return nil }

func (DeliverOrder) Apply(next *Order, in *Input) (Effects, *Refusal) {
	switch {
	case next.Status == OrderCompleted:
		return Effects{}, nil
	case next.Status == OrderCancelled:
		return Effects{}, OrderIsCancelled
	case next.Payment.Status() == PaymentIsDue:
		return Effects{}, PaymentDue
	case next.Shipping != nil && next.Shipment == nil:
		return Effects{}, NotShipped
	}
	next.Status = OrderCompleted
	if next.Shipment != nil {
		shipment := *next.Shipment
		shipment.DeliveredAt = in.Now
		next.Shipment = &shipment
	}
	return in.orderNews(EventOrderDelivered, next), nil
}
