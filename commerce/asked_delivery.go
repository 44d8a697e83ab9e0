package commerce

import "github.com/google/uuid"

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
