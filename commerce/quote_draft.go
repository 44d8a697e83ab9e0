package commerce

import (
	"strconv"
	"time"

	"github.com/google/uuid"
)

// QuoteDraft is what the merchant writes beside the terms of a quote. An offer makes the terms of it, whole.
// A draft is never changed once another goroutine can see it. docs/api/quotes.md#the-merchants-side.
type QuoteDraft struct {
	// At is the time of its last write.
	At time.Time
	// Country is the tax country; zero for the store's.
	Country Country
	Lines   []DraftLine
	// Included is the basis of the prices: that of the last write of the lines.
	Included bool
	// LinesName is the row of the lines' discounts; empty for DefaultDiscountName.
	LinesName string
	// Rows are the discounts of a request, and Shipping those on its delivery. Rows are nil once the lines
	// are written.
	Rows     []OrderDiscount
	Shipping []ShippingDiscount
	// Discount is the one off the whole; nil if there is none.
	Discount *WholeDiscount
	// Delivery is the fixed delivery; nil if the customer chooses a method of that day.
	Delivery *FixedDelivery
	// ValidUntil is zero for the store's valid_days from the offer.
	ValidUntil time.Time
	// Mode is the way of acceptance; empty for the store's.
	Mode         string
	HoldStock    bool
	OfferMessage string
}

// DraftLine is a line of a draft, with its product as it was at the last write. Its product is zero if the line
// is outside the catalogue.
type DraftLine struct {
	// OrderLine has neither total nor tax rate: they are computed. UnitPrice counts if Own is true.
	OrderLine
	// Own is true if the unit price is the merchant's. Otherwise it is the catalogue's of the moment.
	Own      bool
	Discount Amount
	// TaxCode is that of a line outside the catalogue.
	TaxCode string
}

// outside reports whether the line is outside the catalogue.
func (l *DraftLine) outside() bool { return l.ProductID == uuid.Nil }

// WholeDiscount is a discount off the sum of all lines, after their own. One of ByPercent and Amount counts.
type WholeDiscount struct {
	Name      string // empty for DefaultDiscountName
	ByPercent bool
	Percent   Percent
	Amount    Amount
}

// FixedDelivery is the delivery that a quote promises.
type FixedDelivery struct {
	// MethodID is the shipping method that it was made of; zero if there is none.
	MethodID uuid.UUID
	Name     string
	Price    Amount
	TaxCode  string
	// Home is the home rate of the code at the last write, Rate the one that is applied to an offered delivery.
	Home, Rate Percent
}

// DefaultDiscountName is the name of a merchant's discount without one.
const DefaultDiscountName = "Discount"

// The bounds of a draft.
const (
	MaxDraftLines   = 250
	MaxDraftAmount  = Amount(1_000_000_000_000)
	MaxDiscountName = 100
	MaxDeliveryName = 150
	MaxDraftName    = 255 // of a line, and of its SKU
	MaxOfferMessage = 2000
	// maxDraftBytes bounds what the merchant writes, so that the terms that an offer makes of it and the next draft, which begins as a
	// copy of them, are half of the record each. A copy of a larger cart or order may only become smaller.
	maxDraftBytes = maxCartBytes / 2
)

// DraftSums are a draft's amounts at a moment.
type DraftSums struct {
	// Goods are the lines with their totals, and the discounts.
	Goods Goods
	Tax   Taxation
	// Prices are the catalogue's, by line; nil where there is none.
	Prices []*Amount
	// Delivery is the fixed delivery with its rate; nil if there is none.
	Delivery *FixedDelivery
	// Totals are those of the goods, Order those with the delivery.
	Totals, Order OrderTotals
	// Missing are the fields that an offer would refuse.
	Missing []string
	// Overflow is true if an amount exceeds MaxAmount.
	Overflow bool
}

// Total is the total that an offer expects.
func (t *DraftSums) Total() Amount { return t.Order.Total }

// Sums computes the draft of a quote for its customer.
func (q *Quote) Sums(s *Store, customer *Contact, now time.Time) *DraftSums {
	d, v := q.Draft, s.quoteVisitor(customer)
	var country *Country
	if (d.Country != Country{}) {
		country = &d.Country
	}
	t := &DraftSums{Tax: s.Taxation(s.CountryOr(country), &v), Prices: make([]*Amount, len(d.Lines))}
	t.Tax.Included = d.Included
	if len(d.Lines) == 0 {
		t.Missing = append(t.Missing, "lines")
	}
	off := t.lines(d, s, v.pricing(now))
	t.discounts(q.ID, d, off)
	var by *delivery
	if d.Delivery != nil {
		by = d.Delivery.by(q.ID, s, &t.Tax)
		fixed := *d.Delivery
		fixed.Rate = by.rate
		t.Delivery = &fixed
	} else {
		t.Goods.Shipping = d.Shipping
	}
	var goods, all Order
	fits := goods.fill(&t.Goods, nil, t.Tax)
	fits = all.fill(&Goods{Lines: t.Goods.Lines, Discounts: t.Goods.Discounts}, by, t.Tax) && fits
	t.Totals, t.Order, t.Overflow = goods.Totals, all.Totals, t.Overflow || !fits
	if q.Email == "" && (customer == nil || customer.Email == "") {
		t.Missing = append(t.Missing, "email")
	}
	if !d.ValidUntil.IsZero() && !d.ValidUntil.After(now) {
		t.Missing = append(t.Missing, "valid_until")
	}
	return t
}

