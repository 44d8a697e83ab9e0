package engine

import (
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// OrderQuery asks for some of a customer's orders, newest first.
type OrderQuery struct {
	// From and To are inclusive bounds of the order's time; zero means no bound.
	From, To time.Time
	// Status leaves out the orders of another status; nil for none. The page still counts them.
	Status *commerce.OrderStatus
	// Page returns the first position to read and the one after the last.
	Page func(total int) (from, to int)
	// Room is called ahead of the reading of so many bytes of orders, at most MaxOrdersRead at a time
	// unless one order has more, and with the negative number after it. An error ends the reading.
	Room func(bytes int) error
}

// MaxOrdersRead bounds the orders that a list reads at a time, in bytes of their records.
const MaxOrdersRead = 4 << 20

// OrderPage is one page of orders.
type OrderPage struct {
	Total  int
	Orders []OrderRow
}

// OrderRow is an order of a list. Of its lines it has what its parts are shown by.
type OrderRow struct {
	*commerce.Order
	LinesCount int
	// ShippingShare is the delivery's share of the total.
	ShippingShare commerce.Amount
}

// MakeOrderRow is the row of an order, which loses its lines.
func MakeOrderRow(o *commerce.Order) OrderRow {
	row := OrderRow{Order: o, LinesCount: len(o.Lines)}
	_, row.ShippingShare = o.Shares()
	row.Lines = o.PartedLines()
	return row
}

// ReadOrder returns an order of the visitor: docs/api/checkout.md#orders.
func (e *Engine) ReadOrder(r *Request, id string) (*Record[*commerce.Order], error) {
	parsed, ok := commerce.ParseID(id)
	if !ok {
		return nil, commerce.NotFound("Order", id)
	}
	found, err := e.storage.Order(RecordKey{r.Store.ID, parsed}, r.Deadline)
	if err == nil && (found == nil || found.State.Customer != commerce.Binding{ID: r.Visitor.CustomerID} || r.Visitor.CustomerID == uuid.Nil) {
		err = commerce.NotFound("Order", id)
	}
	return found, err
}

// ReadOrderByToken returns the order of a token, for any visitor. docs/api/checkout.md#what-a-checkout-decides.
func (e *Engine) ReadOrderByToken(r *Request, token string) (*Record[*commerce.Order], error) {
	id, ok := r.Store.OrderOfToken(token)
	if !ok {
		return nil, commerce.NotFound("Order", token)
	}
	found, err := e.storage.Order(RecordKey{r.Store.ID, id}, r.Deadline)
	if err == nil && found == nil {
		err = commerce.NotFound("Order", token)
	}
	return found, err
}

// ReadOrders returns a page of the visitor's orders.
func (e *Engine) ReadOrders(r *Request, q *OrderQuery) (OrderPage, error) {
	page, err := e.storage.Orders(RecordKey{r.Store.ID, r.Visitor.CustomerID}, q, r.Deadline)
	if q.Status != nil {
		page.Orders = slices.DeleteFunc(page.Orders, func(o OrderRow) bool { return o.Status != *q.Status })
	}
	return page, err
}

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
	// Newest begins with the newest order, or with the one ahead of Before; 0 for the newest.
	Newest bool
	Before int64
	// Number is that of the only order; 0 for all.
	Number int64
	// Customer is the account or the guest whose orders are asked for, Email its address; zero for all.
	Customer uuid.UUID
	Email    string
	// Status, Payment, From and To leave out the orders of another status or time; nil and zero for none. The
	// page still counts them.
	Status   *commerce.OrderStatus
	Payment  *commerce.PaymentStatus
	From, To time.Time
	// Room is as in OrderQuery.
	Room func(bytes int) error
}

// Looks reports whether the query leaves out orders that the page looks at. A customer's are found by their time.
func (q *NumberQuery) Looks() bool {
	return q.Status != nil || q.Payment != nil || q.Customer == uuid.Nil && !(q.From.IsZero() && q.To.IsZero())
}

// Keeps reports whether the query asks for an order that the page has looked at.
func (q *NumberQuery) Keeps(o *commerce.Order) bool {
	return (q.Status == nil || o.Status == *q.Status) && (q.Payment == nil || o.PaymentStatus() == *q.Payment) &&
		(q.From.IsZero() || !o.PlacedAt.Before(q.From)) && (q.To.IsZero() || !o.PlacedAt.After(q.To))
}

// NumberPage is one page of a store's orders by their numbers.
type NumberPage struct {
	// Total is the number of orders of the store, or of the customer; Newest is the store's greatest number. NextAfter and NextBefore
	// are the numbers after and before which the next page begins; 0 at the end.
	Total, Newest, NextAfter, NextBefore int64
	Orders                               []*commerce.Order
}

// ReadStoreOrders returns a page of the store's orders. docs/api/orders.md#routes.
func (e *Engine) ReadStoreOrders(r *Request, q *NumberQuery) (page NumberPage, err error) {
	if q.Email != "" {
		var customer uuid.UUID
		if customer, err = e.customerOf(r, q.Email); err != nil {
			return page, err
		}
		if q.Customer != uuid.Nil && q.Customer != customer {
			return page, nil
		}
		q.Customer = customer
	}
	switch {
	case q.Number > 0:
		page, err = e.storage.OrdersByNumber(r.Store.ID, &NumberQuery{After: q.Number - 1, Size: 1, Room: q.Room}, r.Deadline)
		page.NextAfter = 0
		page.Orders = slices.DeleteFunc(page.Orders, func(o *commerce.Order) bool {
			return o.Number != q.Number || !q.Keeps(o) || q.Customer != uuid.Nil && r.Store.CustomerOf(o.Customer, o.Email) != q.Customer
		})
	case q.Customer != uuid.Nil:
		page, err = e.storage.OrdersOfCustomer(RecordKey{r.Store.ID, q.Customer}, q, r.Deadline)
	case q.Newest:
		page, err = e.storage.NewestOrders(r.Store.ID, q, r.Deadline)
	default:
		page, err = e.storage.OrdersByNumber(r.Store.ID, q, r.Deadline)
		page.Orders = slices.DeleteFunc(page.Orders, func(o *commerce.Order) bool { return !q.Keeps(o) })
	}
	return page, err
}

// customerOf is the id of the account with an e-mail address, else of the guest with it.
func (e *Engine) customerOf(r *Request, email string) (uuid.UUID, error) {
	found, err := e.storage.FindAccount(r.Store.ID, email, r.Deadline)
	if err != nil || found.Record == nil {
		return r.Store.GuestID(email), err
	}
	return found.Record.State.ID, nil
}
