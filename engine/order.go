package engine

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// OrderQuery asks for some of a customer's orders, newest first.
type OrderQuery struct {
	// From and To bound the time of an order, both inclusive; zero: they do not.
	From, To time.Time
	// Page chooses, by how many orders there are, the first and the one after the last to be read.
	Page func(total int) (from, to int)
}

// OrderPage is what it comes to.
type OrderPage struct {
	Total  int
	Orders []*commerce.Order
}

// ReadOrder returns an order of the visitor. The lifecycle page, Orders.
func (e *Engine) ReadOrder(r *Request, id string) (*Record[*commerce.Order], error) {
	parsed, ok := commerce.ParseID(id)
	if !ok {
		return nil, commerce.NotFound("Order", id)
	}
	found, err := e.store.Order(RecordKey{r.Store.ID, parsed}, r.Deadline)
	if err == nil && (found == nil || found.State.Customer != commerce.Binding{ID: r.Visitor.CustomerID} || r.Visitor.CustomerID == uuid.Nil) {
		err = commerce.NotFound("Order", id)
	}
	return found, err
}

// ReadOrders returns a page of the visitor's orders.
func (e *Engine) ReadOrders(r *Request, q *OrderQuery) (OrderPage, error) {
	return e.store.Orders(RecordKey{r.Store.ID, r.Visitor.CustomerID}, q, r.Deadline)
}
