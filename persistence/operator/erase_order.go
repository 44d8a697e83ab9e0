package operator

import (
	"context"
	"reflect"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
)

// eraseOrders removes addresses and the customer's own texts from the orders that are the
// customer's or have the address, and with them the merchant's texts about payment, cancel and shipment.
// Items, amounts, times, the carrier and the country stay; with keepInvoices also the address of the
// invoice: the billing address, or the shipping address of an order without one.
func eraseOrders(ctx context.Context, e *erasure) (int, error) {
	return rewriteAll(ctx, e.rewriter, orders, e.withoutPerson, nil)
}

// OrdersToShip returns the numbers of the customer's orders that are not shipped yet and would lose their
// shipping address by an erasure, sorted. Errors: ErrNotFound.
func (o Operator) OrdersToShip(ctx context.Context, store uuid.UUID, customer string, keepInvoices bool) (numbers []int64, err error) {
	e, err := o.beginErasure(ctx, store, customer)
	if err != nil {
		return nil, err
	}
	e.keepInvoices = keepInvoices
	err = eachRecord(ctx, o, orders, store, func(_ uuid.UUID, o *commerce.Order) error {
		if o.Status == commerce.OrderPlaced && o.Shipment == nil && o.ShippingAddress != nil && o.ShippingAddress.Street != "" {
			if next, _ := e.withoutPerson(o); next.ShippingAddress.Street == "" {
				numbers = append(numbers, o.Number)
			}
		}
		return nil
	})
	slices.Sort(numbers)
	return numbers, err
}

// withoutPerson returns an order without personal data; false if it is another customer's, or
// has none.
func (e *erasure) withoutPerson(o *commerce.Order) (*commerce.Order, bool) {
	if !e.concerns(o.Customer, o.Email) {
		return o, false
	}
	next := *o
	next.Email, next.CustomerNote, next.Metadata = "", "", nil
	next.Lines, _ = withoutProperties(o.Lines, sold)
	next.Uses = withoutCustomers(o.Uses)
	next.Payment.Reference, next.Payment.RefundReference = commerce.ErasedReference(o.Payment.Reference), ""
	if !slices.Contains(commerce.ShownReasons, o.CancelReason) { // the merchant's own text
		next.CancelReason = ""
	}
	if o.Shipment != nil {
		shipment := *o.Shipment
		shipment.TrackingNumber, shipment.TrackingURL = "", ""
		next.Shipment = &shipment
	}
	if !e.keepInvoices || o.BillingAddress != nil {
		next.ShippingAddress = countryOf(o.ShippingAddress)
	}
	if !e.keepInvoices {
		next.BillingAddress = countryOf(o.BillingAddress)
	}
	if o.Customer.Guest {
		next.Customer = commerce.Binding{}
	}
	return &next, !reflect.DeepEqual(&next, o)
}

// countryOf returns the part of an erased address that stays: taxes are by country.
func countryOf(a *commerce.Address) *commerce.Address {
	if a == nil {
		return nil
	}
	return &commerce.Address{Country: a.Country}
}
