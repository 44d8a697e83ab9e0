package engine

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// CopyCart makes the cart id with the lines of the cart in the path. It returns the lines that the
// new cart lacks; none if an earlier sending made it. docs/api/carts.md#copy.
func (e *Engine) CopyCart(r *Request, id uuid.UUID) (Reply, []commerce.LeftOut, error) {
	reply, err := e.ReadCart(r)
	if err != nil {
		return reply, nil, err
	}
	return e.createCopy(r, id, commerce.CopyOfCart(reply.Cart))
}

// CopyOrder is CopyCart for an order of the visitor.
func (e *Engine) CopyOrder(r *Request, order string, id uuid.UUID) (Reply, []commerce.LeftOut, error) {
	found, err := e.ReadOrder(r, order)
	return e.copyOrder(r, id, found, err)
}

// CopyOrderByToken is CopyCart for the order of a token.
func (e *Engine) CopyOrderByToken(r *Request, token string, id uuid.UUID) (Reply, []commerce.LeftOut, error) {
	found, err := e.ReadOrderByToken(r, token)
	return e.copyOrder(r, id, found, err)
}

func (e *Engine) copyOrder(r *Request, id uuid.UUID, found *Record[*commerce.Order], err error) (Reply, []commerce.LeftOut, error) {
	if err != nil {
		return Reply{Facts: &r.Facts}, nil, err
	}
	if !found.State.ArchivedAt.IsZero() {
		return Reply{Facts: &r.Facts}, nil, commerce.OrderIsArchived
	}
	return e.createCopy(r, id, commerce.CopyOfOrder(found.State))
}

// createCopy makes a cart with content. The request is admitted and counted.
func (e *Engine) createCopy(asked *Request, id uuid.UUID, content *commerce.CartCopy) (Reply, []commerce.LeftOut, error) {
	if asked.Fault != nil {
		return Reply{Facts: &asked.Facts}, nil, asked.Fault
	}
	r := *asked
	r.CartID, r.Copy = id, content
	r.Cart, r.Entry, r.Idempotency = Sighting[*commerce.Cart]{}, nil, nil
	reply, err := e.CreateCart(&r)
	if err != nil || reply.Replayed {
		return reply, nil, err
	}
	made := r
	made.Facts = *reply.Facts
	_, left, refusal := content.Make(id, made.copying(reply.Stamp.Counter))
	if refusal == nil && content.SecondTry() {
		left = append(left, commerce.LeftOutOf(e.short(&made, reply.Cart))...)
	}
	return reply, left, asError(refusal)
}

// short lists what a cart cannot sell for want of stock, beside an answer that is given whether or not the
// stock can be read. So an error leaves the list empty; a checkout says it again.
func (e *Engine) short(r *Request, cart *commerce.Cart) []commerce.StockShort {
	levels, err := e.CartLevels(r.Store, cart.ID, cart.StockItems(r.Store), r.Deadline)
	if err != nil || levels == nil {
		return nil
	}
	return cart.Short(r.Store, levels)
}

// copying is the input of a copy, by the request's facts. next is the stamp counter of its commit.
func (r *Request) copying(next uint64) *commerce.Input {
	return &commerce.Input{Store: r.Store, Visitor: r.Visitor, Now: r.Now, Next: next, Came: r.Came}
}
