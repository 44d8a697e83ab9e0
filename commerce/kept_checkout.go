package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// KeptCheckout is what a shopper has entered of a checkout, kept with the cart. The e-mail is the cart's
// own. docs/api/checkout.md#a-checkout-of-several-pages.
type KeptCheckout struct {
	// Shipping and Billing are snapshots without id, type and default; zero if there are none.
	Shipping, Billing Address
	// Method is the shipping method; zero if none is chosen.
	Method uuid.UUID
	// Country is the shopper's until an address is kept; zero if none is chosen.
	Country                 Country
	CustomerNote, Reference string
	// At is the time of the last PATCH of the checkout.
	At time.Time
}

// KeptCheckoutTime is the time after the last PATCH of a checkout for which its addresses and its note are
// shown and used. A guest's cart id is all that protects them.
const KeptCheckoutTime = 24 * time.Hour

// at is what is kept at a time; nil if that is nothing.
func (k *KeptCheckout) at(now time.Time) *KeptCheckout {
	if k == nil || now.Before(k.At.Add(KeptCheckoutTime)) {
		return k
	}
	return (&KeptCheckout{Method: k.Method, Country: k.Country, Reference: k.Reference, At: k.At}).unlessEmpty()
}

// unlessEmpty is the value, nil if it keeps nothing.
func (k *KeptCheckout) unlessEmpty() *KeptCheckout {
	if (*k == KeptCheckout{At: k.At}) {
		return nil
	}
	return k
}

// same reports whether two carts keep the same; other may be nil.
func (k *KeptCheckout) same(other *KeptCheckout) bool {
	if other == nil || !k.At.Equal(other.At) {
		return false
	}
	mine := *k
	mine.At = other.At
	return mine == *other
}

// CheckoutFields are the fields of a checkout that a cart can keep.
type CheckoutFields struct {
	AskedDelivery
	CustomerNote, Reference string
	// CustomerNoteSent and ReferenceSent are true if the body has the member, null too.
	CustomerNoteSent, ReferenceSent bool
}

// sent reports whether the body has one of the two members of an address.
func (a *AskedAddress) sent() bool { return a.Present || a.InBook.Present }

// orKept are the fields with what is kept, which may be nil, for the members that the body lacks. A
// method and an address of delivery count only if a line requires shipping.
func (f CheckoutFields) orKept(kept *KeptCheckout, shipped bool) CheckoutFields {
	if kept == nil {
		return f
	}
	if shipped && !f.Method.Present {
		f.kept = kept.Method
	}
	if shipped && !f.Shipping.sent() {
		f.Shipping = keptAddress(&kept.Shipping)
	}
	if !f.Billing.sent() {
		f.Billing = keptAddress(&kept.Billing)
	}
	if !f.CustomerNoteSent {
		f.CustomerNote = kept.CustomerNote
	}
	if !f.ReferenceSent {
		f.Reference = kept.Reference
	}
	return f
}

func keptAddress(a *Address) AskedAddress {
	return AskedAddress{Sent: *a != Address{}, Address: *a}
}

// KeepCheckout changes what is kept of a checkout: the sent members. docs/api/checkout.md#a-checkout-of-several-pages.
type KeepCheckout struct {
	// Faults are the faults that the decoder found in the fields.
	Faults Faults
	// Email is valid and lower-cased; nil if not sent.
	Email *string
	// Country is zero for none; nil if not sent.
	Country *Country
	CheckoutFields
}

// UsesContact reports whether the visitor's address book is needed.
func (k *KeepCheckout) UsesContact(*Store, *Visitor) bool { return k.usesAddressBook() }

func (*KeepCheckout) Locate(*Cart) *Refusal { return nil }

// keptFields is checkoutFields with the country, which only a cart keeps.
var keptFields = slices.Insert(slices.Clone(checkoutFields), slices.Index(checkoutFields, "reference")+1, "country")