// lines prices the lines, and returns the sum of their discounts.
func (t *DraftSums) lines(d *QuoteDraft, s *Store, ctx Pricing) (off Amount) {
	for i := range d.Lines {
		l := &d.Lines[i]
		price, found := l.catalogue(s, ctx)
		if found {
			listed := price
			t.Prices[i] = &listed
		}
		if l.Own {
			price, found = l.UnitPrice, true
		}
		if !found {
			price = 0
			t.Missing = append(t.Missing, "lines."+strconv.Itoa(i)+".unit_price_amount")
		}
		line, applied := l.sold(s, &t.Tax)
		full, fits := price.Times(l.Quantity)
		t.Overflow = t.Overflow || !fits
		cut := min(l.Discount, full)
		line.UnitPrice, line.Total, line.TaxRate = price, full-cut, t.Tax.Charged(applied)
		off += cut
		t.Goods.Lines = append(t.Goods.Lines, line)
	}
	return off
}

// discounts takes the discount off the whole, and lists the rows of all.
func (t *DraftSums) discounts(id uuid.UUID, d *QuoteDraft, off Amount) {
	t.Goods.Discounts = append(t.Goods.Discounts, d.Rows...)
	if d.Rows == nil && off > 0 {
		t.Goods.Discounts = append(t.Goods.Discounts, OrderDiscount{ID: id, Name: named(d.LinesName), Kind: DiscountProducts, Amount: off})
	}
	if d.Discount == nil {
		return
	}
	weights, sum := make([]Amount, len(t.Goods.Lines)), Amount(0)
	for i := range t.Goods.Lines {
		weights[i] = t.Goods.Lines[i].Total
		sum += weights[i]
	}
	whole := min(d.Discount.Amount, sum)
	if d.Discount.ByPercent {
		whole = sum.Percent(d.Discount.Percent)
	}
	if whole == 0 {
		return
	}
	for i, share := range spread(whole, weights) {
		t.Goods.Lines[i].Total -= share
	}
	t.Goods.Discounts = append(t.Goods.Discounts, OrderDiscount{ID: id, Name: named(d.Discount.Name), Kind: DiscountOrder, Amount: whole})
}

// named is the name of a merchant's discount.
func named(name string) string {
	if name == "" {
		return DefaultDiscountName
	}
	return name
}

// catalogue is the catalogue's price of the moment; false if there is none. Inactive products have one.
func (l *DraftLine) catalogue(s *Store, ctx Pricing) (Amount, bool) {
	p := s.Product(l.ProductID)
	switch {
	case p == nil:
		return 0, false
	case l.Configuration != nil:
		if p.Configurator == nil {
			return 0, false
		}
		made, faults := p.Configurator.Engine.Price(l.Configuration.selection())
		return made.UnitPrice, faults == nil
	case p.Capability == MadeToMeasure:
		return 0, false
	}
	var variant *Variant
	if l.VariantID != uuid.Nil {
		if variant = p.Variant(l.VariantID); variant == nil {
			return 0, false
		}
	}
	return UnitPrice(p, variant, ctx, l.Quantity)
}

// sold returns the line as an order has it, without amounts, and its tax rate. If the document no longer has the
// product, the line is as it was at the last write.
func (l *DraftLine) sold(s *Store, t *Taxation) (line OrderLine, applied Percent) {
	line, applied = l.OrderLine, l.Tax
	if l.outside() {
		if rate := s.taxRate(l.TaxCode); rate != nil {
			line.Tax, applied = rate.Home(), t.applied(rate)
		}
		return line, applied
	}
	p := s.Product(l.ProductID)
	line.Properties = l.Properties.labelled(p)
	if p != nil {
		line.describe(p)
		applied = t.applied(p.Tax)
	}
	return line, applied
}

