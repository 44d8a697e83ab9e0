package commerce

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// ofMerchant is a command of the merchant's. Only an accept closes a quote to it.
type ofMerchant interface{ byMerchant() }

// OfferQuote replaces the terms of a quote by its draft, and offers them as the next version.
type OfferQuote struct {
	// Faults are the faults that the decoder found in the fields.
	Faults Faults
	// ExpectedTotal is the total as the merchant saw it; nil if none was sent.
	ExpectedTotal *Amount
}

func (*OfferQuote) Locate(*Quote) *Refusal { return nil }

func (*OfferQuote) byMerchant() {}

// MaxQuoteHold is the longest time for which an offer holds stock, MaxHeldItems the number of its items.
const (
	MaxQuoteHold = 30 * 24 * time.Hour
	MaxHeldItems = 500
)

// Apply freezes all values of the draft. An offer without a draft stands as it is.
func (o *OfferQuote) Apply(next *Quote, in *Input) (Effects, *Refusal) {
	if refusal := o.Faults.Refusal(); refusal != nil {
		return Effects{}, refusal
	}
	d, account := next.Draft, next.account()
	switch {
	case d == nil && next.Status(in.Now) == QuoteOffered:
		return Effects{}, nil
	case d == nil:
		return Effects{}, QuoteDraftMissing
	case in.lacks(account):
		return Effects{Unread: account}, nil
	}
	s, customer := in.Store, in.customerOf(account)
	t := next.Sums(s, customer, in.Now)
	total := t.Total()
	if refusal := t.missing(in.Now); refusal != nil {
		return Effects{}, refusal
	}
	switch {
	case d.Included != s.PricesIncludeTax:
		return Effects{}, PriceBasisChanged
	case t.Overflow:
		return Effects{}, TotalLimitReached.atMost(int64(MaxAmount))
	case o.ExpectedTotal != nil && *o.ExpectedTotal != total:
		return Effects{}, TotalChanged.atTotal(total)
	}
	next.offer(t, customer, in)
	if next.Held = nil; d.HoldStock {
		next.Held = next.Cart().asks(s)
	}
	switch {
	case next.Source.size() > maxCartBytes:
		return Effects{}, CartTooLarge.atMost(maxCartBytes)
	case len(next.Held) > MaxHeldItems:
		return Effects{}, CartTooLarge.atMost(MaxHeldItems)
	}
	if next.HoldUntil = (time.Time{}); next.Held != nil {
		next.HoldUntil = next.ValidUntil
		if last := in.Now.Add(MaxQuoteHold); next.HoldUntil.After(last) {
			next.HoldUntil = last
		}
		held := &evaluatedCart{Evaluation: Evaluation{Cart: next.Cart()}, store: s}
		if short := held.short(in.Shortage.available); short != nil {
			return Effects{}, OutOfStock.Of(short)
		}
	}
	next.note(HistoryOffered, in, total, next.OfferMessage)
	return in.quoteNews(EventQuoteOffered, next), nil
}

// missing is the 422 of what the draft lacks; nil if it lacks nothing.
func (t *DraftSums) missing(now time.Time) *Refusal {
	var faults Faults
	for _, field := range t.Missing {
		if field == "valid_until" {
			faults.Add(field, MsgDateFrom(field, now))
		} else {
			faults.Add(field, MsgRequired(field))
		}
	}
	return faults.Refusal()
}

// offer makes the terms of the draft with its amounts.
func (q *Quote) offer(t *DraftSums, customer *Contact, in *Input) {
	d := q.Draft
	if q.Email == "" {
		q.Email = customer.Email
	}
	q.Version++
	q.Goods, q.Tax, q.VATID, q.Delivery, q.OfferMessage = t.Goods, t.Tax, "", t.Delivery, d.OfferMessage
	if t.Tax.Exemption == ReverseCharge && customer != nil {
		q.VATID = customer.VATID
	}
	if q.ValidUntil = d.ValidUntil; q.ValidUntil.IsZero() {
		q.ValidUntil = in.Now.Add(time.Duration(in.Store.Quotes.ValidDays) * 24 * time.Hour)
	}
	mode := d.Mode
	if mode == "" {
		mode = in.Store.Quotes.AcceptanceMode
	}
	q.Signed = mode == SignatureMode
	q.Source, q.Draft = d.withPrices(t), nil
	q.DeclinedAt, q.DeclineReason, q.WithdrawnAt, q.WithdrawReason = time.Time{}, "", time.Time{}, ""
	q.ChangeAt, q.ChangeMessage = time.Time{}, ""
}

// WithdrawQuote ends an offer, or refuses a request.
type WithdrawQuote struct{ Reason string }

func (WithdrawQuote) Locate(*Quote) *Refusal { return nil }

func (WithdrawQuote) byMerchant() {}

func (w WithdrawQuote) Apply(next *Quote, in *Input) (Effects, *Refusal) {
	switch status := next.Status(in.Now); {
	case status == QuoteWithdrawn:
		return Effects{}, nil
	case status == QuoteIsDraft && !next.requested(), status != QuoteIsDraft && status != QuoteOffered:
		return Effects{}, QuoteNotOffered
	}
	next.WithdrawnAt, next.WithdrawReason = in.Now, w.Reason
	next.ChangeAt, next.ChangeMessage = time.Time{}, ""
	next.release()
	next.note(HistoryWithdrawn, in, next.shownTotal(), w.Reason)
	return in.quoteNews(EventQuoteWithdrawn, next), nil
}

