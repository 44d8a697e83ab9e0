package engine

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

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
