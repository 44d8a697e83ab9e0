package commerce

import (
	"time"

	"github.com/google/uuid"
)

// QuoteOrigin is what a new quote copies of a cart, an order or another quote.
type QuoteOrigin struct {
	customer Binding
	email    string
	details  QuoteDetails
	goods    Goods
	tax      Taxation
	// written are the lines of a quote as its draft had them; nil if they are not known.
	written []DraftLine
}

// OriginOfCart is a cart at the prices and discounts that count for its customer, nil for none. The cart stays the
// shopper's.
func OriginOfCart(c *Cart, s *Store, customer *Contact, now time.Time) *QuoteOrigin {
	t := evaluateForSale(c, &Input{Store: s, Visitor: s.quoteVisitor(customer), Now: now})
	from := &QuoteOrigin{customer: c.Customer, email: c.Email, goods: t.goods(s), tax: t.Tax}
	if c.Checkout != nil {
		from.details.Reference = c.Checkout.Reference
	}
	return from
}

// OriginOfOrder is an order as it was sold. Errors: OrderIsArchived.
func OriginOfOrder(o *Order) (*QuoteOrigin, *Refusal) {
	if !o.ArchivedAt.IsZero() {
		return nil, OrderIsArchived
	}
	return &QuoteOrigin{
		customer: o.Customer, email: o.Email, details: QuoteDetails{Reference: o.Reference}, goods: Goods{Lines: o.Lines}, tax: o.Tax,
	}, nil
}

// OriginOfQuote is the terms of a quote or, of one that has none yet, its draft.
func OriginOfQuote(q *Quote, s *Store, customer *Contact, now time.Time) *QuoteOrigin {
	from := &QuoteOrigin{customer: q.Customer, email: q.Email, details: q.QuoteDetails, goods: q.Goods, tax: q.Tax}
	from.details.Message = ""
	if q.Version == 0 && !q.requested() && q.Draft != nil {
		t := q.Sums(s, customer, now)
		from.goods, from.tax, from.written = t.Goods, t.Tax, q.Draft.Lines
	} else if q.Source != nil {
		from.written = q.Source.Lines
	}
	return from
}

// Make makes a quote of the merchant's own; from is nil for one of nothing.
func (w *WriteQuote) Make(id uuid.UUID, from *QuoteOrigin, in *Input) (*Quote, Effects, *Refusal) {
	q := &Quote{ID: id, CreatedAt: in.Now, Signed: in.Store.Quotes.AcceptanceMode == SignatureMode, Tax: Taxation{Included: in.Store.PricesIncludeTax}}
	q.Draft = &QuoteDraft{Included: in.Store.PricesIncludeTax, HoldStock: in.Store.Quotes.HoldStock}
	if from != nil {
		q.Customer, q.Email, q.QuoteDetails = from.customer, from.email, from.details
		copied := in.Store.draftOf(&from.goods, &from.tax)
		q.Draft.Country, q.Draft.Included, q.Draft.Lines = copied.Country, copied.Included, copied.Lines
		for i := range from.written {
			q.Draft.Lines[i].TaxCode = from.written[i].TaxCode
		}
	}
	effects, refusal := w.Apply(q, in)
	if refusal != nil || effects.Unread != uuid.Nil {
		return nil, effects, refusal
	}
	q.note(HistoryCreated, in, q.Sums(in.Store, in.customerOf(q.account()), in.Now).Total(), "")
	return q, effects, nil
}
