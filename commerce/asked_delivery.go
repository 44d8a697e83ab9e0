package commerce

import "github.com/google/uuid"

// AskedDelivery is the requested delivery in the body of a checkout or of a quote's accept.
type AskedDelivery struct {
	Method            AskedID
	Shipping, Billing AskedAddress
}

// AskedID is an optional id. A text that is no UUID gives the zero id.
type AskedID struct {
	Sent bool
	ID   uuid.UUID
}

// AskedAddress is an optional address, sent in full or by its id in the address book. The full
// address wins.
type AskedAddress struct {
	Sent    bool
	Address Address
	InBook  AskedID
}

// usesAddressBook reports whether an address is requested by its id.
func (d *AskedDelivery) usesAddressBook() bool {
	return !d.Shipping.Sent && d.Shipping.InBook.Sent || !d.Billing.Sent && d.Billing.InBook.Sent
}

// deliver copies the addresses into the order of a consignment and returns the shipping method; nil if
// none is requested. It reports missing and unknown fields, and a method that cannot be chosen for the
// country of an address without faults. docs/api/checkout.md#what-a-checkout-decides.
func (d *AskedDelivery) deliver(o *Order, c *consignment, contact *Contact, faults *Faults) *ShippingMethod {
	method := c.store.ShippingMethod(d.Method.ID)
	faults.check("shipping_method_id", c.shipped && !d.Method.Sent, d.Method.Sent && method == nil)
	faults.check("shipping_address", c.shipped && !d.Shipping.Sent && !d.Shipping.InBook.Sent, false)
	var found bool
	o.ShippingAddress, found = d.Shipping.in(contact)
	faults.check("shipping_address_id", false, !found)
	o.BillingAddress, found = d.Billing.in(contact)
	faults.check("billing_address_id", false, !found)
	if c.shipped && method != nil && !faults.has("shipping_address") && !faults.has("shipping_address_id") {
		country, _ := ParseCountry(o.ShippingAddress.Country)
		faults.check("shipping_method_id", false, !c.offers(method, &country))
	}
	return method
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
