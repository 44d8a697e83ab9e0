package bodies

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// The bodies of what becomes of an order.
var (
	Payment = Object("PaymentRequest",
		field.Required("reference", Text(commerce.MaxPaymentReference), "The payment provider's; the same again changes nothing.",
			func(p *commerce.PayOrder) *string { return &p.Reference }),
		field.Required("amount", Amount, "The order's total, in minor units.", func(p *commerce.PayOrder) *commerce.Amount { return &p.Amount }))
	Cancel = Form("CancelRequest", func(c *commerce.CancelOrder) *commerce.Faults { return &c.Faults },
		field.Nullable("reason", TextOrNull(commerce.MaxCancelReason), "Not shown to the customer.", func(c *commerce.CancelOrder) *string { return &c.Reason }),
		restock(func(c *commerce.CancelOrder) *bool { return &c.Restock }),
		field.Nullable("lines", emptyIfNull(sentLines), "Cancel only these pieces, which have not left.",
			func(c *commerce.CancelOrder) *[]commerce.SentLine { return &c.Lines }),
		partReference(func(c *commerce.CancelOrder) *string { return &c.Reference }))
	Refund = Object("RefundRequest",
		field.Nullable("reference", TextOrNull(commerce.MaxPaymentReference), "The payment provider's.",
			func(r *commerce.RefundOrder) *string { return &r.Reference }))
	RefundPart = Form("RefundPartRequest", func(r *commerce.RefundPart) *commerce.Faults { return &r.Faults },
		field.Required("reference", Text(commerce.MaxPaymentReference), "The payment provider's; the same again changes nothing.",
			func(r *commerce.RefundPart) *string { return &r.Reference }),
		field.Nullable("lines", emptyIfNull(sentLines), "The pieces whose amount is refunded.",
			func(r *commerce.RefundPart) *[]commerce.SentLine { return &r.Lines }),
		field.Optional("shipping", field.Pointer(field.Shaped(Boolean, openapi.Boolean)), "Whether the delivery is refunded.",
			func(r *commerce.RefundPart) **bool { return &r.Shipping }),
		field.Optional("amount", field.Pointer(positive), "In minor units. Needed without lines and shipping; with them a smaller amount than they come to.",
			func(r *commerce.RefundPart) **commerce.Amount { return &r.Amount }),
		partReason(func(r *commerce.RefundPart) *string { return &r.Reason }))
	Shipment  = Object("ShipmentRequest", field.Of(shipmentDetails, func(s *commerce.ShipOrder) *commerce.ShipmentDetails { return &s.ShipmentDetails }))
	ShipLines = Form("ShipLinesRequest", func(s *commerce.ShipLines) *commerce.Faults { return &s.Faults },
		field.Nullable("lines", emptyIfNull(sentLines), "All that is left if absent or null.", func(s *commerce.ShipLines) *[]commerce.SentLine { return &s.Lines }),
		field.Of(shipmentDetails, func(s *commerce.ShipLines) *commerce.ShipmentDetails { return &s.ShipmentDetails }),
		partReference(func(s *commerce.ShipLines) *string { return &s.Reference }))
	ReturnLines = Form("ReturnLinesRequest", func(r *commerce.ReturnLines) *commerce.Faults { return &r.Faults },
		field.Required("lines", sentLines, "Shipped pieces that came back.", func(r *commerce.ReturnLines) *[]commerce.SentLine { return &r.Lines }),
		partReason(func(r *commerce.ReturnLines) *string { return &r.Reason }),
		restock(func(r *commerce.ReturnLines) *bool { return &r.Restock }),
		partReference(func(r *commerce.ReturnLines) *string { return &r.Reference }))
)

var shipmentDetails = field.Rows(
	field.Nullable("carrier", TextOrNull(commerce.MaxCarrier), "", func(s *commerce.ShipmentDetails) *string { return &s.Carrier }),
	field.Nullable("tracking_number", TextOrNull(commerce.MaxTrackingNumber), "", func(s *commerce.ShipmentDetails) *string { return &s.TrackingNumber }),
	field.Nullable("tracking_url", TextOrNull(commerce.MaxTrackingURL), "", func(s *commerce.ShipmentDetails) *string { return &s.TrackingURL }),
)

func restock[T any](at func(into T) *bool) Field[T] {
	return field.Nullable("restock", field.Default(field.Shaped(Boolean, openapi.Boolean), true, true),
		"Whether the stock that the sale took comes back.", at)
}

func partReference[T any](at func(into T) *string) Field[T] {
	return field.Nullable("reference", TextOrNull(commerce.MaxPaymentReference), "The merchant's; the same again changes nothing.", at)
}

func partReason[T any](at func(into T) *string) Field[T] {
	return field.Nullable("reason", TextOrNull(commerce.MaxPartReason), "Not shown to the customer.", at)
}

// positive is the kind of amounts above 0.
var positive = Kind[commerce.Amount]{
	Schema: openapi.Integer.Min(1),
	Read: func(v value, into *commerce.Amount) {
		*into = commerce.Amount(v.faults.Within(v.name, numberOf(v.Value), 1, int64(commerce.MaxAmount)))
	},
}

// sentLine is the body of an entry of sentLines.
var sentLine = Form("PartLine", func(l *commerce.SentLine) *commerce.Faults { return &l.Faults },
	field.Required("line_id", ID, "A line of the order.", func(l *commerce.SentLine) *uuid.UUID { return &l.LineID }),
	field.Required("quantity", Quantity, "At most what is left of the line.", func(l *commerce.SentLine) *commerce.Quantity { return &l.Quantity }),
)

// sentLines is the kind of lists of lines of an order, which are not empty.
var sentLines = Kind[[]commerce.SentLine]{
	Schema: openapi.List(sentLine.Schema).MinItems(1).MaxItems(commerce.MaxSentLines),
	Read: func(v value, into *[]commerce.SentLine) {
		if v.isThere() {
			someLines.Read(v, into)
		}
	},
}

var someLines = listOf[[]commerce.SentLine](sentLine, commerce.MaxSentLines, sentLine.formEntry)
