package operator

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence"
)

// OrdersToShip returns the numbers of the customer's orders of which something may be left to ship, and that would lose their
// shipping address by an erasure, sorted. Errors: ErrNotFound.
func (o Operator) OrdersToShip(ctx context.Context, store uuid.UUID, customer string, keepInvoices bool) (numbers []int64, err error) {
	e, err := o.beginErasure(ctx, store, customer)
	if err != nil {
		return nil, err
	}
	e.KeepInvoices = keepInvoices
	err = eachRecord(ctx, o, persistence.Orders, store, func(_ uuid.UUID, o *commerce.Order) error {
		if o.Status == commerce.OrderPlaced && o.Fulfilment() != commerce.FulfilledWhole && o.ShippingAddress != nil && o.ShippingAddress.Street != "" {
			if next, _ := e.Order(o); next.ShippingAddress.Street == "" {
				numbers = append(numbers, o.Number)
			}
		}
		return nil
	})
	slices.Sort(numbers)
	return numbers, err
}
