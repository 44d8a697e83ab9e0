package commerce

import (
	"slices"
	"time"
)

// Archivable reports whether an order can be archived: it was placed before a time, nothing is left to
// do for it, and it is not archived yet. docs/operations.md#old-orders.
func (o *Order) Archivable(before time.Time) bool {
	return o.Status != OrderPlaced && o.PlacedAt.Before(before) && o.ArchivedAt.IsZero()
}

// Archived returns what stays of an order in Redis once its whole is elsewhere: its ids, its customer,
// its status with the times, its payment, its totals, and under which customers its uses of discounts
// count. Lines, addresses, the delivery, discounts and all texts are gone. It is enough for lists, for a
// payment or a refund that comes again, for a refund of an amount, and for an erasure of the counts.
func (o *Order) Archived(now time.Time) *Order {
	stub := &Order{
		ID: o.ID, Number: o.Number, CartID: o.CartID, QuoteID: o.QuoteID, Customer: o.Customer, PlacedAt: o.PlacedAt,
		Totals: o.Totals, Status: o.Status, Payment: o.Payment, CancelledAt: o.CancelledAt, Restocked: o.Restocked,
		ArchivedAt: now, Tax: o.Tax,
	}
	stub.Totals.Breakdown = nil
	for i := range o.Uses {
		if o.Uses[i].Counter == CountCustomer {
			stub.Uses = append(stub.Uses, o.Uses[i])
		}
	}
	for i := range o.Parts {
		stub.Parts = append(stub.Parts, o.Parts[i].archived())
	}
	if slices.Contains(ShownReasons, o.CancelReason) { // any other is a text of the merchant
		stub.CancelReason = o.CancelReason
	}
	return stub
}

// archived is what stays of a part: its kind, its time and the amount of a refund. The reference of a refund
// stays, as that of the payment does, so that a repetition does not refund again.
func (p *Part) archived() Part {
	stub := Part{ID: p.ID, Kind: p.Kind, At: p.At, Shipping: p.Shipping, Amount: p.Amount}
	if p.Kind == PartRefund {
		stub.Reference = p.Reference
	}
	return stub
}
