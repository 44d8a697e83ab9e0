package engine

import (
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
