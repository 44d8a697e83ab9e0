package engine

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
)

// checkedOut reports whether a checkout finds its cart sold: it is answered with the order.
func checkedOut(c *commerce.Cart, command commerce.Command[*commerce.Cart]) bool {
	checkout, is := command.(*commerce.Checkout)
	return is && soldAs(c, checkout) != uuid.Nil
}

// soldAs is the order that a cart has become, by itself or by its accepted quote; zero: none is known.
func soldAs(c *commerce.Cart, checkout *commerce.Checkout) uuid.UUID {
	return cmp.Or(c.OrderID, checkout.QuotedOrder)
}

// Checkout applies Request.CartCommand, a *commerce.Checkout, or answers with the order that the cart
// has become. The lifecycle page, Checkout.
func (e *Engine) Checkout(r *Request) (Reply, error) {
	checkout := r.CartCommand.(*commerce.Checkout)
	reply, err := e.write(r, e.sell)
	if errors.As(err, new(*commerce.Refusal)) && reply.Cart != nil && reply.Cart.QuoteID != uuid.Nil {
		quote, failed := e.readQuote(r, reply.Cart.QuoteID)
		if failed != nil {
			return reply, failed
		}
		if checkout.QuotedOrder = quote.State.OrderID; checkout.QuotedOrder != uuid.Nil {
			r.Facts = *reply.Facts
			reply, err = e.write(r, e.sell)
		}
	}
	if err != nil || reply.Order != nil {
		return reply, err
	}
	order, err := e.readOrder(r, soldAs(reply.Cart, checkout))
	if err == nil {
		reply.Order, reply.Stamp, reply.Place = order.State, order.Stamp, 0
	}
	return reply, err
}

// sell looks for the visitor's contact first, if its address book or its e-mail may be needed.
func (e *Engine) sell(r *Request) (Reply, error) {
	command := r.CartCommand.(interface{ UsesContact() bool })
	if r.Visitor.Known && r.Contact.Record == nil && command.UsesContact() {
		found, err := e.contacts.Find(RecordKey{r.Store.ID, r.Visitor.CustomerID}, r.Deadline)
		if err != nil {
			return Reply{Facts: &r.Facts}, err
		}
		r.Contact.Record = found
	}
	return e.carts.Change(r)
}

// readOrder reads the order that a cart, or a quote, has become.
func (e *Engine) readOrder(r *Request, id uuid.UUID) (*Record[*commerce.Order], error) {
	order, err := e.store.Order(RecordKey{r.Store.ID, id}, r.Deadline)
	if err == nil && order == nil {
		err = fmt.Errorf("a cart or a quote has no order %s", id)
	}
	return order, err
}
