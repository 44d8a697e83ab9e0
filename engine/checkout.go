package engine

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
)

// checkedOut reports whether the command is a checkout of a cart that is sold, or that has a quote,
// which may be sold. The answer is the order.
func checkedOut(c *commerce.Cart, command commerce.Command[*commerce.Cart]) bool {
	_, checkout := command.(*commerce.Checkout)
	return checkout && (c.OrderID != uuid.Nil || c.QuoteID != uuid.Nil)
}

// KeepCheckout applies Request.Command, a *commerce.KeepCheckout.
func (e *Engine) KeepCheckout(r *Request) (Reply, error) { return e.write(r, e.sell()) }

// Checkout applies Request.Command, a *commerce.Checkout. If the cart is sold already, it answers
// with the order. docs/api/checkout.md#what-a-checkout-decides.
func (e *Engine) Checkout(r *Request) (Reply, error) {
	reply, err := e.write(r, e.sell())
	err = e.alsoShort(r, &reply, err)
	if reply.Order != nil || reply.Cart == nil || err != nil && reply.Cart.QuoteID == uuid.Nil {
		return reply, err
	}
	id, failed := e.OrderOf(r, reply.Cart)
	switch {
	case failed != nil:
		return reply, failed
	case id == uuid.Nil && reply.Cart.QuoteID != uuid.Nil: // precedes any other refusal
		return reply, closedCart(r, reply.Cart)
	case err != nil:
		return reply, err
	}
	order, err := e.readOrder(r, id)
	if err == nil {
		reply.Order, reply.Stamp, reply.CommitIndex = order.State, order.Stamp, 0
	}
	return reply, err
}

// alsoShort adds to CART_CHANGED what the stock lacks, so that one answer says both.
func (e *Engine) alsoShort(r *Request, reply *Reply, err error) error {
	var refusal *commerce.Refusal
	if !errors.As(err, &refusal) || refusal.Code != commerce.TotalChanged.Code {
		return err
	}
	cart := reply.Cart
	if reply.Quote != nil {
		cart = reply.Quote.Cart()
	}
	judged := *r
	judged.Facts = *reply.Facts
	return refusal.Of(e.short(&judged, cart))
}

// OrderOf returns the id of the order made from a cart or from its quote; zero if there is none.
// Errors: ErrUnavailable.
func (e *Engine) OrderOf(r *Request, cart *commerce.Cart) (uuid.UUID, error) {
	if cart.QuoteID == uuid.Nil {
		return cart.OrderID, nil
	}
	quote, err := e.readQuote(r, cart.QuoteID)
	if err != nil {
		return uuid.Nil, err
	}
	return quote.State.OrderID, nil
}

// sell serves a command that may need the visitor's address book or e-mail: it reads the contact
// first. When it serves again, it reads Redis, for the node's memory may have lost. Without the
// customers module, tokens are ignored.
func (e *Engine) sell() func(*Request) (Reply, error) {
	again := false
	return func(r *Request) (Reply, error) {
		if r.LacksContact() {
			found, err := e.contacts.Find(RecordKey{r.Store.ID, r.Visitor.CustomerID}, again, r.Deadline)
			if err != nil {
				return Reply{Facts: &r.Facts}, err
			}
			r.Contact.Record = found
		}
		again = true
		return e.changeCart(r)
	}
}

// LacksContact reports whether the command may need the visitor's contact, which was not read. The visitor of a visit that is
// judged again may be another one than that of the reading: an account gets reverse charge, a token a customer.
func (r *Request) LacksContact() bool {
	command, uses := r.Command.(interface {
		UsesContact(*commerce.Store, *commerce.Visitor) bool
	})
	return uses && r.Contact.Record == nil && r.Visitor.Known && r.Store.Modules.Has(commerce.ModuleCustomers) && command.UsesContact(r.Store, &r.Visitor)
}

// readOrder reads the order made from a cart or a quote.
func (e *Engine) readOrder(r *Request, id uuid.UUID) (*Record[*commerce.Order], error) {
	order, err := e.storage.Order(RecordKey{r.Store.ID, id}, r.Deadline)
	if err == nil && order == nil {
		err = fmt.Errorf("the order %s of a cart or a quote is missing", id)
	}
	return order, err
}