// release ends the hold of the offer.
func (q *Quote) release() { q.Held, q.HoldUntil = nil, time.Time{} }

// requested reports whether a customer has asked for the quote.
func (q *Quote) requested() bool { return q.CartID != uuid.Nil }

// DropDraft deletes the draft. A quote of the merchant's own that was never offered goes whole.
type DropDraft struct{}

func (DropDraft) Locate(*Quote) *Refusal { return nil }

func (DropDraft) byMerchant() {}

func (DropDraft) Apply(next *Quote, in *Input) (Effects, *Refusal) {
	switch {
	case next.Version > 0:
		next.Draft = nil
	case next.requested():
		return Effects{}, QuoteIsRequested
	default:
		*next = Quote{ID: next.ID, CreatedAt: in.Now, Gone: true}
	}
	return Effects{}, nil
}

// AskForChange is the customer's wish for another offer. The offer stands.
type AskForChange struct{ Message string }

func (AskForChange) Locate(*Quote) *Refusal { return nil }

func (c AskForChange) Apply(next *Quote, in *Input) (Effects, *Refusal) {
	next.ChangeMessage, next.ChangeAt = c.Message, in.Now
	next.note(HistoryChangeRequested, in, next.shownTotal(), c.Message)
	return in.quoteNews(EventQuoteChangeRequested, next), nil
}

// quoteNews are the effects of a change that an event reports.
func (in *Input) quoteNews(event string, q *Quote) Effects {
	return Effects{News: &QuoteNews{Event: event, Store: in.Store, Quote: q, At: in.Now}}
}

// QuoteAct is one entry of a quote's history.
type QuoteAct struct {
	At    time.Time
	Event string
	// By is the name of the merchant's key; empty for the customer.
	By      string
	Version int
	Total   Amount
	Text    string
}

// The events of a quote's history.
const (
	HistoryRequested       = "requested"
	HistoryCreated         = "created"
	HistoryOffered         = "offered"
	HistoryChangeRequested = "change_requested"
	HistoryWithdrawn       = "withdrawn"
	HistoryDeclined        = "declined"
	HistoryAccepted        = "accepted"
)

// HistoryEvents are the names of all events of a history.
var HistoryEvents = []string{
	HistoryRequested, HistoryCreated, HistoryOffered, HistoryChangeRequested, HistoryWithdrawn, HistoryDeclined, HistoryAccepted,
}

// maxHistory is the number of the last events that a quote keeps.
const maxHistory = 50

// note adds an event to the history.
func (q *Quote) note(event string, in *Input, total Amount, text string) {
	kept := q.History[max(0, len(q.History)+1-maxHistory):]
	act := QuoteAct{At: in.Now, Event: event, Version: q.Version, Total: total, Text: text}
	if event == HistoryOffered || event == HistoryWithdrawn || event == HistoryCreated {
		act.By = in.By
	}
	q.History = append(slices.Clone(kept), act)
}

// shownTotal is the total that the quote shows.
func (q *Quote) shownTotal() Amount {
	if order, fixed := q.OrderTotal(); fixed {
		return order
	}
	return q.Totals().Total
}

// OrderTotal is the total with the fixed delivery; false if there is none.
func (q *Quote) OrderTotal() (Amount, bool) {
	if q.Delivery == nil {
		return 0, false
	}
	var o Order
	o.fill(&q.Goods, q.Delivery.at(q.ID, q.Delivery.Rate), q.Tax)
	return o.Totals.Total, true
}

// ListIDs are the customers' lists that have the quote: the account's, or that of the guest of its address. The
// merchant's own are in none before their offer.
func (q *Quote) ListID(s *Store) uuid.UUID {
	switch {
	case q.Hidden():
		return uuid.Nil
	case q.Customer.Bound() && !q.Customer.Guest:
		return q.Customer.ID
	case strings.TrimSpace(q.Email) == "":
		return uuid.Nil
	}
	return s.GuestID(q.Email)
}

// Hidden reports whether the customer sees nothing of the quote: it is a draft of the merchant's own.
func (q *Quote) Hidden() bool { return q.Gone || q.Version == 0 && !q.requested() }

// Waiting reports whether the merchant has to answer, and since when.
func (q *Quote) Waiting() (since time.Time, waits bool) {
	switch {
	case q.Gone, !q.WithdrawnAt.IsZero(), q.OrderID != uuid.Nil, !q.DeclinedAt.IsZero():
		return since, false
	case q.Version == 0:
		return q.CreatedAt, true
	}
	return q.ChangeAt, !q.ChangeAt.IsZero()
}

// Offered reports whether the quote is on offer, unless its time has passed.
func (q *Quote) Offered() bool {
	return q.Version > 0 && q.OrderID == uuid.Nil && q.DeclinedAt.IsZero() && q.WithdrawnAt.IsZero()
}
