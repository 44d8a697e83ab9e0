package answers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// PartView is a part of an order.
type PartView struct {
	*commerce.Part
	order *commerce.Order
}

// Part is a part of an order as its customer sees it, StorePart as the merchant sees it.
var (
	Part      = field.Object("OrderPart", part...)
	StorePart = field.Object("StoreOrderPart", append(slices.Clip(part), field.Of(storePart, partOf))...)
)

func partOf(p PartView) *commerce.Part { return p.Part }

var part = field.Rows(
	field.Of(partHead, partOf),
	field.Self("lines", field.Counted(partLine, func(p PartView) int { return len(p.Lines) }, func(p PartView, i int) partLineView { return partLineView{p, i} }),
		"The pieces; [] of a refund off the whole."),
	field.Of(partRest, partOf),
	field.NullUnless(func(p PartView) bool { return p.Kind == commerce.PartRefund }, field.Value("tax_breakdown", taxBreakdown,
		"Of a refund: one entry for each rate, the highest first, [] of an archived order; null of other kinds.",
		func(p PartView) []commerce.TaxRow { return p.ShownTaxes(&p.order.Tax) })),
)

var partHead = field.Rows(
	field.Member("id", UUID, "", func(p *commerce.Part) *uuid.UUID { return &p.ID }),
	field.Value("kind", Names(commerce.PartKindNames()...), "", func(p *commerce.Part) string { return p.Kind.String() }),
	field.Member("at", Time, "", func(p *commerce.Part) *time.Time { return &p.At }),
)

var partRest = field.Rows(
	field.Of(shipmentDetails("Of a shipment, as tracking_number and tracking_url."),
		func(p *commerce.Part) *commerce.ShipmentDetails { return &p.ShipmentDetails }),
	field.NullUnless(func(p *commerce.Part) bool { return p.Kind == commerce.PartRefund },
		field.Member("shipping", Boolean, "Whether a refund includes the delivery; null of other kinds.", func(p *commerce.Part) *bool { return &p.Shipping }),
		field.Member("amount", Amount, "Of a refund, in minor units; null of other kinds.", func(p *commerce.Part) *commerce.Amount { return &p.Amount })),
	field.NullUnless(func(p *commerce.Part) bool { return p.Kind == commerce.PartRefund && (p.Taxes != nil || p.Amount == 0) },
		field.Value("amount_without_tax", Amount,
			"Of a refund, in minor units; null of other kinds, and of an archived order.", func(p *commerce.Part) (sum commerce.Amount) {
				for i := range p.Taxes {
					sum += p.Taxes[i].Base
				}
				return sum
			})),
)

var storePart = field.Rows(
	field.Member("reference", TextOrNull, "", func(p *commerce.Part) *string { return &p.Reference }),
	field.Member("reason", TextOrNull, "", func(p *commerce.Part) *string { return &p.Reason }),
	field.NullUnless(func(p *commerce.Part) bool { return p.Kind == commerce.PartCancel || p.Kind == commerce.PartReturn }, field.Member("restocked", Boolean,
		"Whether the cancel or the return gave stock back; null of other kinds.", func(p *commerce.Part) *bool { return &p.Restocked })),
)

type partLineView struct {
	PartView
	index int
}

var partLine = field.Object("OrderPartLine",
	field.Value("line_id", UUID, "", func(v partLineView) uuid.UUID { return v.order.Lines[v.Lines[v.index].Line].ID }),
	field.Value("quantity", Quantity, "", func(v partLineView) commerce.Quantity { return v.Lines[v.index].Quantity }),
)

// partsOf is the list of an order's parts.
func partsOf(part Kind[PartView]) Field[*commerce.Order] {
	return field.Self("parts", field.Counted(part, func(o *commerce.Order) int { return len(o.Parts) },
		func(o *commerce.Order, i int) PartView { return PartView{&o.Parts[i], o} }),
		"Its shipments, cancels of lines, returns and refunds, in the order in which they happened.")
}

// settled are the sums of an order's parts.
var settled = field.Rows(
	field.Value("fulfilment", Names(commerce.FulfilmentNames()...), "shipped if there is a shipment, and nothing is left of the lines that require shipping.",
		func(o *commerce.Order) string { return o.Fulfilment().String() }),
	field.Value("refunded_amount", Amount, "The sum of the refunds, in minor units.", (*commerce.Order).Refunded),
)

// shippingShare is the delivery's share of the total.
func shippingShare[T any](get func(v T) (share commerce.Amount, there bool)) Field[T] {
	return field.Value("shipping_share", field.IfThere(Money), "The delivery's part of the total: what a refund of it comes to. Null without a delivery.",
		func(v T) (m field.Maybe[commerce.Amount]) {
			m.Value, m.There = get(v)
			return m
		})
}

var orderShare = field.Rows(shippingShare(func(o *commerce.Order) (commerce.Amount, bool) {
	_, share := o.Shares()
	return share, o.Shipping != nil
}))
