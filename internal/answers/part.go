package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// PartView is a part of an order.
type PartView struct {
	*commerce.Part
	order *commerce.Order
}

// Part is a part of an order as its customer sees it, StorePart as the merchant sees it.
var (
	Part      = Object("OrderPart", part...)
	StorePart = Object("StoreOrderPart", Join(part, Rows(
		Member("reference", TextOrNull, "", func(p PartView) string { return p.Reference }),
		Member("reason", TextOrNull, "", func(p PartView) string { return p.Reason }),
		Member("restocked", IfThere(Boolean), "Whether the cancel or the return gave stock back; null of other kinds.", func(p PartView) (m Maybe[bool]) {
			if p.Kind == commerce.PartCancel || p.Kind == commerce.PartReturn {
				m = Maybe[bool]{p.Restocked, true}
			}
			return m
		})))...)
)

var part = Rows(
	Member("id", UUID, "", func(p PartView) uuid.UUID { return p.ID }),
	Member("kind", Names(commerce.PartKindNames()...), "", func(p PartView) string { return p.Kind.String() }),
	Member("at", Time, "", func(p PartView) time.Time { return p.At }),
	Self("lines", Counted(partLine, func(p PartView) int { return len(p.Lines) }, func(p PartView, i int) partLineView { return partLineView{p, i} }),
		"The pieces; [] of a refund off the whole."),
	Member("carrier", TextOrNull, "Of a shipment, as tracking_number and tracking_url.", func(p PartView) string { return p.Carrier }),
	Member("tracking_number", TextOrNull, "", func(p PartView) string { return p.TrackingNumber }),
	Member("tracking_url", TextOrNull, "As the merchant sent it.", func(p PartView) string { return p.TrackingURL }),
	Member("shipping", IfThere(Boolean), "Whether a refund includes the delivery; null of other kinds.",
		ofRefund(func(p PartView) bool { return p.Shipping })),
	Member("amount", IfThere(Amount), "Of a refund, in minor units; null of other kinds.", ofRefund(func(p PartView) commerce.Amount { return p.Amount })),
	Member("amount_without_tax", IfThere(Amount), "Of a refund, in minor units; null of other kinds, and of an archived order.",
		func(p PartView) (m Maybe[commerce.Amount]) {
			for i := range p.Taxes {
				m.Value += p.Taxes[i].Base
			}
			m.There = p.Kind == commerce.PartRefund && (p.Taxes != nil || p.Amount == 0)
			return m
		}),
	Member("tax_breakdown", IfThere(taxBreakdown), "Of a refund: one entry for each rate, the highest first, [] of an archived order; null of other kinds.",
		ofRefund(func(p PartView) []commerce.TaxRow { return p.ShownTaxes(&p.order.Tax) })),
)

// ofRefund is a value that only refunds have.
func ofRefund[V any](get func(p PartView) V) func(p PartView) Maybe[V] {
	return func(p PartView) (m Maybe[V]) {
		if p.Kind == commerce.PartRefund {
			m = Maybe[V]{get(p), true}
		}
		return m
	}
}

type partLineView struct {
	PartView
	index int
}

var partLine = Object("OrderPartLine",
	Member("line_id", UUID, "", func(v partLineView) uuid.UUID { return v.order.Lines[v.Lines[v.index].Line].ID }),
	Member("quantity", Quantity, "", func(v partLineView) commerce.Quantity { return v.Lines[v.index].Quantity }),
)

// partsOf is the list of an order's parts.
func partsOf(part Kind[PartView]) Field[*commerce.Order] {
	return Self("parts", Counted(part, func(o *commerce.Order) int { return len(o.Parts) },
		func(o *commerce.Order, i int) PartView { return PartView{&o.Parts[i], o} }),
		"Its shipments, cancels of lines, returns and refunds, in the order in which they happened.")
}

// settled are the sums of an order's parts.
var settled = Rows(
	Member("fulfilment", Names(commerce.FulfilmentNames()...), "shipped if there is a shipment, and nothing is left of the lines that require shipping.",
		func(o *commerce.Order) string { return o.Fulfilment().String() }),
	Member("refunded_amount", Amount, "The sum of the refunds, in minor units.", (*commerce.Order).Refunded),
)

// shippingShare is the delivery's share of the total.
func shippingShare[T any](get func(v T) (share commerce.Amount, there bool)) Field[T] {
	return Member("shipping_share", IfThere(Money), "The delivery's part of the total: what a refund of it comes to. Null without a delivery.",
		func(v T) (m Maybe[commerce.Amount]) {
			m.Value, m.There = get(v)
			return m
		})
}

var orderShare = Rows(shippingShare(func(o *commerce.Order) (commerce.Amount, bool) {
	_, share := o.Shares()
	return share, o.Shipping != nil
}))
