package commerce

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Order is a sale. After every import it shows the names, prices and addresses of its day. Only what
// became of it changes: its status, payment and parts.
type Order struct {
	ID uuid.UUID
	// Number is 1, 2, 3 … in a store, without a gap; 0 until the commit makes it.
	Number int64
	// CartID is the sold cart. QuoteID is the accepted quote; zero without a quote.
	CartID, QuoteID uuid.UUID
	Email           string
	// Customer is the order's customer. Only an account's orders are listed.
	Customer                Binding
	CustomerNote, Reference string // an empty text is null
	// Metadata is the cart's at that moment; nil if it had none.
	Metadata Metadata
	PlacedAt time.Time
	Lines    []OrderLine
	// Discounts are those with an amount, in the order in which they applied.
	Discounts []OrderDiscount
	// Shipping is nil if nothing is delivered.
	Shipping *OrderShipping
	// ShippingAddress and BillingAddress are snapshots without id, type and default; nil if there are
	// none.
	ShippingAddress, BillingAddress *Address
	Totals                          OrderTotals
	// Takes is the stock that the sale took, by item. A cancel returns it.
	Takes []StockAsk
	// Ahead are the takes of items that could be sold ahead of their stock, in the order of the takes.
	Ahead []AheadTake
	// Uses are the uses of discounts by counters other than CountAll. A cancel returns them, unless the
	// order has a quote.
	Uses []Use

	Status  OrderStatus
	Payment Payment
	// Parts are its shipments, cancels of lines, returns and refunds, in the order in which they happened.
	Parts []Part
	// DeliveredAt is zero until an order with a shipment is completed.
	DeliveredAt time.Time
	// CancelledAt and CancelReason are zero unless the order is cancelled. Restocked is true if its
	// stock came back.
	CancelledAt  time.Time
	CancelReason string
	Restocked    bool
	// ArchivedAt is zero unless only Archived is left of the order.
	ArchivedAt time.Time
	// Tax is the taxation of the order's amounts. VATID is the customer's, with reverse charge only.
	Tax   Taxation
	VATID string
}

// OrderStatus is the state of an order.
type OrderStatus uint8

const (
	OrderPlaced OrderStatus = iota
	OrderCancelled
	OrderCompleted
	orderStatusCount
)

var orderStatusNames = [orderStatusCount]string{"placed", "cancelled", "completed"}

// String returns the status as the API spells it.
func (s OrderStatus) String() string { return orderStatusNames[s] }

// Known reports whether s is a status.
func (s OrderStatus) Known() bool { return s < orderStatusCount }

// OrderStatusNames are all names of an order's status.
func OrderStatusNames() []string { return slices.Clone(orderStatusNames[:]) }

// ParseOrderStatus returns the status of a name.
func ParseOrderStatus(name string) (OrderStatus, bool) {
	return parseName[OrderStatus](orderStatusNames[:], name)
}

// ParsePaymentStatus is ParseOrderStatus for payments.
func ParsePaymentStatus(name string) (PaymentStatus, bool) {
	return parseName[PaymentStatus](paymentStatusNames[:], name)
}

// WrittenAt is the time of the last write.
func (o *Order) WrittenAt() time.Time {
	times := []time.Time{o.PlacedAt, o.Payment.PaidAt, o.CancelledAt, o.DeliveredAt, o.ArchivedAt}
	for i := range o.Parts {
		times = append(times, o.Parts[i].At)
	}
	return slices.MaxFunc(times, time.Time.Compare)
}

// ChangeOrder returns the order after a command. The given order stays as it was.
func ChangeOrder(order *Order, cmd Command[*Order], in *Input) (*Order, Effects, *Refusal) {
	next := *order
	effects, r := cmd.Apply(&next, in)
	if r != nil {
		return nil, Effects{}, r
	}
	return &next, effects, nil
}

