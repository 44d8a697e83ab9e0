package commerce

import (
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

// CancelOrder ends an order: uses of discounts return and, with Restock, the stock that the sale
// took. docs/api/orders.md#routes, cancel.
type CancelOrder struct {
	Reason  string
	Restock bool
}

func (CancelOrder) Locate(*Order) *Refusal { return nil }

func (c CancelOrder) Apply(next *Order, in *Input) (Effects, *Refusal) {
	switch {
	case next.Status == OrderCancelled:
		return Effects{}, nil
	case next.Shipment != nil:
		return Effects{}, OrderIsShipped
	case next.Status == OrderCompleted:
		return Effects{}, OrderIsCompleted
	}
	next.Status, next.CancelledAt, next.CancelReason = OrderCancelled, in.Now, c.Reason
	effects := Effects{Return: next.returns(in.Store, c.Restock, in.Now)}
	next.Restocked = effects.Return != nil && len(effects.Return.Items) > 0
	effects.OrderNews = &OrderNews{Event: EventOrderCancelled, Store: in.Store, Order: next, At: in.Now}
	return effects, nil
}

// CancelByShopper ends an order that waits for its payment, with its stock and its uses of discounts.
// docs/api/checkout.md#cancel-an-unpaid-order
type CancelByShopper struct{}

func (CancelByShopper) Locate(*Order) *Refusal { return nil }

func (CancelByShopper) Apply(next *Order, in *Input) (Effects, *Refusal) {
	if next.Status == OrderPlaced && next.Shipment == nil {
		switch next.Payment.Status() {
		case PaymentIsPaid, PaymentIsRefunded:
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

// Return is what a cancelled order gives back.
type Return struct {
	Store *Store
	// Items is the stock that comes back, by item.
	Items []StockAsk
	// Uses are the uses of discounts that come back.
	Uses []Use
	At   time.Time
}

// returns lists what a cancel gives back; nil if that is nothing. An item that is in no document is
// left out. The uses of a quote's order stay used, because the quote stays accepted.
func (o *Order) returns(s *Store, restock bool, now time.Time) *Return {
	r := &Return{Store: s, At: now}
	if restock {
		for _, take := range o.Takes {
			if s.Product(take.Item) != nil || s.productOfVariant.Get(take.Item) != nil {
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

// cancelReason is the reason in the stock events of cancelled orders.
var cancelReason = "cancel"

// StockNews is the change of the stock on hand by the n-th item that came back.
func (r *Return) StockNews(n int) *StockNews {
	item := &r.Items[n]
	return stockNews(r.Store, item.Item, StockDelta(item.Quantity), &cancelReason, r.At)
}
