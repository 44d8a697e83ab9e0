package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// MaxCancelReason is the maximum number of code points in the reason of a cancel.
const MaxCancelReason = 255

// UnpaidReason is the reason of an order that ended unpaid, ShopperReason that of one that its shopper has
// cancelled.
const (
	UnpaidReason  = "unpaid"
	ShopperReason = "customer"
)

// ShownReasons are the reasons that customers see; all others are the merchant's own texts.
var ShownReasons = []string{UnpaidReason, ShopperReason}

// CancelOrder cancels lines, or ends an order: uses of discounts return then. With Restock the stock that the
// sale took comes back. docs/api/orders.md#routes, cancel.
type CancelOrder struct {
	AskedPart
	Reason  string
	Restock bool
}

func (c CancelOrder) Apply(next *Order, in *Input) (Effects, *Refusal) {
	sent, r := c.pieces(next, "reason", "restock", "lines", "reference")
	switch {
	case r != nil:
		return Effects{}, r
	case c.Lines != nil:
		return c.cancelLines(next, inLineOrder(sent), sent, in)
	case next.Status == OrderCancelled:
		return Effects{}, nil
	case next.last(PartShipment) != nil && next.ArchivedAt.IsZero():
		return Effects{}, OrderIsShipped
	case next.Status == OrderCompleted:
		return Effects{}, OrderIsCompleted
	}
	return c.end(next, in), nil
}

// end ends an order of which nothing has left.
func (c *CancelOrder) end(next *Order, in *Input) Effects {
	effects := in.orderNews(EventOrderCancelled, next)
	effects.Return = next.returns(in.Store, c.Restock, in.Now)
	next.Restocked = effects.Return != nil && len(effects.Return.Items) > 0
	next.Status, next.CancelledAt, next.CancelReason = OrderCancelled, in.Now, c.Reason
	return effects
}

// cancelLines cancels pieces that have not left. If nothing has, and nothing is left, it ends the order.
func (c *CancelOrder) cancelLines(next *Order, pieces, sent []PartLine, in *Input) (Effects, *Refusal) {
	if at := next.repeated(PartCancel, c.Reference); at >= 0 {
		if !next.Parts[at].repeats(sent, next) {
			return Effects{}, ReferenceUsed
		}
		return Effects{}, nil
	}
	counts := next.counts()
	p := Part{ID: c.PartID, Kind: PartCancel, At: in.Now, Lines: pieces, Reference: c.Reference, Reason: c.Reason}
	ends := next.Status == OrderPlaced && next.last(PartShipment) == nil && slices.Equal(pieces, next.allLeft(PartCancel, counts))
	r := next.room(len(pieces))
	switch {
	case next.Status == OrderCancelled:
		return Effects{}, OrderIsCancelled
	case next.Status == OrderCompleted:
		return Effects{}, OrderIsCompleted
	case next.PaymentStatus() == PaymentIsDue && !ends:
		return Effects{}, PaymentDue
	case r != nil:
		return Effects{}, r
	case ends:
		effects := c.end(next, in)
		p.Restocked = next.Restocked
		effects.OrderNews = next.add(p, EventOrderCancelled, in).OrderNews
		return effects, nil
	}
	if r = next.aboveLeft(sent, PartCancel, counts); r != nil {
		return Effects{}, r
	}
	return next.giveBack(p, c.Restock, counts, in), nil
}

// CancelByShopper ends an order that waits for its payment, with its stock and its uses of discounts.
// docs/api/checkout.md#cancel-an-unpaid-order
type CancelByShopper struct{}

func (CancelByShopper) Locate(*Order) *Refusal { return nil }

func (CancelByShopper) Apply(next *Order, in *Input) (Effects, *Refusal) {
	if next.Status == OrderPlaced && next.last(PartShipment) == nil {
		switch next.PaymentStatus() {
		case PaymentIsPaid, PaymentIsPartlyRefunded, PaymentIsRefunded:
			return Effects{}, AlreadyPaid
		case PaymentNotRequired:
			return Effects{}, NotCancellable
		}
	}
	return CancelOrder{Reason: ShopperReason, Restock: true}.Apply(next, in)
}

// EndUnpaid cancels an order whose payment is overdue at a time. It returns false if the order is not
// unpaid, or not overdue. docs/api/orders.md#paid-in-time.
func EndUnpaid(order *Order, s *Store, now time.Time) (*Order, Effects, bool) {
	if !order.Unpaid() || order.Payment.DueAt.After(now) {
		return nil, Effects{}, false
	}
	next, effects, refusal := ChangeOrder(order, CancelOrder{Reason: UnpaidReason, Restock: true}, &Input{Store: s, Now: now})
	return next, effects, refusal == nil
}

// Return is what an order gives back by a cancel or a return.
type Return struct {
	Store *Store
	// Items is the stock that comes back, by item. Reason is the one in its events.
	Items  []StockAsk
	Reason *string
	// Uses are the uses of discounts that come back.
	Uses []Use
	At   time.Time
}

// returns lists what the end of an order gives back; nil if that is nothing: exactly what its sale took, or what
// its parts have left of that. An item that is in no document is left out. The uses of a quote's order stay used,
// because the quote stays accepted.
func (o *Order) returns(s *Store, restock bool, now time.Time) *Return {
	r := &Return{Store: s, Reason: &cancelReason, At: now}
	switch {
	case !restock:
	case len(o.Parts) > 0:
		counts := o.counts()
		r.Items = o.due(o.allLeft(PartCancel, counts), counts, s)
	default:
		for _, take := range o.Takes {
			if s.hasItem(take.Item) {
				r.Items = append(r.Items, take)
			}
		}
	}
	if o.QuoteID == uuid.Nil {
		for i := range o.Discounts {
			r.Uses = append(r.Uses, Use{Discount: o.Discounts[i].ID, Limit: s.usageLimit(o.Discounts[i].ID)})
		}
		r.Uses = append(r.Uses, o.Uses...)
	}
	if r.Items == nil && r.Uses == nil {
		return nil
	}
	return r
}

// usageLimit is the usage limit of a discount; 0 if it has none, or is in no document.
func (s *Store) usageLimit(discount uuid.UUID) int64 {
	if d := s.Discount(discount); d != nil && d.UsageLimit != nil {
		return *d.UsageLimit
	}
	return 0
}

// hasItem reports whether an item is a product or a variant of the store's document.
func (s *Store) hasItem(item uuid.UUID) bool {
	return s.Product(item) != nil || s.productOfVariant.Get(item) != nil
}

// cancelReason and returnReason are the reasons in the stock events of cancels and of returns.
var cancelReason, returnReason = "cancel", "return"

// StockNews is the change of the stock on hand by the n-th item that came back.
func (r *Return) StockNews(n int) *StockNews {
	item := &r.Items[n]
	return stockNews(r.Store, item.Item, StockDelta(item.Quantity), r.Reason, r.At)
}
