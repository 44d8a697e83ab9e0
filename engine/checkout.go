package engine

import (
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
)

// checkedOut reports whether a checkout finds its cart sold: it is answered with the order.
func checkedOut(c *commerce.Cart, command commerce.Command[*commerce.Cart]) bool {
	_, checkout := command.(*commerce.Checkout)
	return checkout && c.OrderID != uuid.Nil
}

// Checkout applies Request.CartCommand, a *commerce.Checkout, or answers with the order that the cart
// has become. The lifecycle page, Checkout.
func (e *Engine) Checkout(r *Request) (Reply, error) {
	reply, err := e.write(r, e.checkout)
	if err != nil || reply.Order != nil {
		return reply, err
	}
	return e.readOrder(r, reply)
}

// checkout looks for the visitor's contact first, if its address book or its e-mail may be needed.
func (e *Engine) checkout(r *Request) (Reply, error) {
	asked := &r.CartCommand.(*commerce.Checkout).CheckoutForm
	if r.Visitor.Known && r.Contact.Record == nil && (asked.Email == "" || asked.UsesAddressBook()) {
		found, err := e.contacts.Find(RecordKey{r.Store.ID, r.Visitor.CustomerID}, r.Deadline)
		if err != nil {
			return Reply{Facts: &r.Facts}, err
		}
		r.Contact.Record = found
	}
	return e.carts.Change(r)
}

// readOrder completes the reply of a checkout with the order of its cart.
func (e *Engine) readOrder(r *Request, reply Reply) (Reply, error) {
	order, err := e.store.Order(RecordKey{r.Store.ID, reply.Cart.OrderID}, r.Deadline)
	switch {
	case err != nil:
		return reply, err
	case order == nil:
		return reply, fmt.Errorf("cart %s has no order %s", reply.Cart.ID, reply.Cart.OrderID)
	}
	reply.Order, reply.Stamp, reply.Place = order.State, order.Stamp, 0
	return reply, nil
}
