package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// RequestQuote makes a quote of the cart: docs/api/quotes.md#the-request.
type RequestQuote struct {
	// QuoteID is the id for the new quote.
	QuoteID uuid.UUID
	QuoteForm
}

// The maximum number of code points in a quote's fields.
const (
	MaxQuoteName     = 150 // also the signer's
	MaxQuoteCompany  = 255
	MaxQuotePhone    = 50
	MaxQuoteMessage  = 2000
	MaxDeclineReason = 1000
)

// QuoteForm is the body of a request for a quote.
type QuoteForm struct {
	// Faults are the faults that the decoder found in the fields.
	Faults Faults
	Email  string // valid and lower-cased; empty if absent
	QuoteDetails
}

// UsesContact reports whether the visitor's e-mail or VAT id may be needed.
func (f *QuoteForm) UsesContact(s *Store, v *Visitor) bool {
	return f.Email == "" || s.ReverseChargeOf(v)
}

func (*RequestQuote) Locate(*Cart) *Refusal { return nil }

// quoteFields is the order in which faults of the fields are reported.
var quoteFields = []string{"lines", "email", "name", "company_name", "phone", "message", "reference"}

// Apply freezes the cart and converts it. It does not judge the visitor, the stock or unavailable
// lines.
func (c *RequestQuote) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	t := evaluateForSale(next, in)
	faults := c.Faults.clone()
	email := next.identify(c.Email, in.Contact, &faults)
	if refusal := faults.inOrder(quoteFields).Refusal(); refusal != nil {
		return Effects{}, refusal
	}
	goods := t.goods(t.store)
	if t.Overflow {
		return Effects{}, TotalLimitReached.atMost(int64(MaxAmount))
	}
	settings := &t.store.Quotes
	quote := &Quote{
		ID: c.QuoteID, CartID: next.ID, Email: email, QuoteDetails: c.QuoteDetails, Metadata: next.Metadata,
		Signed: settings.AcceptanceMode == SignatureMode, Reasons: slices.Clone(t.QuoteReasons),
		Goods: goods, Tax: t.Tax, VATID: t.vatID(in.Contact),
		CreatedAt: in.Now,
	}
	next.Status, next.QuoteID, next.Checkout = CartConverted, quote.ID, nil
	quote.Customer = next.bind(t.visitor)
	if settings.Mode == ReviewedQuotes {
		quote.beginDraft(t.store)
		quote.Draft.At, quote.Draft.Mode = in.Now, ""
	} else {
		quote.Version, quote.ValidUntil = 1, in.Now.Add(time.Duration(settings.ValidDays)*24*time.Hour)
	}
	quote.note(HistoryRequested, in, quote.Totals().Total, quote.Message)
	return Effects{
		Made: quote.ID,
		Sale: &Sale{Store: t.store, CartID: next.ID, Holder: next.ID, Quote: quote, Uses: t.uses(goods.counted(), quote.Customer, quote.Email)},
		News: &QuoteNews{Event: EventQuoteRequested, Store: t.store, Quote: quote, At: in.Now},
	}, nil
}

// counted are the discounts of which a quote uses one up. Discounts on the delivery count too,
// because their price is promised.
func (g *Goods) counted() []OrderDiscount {
	all := slices.Clone(g.Discounts)
	for i := range g.Shipping {
		all = append(all, g.Shipping[i].OrderDiscount)
	}
	return all
}
