package commerce

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Quote is what a customer asks for, and what the merchant offers. Its terms are what the customer sees and
// accepts; Draft is what the merchant writes beside them. An offer replaces the terms by the draft, whole.
// docs/api/quotes.md#the-request.
type Quote struct {
	ID uuid.UUID
	// Number is 1, 2, 3 … in a store; 0 until the commit of the first offer makes it.
	Number int64
	// CartID is the cart of the request; zero of a quote of the merchant's own.
	CartID uuid.UUID
	// Customer is the customer of the quote and of its order.
	Customer Binding
	Email    string
	QuoteDetails
	// Metadata is the cart's at that moment; nil if it had none.
	Metadata Metadata
	// Signed is true if only a signature accepts it. Otherwise a click does.
	Signed bool
	// Reasons are the reasons why its cart required a quote; nil if it did not.
	Reasons []string
	Goods   Goods
	// Tax is the taxation of its amounts. VATID is the customer's, with reverse charge only.
	Tax                   Taxation
	VATID                 string
	CreatedAt, ValidUntil time.Time
	// Version counts the offers; 0 before the first. The terms are then what the customer has asked for, if anything.
	Version int
	// OfferMessage and Delivery are further terms; Delivery is nil if the customer chooses a method.
	OfferMessage string
	Delivery     *FixedDelivery
	// Held is the stock that the offer holds until HoldUntil; nil if it holds none.
	Held      []StockAsk
	HoldUntil time.Time
	// Source is the draft that was offered, with the prices of that moment; nil if the terms are those of a request.
	Source *QuoteDraft
	// Draft is nil if the merchant writes nothing at present.
	Draft        *QuoteDraft
	InternalNote string
	// ChangeMessage is the customer's open wish for a change; ChangeAt is zero if there is none.
	ChangeMessage string
	ChangeAt      time.Time
	// WithdrawnAt is zero if it is not withdrawn.
	WithdrawnAt    time.Time
	WithdrawReason string
	// History are the last events.
	History []QuoteAct
	// Gone is true if the merchant has deleted it.
	Gone bool

	// OrderID is the order made at AcceptedAt; zero if the quote is not accepted.
	OrderID    uuid.UUID
	AcceptedAt time.Time
	SignerName string
	// DeclinedAt is zero if it is not declined.
	DeclinedAt    time.Time
	DeclineReason string
}

// QuoteDetails are the customer's texts in the request; an empty text is null.
type QuoteDetails struct{ Name, CompanyName, Phone, Message, Reference string }

// The states of a quote.
const (
	QuoteIsDraft   = "draft"
	QuoteOffered   = "offered"
	QuoteAccepted  = "accepted"
	QuoteDeclined  = "declined"
	QuoteExpiry    = "expired"
	QuoteWithdrawn = "withdrawn"
)

// Status is the state at now: an offer expires by itself.
func (q *Quote) Status(now time.Time) string {
	switch {
	case q.OrderID != uuid.Nil:
		return QuoteAccepted
	case !q.DeclinedAt.IsZero():
		return QuoteDeclined
	case !q.WithdrawnAt.IsZero():
		return QuoteWithdrawn
	case q.Version == 0:
		return QuoteIsDraft
	case !now.Before(q.ValidUntil):
		return QuoteExpiry
	}
	return QuoteOffered
}

// Closed is the refusal of a command of the quote; nil if it is open. An accept closes it to all, other states
// to the customer's answers.
func (q *Quote) Closed(command any, now time.Time) *Refusal {
	status := q.Status(now)
	if _, merchants := command.(ofMerchant); merchants && status != QuoteAccepted {
		return nil
	}
	switch status {
	case QuoteAccepted:
		return AlreadyConverted.asOrder(q.OrderID)
	case QuoteDeclined, QuoteWithdrawn, QuoteIsDraft:
		return QuoteNotOffered
	case QuoteExpiry:
		return QuoteExpired
	}
	return nil
}

// AcceptanceMode is the way in which the quote is accepted, as the API spells it.
func (q *Quote) AcceptanceMode() string {
	if q.Signed {
		return SignatureMode
	}
	return clickMode
}

// AcceptanceModes are the ways of acceptance, as the API spells them.
func AcceptanceModes() []string { return []string{clickMode, SignatureMode} }

const clickMode = "click"

// Totals are the totals of the goods, without a delivery.
func (q *Quote) Totals() OrderTotals {
	var o Order
	o.fill(&q.Goods, nil, q.Tax)
	return o.Totals
}

// WrittenAt is the time of the last write.
func (q *Quote) WrittenAt() time.Time {
	times := []time.Time{q.CreatedAt, q.AcceptedAt, q.DeclinedAt, q.WithdrawnAt, q.ChangeAt}
	if q.Draft != nil {
		times = append(times, q.Draft.At)
	}
	for i := range q.History {
		times = append(times, q.History[i].At)
	}
	return slices.MaxFunc(times, time.Time.Compare)
}

// Cart is the quote's goods as an active cart, so that today's store can judge them. It holds the stock that the
// quote holds.
func (q *Quote) Cart() *Cart {
	c := &Cart{ID: q.ID, Lines: make([]Line, len(q.Goods.Lines))}
	for i := range c.Lines {
		c.Lines[i] = q.Goods.Lines[i].Line
	}
	return c
}

// ChangeQuote returns the quote after a command. The given quote stays as it was.
func ChangeQuote(quote *Quote, cmd Command[*Quote], in *Input) (*Quote, Effects, *Refusal) {
	next := *quote
	effects, r := cmd.Apply(&next, in)
	if r != nil {
		return nil, Effects{}, r
	}
	return &next, effects, nil
}

// quoteTokenLength is the length of every token: 32 bytes as base64url.
const quoteTokenLength = 43

// QuoteToken is the token with which a customer answers a quote. It is an HMAC of the quote's id
// with the store's secret, so it need not be stored to be shown again.
func (s *Store) QuoteToken(id uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString(s.sign("quote", id))
}

// HashQuoteToken is the hash that finds a quote by its token. It returns false if the text does not
// have a token's length and alphabet.
func HashQuoteToken(token string) (hash KeyHash, ok bool) {
	_, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(token) != quoteTokenLength || strings.ContainsAny(token, "\r\n") { // the decoder skips these
		return hash, false
	}
	return HashSecret([]byte(token)), true
}

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
