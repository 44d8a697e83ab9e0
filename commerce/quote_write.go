package commerce

import (
	"encoding/binary"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// Sent is a member of a body that may be absent. Null is the zero value.
type Sent[V any] struct {
	Sent  bool
	Value V
}

// into sets a value if the member was sent.
func (s *Sent[V]) into(value *V) {
	if s.Sent {
		*value = s.Value
	}
}

// QuoteWrite is the body with which the merchant writes a quote. Members that were not sent stay as they are.
type QuoteWrite struct {
	// Faults are the faults that the decoder found in the fields.
	Faults Faults
	// From are the ids of a new quote's original; nil if none was sent.
	From *QuoteFrom
	// Country is nil for the store's.
	Country                                    Sent[*Country]
	Email, Name, CompanyName, Phone, Reference Sent[string]
	CustomerID                                 Sent[uuid.UUID]
	Lines                                      Sent[[]SentDraftLine]
	LinesName                                  Sent[string]
	Discount                                   Sent[*WholeDiscount]
	Shipping                                   Sent[*SentFixedDelivery]
	ValidUntil                                 Sent[time.Time]
	Mode                                       Sent[string]
	HoldStock                                  Sent[*bool]
	OfferMessage, InternalNote                 Sent[string]
}

// QuoteFrom names the original of a new quote: one of the ids.
type QuoteFrom struct {
	CartID, OrderID, QuoteID uuid.UUID
	Faults                   Faults
}

// SentDraftLine is a line in a body.
type SentDraftLine struct {
	Faults               Faults
	ID                   uuid.UUID
	ProductID, VariantID Sent[uuid.UUID]
	Quantity             Sent[Quantity]
	Configuration        Sent[*Selection]
	Properties           Sent[*SentProperties]
	UnitPrice            Sent[*Amount]
	Discount             Sent[Amount]
	Name, Tax, SKU       Sent[string]
	Unit                 Sent[Unit]
	RequiresShipping     Sent[bool]
}

// SentFixedDelivery is a fixed delivery in a body.
type SentFixedDelivery struct {
	Faults    Faults
	MethodID  AskedID
	Name, Tax string
	Price     *Amount
}

// quoteWriteFields is the order in which faults of the fields are reported.
var quoteWriteFields = []string{
	"from", "country", "email", "name", "company_name", "phone", "reference", "customer_id", "lines", "lines_discount_name", "discount",
	"shipping", "valid_until", "acceptance_mode", "hold_stock", "offer_message", "internal_note",
}

// WriteQuote changes a quote and its draft: docs/api/quotes.md#the-merchants-side.
type WriteQuote struct {
	// Seed makes the ids of new lines, the same at each judgement.
	Seed uuid.UUID
	QuoteWrite
}

func (*WriteQuote) Locate(*Quote) *Refusal { return nil }

func (*WriteQuote) byMerchant() {}

func (w *WriteQuote) Apply(next *Quote, in *Input) (Effects, *Refusal) {
	bound := next.account()
	w.CustomerID.into(&bound)
	if in.lacks(bound) {
		return Effects{Unread: bound}, nil
	}
	faults := w.Faults.clone()
	faults.check("customer_id", false, w.CustomerID.Sent && bound != uuid.Nil && !in.Customer.hasAccount())
	d := next.beginDraft(in.Store)
	began := d.size()
	d.At = in.Now
	w.details(next)
	w.terms(d, next, in, &faults)
	if refusal := faults.inOrder(quoteWriteFields).Refusal(); refusal != nil {
		return Effects{}, refusal
	}
	if w.CustomerID.Sent && bound != next.account() {
		if next.Version > 0 {
			return Effects{}, QuoteIsOffered
		}
		next.Customer = Binding{ID: bound}
	}
	if size := d.size(); size > maxDraftBytes && size > began {
		return Effects{}, CartTooLarge.atMost(maxDraftBytes)
	}
	return Effects{}, nil
}

// account is the account of the quote's customer; zero if it has none.
func (q *Quote) account() uuid.UUID { return accountOf(q.Customer) }

// lacks reports whether the contact of an account is to be read ahead of a change.
func (in *Input) lacks(account uuid.UUID) bool {
	return account != uuid.Nil && (in.Customer == nil || in.Customer.ID != account)
}

// customerOf is the contact of the quote's account as it was read; nil without an account.
func (in *Input) customerOf(account uuid.UUID) *Contact {
	if account == uuid.Nil {
		return nil
	}
	return in.Customer
}

// hasAccount reports whether the contact is an account.
func (c *Contact) hasAccount() bool { return c != nil && !c.Guest }

// details are the members of the quote itself, which are shown at once.
func (w *QuoteWrite) details(q *Quote) {
	w.Email.into(&q.Email)
	w.Name.into(&q.Name)
	w.CompanyName.into(&q.CompanyName)
	w.Phone.into(&q.Phone)
	w.Reference.into(&q.Reference)
	w.InternalNote.into(&q.InternalNote)
}

// terms are the members of the draft.
func (w *WriteQuote) terms(d *QuoteDraft, q *Quote, in *Input, faults *Faults) {
	if w.Country.Sent {
		d.Country = Country{}
		if w.Country.Value != nil {
			d.Country = *w.Country.Value
		}
	}
	if w.Lines.Sent {
		account := q.account()
		w.CustomerID.into(&account)
		v := in.Store.quoteVisitor(in.customerOf(account))
		d.Lines = w.lines(d.Lines, in.Store, v.pricing(in.Now), faults)
		d.Rows, d.Included = nil, in.Store.PricesIncludeTax
	}
	w.LinesName.into(&d.LinesName)
	w.Discount.into(&d.Discount)
	if w.Shipping.Sent {
		d.Delivery = w.Shipping.Value.fixed(in.Store, faults)
	}
	w.ValidUntil.into(&d.ValidUntil)
	w.Mode.into(&d.Mode)
	if w.HoldStock.Sent {
		d.HoldStock = in.Store.Quotes.HoldStock
		if w.HoldStock.Value != nil {
			d.HoldStock = *w.HoldStock.Value
		}
	}
	w.OfferMessage.into(&d.OfferMessage)
}

// fixed is the delivery with what the method gives.
func (f *SentFixedDelivery) fixed(s *Store, faults *Faults) *FixedDelivery {
	if f == nil {
		return nil
	}
	below := f.Faults.clone()
	made := &FixedDelivery{Name: f.Name, TaxCode: f.Tax}
	if f.Price != nil {
		made.Price = *f.Price
	}
	method := (*ShippingMethod)(nil)
	if f.MethodID.Sent {
		method = s.ShippingMethod(f.MethodID.ID)
		below.check("shipping_method_id", false, method == nil)
	}
	if method != nil {
		made.MethodID = method.ID
		if made.Name == "" {
			made.Name = method.Name
		}
		if f.Price == nil {
			made.Price = method.Price
		}
		if made.TaxCode == "" && method.Tax != nil {
			made.TaxCode = method.Tax.Code
		}
	}
	below.check("name", made.Name == "", false)
	below.check("price_amount", method == nil && f.Price == nil, false)
	rate := s.taxRate(made.TaxCode)
	below.check("tax", made.TaxCode == "", rate == nil)
	made.Home = rate.Home()
	faults.AddBelow("shipping", below.inOrder([]string{"name", "price_amount", "tax", "shipping_method_id"}))
	return made
}

// lines makes the whole list of lines. Those that name a line of the draft keep what they do not send.
func (w *WriteQuote) lines(before []DraftLine, s *Store, ctx Pricing, faults *Faults) []DraftLine {
	all, used := make([]DraftLine, len(w.Lines.Value)), map[uuid.UUID]bool{}
	for i := range w.Lines.Value {
		sent := &w.Lines.Value[i]
		line := DraftLine{}
		kept := find(before, func(l *DraftLine) bool { return l.ID == sent.ID && !used[l.ID] })
		if kept != nil {
			line, used[sent.ID] = *kept, true
		} else {
			line.ID = w.lineID(i)
		}
		below := sent.Faults.clone()
		sent.write(&line, kept == nil, s, &below)
		if len(below.fields) == 0 {
			sent.judgeDiscount(&line, s, ctx, &below)
		}
		faults.AddBelow("lines."+strconv.Itoa(i), &below)
		all[i] = line
	}
	return all
}

// lineID is the id of a new line with an index. It has the form of a random one.
func (w *WriteQuote) lineID(index int) uuid.UUID {
	var number uuid.UUID
	binary.BigEndian.PutUint64(number[8:], uint64(index))
	return lineOf(w.Seed, number)
}

// write changes a line by what was sent.
func (l *SentDraftLine) write(line *DraftLine, isNew bool, s *Store, faults *Faults) {
	of := line.ProductID
	l.ProductID.into(&of)
	faults.check("quantity", isNew && !l.Quantity.Sent, false)
	l.Quantity.into(&line.Quantity)
	if l.UnitPrice.Sent {
		line.Own, line.UnitPrice = l.UnitPrice.Value != nil, 0
		if line.Own {
			line.UnitPrice = *l.UnitPrice.Value
		}
	}
	l.Discount.into(&line.Discount)
	if of == uuid.Nil {
		l.writeOutside(line, s, faults)
	} else {
		l.writeProduct(of, line, s, faults)
	}
	if !faults.has("quantity") && !line.Quantity.Fits(line.Unit) {
		faults.addAll(QuantityNotWhole.Fields)
	}
}

// addAll adds the faults of a refusal.
func (f *Faults) addAll(fields []FieldError) {
	for _, e := range fields {
		for _, m := range e.Messages {
			f.Add(e.Field, m)
		}
	}
}

// writeOutside changes a line outside the catalogue.
func (l *SentDraftLine) writeOutside(line *DraftLine, s *Store, faults *Faults) {
	if !line.outside() {
		line.OrderLine = OrderLine{Line: Line{ID: line.ID, Quantity: line.Quantity, UnitPrice: line.UnitPrice}}
	}
	l.Name.into(&line.Name)
	l.Tax.into(&line.TaxCode)
	l.SKU.into(&line.SKU)
	l.Unit.into(&line.Unit)
	l.RequiresShipping.into(&line.Freight.RequiresShipping)
	rate := s.taxRate(line.TaxCode)
	if rate != nil {
		line.OrderLine.Tax = rate.Home()
	}
	faults.check("name", line.Name == "", false)
	faults.check("tax", line.TaxCode == "", rate == nil && (l.Tax.Sent || line.TaxCode == ""))
	faults.check("unit_price_amount", !line.Own, false)
}

// writeProduct changes a line of a product. A product that is gone stays as long as nothing of it is sent.
func (l *SentDraftLine) writeProduct(of uuid.UUID, line *DraftLine, s *Store, faults *Faults) {
	same := of == line.ProductID
	p := s.Product(of)
	if p == nil && same && !l.VariantID.Sent && !l.Configuration.Sent && !l.Properties.Sent {
		return
	}
	add := AddLine{ProductID: of}
	properties := (*SentProperties)(nil)
	if same {
		add.VariantID, add.Configuration, properties = line.VariantID, line.Configuration.selection(), line.Properties.sent()
	}
	l.VariantID.into(&add.VariantID)
	l.Configuration.into(&add.Configuration)
	l.Properties.into(&properties)
	variant, made, r := add.resolveAny(s, p)
	if r != nil {
		faults.addAll(r.Fields)
		return
	}
	texts, wrong := line.Properties, []FieldError(nil)
	if !same || l.Properties.Sent || texts == nil {
		texts, wrong = properties.For(p)
	}
	if len(wrong) > 0 {
		faults.addAll(wrong)
		return
	}
	snapshot := newLine(line.ID, p, variant, &Input{})
	if !same {
		line.OrderLine = OrderLine{Line: Line{ID: line.ID, Quantity: line.Quantity, UnitPrice: line.UnitPrice}}
		line.TaxCode = ""
	} else if line.VariantID == snapshot.VariantID {
		snapshot.Name, snapshot.SKU = line.Name, line.SKU
	}
	line.ProductID, line.VariantID, line.Name, line.SKU = p.ID, snapshot.VariantID, snapshot.Name, snapshot.SKU
	line.Configuration, line.Properties, line.VariantName = made.Snapshot, texts, ""
	line.describe(p)
}

// resolveAny is resolve for the merchant, who may sell what is not active.
func (l AddLine) resolveAny(s *Store, p *Product) (v *Variant, made Configured, r *Refusal) {
	switch {
	case p == nil:
		return nil, made, ProductUnavailable
	case !s.Modules.Has(p.Capability.Module()):
		return nil, made, CapabilityInactive
	case p.Capability == MadeToMeasure:
		made, r = l.configure(p)
		return nil, made, r
	case len(p.Variants) == 0 && l.variantSent():
		return nil, made, NoVariants
	case len(p.Variants) > 0 && !l.variantSent():
		return nil, made, ChooseVariant
	case l.variantSent():
		if v = p.Variant(l.VariantID); v == nil {
			return nil, made, VariantUnavailable
		}
	}
	if l.Configuration != nil {
		r = NotConfigurable
	}
	return v, made, r
}

// judgeDiscount reports a discount that is more than the line. A line without a price takes any.
func (l *SentDraftLine) judgeDiscount(line *DraftLine, s *Store, ctx Pricing, faults *Faults) {
	if !l.Discount.Sent {
		return
	}
	price, found := line.UnitPrice, line.Own
	if !found {
		price, found = line.catalogue(s, ctx)
	}
	if full, _ := price.Times(line.Quantity); found && line.Discount > full {
		faults.Add("discount_amount", MsgMax("discount_amount", int64(full)))
	}
}
