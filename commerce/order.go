package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Order is a sale as it was made. It never changes: whatever an import does later, it shows the
// names, prices and addresses of its day.
type Order struct {
	ID uuid.UUID
	// Number is 1, 2, 3 … in a store, without a gap; 0 until the commit has made it.
	Number int64
	// CartID is the cart that was sold, QuoteID the quote that was accepted; zero if it was none.
	CartID, QuoteID uuid.UUID
	Email           string
	// Customer is whose order it is; only an account's is listed.
	Customer                Binding
	CustomerNote, Reference string // empty: null
	PlacedAt                time.Time
	Lines                   []OrderLine
	// Discounts are those that took something off, in the order in which they did.
	Discounts []OrderDiscount
	// Shipping is the delivery; nil if nothing is delivered.
	Shipping *OrderShipping
	// ShippingAddress and BillingAddress are snapshots without id, type and default; nil: none.
	ShippingAddress, BillingAddress *Address
	Totals                          OrderTotals
}

// OrderStatus is the status of every order.
const OrderStatus = "placed"

// OrderLine is a cart's line as it was sold.
type OrderLine struct {
	Line
	// Total is the line's after the discounts, TaxRate what it was taxed by.
	Total   Amount
	TaxRate Percent
	// Returnable and LeadTimeDays are the product's of the day.
	Returnable   bool
	LeadTimeDays *int
}

// OrderDiscount is a discount as it was applied.
type OrderDiscount struct {
	ID         uuid.UUID
	Name, Code string // no code: automatic
	Kind       DiscountKind
	Amount     Amount
}

// OrderShipping is the delivery of an order, at the price after its discounts.
type OrderShipping struct {
	ID    uuid.UUID
	Name  string
	Price Amount
}

// OrderTotals are what an order comes to: Subtotal + ShippingTotal + TaxTotal = Total.
type OrderTotals struct {
	// Subtotal is the goods without tax, ShippingTotal the delivery without tax.
	Subtotal, ShippingTotal Amount
	TaxTotal, Total         Amount
	// DiscountTotal is what was taken off the goods.
	DiscountTotal Amount
	Breakdown     []TaxRow
}

// Goods are what is to be ordered, frozen: lines with their totals, and the discounts in them. An
// order is made of them, today or when a quote is accepted.
type Goods struct {
	Lines     []OrderLine
	Discounts []OrderDiscount
	// Shipping are the discounts on the delivery, in their order.
	Shipping []ShippingDiscount
}

// ShippingDiscount takes something off the price of any shipping method.
type ShippingDiscount struct {
	OrderDiscount // without an amount
	Value         DiscountValue
}

// goods freezes a cart that was evaluated.
func (e *Evaluation) goods(c *Cart, s *Store) (g Goods) {
	for i := range c.Lines {
		l := OrderLine{Line: c.Lines[i], Total: e.LineTotals[i], TaxRate: c.Lines[i].tax(s)}
		if p := s.Product(l.ProductID); p != nil {
			l.Returnable, l.LeadTimeDays = p.Returnable, p.LeadTimeDays
		}
		g.Lines = append(g.Lines, l)
	}
	for _, applied := range e.Discounts {
		d := applied.Discount
		frozen := OrderDiscount{ID: d.ID, Name: d.Name, Code: d.Code, Kind: d.Kind, Amount: applied.Amount}
		if d.Kind.OfDelivery() {
			g.Shipping = append(g.Shipping, ShippingDiscount{frozen, d.Value})
		} else {
			g.Discounts = append(g.Discounts, frozen)
		}
	}
	return g
}

// fill makes the goods the order's, delivered by a method (nil: not at all), and adds everything up.
// False: it comes to more than MaxAmount.
func (o *Order) fill(g *Goods, method *ShippingMethod, pricesIncludeTax bool) bool {
	o.Lines, o.Discounts = g.Lines, append([]OrderDiscount(nil), g.Discounts...)
	var goods, all Evaluation
	for i := range o.Lines {
		goods.sum(o.Lines[i].Total, o.Lines[i].TaxRate)
		all.sum(o.Lines[i].Total, o.Lines[i].TaxRate)
	}
	o.Shipping = nil
	if method != nil {
		price, off := method.discounted(g.Shipping)
		o.Shipping = &OrderShipping{ID: method.ID, Name: method.Name, Price: price}
		o.Discounts = append(o.Discounts, off...)
		all.sum(price, method.Tax)
	}
	for _, e := range []*Evaluation{&goods, &all} {
		e.splitRows(pricesIncludeTax)
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

// From judges the text by which a list of orders begins, a time of RFC 3339 or a date, which stands
// for its first moment in UTC. Zero: the text is empty or faulty. The lifecycle page, Orders.
func (f *Faults) From(field, text string) time.Time { return f.moment(field, text, 0) }

// To judges the text by which a list of orders ends; a date stands for its last millisecond.
func (f *Faults) To(field, text string) time.Time {
	return f.moment(field, text, 24*time.Hour-time.Millisecond)
}

func (f *Faults) moment(field, text string, later time.Duration) time.Time {
	if text == "" {
		return time.Time{}
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Add(later)
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		f.Add(field, MsgDate(field))
	}
	return at
}
