package commerce

import (
	"cmp"
	"time"

	"github.com/google/uuid"
)

// Checkout sells the cart: it becomes an order, once. docs/api/checkout.md#what-a-checkout-decides.
type Checkout struct {
	// OrderID is the id for the new order.
	OrderID uuid.UUID
	CheckoutForm
}

// The maximum number of code points in a checkout's fields.
const (
	MaxCustomerNote = 1000
	MaxReference    = 100
)

// CheckoutForm is the body of a checkout. An empty text counts as absent.
type CheckoutForm struct {
	// Faults are the faults that the decoder found in the fields.
	Faults Faults
	Email  string // valid and lower-cased
	CheckoutFields
	// ExpectedTotal is the order's total as the shopper saw it; nil if none was sent.
	ExpectedTotal *Amount
	// Payment is the time in which the order must be paid, in minutes.
	Payment AskedMinutes
}

// UsesContact reports whether the visitor's address book, e-mail or VAT id may be needed.
func (f *CheckoutForm) UsesContact(s *Store, v *Visitor) bool {
	return f.Email == "" || f.usesAddressBook() || s.ReverseChargeOf(v)
}

func (*Checkout) Locate(*Cart) *Refusal { return nil }

// Apply judges in the order of docs/api/checkout.md#what-a-checkout-decides, and converts the cart.
func (c *Checkout) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	fields := c.CheckoutFields.orKept(next.Checkout.at(in.Now), next.RequiresShipping(in.Store))
	to := fields.addresses(in.Contact)
	destination := to.destination()
	if kept := next.Checkout; kept != nil {
		destination.asked = kept.Country
	}
	t := evaluateSaleTo(destination, next, in)
	delivery := t.consignment()
	order := &Order{ID: c.OrderID, CartID: next.ID, CustomerNote: fields.CustomerNote, Reference: fields.Reference, Metadata: next.Metadata, PlacedAt: in.Now}
	method, payment, refusal := c.complete(order, t.Cart, &fields, delivery, to, in.Contact)
	if refusal != nil {
		return Effects{}, refusal
	}
	var lines batchRefusal
	for i, r := range t.unavailable() {
		lines.add(i, r)
	}
	if refusal = lines.refusal(); refusal != nil {
		return Effects{}, refusal
	}
	if rules := t.refusals(); len(rules) > 0 {
		return Effects{}, rules[0]
	}
	goods, takes := t.goods(t.store), next.asks(t.store)
	order.Customer, order.VATID = next.bind(t.visitor), t.vatID(in.Contact)
	switch fits := order.fill(&goods, delivery.by(method), t.Tax); {
	case !fits:
		return Effects{}, TotalLimitReached.atMost(int64(MaxAmount))
	case c.ExpectedTotal != nil && *c.ExpectedTotal != order.Totals.Total, c.ExpectedTotal == nil && t.lostCode():
		// The total of a guest's order is known only with the counts that its sale would meet.
		if uncounted := in.uncounted(t.uses(order.Discounts, order.Customer, order.Email)); uncounted != nil {
			return Effects{Uncounted: uncounted}, nil
		}
		return Effects{}, TotalChanged.atTotal(order.Totals.Total).withCodes(t.CodeResults())
	case len(takes) > MaxCartItems:
		return Effects{}, CartTooLarge.atMost(MaxCartItems)
	}
	if short := t.short(in.Shortage.available); short != nil {
		return Effects{}, OutOfStock.Of(short)
	}
	next.Status, next.OrderID, next.Checkout = CartConverted, order.ID, nil
	order.take(takes, t.store)
	order.payWithin(payment)
	uses := t.uses(order.Discounts, order.Customer, order.Email)
	order.Uses = keptUses(uses)
	return Effects{Made: order.ID, Sale: &Sale{Store: t.store, CartID: next.ID, Holder: next.ID, Order: order, Takes: takes, Uses: uses}}, nil
}

// vatID is the customer's VAT id for a sale with reverse charge; empty for another.
func (e *Evaluation) vatID(contact *Contact) string {
	if e.Tax.Exemption != ReverseCharge || contact == nil {
		return ""
	}
	return contact.VATID
}

// bind ties a sold cart to the visitor, and returns its customer.
func (c *Cart) bind(v Visitor) Binding {
	if v.Known {
		c.Customer = Binding{ID: v.CustomerID}
	}
	return c.Customer
}

// checkoutFields is the order in which faults of the fields are reported.
var checkoutFields = []string{
	"lines", "email", "shipping_method_id", "shipping_address", "shipping_address_id", "billing_address", "billing_address_id",
	"customer_note", "reference", "expected_total_amount", "payment_minutes",
}

// complete copies the fields into the order and reports all their faults.
func (c *Checkout) complete(o *Order, cart *Cart, fields *CheckoutFields, delivery *consignment, to *soldAddresses, contact *Contact) (
	method *ShippingMethod, payment time.Duration, r *Refusal) {
	faults := c.Faults.clone()
	o.Email = cart.identify(c.Email, contact, &faults)
	method = fields.deliver(o, delivery, to, &faults)
	payment = c.Payment.paymentTime(delivery.store, &faults)
	return method, payment, faults.inOrder(checkoutFields).Refusal()
}

// identify returns the e-mail address of a sale: the body's, else the cart's, else the account's.
// It also reports an empty cart.
func (c *Cart) identify(sent string, contact *Contact, faults *Faults) string {
	faults.check("lines", len(c.Lines) == 0, false)
	email := cmp.Or(sent, c.Email)
	if email == "" && contact != nil {
		email = contact.Email
	}
	faults.check("email", email == "", false)
	return email
}
