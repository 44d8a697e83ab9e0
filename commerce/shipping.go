package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// consignment has the goods of a cart or a quote as shipping methods judge them.
type consignment struct {
	store *Store
	// goods are the totals of the goods with their taxation.
	goods *Evaluation
	// discounts are those on the delivery.
	discounts []ShippingDiscount
	// shipped is true if a line requires shipping. weight is that of all lines.
	shipped bool
	weight  Micrograms
	// highest is the highest rate of the lines that require shipping.
	highest Percent
	// promised is true for the goods of a quote: it can be delivered by any method if none suits it.
	promised bool
	// fixed is the delivery that a quote promises; nil if the customer chooses one.
	fixed *delivery
}

// DeliveryOption is a shipping method that can be chosen.
type DeliveryOption struct {
	*ShippingMethod
	// TaxRate is that of the delivery; 0 if the cart is exempt.
	TaxRate Percent
	// Cost is the price after discounts, in the basis of the goods' prices. Net is the ShippingTotal that the
	// order has with this method: tax is rounded for each rate, not for each line. Gross is the price with tax,
	// rounded by itself, as the order has it; that without tax if the cart is exempt.
	Cost, Net, Gross Amount
	// OrderTotal is the total of the order with this method.
	OrderTotal Amount
}

// consignment is the cart's goods as it was evaluated.
func (t *evaluatedCart) consignment() *consignment {
	c := &consignment{
		store: t.store, goods: &t.Evaluation, discounts: t.shippingDiscounts(),
	}
	for i := range t.Cart.Lines {
		l := &t.Cart.Lines[i]
		if p := t.store.Product(l.ProductID); p != nil {
			c.weigh(l, UnitWeight(p, p.Variant(l.VariantID)))
			c.ships(p.RequiresShipping, t.Tax.applied(p.Tax))
		}
	}
	return c
}

// consignment is the quote's goods, delivered by today's methods.
func (q *Quote) consignment(s *Store) *consignment {
	c := &consignment{store: s, goods: &Evaluation{Tax: q.Tax}, discounts: q.Goods.Shipping, promised: true}
	for i := range q.Goods.Lines {
		l := &q.Goods.Lines[i]
		c.goods.sum(l.Total, l.applied(&q.Tax))
		c.ships(l.Freight.RequiresShipping, l.applied(&q.Tax))
		c.weigh(&l.Line, l.Freight.UnitWeight)
	}
	c.goods.splitRows()
	c.goods.addUp()
	if q.Delivery != nil {
		c.fixed = q.Delivery.at(q.ID, q.Delivery.Rate)
	}
	return c
}

// ships notes a line with the rate that is applied to it.
func (c *consignment) ships(required bool, applied Percent) {
	if required {
		c.shipped, c.highest = true, max(c.highest, applied)
	}
}

func (c *consignment) weigh(l *Line, unit Milligrams) {
	c.weight = c.weight.plus(unit.times(l.Quantity))
}

// options are the methods that can be chosen for a country, in the document's order; nil stands for
// any country. There are none if no line requires shipping. Delivery.
func (c *consignment) options(country *Country) []DeliveryOption {
	if c.fixed != nil {
		return c.option(nil, c.fixed.ShippingMethod)
	}
	if !c.shipped {
		return nil
	}
	suitable := c.those(func(m *ShippingMethod) bool { return m.delivers(country) && m.carries(c.goods.Total, c.weight) })
	if len(suitable) == 0 && c.promised {
		return c.those(func(*ShippingMethod) bool { return true })
	}
	return suitable
}

// offers reports whether a method is among the options.
func (c *consignment) offers(m *ShippingMethod, country *Country) bool {
	return slices.ContainsFunc(c.options(country), func(o DeliveryOption) bool { return o.ShippingMethod == m })
}

// those are the methods that a rule accepts. A method whose order would exceed MaxAmount is left
// out.
func (c *consignment) those(accepted func(*ShippingMethod) bool) []DeliveryOption {
	all := make([]DeliveryOption, 0, len(c.store.ShippingMethods))
	for i := range c.store.ShippingMethods {
		m := &c.store.ShippingMethods[i]
		if accepted(m) {
			all = c.option(all, m)
		}
	}
	return all
}

// option appends a method.
func (c *consignment) option(all []DeliveryOption, m *ShippingMethod) []DeliveryOption {
	d := c.by(m)
	cost := takeOff(d.price, c.discounts, nil)
	net, total, ok := c.goods.delivered(cost, d.rate)
	if !ok {
		return all
	}
	t := &c.goods.Tax
	return append(all, DeliveryOption{
		ShippingMethod: m, TaxRate: t.Charged(d.rate), Cost: cost, Net: net, Gross: t.gross(cost, d.rate), OrderTotal: total,
	})
}

// delivery is a delivery by a method. price is before discounts, in the basis of the goods' prices; rate is
// the tax rate that is applied to it.
type delivery struct {
	*ShippingMethod
	price Amount
	rate  Percent
}

// by is the delivery by a method; nil for nil.
func (c *consignment) by(m *ShippingMethod) *delivery {
	if m == nil || c.fixed != nil {
		return c.fixed
	}
	t := &c.goods.Tax
	d := &delivery{ShippingMethod: m, price: m.priceFor(c.goods.Total), rate: t.applied(m.Tax)}
	if m.TaxOfGoods && c.shipped {
		d.rate = c.highest
	}
	if t.Included == c.store.PricesIncludeTax {
		return d
	}
	base, tax := splitTax(d.price, d.rate, c.store.PricesIncludeTax)
	if d.price = base; t.Included {
		d.price += tax
	}
	return d
}

