package commerce

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// Checkout sells the cart: it becomes an order, once. The lifecycle page, Checkout.
type Checkout struct {
	// OrderID is the order's id, should it be made.
	OrderID uuid.UUID
	CheckoutForm
	// first is the first verdict that would have sold the cart.
	first *firstVerdict
}

// firstVerdict is kept while a checkout is judged again, because Redis held other facts.
type firstVerdict struct {
	// next is the stamp counter of the commit that it was judged for.
	next      uint64
	discounts []OrderDiscount
}

// CheckoutForm is the body of a checkout. An empty text is an absent one.
type CheckoutForm struct {
	// Faults are what is wrong with the fields by themselves.
	Faults                  Faults
	Email                   string // valid and lower-cased
	Method                  AskedID
	Shipping, Billing       AskedAddress
	CustomerNote, Reference string
	// ExpectedTotal is what the order must come to; nil: whatever it does.
	ExpectedTotal *Amount
}

// AskedID is an id that may be sent; one that is no UUID is zero.
type AskedID struct {
	Sent bool
	ID   uuid.UUID
}

// AskedAddress is an address that may be sent as such, or by its id in the address book. The
// address wins.
type AskedAddress struct {
	Sent    bool
	Address Address
	InBook  AskedID
}

// UsesAddressBook reports whether an address is asked for by its id.
func (f *CheckoutForm) UsesAddressBook() bool {
	return !f.Shipping.Sent && f.Shipping.InBook.Sent || !f.Billing.Sent && f.Billing.InBook.Sent
}

func (*Checkout) Locate(*Cart) *Refusal { return nil }

// Apply judges in the order of the lifecycle page and converts the cart.
func (c *Checkout) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	t := newTill(next, in.Shortage.exhaust(in.Store), in.Visitor, in.Now)
	order := &Order{ID: c.OrderID, CartID: next.ID, CustomerNote: c.CustomerNote, Reference: c.Reference, PlacedAt: in.Now}
	method, refusal := c.complete(order, t, in.Contact)
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
	goods, takes := t.goods(next, t.store), next.asks(t.store)
	switch fits := order.fill(&goods, method, t.store.PricesIncludeTax); {
	case !fits:
		return Effects{}, TotalLimitReached
	case c.changed(order, in.Next):
		return Effects{}, TotalChanged.atTotal(order.Totals.Total)
	case len(takes) > MaxCartItems:
		return Effects{}, CartTooLarge
	}
	if short := t.short(in.Shortage.available); short != nil {
		return Effects{}, OutOfStock.of(short)
	}
	next.Status, next.OrderID = CartConverted, order.ID
	if t.visitor.Known {
		next.Customer = Binding{ID: t.visitor.CustomerID}
	}
	order.Customer = next.Customer
	return Effects{Made: order.ID, Sale: &Sale{Store: t.store, Order: order, Takes: takes, Uses: t.uses(order)}}, nil
}

// checkoutFields is the order in which faults of the fields are reported.
var checkoutFields = []string{
	"lines", "email", "shipping_method_id", "shipping_address", "shipping_address_id", "billing_address", "billing_address_id",
	"customer_note", "reference", "expected_total_amount",
}

// complete takes the fields over into the order, and reports all that is wrong with them.
func (c *Checkout) complete(o *Order, t *till, contact *Contact) (method *ShippingMethod, r *Refusal) {
	faults := c.Faults.clone()
	check := func(name string, missing, unknown bool) {
		switch {
		case faults.has(name):
		case missing:
			faults.Add(name, MsgRequired(name))
		case unknown:
			faults.Add(name, MsgIn(name))
		}
	}
	delivered := t.cart.needsDelivery(t.store)
	check("lines", len(t.cart.Lines) == 0, false)
	o.Email = cmp.Or(c.Email, t.cart.Email)
	if o.Email == "" && contact != nil {
		o.Email = contact.Email
	}
	check("email", o.Email == "", false)
	method = t.store.ShippingMethod(c.Method.ID)
	check("shipping_method_id", delivered && !c.Method.Sent, c.Method.Sent && method == nil)
	check("shipping_address", delivered && !c.Shipping.Sent && !c.Shipping.InBook.Sent, false)
	var found bool
	o.ShippingAddress, found = c.Shipping.in(contact)
	check("shipping_address_id", false, !found)
	o.BillingAddress, found = c.Billing.in(contact)
	check("billing_address_id", false, !found)
	return method, faults.inOrder(checkoutFields).Refusal()
}

// in is the address as an order keeps it; nil if none is asked for. False: the contact has none with
// this id.
func (a *AskedAddress) in(contact *Contact) (*Address, bool) {
	var address Address
	switch {
	case a.Sent:
		address = a.Address
	case !a.InBook.Sent:
		return nil, true
	case contact == nil || contact.Address(a.InBook.ID) == nil:
		return nil, false
	default:
		address = *contact.Address(a.InBook.ID)
	}
	address.ID, address.Type, address.IsDefault = uuid.Nil, "", false
	return &address, true
}

// changed reports whether the order is not what the shopper has seen: its total is another one, or
// a discount that counted when the request was first judged does not any more.
func (c *Checkout) changed(o *Order, next uint64) bool {
	if c.ExpectedTotal != nil && *c.ExpectedTotal != o.Totals.Total {
		return true
	}
	if c.first == nil || c.first.next != next {
		c.first = &firstVerdict{next, o.Discounts}
		return false
	}
	return slices.ContainsFunc(c.first.discounts, func(counted OrderDiscount) bool {
		return !slices.ContainsFunc(o.Discounts, func(d OrderDiscount) bool { return d.ID == counted.ID })
	})
}
