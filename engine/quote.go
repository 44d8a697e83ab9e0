package engine

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
)

// RequestQuote applies Request.Command, a *commerce.RequestQuote; the reply has the quote.
// docs/api/quotes.md#the-request.
func (e *Engine) RequestQuote(r *Request) (Reply, error) {
	reply, err := e.write(r, e.sell())
	if err != nil || reply.Quote != nil {
		return reply, err
	}
	quote, err := e.readQuote(r, reply.Cart.QuoteID)
	if err == nil {
		reply.Quote, reply.Stamp, reply.CommitIndex = quote.State, quote.Stamp, 0
	}
	return reply, err
}

// readQuote reads the quote made from a cart.
func (e *Engine) readQuote(r *Request, id uuid.UUID) (*Record[*commerce.Quote], error) {
	quote, err := e.quotes.Fetch(RecordKey{r.Store.ID, id}, r.Deadline)
	if err == nil && quote == nil {
		err = fmt.Errorf("the quote %s of a cart is missing", id)
	}
	return quote, err
}

// ReadQuote returns the quote of Request.QuoteToken: docs/api/quotes.md#by-token.
func (e *Engine) ReadQuote(r *Request) (found *Record[*commerce.Quote], err error) {
	if hash, ok := commerce.HashQuoteToken(r.QuoteToken); ok {
		if r.QuoteID, err = e.storage.QuoteID(r.Store.ID, hash, r.Deadline); err != nil {
			return nil, err
		}
	}
	if r.QuoteID != uuid.Nil {
		found, err = e.quotes.Fetch(RecordKey{r.Store.ID, r.QuoteID}, r.Deadline)
	}
	if err == nil && found == nil {
		err = commerce.QuoteNotFound(r.QuoteToken)
	}
	return found, err
}

// QuoteQuery asks for some of a customer's quotes, newest first. Page and Room are as in OrderQuery.
type QuoteQuery struct {
	Page func(total int) (from, to int)
	Room func(bytes int) error
}

// QuotePage is one page of quotes. Total also counts quotes that have ended long ago and are gone.
type QuotePage struct {
	Total  int
	Quotes []QuoteRow
}

// QuoteRow is a quote of a list, without its lines. Totals are those of its goods.
type QuoteRow struct {
	*commerce.Quote
	Totals     commerce.OrderTotals
	LinesCount int
	// OrderTotal is the total with the fixed delivery; nil without one.
	OrderTotal *commerce.Amount
}

// MakeQuoteRow is the row of a quote.
func MakeQuoteRow(q *commerce.Quote) QuoteRow {
	row := QuoteRow{Quote: q, Totals: q.Totals(), LinesCount: len(q.Goods.Lines)}
	if total, fixed := q.OrderTotal(); fixed {
		row.OrderTotal = &total
	}
	return row
}

// ReadQuotes returns a page of the visitor's quotes. docs/api/quotes.md#of-an-account.
func (e *Engine) ReadQuotes(r *Request, q *QuoteQuery) (QuotePage, error) {
	return e.storage.CustomerQuotes(RecordKey{r.Store.ID, r.Visitor.CustomerID}, q, r.Deadline)
}

// ReadOwnQuote returns a quote of the visitor by its id.
func (e *Engine) ReadOwnQuote(r *Request, id string) (found *Record[*commerce.Quote], err error) {
	if parsed, ok := commerce.ParseID(id); ok {
		found, err = e.quotes.Fetch(RecordKey{r.Store.ID, parsed}, r.Deadline)
	}
	if err == nil && (found == nil || found.State.Hidden() || found.State.Customer != commerce.Binding{ID: r.Visitor.CustomerID} ||
		r.Visitor.CustomerID == uuid.Nil) {
		return nil, commerce.QuoteNotFound(id)
	}
	return found, err
}

// AnswerQuote applies Request.Command to the quote of Request.QuoteToken. The reply has the
// quote and, after an accept, the order. Reply.Nested is the caller's budget, also if there is an
// error.
func (e *Engine) AnswerQuote(r *Request) (reply Reply, err error) {
	hash, ok := commerce.HashQuoteToken(r.QuoteToken)
	var token *commerce.KeyHash
	if ok {
		token = &hash
	}
	var budget Budget
	if r.QuoteID, budget, err = e.storage.QuoteAnswer(r.Store.ID, r.Caller.Addr, token, r.Deadline); err != nil {
		return reply, err
	}
	switch {
	case !budget.Granted:
		err = commerce.TooManyAttempts
	case r.QuoteID == uuid.Nil:
		err = commerce.QuoteNotFound(r.QuoteToken)
	default:
		reply, err = e.write(r, e.quotes.Change)
		err = e.alsoShort(r, &reply, err)
	}
	if _, accepts := r.Command.(*commerce.AcceptQuote); err == nil && accepts && reply.Order == nil {
		var order *Record[*commerce.Order]
		if order, err = e.readOrder(r, reply.Quote.OrderID); err == nil {
			reply.Order = order.State
		}
	}
	reply.Nested = budget
	return reply, err
}

