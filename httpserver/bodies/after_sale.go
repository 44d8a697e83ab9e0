package bodies

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The bodies of what becomes of an order.
var (
	Payment = Object("PaymentRequest",
		Required("reference", Text(commerce.MaxPaymentReference), "The payment provider's; the same again changes nothing.",
			func(p *commerce.PayOrder) *string { return &p.Reference }),
		Required("amount", Amount, "The order's total, in minor units.", func(p *commerce.PayOrder) *commerce.Amount { return &p.Amount }))
	Cancel = Form("CancelRequest", func(c *commerce.CancelOrder) *commerce.Faults { return &c.Faults },
		Optional("reason", TextOrNull(commerce.MaxCancelReason), "Not shown to the customer.", func(c *commerce.CancelOrder) *string { return &c.Reason }),
		restock(func(c *commerce.CancelOrder) *bool { return &c.Restock }),
		Optional("lines", OrNull(sentLines), "Cancel only these pieces, which have not left.",
			func(c *commerce.CancelOrder) *[]commerce.SentLine { return &c.Lines }),
		partReference(func(c *commerce.CancelOrder) *string { return &c.Reference }))
	Refund = Object("RefundRequest",
		Optional("reference", TextOrNull(commerce.MaxPaymentReference), "The payment provider's.", func(r *commerce.RefundOrder) *string { return &r.Reference }))
	RefundPart = Form("RefundPartRequest", func(r *commerce.RefundPart) *commerce.Faults { return &r.Faults },
		Required("reference", Text(commerce.MaxPaymentReference), "The payment provider's; the same again changes nothing.",
			func(r *commerce.RefundPart) *string { return &r.Reference }),
		Optional("lines", OrNull(sentLines), "The pieces whose amount is refunded.", func(r *commerce.RefundPart) *[]commerce.SentLine { return &r.Lines }),
		Asked("shipping", Pointer(Boolean.Shaped(openapi.Boolean)), "Whether the delivery is refunded.", func(r *commerce.RefundPart) **bool { return &r.Shipping }),
		Asked("amount", Pointer(positive), "In minor units. Needed without lines and shipping; with them a smaller amount than they come to.",
			func(r *commerce.RefundPart) **commerce.Amount { return &r.Amount }),
		partReason(func(r *commerce.RefundPart) *string { return &r.Reason }))
	Shipment  = Object("ShipmentRequest", Of(shipmentDetails, func(s *commerce.ShipOrder) *commerce.ShipmentDetails { return &s.ShipmentDetails })...)
	ShipLines = Form("ShipLinesRequest", func(s *commerce.ShipLines) *commerce.Faults { return &s.Faults }, append(append(
		Rows(Optional("lines", OrNull(sentLines), "All that is left if absent or null.", func(s *commerce.ShipLines) *[]commerce.SentLine { return &s.Lines })),
		Of(shipmentDetails, func(s *commerce.ShipLines) *commerce.ShipmentDetails { return &s.ShipmentDetails })...),
		partReference(func(s *commerce.ShipLines) *string { return &s.Reference }))...)
	ReturnLines = Form("ReturnLinesRequest", func(r *commerce.ReturnLines) *commerce.Faults { return &r.Faults },
		Required("lines", sentLines, "Shipped pieces that came back.", func(r *commerce.ReturnLines) *[]commerce.SentLine { return &r.Lines }),
		partReason(func(r *commerce.ReturnLines) *string { return &r.Reason }),
		restock(func(r *commerce.ReturnLines) *bool { return &r.Restock }),
		partReference(func(r *commerce.ReturnLines) *string { return &r.Reference }))
)

var shipmentDetails = Rows(
	Optional("carrier", TextOrNull(commerce.MaxCarrier), "", func(s *commerce.ShipmentDetails) *string { return &s.Carrier }),
	Optional("tracking_number", TextOrNull(commerce.MaxTrackingNumber), "", func(s *commerce.ShipmentDetails) *string { return &s.TrackingNumber }),
	Optional("tracking_url", TextOrNull(commerce.MaxTrackingURL), "", func(s *commerce.ShipmentDetails) *string { return &s.TrackingURL }),
)

func restock[T any](at func(into *T) *bool) Field[T] {
	return Optional("restock", Default(Boolean.Shaped(openapi.Boolean), true), "Whether the stock that the sale took comes back.", at)
}

func partReference[T any](at func(into *T) *string) Field[T] {
	return Optional("reference", TextOrNull(commerce.MaxPaymentReference), "The merchant's; the same again changes nothing.", at)
}

func partReason[T any](at func(into *T) *string) Field[T] {
	return Optional("reason", TextOrNull(commerce.MaxPartReason), "Not shown to the customer.", at)
}

// positive is the kind of amounts above 0.
var positive = Kind[commerce.Amount]{
	Schema: openapi.Integer.Min(1),
	read: func(f *fields, name string, value strictjson.Value, into *commerce.Amount) {
		*into = commerce.Amount(f.faults.Within(name, numberOf(value), 1, int64(commerce.MaxAmount)))
	},
}

// sentLine is the body of an entry of sentLines.
var sentLine = Form("PartLine", func(l *commerce.SentLine) *commerce.Faults { return &l.Faults },
	Required("line_id", ID, "A line of the order.", func(l *commerce.SentLine) *uuid.UUID { return &l.LineID }),
	Required("quantity", Quantity, "At most what is left of the line.", func(l *commerce.SentLine) *commerce.Quantity { return &l.Quantity }),
)

// sentLines is the kind of lists of lines of an order. Each entry has faults of its own.
var sentLines = Kind[[]commerce.SentLine]{
	Schema: openapi.List(sentLine.Schema).MinItems(1).MaxItems(commerce.MaxSentLines),
	read: func(f *fields, name string, list strictjson.Value, into *[]commerce.SentLine) {
		switch n := list.Len(); {
		case missing(list):
			f.faults.Add(name, commerce.MsgRequired(name))
		case list.Kind() != strictjson.Array:
			f.faults.Add(name, commerce.MsgArray(name))
		case n > commerce.MaxSentLines:
			f.faults.Add(name, commerce.MsgMaxItems(name, commerce.MaxSentLines))
		default:
			*into = make([]commerce.SentLine, 0, n)
			for _, item := range list.Items() {
				*into = append(*into, readSentLine(item))
			}
		}
	},
}

// readSentLine reads an entry. An empty list counts as an empty object.
func readSentLine(item strictjson.Value) (l commerce.SentLine) {
	if item.Kind() != strictjson.Object && !emptyContainer(item) {
		l.Faults.Add("", commerce.MsgArray(""))
		return l
	}
	l, _ = sentLine.Read(Sent{value: item})
	return l
}