// Apply judges the fields like a checkout, and a method by the document alone.
func (k *KeepCheckout) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	faults := k.Faults.clone()
	effects, _ := PatchCart{Email: k.Email}.Apply(next, in)
	kept := KeptCheckout{}
	if before := next.Checkout.at(in.Now); before != nil {
		kept = *before
	}
	kept.At = in.Now
	if k.Method.Present {
		kept.Method = k.Method.ID
		faults.check("shipping_method_id", false, k.Method.Sent && in.Store.ShippingMethod(k.Method.ID) == nil)
	}
	book := next.addressBook(in)
	faults.allowEmpty("shipping_address_id")
	faults.allowEmpty("billing_address_id")
	faults.check("shipping_address_id", false, !k.Shipping.keep(&kept.Shipping, book))
	faults.check("billing_address_id", false, !k.Billing.keep(&kept.Billing, book))
	if k.CustomerNoteSent {
		kept.CustomerNote = k.CustomerNote
	}
	if k.ReferenceSent {
		kept.Reference = k.Reference
	}
	if k.Country != nil {
		kept.Country = *k.Country
	}
	if r := faults.inOrder(keptFields).Refusal(); r != nil {
		return Effects{}, r
	}
	next.Checkout = kept.unlessEmpty()
	return effects, nil
}

// addressBook is the visitor's contact if the cart is bound to its account, else nil.
func (c *Cart) addressBook(in *Input) *Contact {
	owned := in.Visitor.Known && in.Store.Modules.Has(ModuleCustomers) && c.Customer == Binding{ID: in.Visitor.CustomerID}
	if !owned {
		return nil
	}
	return in.Contact
}

// keep replaces a kept address by the one that was sent, if the body has it. It returns false if the
// address book, which may be nil, has no address with the id.
func (a *AskedAddress) keep(kept *Address, book *Contact) bool {
	if !a.sent() {
		return true
	}
	sent, found := a.in(book)
	if *kept = (Address{}); sent != nil {
		*kept = *sent
	}
	return found
}

// PreparedCheckout is what a shop shows of a kept checkout. docs/api/checkout.md#a-checkout-of-several-pages.
type PreparedCheckout struct {
	Cart *Cart
	KeptCheckout
	// Tax is the taxation of the cart.
	Tax Taxation
	// Methods can be chosen for the country of the kept address, else for the kept country.
	Methods []DeliveryOption
	// Totals are those of the order with the kept method.
	Totals OrderTotals
	// Missing are the fields that a checkout without a body would call required, in their order.
	Missing []string
}

// PrepareCheckout returns what is kept of the cart's checkout, evaluated in the visitor's context.
func PrepareCheckout(c *Cart, s *Store, v Visitor, now time.Time) *PreparedCheckout {
	t := evaluateForCheckout(c, s, v, now)
	delivery := t.consignment()
	p := &PreparedCheckout{Cart: c, Tax: t.Tax}
	if kept := c.Checkout.at(now); kept != nil {
		p.KeptCheckout = *kept
	}
	var country *Country
	switch {
	case p.Shipping != Address{}:
		country = p.Shipping.country()
	case p.KeptCheckout.Country != Country{}:
		country = &p.KeptCheckout.Country
	}
	p.Methods = delivery.options(country)
	method := delivery.kept(p.Method, country)
	goods, order := t.goods(s), new(Order)
	order.fill(&goods, delivery.by(method), t.Tax)
	p.Totals = order.Totals
	for i, missing := range []bool{
		len(c.Lines) == 0, c.Email == "" && !t.visitor.Known, delivery.shipped && method == nil, delivery.shipped && country == nil,
	} {
		if missing {
			p.Missing = append(p.Missing, checkoutFields[i])
		}
	}
	return p
}

// CheckoutNeeds are the fields that a checkout may call required.
func CheckoutNeeds() []string { return slices.Clone(checkoutFields[:4]) }