// ChangeQuote applies Request.Command, one of the merchant's, to the quote Request.QuoteID. With a refusal for a
// version that does not match, the reply has the current quote.
func (e *Engine) ChangeQuote(r *Request) (Reply, error) {
	reply, err := e.write(r, e.withCustomer(e.quotes.Change))
	if q := reply.Quote; err == nil && q.Version > 0 && q.Number == 0 { // an earlier sending offered it
		found, err := e.quotes.Fetch(RecordKey{r.Store.ID, q.ID}, r.Deadline)
		switch {
		case err != nil:
			return reply, err
		case found != nil:
			reply.Quote, reply.Stamp, reply.CommitIndex, reply.Size = found.State, found.Stamp, 0, found.Size
		}
	}
	return reply, err
}

// withCustomer serves a command that may need the contact of a quote's account: it reads the contact, and serves
// again. Once its facts were outdated, it reads Redis, for the node's memory may have lost.
func (e *Engine) withCustomer(serve func(*Request) (Reply, error)) func(*Request) (Reply, error) {
	again := false
	return func(r *Request) (Reply, error) {
		r.Customer = nil
		for {
			reply, err := serve(r)
			var unread UnreadAccount
			if !errors.As(err, &unread) {
				again = true
				return reply, err
			}
			if reply.Facts != nil {
				r.Facts = *reply.Facts
			}
			if r.Customer, err = e.quoteCustomer(r, unread.ID, again); err != nil {
				return Reply{Facts: &r.Facts}, err
			}
		}
	}
}

// quoteCustomer is the contact of an account; a guest without a stamp if it is not there.
func (e *Engine) quoteCustomer(r *Request, id uuid.UUID, fresh bool) (*Record[*commerce.Contact], error) {
	found, err := e.contacts.Find(RecordKey{r.Store.ID, id}, fresh, r.Deadline)
	if err == nil && found == nil {
		found = &Record[*commerce.Contact]{State: &commerce.Contact{ID: id, Guest: true}}
	}
	return found, err
}

// customerOf is the contact of a binding's account, as this node knows it; nil if it has none.
func (e *Engine) contactOf(r *Request, b commerce.Binding) (*commerce.Contact, error) {
	if !b.Bound() || b.Guest {
		return nil, nil
	}
	found, err := e.quoteCustomer(r, b.ID, false)
	if err != nil {
		return nil, err
	}
	return found.State, nil
}

// MakeQuote makes a quote of the merchant's own. A repeated request gets the quote that the first one made.
func (e *Engine) MakeQuote(r *Request, w *commerce.WriteQuote) (quote *Record[*commerce.Quote], replayed bool, err error) {
	first, err := e.storage.QuoteEntry(r)
	switch {
	case err != nil:
		return nil, false, err
	case first != uuid.Nil:
		quote, err = e.madeQuote(r, first)
		return quote, true, e.replayed(r, true, err)
	case r.Fault != nil:
		return nil, false, r.Fault
	}
	id := uuid.New()
	_, err = e.write(r, e.withCustomer(func(r *Request) (Reply, error) {
		from, err := e.origin(r, w.From)
		if err != nil {
			return Reply{}, err
		}
		made, effects, refusal := w.Make(id, from, &commerce.Input{Store: r.Store, Now: r.Now, By: r.Key.Name, Customer: r.customer()})
		switch {
		case refusal != nil:
			return Reply{}, refusal
		case effects.Unread != uuid.Nil:
			return Reply{}, UnreadAccount{effects.Unread}
		}
		quote, first, err = e.storage.MakeQuote(r, made)
		return Reply{}, err
	}))
	if err == nil && first != uuid.Nil {
		quote, err = e.madeQuote(r, first)
		return quote, true, e.replayed(r, true, err)
	}
	return quote, false, err
}