// describe copies what the product is today into the line.
func (l *OrderLine) describe(p *Product) {
	l.Tax, l.Unit, l.Returnable, l.LeadTimeDays = p.Tax.Home(), p.Unit, p.Returnable, p.LeadTimeDays
	variant := p.Variant(l.VariantID)
	if variant != nil {
		l.VariantName = variant.Name
	}
	l.Freight = Freight{RequiresShipping: p.RequiresShipping, UnitWeight: UnitWeight(p, variant)}
}

// by is the delivery of a quote.
func (f *FixedDelivery) by(quote uuid.UUID, s *Store, t *Taxation) *delivery {
	rate := f.Home
	if code := s.taxRate(f.TaxCode); code != nil {
		rate = t.applied(code)
	}
	return f.at(quote, rate)
}

// at is the delivery of a quote at a rate.
func (f *FixedDelivery) at(quote uuid.UUID, rate Percent) *delivery {
	id := f.MethodID
	if id == uuid.Nil {
		id = quote
	}
	return &delivery{ShippingMethod: &ShippingMethod{ID: id, Name: f.Name}, price: f.Price, rate: rate}
}

// taxRate is the rate of a code; nil if there is none.
func (s *Store) taxRate(code string) *TaxRate {
	return find(s.TaxRates, func(r *TaxRate) bool { return r.Code == code })
}

// quoteVisitor is the context in which a quote's customer, nil for none, is served.
func (s *Store) quoteVisitor(c *Contact) Visitor {
	if c == nil || c.Guest || !s.Modules.Has(ModuleCustomers) {
		return Visitor{}
	}
	return Visitor{Known: true, CustomerID: c.ID, GroupID: c.GroupID, B2B: c.B2B, Approved: c.Approved, ReverseCharge: c.ReverseCharge}
}

// draftOf is a draft of frozen goods: each line with its price and its share of the discounts.
func (s *Store) draftOf(g *Goods, t *Taxation) *QuoteDraft {
	d := &QuoteDraft{Country: t.Country, Included: t.Included, Lines: make([]DraftLine, len(g.Lines)), Shipping: g.Shipping}
	d.Rows = append([]OrderDiscount{}, g.Discounts...)
	for i := range g.Lines {
		l := DraftLine{OrderLine: g.Lines[i], Own: true}
		full, _ := l.UnitPrice.Times(l.Quantity)
		l.Discount = full - l.Total
		if l.outside() {
			l.TaxCode = s.codeOf(&l.OrderLine, t)
		}
		l.Total, l.TaxRate = 0, 0
		d.Lines[i] = l
	}
	return d
}

// codeOf is the code of a sold line outside the catalogue, which keeps only its rates: a code with the home rate, if there is one the
// one with the rate that was charged; empty if there is none.
func (s *Store) codeOf(l *OrderLine, t *Taxation) (code string) {
	for i := range s.TaxRates {
		r := &s.TaxRates[i]
		switch {
		case r.Home() != l.Tax:
		case t.Rate(r) == l.TaxRate:
			return r.Code
		case code == "":
			code = r.Code
		}
	}
	return code
}

// beginDraft gives the quote a draft of its own that can be changed: a copy of the terms if it has none.
func (q *Quote) beginDraft(s *Store) *QuoteDraft {
	var next QuoteDraft
	switch {
	case q.Draft != nil:
		next = *q.Draft
	case q.Source != nil:
		next = *q.Source
	default:
		next = *s.draftOf(&q.Goods, &q.Tax)
		next.HoldStock, next.OfferMessage = s.Quotes.HoldStock, q.OfferMessage
		if q.Signed {
			next.Mode = SignatureMode
		}
	}
	q.Draft = &next
	return &next
}

// withPrices is an offered draft: its prices are the merchant's own from now on.
func (d *QuoteDraft) withPrices(t *DraftSums) *QuoteDraft {
	next := *d
	next.Lines = make([]DraftLine, len(d.Lines))
	for i := range d.Lines {
		l := d.Lines[i]
		l.OrderLine = t.Goods.Lines[i]
		l.Own, l.Total, l.TaxRate = true, 0, 0
		next.Lines[i] = l
	}
	return &next
}

// size is a bound of the draft's bytes.
func (d *QuoteDraft) size() int {
	n := sizeOfFields + len(d.LinesName) + len(d.OfferMessage)
	for i := range d.Lines {
		l := &d.Lines[i]
		n += l.size() + 2*sizeOfEntry + len(l.VariantName) + len(l.TaxCode)
	}
	if d.Discount != nil {
		n += sizeOfEntry + len(d.Discount.Name)
	}
	if d.Delivery != nil {
		n += 2*sizeOfEntry + len(d.Delivery.Name) + len(d.Delivery.TaxCode)
	}
	return n + (len(d.Rows)+len(d.Shipping))*(2*sizeOfEntry+MaxDiscountName)
}
