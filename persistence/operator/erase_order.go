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
	c, err := o.identify(ctx, store, customer)
	if err != nil {
		return nil, err
	}
	e := &commerce.Erasure{Identity: c.Identity, KeepInvoices: keepInvoices}
	err = eachOf(ctx, o, persistence.Orders, store, &c.Identity, func(o *commerce.Order) {
		if o.Status == commerce.OrderPlaced && o.Fulfilment() != commerce.FulfilledWhole && o.ShippingAddress != nil && o.ShippingAddress.Street != "" {
			if next, _ := e.Order(o); next.ShippingAddress.Street == "" {
				numbers = append(numbers, o.Number)
			}
		}
	})
	slices.Sort(numbers)
	return numbers, err
}