// delivered is the total of goods with a delivery at a price, and what the delivery adds to the sum without
// tax. Only the group of the delivery's rate differs from the goods'. It returns false if the total exceeds
// MaxAmount.
func (e *Evaluation) delivered(price Amount, applied Percent) (net, total Amount, ok bool) {
	sum, before := price, TaxRow{}
	for _, group := range e.groups {
		if group.Rate != applied {
			continue
		}
		before = group
		if sum += group.Base; e.Tax.Included {
			sum += group.Tax
		}
	}
	base, tax := e.Tax.split(sum, applied)
	net = base - before.Base
	if total = e.Total + net; e.Tax.Exemption == NotExempt {
		total += tax - before.Tax
	}
	return net, total, !e.Overflow && total <= MaxAmount
}

// DeliveryOptions are the methods that the visitor can choose for a cart and a country, which is then also the
// tax country. nil is any country, in the cart's own tax country.
func DeliveryOptions(c *Cart, s *Store, v Visitor, now time.Time, country *Country) []DeliveryOption {
	in := &Input{Store: s, Visitor: v, Now: now}
	if country == nil {
		return evaluateForSale(c, in).consignment().options(nil)
	}
	return evaluateSaleTo(destination{asked: *country}, c, in).consignment().options(country)
}

// DeliveryOptions are the methods that can be chosen for the quote and a country, nil for any. It refuses another
// country than the quote's.
func (q *Quote) DeliveryOptions(s *Store, country *Country) ([]DeliveryOption, *Refusal) {
	if country != nil && !q.isFor(*country) {
		return nil, FaultOf("country", MsgQuoteCountry(q.Tax.Country))
	}
	return q.consignment(s).options(country), nil
}

// AskedDelivery is the requested delivery in the body of a checkout or of a quote's accept.
type AskedDelivery struct {
	Method            AskedID
	Shipping, Billing AskedAddress
	// kept is a method that counts if none is sent and it can be chosen; zero if there is none.
	kept uuid.UUID
}

// AskedID is an optional id. A text that is no UUID gives the zero id.
type AskedID struct {
	Sent bool
	ID   uuid.UUID
	// Present is true if the body has the member, also with a value that counts as none.
	Present bool
}

// AskedAddress is an optional address, sent in full or by its id in the address book. The full
// address wins.
type AskedAddress struct {
	Sent bool
	// Present is true if the body has the member of the full address, also with a value that counts as
	// none.
	Present bool
	Address Address
	InBook  AskedID
}

// usesAddressBook reports whether an address is requested by its id.
func (d *AskedDelivery) usesAddressBook() bool {
	return !d.Shipping.Sent && d.Shipping.InBook.Sent || !d.Billing.Sent && d.Billing.InBook.Sent
}

// soldAddresses are the addresses that an order is sold with; nil if there are none.
type soldAddresses struct {
	shipping, billing *Address
	// These are true if the address book lacks the address that is requested by its id.
	unknownShipping, unknownBilling bool
}

func (a *soldAddresses) destination() destination {
	return destination{shipping: a.shipping.taxCountry(), billing: a.billing.taxCountry()}
}

// addresses are the requested addresses. contact, which may be nil, has the address book.
func (d *AskedDelivery) addresses(contact *Contact) *soldAddresses {
	a := new(soldAddresses)
	var found bool
	a.shipping, found = d.Shipping.in(contact)
	a.unknownShipping = !found
	a.billing, found = d.Billing.in(contact)
	a.unknownBilling = !found
	return a
}

// deliver copies the addresses into the order of a consignment and returns the shipping method; nil if
// none is requested. It reports missing and unknown fields, and a method that cannot be chosen for the
// country of an address without faults. docs/api/checkout.md#what-a-checkout-decides.
func (d *AskedDelivery) deliver(o *Order, c *consignment, to *soldAddresses, faults *Faults) *ShippingMethod {
	faults.check("shipping_address", c.shipped && !d.Shipping.Sent && !d.Shipping.InBook.Sent, false)
	o.ShippingAddress, o.BillingAddress = to.shipping, to.billing
	faults.check("shipping_address_id", false, to.unknownShipping)
	faults.check("billing_address_id", false, to.unknownBilling)
	if c.fixed != nil {
		faults.check("shipping_method_id", false, d.Method.Sent && d.Method.ID != c.fixed.ID)
		return c.fixed.ShippingMethod
	}
	var country *Country
	if c.shipped && !faults.has("shipping_address") && !faults.has("shipping_address_id") {
		country = o.ShippingAddress.country()
	}
	if !d.Method.Sent {
		method := c.kept(d.kept, country)
		faults.check("shipping_method_id", c.shipped && method == nil, false)
		return method
	}
	method := c.store.ShippingMethod(d.Method.ID)
	faults.check("shipping_method_id", false, method == nil || country != nil && !c.offers(method, country))
	return method
}

// country is the address's for the judgement of shipping methods; nil without an address. One that is
// no country's is that of no method's list.
func (a *Address) country() *Country {
	if a == nil {
		return nil
	}
	country, _ := ParseCountry(a.Country)
	return &country
}

// kept is the method with an id that a cart has kept; nil if no line requires shipping, or if the method
// cannot be chosen for the country, nil for any.
func (c *consignment) kept(id uuid.UUID, country *Country) *ShippingMethod {
	if method := c.store.ShippingMethod(id); method != nil && c.offers(method, country) {
		return method
	}
	return nil
}

// in is the address as an order keeps it; nil if none is requested. It returns false if the contact
// has no address with this id.
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
