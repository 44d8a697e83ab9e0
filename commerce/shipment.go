package commerce

import (
	"cmp"
	"slices"
	"time"
)

// Shipment is the last shipment of an order. An empty text is null.
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

// Shipment is the order's last shipment; nil if there is none, or if the order is archived.
func (o *Order) Shipment() *Shipment {
	p := o.last(PartShipment)
	if p == nil || !o.ArchivedAt.IsZero() {
		return nil
	}
	return &Shipment{p.ShipmentDetails, p.At, o.DeliveredAt}
}

// ShipOrder records the shipment of all that is left, or corrects the texts of the last one.
// docs/api/orders.md#routes, shipment.
type ShipOrder struct {
	AskedPart
	ShipmentDetails
}

func (s ShipOrder) Apply(next *Order, in *Input) (Effects, *Refusal) {
	last := next.Shipment()
	counts := next.counts()
	left := next.allLeft(PartShipment, counts)
	if last != nil && len(left) == 0 && last.ShipmentDetails == s.ShipmentDetails {
		return Effects{}, nil
	}
	switch r := next.unshippable(); {
	case r != nil:
		return Effects{}, r
	case len(left) > 0 || last == nil && !slices.ContainsFunc(next.Lines, func(l OrderLine) bool { return l.ships() }):
		if r = next.room(len(left)); r != nil {
			return Effects{}, r
		}
		return s.ship(next, left, s.ShipmentDetails, in), nil
	case last == nil:
		return Effects{}, NothingToShip
	}
	at := len(next.Parts) - 1
	for next.Parts[at].Kind != PartShipment {
		at--
	}
	return next.correct(at, s.ShipmentDetails, in), nil
}

// unshippable is the refusal of a shipment by the order's state.
func (o *Order) unshippable() *Refusal {
	status := o.PaymentStatus()
	switch {
	case o.Status == OrderCancelled:
		return OrderIsCancelled
	case !o.ArchivedAt.IsZero():
		return OrderIsArchived
	case status == PaymentIsDue:
		return PaymentDue
	case status == PaymentIsRefunded:
		return OrderIsRefunded
	}
	return nil
}

// ship adds a shipment.
func (a *AskedPart) ship(next *Order, pieces []PartLine, details ShipmentDetails, in *Input) Effects {
	p := Part{ID: a.PartID, Kind: PartShipment, At: in.Now, Lines: pieces, ShipmentDetails: details, Reference: a.Reference}
	return next.add(p, EventOrderShipped, in)
}

// correct sets the texts of a shipment.
func (o *Order) correct(part int, details ShipmentDetails, in *Input) Effects {
	o.Parts = slices.Clone(o.Parts)
	o.Parts[part].ShipmentDetails = details
	return in.partNews(EventOrderShipped, o, part)
}

// ShipLines records a shipment of some lines, or of all that is left. docs/api/orders.md#routes, shipments.
type ShipLines struct {
	AskedPart
	ShipmentDetails
}

func (s ShipLines) Apply(next *Order, in *Input) (Effects, *Refusal) {
	sent, r := s.pieces(next, "lines", "carrier", "tracking_number", "tracking_url", "reference")
	if r != nil {
		return Effects{}, r
	}
	if at := next.repeated(PartShipment, s.Reference); at >= 0 {
		switch p := &next.Parts[at]; {
		case !p.repeats(sent, next):
			return Effects{}, ReferenceUsed
		case p.ShipmentDetails == s.ShipmentDetails:
			return Effects{}, nil
		}
		return next.correct(at, s.ShipmentDetails, in), nil
	}
	counts := next.counts()
	pieces := next.allLeft(PartShipment, counts)
	if r = next.unshippable(); r == nil && len(pieces) == 0 {
		r = NothingToShip
	}
	if s.Lines != nil {
		pieces = inLineOrder(sent)
	}
	if r = cmp.Or(r, next.room(len(pieces)), next.aboveLeft(sent, PartShipment, counts)); r != nil {
		return Effects{}, r
	}
	return s.ship(next, pieces, s.ShipmentDetails, in), nil
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
	case next.PaymentStatus() == PaymentIsDue:
		return Effects{}, PaymentDue
	case next.unshipped():
		return Effects{}, NotShipped
	}
	next.Status = OrderCompleted
	if next.last(PartShipment) != nil {
		next.DeliveredAt = in.Now
	}
	return in.orderNews(EventOrderDelivered, next), nil
}

// unshipped reports whether an order that needs a shipment has none, or something is left to ship.
func (o *Order) unshipped() bool {
	none := o.last(PartShipment) == nil
	if o.Shipping == nil && none {
		return false
	}
	if slices.ContainsFunc(o.Lines, func(l OrderLine) bool { return l.ships() }) {
		return len(o.allLeft(PartShipment, o.counts())) > 0
	}
	return none
}