// OrderLine is a sold line of a cart.
type OrderLine struct {
	Line
	// Total is the line's total after discounts. TaxRate is its tax rate, 0 if there is an exemption; the home
	// rate of that day is Line.Tax.
	Total   Amount
	TaxRate Percent
	// Returnable and LeadTimeDays are the product's on that day.
	Returnable   bool
	LeadTimeDays *int
	// VariantName is the variant's on that day; empty if there is none.
	VariantName string
	Freight     Freight
}

// Freight has the facts of a line that decide about its delivery, as they were on that day.
type Freight struct {
	RequiresShipping bool
	// UnitWeight is the weight of one unit of the line's quantity.
	UnitWeight Milligrams
}

// freight returns the line's facts of today. A product that is gone requires shipping and weighs
// nothing.
func (l *Line) freight(s *Store) Freight {
	p := s.Product(l.ProductID)
	if p == nil {
		return Freight{RequiresShipping: true}
	}
	return Freight{RequiresShipping: p.RequiresShipping, UnitWeight: UnitWeight(p, p.Variant(l.VariantID))}
}

// OrderDiscount is a discount as it was applied.
type OrderDiscount struct {
	ID         uuid.UUID
	Name, Code string // Code is empty for an automatic discount
	Kind       DiscountKind
	Amount     Amount
}

// OrderShipping is the delivery of an order, at the price after its discounts.
type OrderShipping struct {
	ID    uuid.UUID
	Name  string
	Price Amount // in the basis of the order's prices
	// PriceWithTax is the price with its tax, rounded half up by itself; without the home tax if there is an
	// exemption.
	PriceWithTax Amount
	// TaxRate is the rate of the delivery, the home rate if there is an exemption; 0 in a store that does not tax
	// by country, where the totals tell it.
	TaxRate Percent
}

// applied is the rate by which the taxation of its order or quote divides the line's amounts.
func (l *OrderLine) applied(t *Taxation) Percent {
	if t.Exemption != NotExempt {
		return l.Tax
	}
	return l.TaxRate
}

// Net is an amount of the line without its tax, rounded half up by itself.
func (l *OrderLine) Net(a Amount, t *Taxation) Amount { return t.net(a, l.applied(t)) }

// OrderTotals are the totals of an order: Subtotal + ShippingTotal + TaxTotal = Total.
type OrderTotals struct {
	// Subtotal is the goods without tax. ShippingTotal is the delivery without tax.
	Subtotal, ShippingTotal Amount
	TaxTotal, Total         Amount
	// DiscountTotal is the sum of the discounts on the goods.
	DiscountTotal Amount
	Breakdown     []TaxRow
}

// Goods are the frozen content of an order: lines with their totals, and the discounts in them. The
// order is made of them today or when a quote is accepted.
type Goods struct {
	Lines     []OrderLine
	Discounts []OrderDiscount
	// Shipping are the discounts on the delivery, in their order.
	Shipping []ShippingDiscount
}

// ShippingDiscount lowers the price of any shipping method.
type ShippingDiscount struct {
	OrderDiscount // without an amount
	Value         DiscountValue
}

// goods freezes the evaluated cart.
func (e *Evaluation) goods(s *Store) (g Goods) {
	c := e.Cart
	for i := range c.Lines {
		l := OrderLine{Line: c.Lines[i], Total: e.LineTotals[i], TaxRate: e.Tax.Charged(c.Lines[i].applied(s, &e.Tax))}
		p := s.Product(l.ProductID)
		l.Properties = l.Properties.labelled(p)
		if p != nil {
			l.Tax, l.Unit, l.Returnable, l.LeadTimeDays = p.Tax.Home(), p.Unit, p.Returnable, p.LeadTimeDays
			if v := p.Variant(l.VariantID); v != nil {
				l.VariantName = v.Name
			}
		}
		l.Freight = l.freight(s)
		g.Lines = append(g.Lines, l)
	}
	for i := range e.Discounts {
		if applied := &e.Discounts[i]; !applied.Discount.Kind.OfDelivery() {
			g.Discounts = append(g.Discounts, applied.Frozen())
		}
	}
	g.Shipping = e.shippingDiscounts()
	return g
}

