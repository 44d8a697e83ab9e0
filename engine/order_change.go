package engine

import (
	"errors"

	"cartd/commerce"
)

// checkOrderOwner hides other customers' orders on a route that needs the customer's token.
func checkOrderOwner(o *commerce.Order, r *Request) *commerce.Refusal {
	if r.Guards.Token != nil && o.Customer != (commerce.Binding{ID: r.Visitor.CustomerID}) {
		return commerce.NotFound("Order", r.OrderID.String())
	}
	return nil
}

// ChangeOrderByToken is ChangeOrder for the order of a token. identify sets what depends on the order's id.
func (e *Engine) ChangeOrderByToken(r *Request, token string, identify func()) (Reply, error) {
	id, ok := r.Store.OrderOfToken(token)
	if !ok {
		return Reply{}, commerce.NotFound("Order", token)
	}
	r.OrderID = id
	identify()
	reply, err := e.ChangeOrder(r)
	if missing := (*commerce.Refusal)(nil); errors.As(err, &missing) && missing.Kind == commerce.Missing {
		err = commerce.NotFound("Order", token)
	}
	return reply, err
}

// ReadStoreOrder returns any order of the store. docs/api/orders.md#routes.
func (e *Engine) ReadStoreOrder(r *Request) (*Record[*commerce.Order], error) {
	found, err := e.storage.Order(RecordKey{r.Store.ID, r.OrderID}, r.Deadline)
	if err == nil && found == nil {
		err = OrderKind.missing(r)
	}
	return found, err
}

// ChangeOrder applies Request.Command. With a refusal for a version that does not match, the
// reply has the current order.
func (e *Engine) ChangeOrder(r *Request) (Reply, error) { return e.write(r, e.orders.Change) }
