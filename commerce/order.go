package commerce

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"slices"
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

// orderTokenLength is the length of every order's token: an id and an HMAC as base64url.
const orderTokenLength = 64

// OrderToken is the token with which everybody can read the order: its id, then an HMAC of it with
// the store's secret. It is not stored, and cannot be revoked.
func (s *Store) OrderToken(id uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString(append(id[:], s.sign("order", id)...))
}

// OrderOfToken returns the id in an order's token. It returns false if the token is not one of the
// store's, in a time that does not depend on the HMAC.
func (s *Store) OrderOfToken(token string) (id uuid.UUID, ok bool) {
	var text [orderTokenLength / 4 * 3]byte
	if len(token) != orderTokenLength {
		return uuid.Nil, false
	}
	if n, err := base64.RawURLEncoding.Strict().Decode(text[:], []byte(token)); err != nil || n != len(text) {
		return uuid.Nil, false
	}
	copy(id[:], text[:])
	if !hmac.Equal(text[len(id):], s.sign("order", id)) {
		return uuid.Nil, false
	}
	return id, true
}

// sign is the HMAC of an id with the store's secret, for one purpose.
func (s *Store) sign(purpose string, id uuid.UUID) []byte {
	mac := hmac.New(sha256.New, s.Secret[:])
	mac.Write([]byte(purpose + "\x00"))
	mac.Write(id[:])
	return mac.Sum(nil)
}
