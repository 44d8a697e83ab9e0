package commerce

import "strconv"

// A stored record may break a bound that a release after its own brought: it is served as it is. These
// methods find what a record breaks, as the faults of a body; nil if it breaks nothing.

// BrokenBounds returns what the cart breaks.
func (c *Cart) BrokenBounds() *Refusal {
	var f Faults
	f.Line("email", c.Email)
	f.metadataEntries("metadata", c.Metadata)
	for i := range c.Codes {
		f.Verbatim("discount_code", c.Codes[i].Code)
	}
	if k := c.Checkout; k != nil {
		f.below("shipping_address", k.Shipping.brokenBounds)
		f.below("billing_address", k.Billing.brokenBounds)
		f.Lines("customer_note", k.CustomerNote)
		f.Line("reference", k.Reference)
	}
	for i := range c.Lines {
		f.below("lines."+strconv.Itoa(i), c.Lines[i].brokenBounds)
	}
	return f.Refusal()
}

// BrokenBounds returns what the contact breaks.
func (c *Contact) BrokenBounds() *Refusal {
	var f Faults
	names := [...]string{"email", "first_name", "last_name", "phone", "company_name", "registration_number", "vat_id", "external_id", "password_hash"}
	for i, text := range c.Texts() {
		f.Line(names[i], *text)
	}
	f.nameLength("first_name", c.FirstName)
	f.nameLength("last_name", c.LastName)
	f.nameLength("company_name", c.CompanyName)
	for i := range c.Addresses {
		f.below("addresses."+strconv.Itoa(i), c.Addresses[i].brokenBounds)
	}
	return f.Refusal()
}

// BrokenBounds returns what the order breaks.
func (o *Order) BrokenBounds() *Refusal {
	var f Faults
	f.Line("email", o.Email)
	f.Lines("customer_note", o.CustomerNote)
	f.Line("reference", o.Reference)
	f.metadataEntries("metadata", o.Metadata)
	f.below("", (&Goods{Lines: o.Lines, Discounts: o.Discounts}).brokenBounds)
	if o.Shipping != nil {
		f.storedName("shipping.name", o.Shipping.Name)
	}
	if o.ShippingAddress != nil {
		f.below("shipping_address", o.ShippingAddress.brokenBounds)
	}
	if o.BillingAddress != nil {
		f.below("billing_address", o.BillingAddress.brokenBounds)
	}
	f.Line("payment.reference", o.Payment.Reference)
	f.Line("payment.refund_reference", o.Payment.RefundReference)
	if s := o.Shipment; s != nil {
		f.Line("shipment.carrier", s.Carrier)
		f.Line("shipment.tracking_number", s.TrackingNumber)
		f.Line("shipment.tracking_url", s.TrackingURL)
	}
	f.Line("cancel_reason", o.CancelReason)
	return f.Refusal()
}

// BrokenBounds returns what the quote breaks.
func (q *Quote) BrokenBounds() *Refusal {
	var f Faults
	f.Line("email", q.Email)
	f.Line("name", q.Name)
	f.Line("company_name", q.CompanyName)
	f.Line("phone", q.Phone)
	f.Lines("message", q.Message)
	f.Line("reference", q.Reference)
	f.metadataEntries("metadata", q.Metadata)
	f.below("", q.Goods.brokenBounds)
	f.Line("signer_name", q.SignerName)
	f.Line("decline_reason", q.DeclineReason)
	return f.Refusal()
}

// storedName judges a name of the document, which the record has a copy of.
func (f *Faults) storedName(field, text string) {
	f.Line(field, text)
	f.nameLength(field, text)
}

func (f *Faults) nameLength(field, text string) { AtMost(MaxName)(f, field, text) }

// below adds what a part breaks, with the path of the part.
func (f *Faults) below(path string, broken func(*Faults)) {
	if path == "" {
		broken(f)
		return
	}
	var part Faults
	broken(&part)
	f.AddBelow(path, &part)
}

func (g *Goods) brokenBounds(f *Faults) {
	for i := range g.Lines {
		f.below("lines."+strconv.Itoa(i), func(f *Faults) {
			g.Lines[i].brokenBounds(f)
			f.storedName("variant_name", g.Lines[i].VariantName)
		})
	}
	for i := range g.Discounts {
		f.below("discounts."+strconv.Itoa(i), g.Discounts[i].brokenBounds)
	}
	for i := range g.Shipping {
		f.below("shipping_discounts."+strconv.Itoa(i), g.Shipping[i].brokenBounds)
	}
}

func (d *OrderDiscount) brokenBounds(f *Faults) {
	f.storedName("name", d.Name)
	f.Verbatim("code", d.Code)
}

func (l *Line) brokenBounds(f *Faults) {
	l.eachText(f.Line)
	f.nameLength("name", l.Name)
	if l.Properties != nil {
		for _, p := range *l.Properties {
			f.Line(propertiesField, p.Key)
			f.Line(propertiesField, p.Label)
			f.Lines(propertiesField, p.Value)
		}
	}
	c := l.Configuration
	if c == nil {
		return
	}
	f.Line("matrix.id", c.MatrixID)
	f.Line("matrix.name", c.MatrixName)
	for i := range c.Dimensions {
		f.Line("dimensions", c.Dimensions[i].Key)
	}
	for _, id := range c.Choices {
		f.Line("choices", id)
	}
	for i := range c.Breakdown {
		f.Line("breakdown", c.Breakdown[i].Label)
	}
}

func (a *Address) brokenBounds(f *Faults) {
	names := [...]string{"type", "label", "name", "street", "postal_code", "city", "country", "phone", "company", "region"}
	for i, text := range a.Texts() {
		f.Line(names[i], *text)
	}
}
