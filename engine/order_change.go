package engine

import (
	"errors"
	"slices"

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

// NumberQuery asks for orders of a store by their numbers.
type NumberQuery struct {
	// After is the number after which the page begins; Size is the maximum number of orders.
	After int64
	Size  int
	// Status and Payment leave out the orders of another status; nil for none. The page still counts
	// them.
	Status  *commerce.OrderStatus
	Payment *commerce.PaymentStatus
	// Room is as in OrderQuery.
	Room func(bytes int) error
}

// NumberPage is one page of a store's orders by their numbers.
type NumberPage struct {
	// Total is the store's number of orders, Newest the greatest number. NextAfter is the number after
	// which the next page begins; 0 at the end.
	Total, Newest, NextAfter int64
	Orders                   []*commerce.Order
}

// ReadStoreOrders returns a page of the store's orders. docs/api/orders.md#routes.
func (e *Engine) ReadStoreOrders(r *Request, q *NumberQuery) (NumberPage, error) {
	page, err := e.storage.OrdersByNumber(r.Store.ID, q, r.Deadline)
	page.Orders = slices.DeleteFunc(page.Orders, func(o *commerce.Order) bool {
		return q.Status != nil && o.Status != *q.Status || q.Payment != nil && o.PaymentStatus() != *q.Payment
	})
	return page, err
}