// shippingDiscounts are the applied discounts on the delivery.
func (e *Evaluation) shippingDiscounts() (all []ShippingDiscount) {
	for i := range e.Discounts {
		if applied := &e.Discounts[i]; applied.Discount.Kind.OfDelivery() {
			all = append(all, ShippingDiscount{applied.Frozen(), applied.Discount.Value})
		}
	}
	return all
}

// Frozen is the discount in the form of orders. An automatic one has no code.
func (a *AppliedDiscount) Frozen() OrderDiscount {
	d := a.Discount
	return OrderDiscount{ID: d.ID, Name: d.Name, Code: a.Spelling(), Kind: d.Kind, Amount: a.Amount}
}

// fill sets the order's goods, adds the delivery, nil if there is none, and computes the totals. It returns
// false if the total exceeds MaxAmount.
func (o *Order) fill(g *Goods, by *delivery, t Taxation) bool {
	o.Lines, o.Discounts = g.Lines, append([]OrderDiscount(nil), g.Discounts...)
	o.Tax = t
	goods, all := Evaluation{Tax: t}, Evaluation{Tax: t}
	for i := range o.Lines {
		l := &o.Lines[i]
		goods.sum(l.Total, l.applied(&t))
		all.sum(l.Total, l.applied(&t))
	}
	o.Shipping = nil
	if by != nil {
		price := takeOff(by.price, g.Shipping, func(d OrderDiscount) { o.Discounts = append(o.Discounts, d) })
		o.Shipping = &OrderShipping{ID: by.ID, Name: by.Name, Price: price, PriceWithTax: t.gross(price, by.rate)}
		if (t.Country != Country{}) {
			o.Shipping.TaxRate = by.rate
		}
		all.sum(price, by.rate)
	}
	for _, e := range []*Evaluation{&goods, &all} {
		e.splitRows()
		e.addUp()
	}
	o.Totals = OrderTotals{
		Subtotal: goods.Subtotal, ShippingTotal: all.Subtotal - goods.Subtotal,
		TaxTotal: all.TaxTotal, Total: all.Total, Breakdown: all.Breakdown,
	}
	for i := range g.Discounts {
		o.Totals.DiscountTotal += g.Discounts[i].Amount
	}
	return !all.Overflow
}

// From checks the start of a list of orders: a time of RFC 3339, or a date, which means its first
// moment in UTC. It returns zero if the text is empty or faulty. docs/api/checkout.md#orders.
func (f *Faults) From(field, text string) time.Time {
	from, _ := f.moment(field, text)
	return from
}

// To checks the end of a list of orders. A date or a whole second means its last millisecond, for
// an order's time is shown in whole seconds.
func (f *Faults) To(field, text string) time.Time {
	_, to := f.moment(field, text)
	return to
}

// moment reads a date or a time, and returns its first and its last millisecond.
func (f *Faults) moment(field, text string) (first, last time.Time) {
	if text == "" {
		return first, last
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, day.Add(24*time.Hour - time.Millisecond)
	}
	at, ok := ParseTime(text)
	switch {
	case !ok:
		f.Add(field, MsgDate(field))
	case !strings.Contains(text, "."):
		return at, at.Add(time.Second - time.Millisecond)
	}
	return at, at
}

// ParseTime reads a time of RFC 3339 strictly. Package time also accepts hours of one digit,
// fractions after a comma, and zones of 24 hours or 60 minutes.
func ParseTime(text string) (t time.Time, ok bool) {
	if t.UnmarshalText([]byte(text)) != nil || text[len("2006-01-02T1")] == ':' || strings.Contains(text, ",") {
		return time.Time{}, false
	}
	zone := text[len(text)-len("07:00"):]
	if text[len(text)-1] != 'Z' && (zone[:2] > "23" || zone[3:] > "59") {
		return time.Time{}, false
	}
	return t, true
}
