package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// Identity is how a store's records name a customer.
type Identity struct {
	// Customers are the ids of the account and of the guest with the same address.
	Customers []uuid.UUID
	// Email is empty if an erasure has removed it.
	Email string
}

// Owned is a record of a customer: one that is bound to an account or a guest, or has an address.
type Owned interface {
	Owner() (customer Binding, email string)
}

// Owner is part of Owned.
func (c *Cart) Owner() (customer Binding, email string)  { return c.Customer, c.Email }
func (q *Quote) Owner() (customer Binding, email string) { return q.Customer, q.Email }
func (o *Order) Owner() (customer Binding, email string) { return o.Customer, o.Email }

// Concerns reports whether a record is bound to the customer or has the address.
func (i *Identity) Concerns(record Owned) bool {
	customer, email := record.Owner()
	return slices.Contains(i.Customers, customer.ID) || email != "" && email == i.Email
}

// Erasure is the erasure of a customer's personal data from a store's records. Its methods return what it
// leaves of a record, and false if the record has nothing of the customer's.
type Erasure struct {
	Identity
	// Carts are those of the customer's orders and quotes. Such a cart may have neither the customer
	// nor the address, if only the checkout or the request for the quote had it.
	Carts map[uuid.UUID]bool
	// KeepInvoices leaves an order what its invoice needs.
	KeepInvoices bool
}

// Contact leaves the id: a contact without an account, to which no token resolves.
func (e *Erasure) Contact(c *Contact) (*Contact, bool) {
	if c.Guest && c.Email == "" {
		return c, false
	}
	return &Contact{ID: c.ID, Guest: true, Session: c.Session + 1, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt}, true
}

// Cart removes the address, the metadata, the properties of lines and what is kept of a checkout from the
// carts that are bound to the customer, have the address, or became an order or a quote of the customer.
// It also unbinds a guest's carts, because a guest's id derives from the address. Of every cart it removes
// what is counted for the customer.
func (e *Erasure) Cart(c *Cart) (*Cart, bool) {
	next := *c
	var counted bool
	if next.Codes, counted = e.withoutCounts(c.Codes); !e.Concerns(c) && !e.Carts[c.ID] {
		return &next, counted
	}
	next.Email, next.Metadata, next.Checkout = "", nil, nil
	next.Customer = unlessGuest(c.Customer)
	next.Lines = withoutProperties(c.Lines, func(l *Line) *Line { return l })
	return &next, true
}

// Quote removes the customer's own texts. The offer, its answer and the reference stay.
func (e *Erasure) Quote(q *Quote) (*Quote, bool) {
	if !e.Concerns(q) {
		return q, false
	}
	next := *q
	next.Email, next.SignerName, next.DeclineReason, next.Metadata = "", "", "", nil
	next.Goods.Lines = withoutProperties(q.Goods.Lines, soldLine)
	next.QuoteDetails = QuoteDetails{Reference: q.Reference}
	next.OfferMessage, next.InternalNote, next.ChangeMessage, next.WithdrawReason = "", "", "", ""
	next.Source, next.Draft = nil, nil
	next.History = slices.Clone(q.History)
	for i := range next.History {
		next.History[i].Text = ""
	}
	if !e.KeepInvoices { // a quote on offer may still become an order
		next.VATID = ""
	}
	next.Customer = unlessGuest(q.Customer)
	return &next, true
}

// Order removes addresses and the customer's own texts, and with them the merchant's texts about payment,
// cancel and parts. Items, amounts, times, the carrier and the country stay; with KeepInvoices also the
// address of the invoice (the billing address, or the shipping address of an order without one) and the VAT id. A cancel
// has no uses of the customer to give back, because their counts are erased.
func (e *Erasure) Order(o *Order) (*Order, bool) {
	if !e.Concerns(o) {
		return o, false
	}
	next := *o
	next.Email, next.CustomerNote, next.Metadata = "", "", nil
	next.Lines = withoutProperties(o.Lines, soldLine)
	next.Uses = slices.DeleteFunc(slices.Clone(o.Uses), func(use Use) bool { return use.Counter == CountCustomer })
	if len(next.Uses) == 0 {
		next.Uses = nil
	}
	next.Payment.Reference = ErasedReference(o.Payment.Reference)
	if !slices.Contains(ShownReasons, o.CancelReason) { // the merchant's own text
		next.CancelReason = ""
	}
	next.Parts = slices.Clone(o.Parts)
	for i := range next.Parts {
		p := &next.Parts[i]
		p.TrackingNumber, p.TrackingURL, p.Reason, p.Reference = "", "", "", ErasedReference(p.Reference)
	}
	if !e.KeepInvoices || o.BillingAddress != nil {
		next.ShippingAddress = countryOf(o.ShippingAddress)
	}
	if !e.KeepInvoices {
		next.BillingAddress, next.VATID = countryOf(o.BillingAddress), ""
	}
	next.Customer = unlessGuest(o.Customer)
	return &next, true
}

// unlessGuest is an account's binding. A guest's id derives from the address.
func unlessGuest(b Binding) Binding {
	if b.Guest {
		return Binding{}
	}
	return b
}

// withoutCounts returns codes without what is counted for the customer; false if nothing is.
func (e *Erasure) withoutCounts(codes []AttachedCode) ([]AttachedCode, bool) {
	counted := func(code AttachedCode) bool { return slices.Contains(e.Customers, code.Counted.Account) }
	if !slices.ContainsFunc(codes, counted) {
		return codes, false
	}
	codes = slices.Clone(codes)
	for i := range codes {
		if counted(codes[i]) {
			codes[i].Counted = CountedUses{}
		}
	}
	return codes, true
}

// withoutProperties returns lines without the shopper's own texts.
func withoutProperties[L any](lines []L, line func(*L) *Line) []L {
	lines = slices.Clone(lines)
	for i := range lines {
		line(&lines[i]).Properties = nil
	}
	return lines
}

func soldLine(l *OrderLine) *Line { return &l.Line }

// countryOf returns the part of an erased address that stays: taxes are by country.
func countryOf(a *Address) *Address {
	if a == nil {
		return nil
	}
	return &Address{Country: a.Country}
}