// madeQuote is the quote that an earlier request made.
func (e *Engine) madeQuote(r *Request, id uuid.UUID) (*Record[*commerce.Quote], error) {
	asked := *r
	asked.QuoteID = id
	return e.ReadStoreQuote(&asked)
}

// origin reads what a new quote is made from; nil for nothing.
func (e *Engine) origin(r *Request, from *commerce.QuoteFrom) (*commerce.QuoteOrigin, error) {
	switch {
	case from == nil:
		return nil, nil
	case from.CartID != uuid.Nil:
		found, err := e.storage.LoadCarts([]RecordKey{{r.Store.ID, from.CartID}}, r.Deadline)
		if err != nil {
			return nil, err
		}
		c := found[0].State
		if c == nil || c.Expired(r.Now) {
			return nil, commerce.NotFound("Cart", from.CartID.String())
		}
		customer, err := e.contactOf(r, c.Customer)
		if err != nil {
			return nil, err
		}
		return commerce.OriginOfCart(c, r.Store, customer, r.Now), nil
	case from.OrderID != uuid.Nil:
		found, err := e.storage.Order(RecordKey{r.Store.ID, from.OrderID}, r.Deadline)
		if err != nil {
			return nil, err
		}
		if found == nil {
			return nil, commerce.NotFound("Order", from.OrderID.String())
		}
		origin, refusal := commerce.OriginOfOrder(found.State)
		return origin, asError(refusal)
	}
	found, err := e.madeQuote(r, from.QuoteID)
	if err != nil {
		return nil, err
	}
	customer, err := e.contactOf(r, found.State.Customer)
	if err != nil {
		return nil, err
	}
	return commerce.OriginOfQuote(found.State, r.Store, customer, r.Now), nil
}

// ReadStoreQuote returns the quote Request.QuoteID, whatever its state.
func (e *Engine) ReadStoreQuote(r *Request) (*Record[*commerce.Quote], error) {
	found, err := e.quotes.Fetch(RecordKey{r.Store.ID, r.QuoteID}, r.Deadline)
	if err == nil && (found == nil || found.State.Gone) {
		err = commerce.NotFound("Quote", r.QuoteID.String())
	}
	return found, err
}

// DraftSums are the amounts of a quote's draft at the moment; nil without a draft.
func (e *Engine) DraftSums(r *Request, q *commerce.Quote) (*commerce.DraftSums, error) {
	if q.Draft == nil {
		return nil, nil
	}
	customer, err := e.contactOf(r, q.Customer)
	if err != nil {
		return nil, err
	}
	return q.Sums(r.Store, customer, r.Now), nil
}

// The lists of a store's quotes.
const (
	AllQuotes     = "all"
	WaitingQuotes = "waiting"
	OfferedQuotes = "offered"
)

// StoreQuoteQuery asks for some of a store's quotes.
type StoreQuoteQuery struct {
	// List is one of the lists: all that were ever offered, the newest number first; those that wait for the merchant,
	// the oldest first; those on offer, the first to expire first.
	List string
	// Number is that of one quote; 0 for any. Customer is the account, and Email the address, of the quotes; zero and
	// empty for any.
	Number   int64
	Customer uuid.UUID
	Email    string
	// Before is the end of the page before; empty for the first page.
	Before string
	Size   int
	Room   func(bytes int) error
}

// StoreQuotePage is one page. NextBefore is empty at the end. Total also counts quotes that are gone.
type StoreQuotePage struct {
	Total      int
	NextBefore string
	Quotes     []StoreQuoteRow
}

// StoreQuoteRow is a quote with the amounts of its draft; nil without a draft.
type StoreQuoteRow struct {
	*commerce.Quote
	Sums *commerce.DraftSums
}

// ReadStoreQuotes returns a page of the store's quotes. A filter leaves quotes of a page out.
func (e *Engine) ReadStoreQuotes(r *Request, q *StoreQuoteQuery) (page StoreQuotePage, err error) {
	if q.Customer == uuid.Nil && q.Email != "" {
		if q.Customer, err = e.customerOf(r, q.Email); err != nil {
			return page, err
		}
	}
	page, err = e.storage.StoreQuotes(r.Store, q, r.Now, r.Deadline)
	for i := 0; i < len(page.Quotes) && err == nil; i++ {
		page.Quotes[i].Sums, err = e.DraftSums(r, page.Quotes[i].Quote)
	}
	return page, err
}

// ErrBefore means that a page is to begin where none has ended.
var ErrBefore = errors.New("no page ends there")
