package persistence

import (
	"context"
	"reflect"
	"strings"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// eraseOrders removes addresses and the customer's own texts from the orders that are the
// customer's or have the address. Items, amounts and the country stay.
func eraseOrders(ctx context.Context, e *erasure) (erased int, err error) {
	return erased, e.db.ScanStore(ctx, e.store, "order:", func(keys []string) error {
		for _, key := range keys {
			id, ok := commerce.ParseID(strings.TrimPrefix(key, records.KeyPrefix(e.store, "order")))
			if !ok {
				continue
			}
			done, err := e.eraseOrder(ctx, engine.RecordKey{Store: e.store, ID: id})
			if err != nil {
				return err
			}
			if done {
				erased++
			}
		}
		return nil
	})
}

// eraseOrder erases one order if it is the customer's. No actor owns an order and no request
// writes it again, so the order is replaced if it is unchanged since it was read.
func (e *erasure) eraseOrder(ctx context.Context, key engine.RecordKey) (erased bool, err error) {
	name := records.Orders.Key(key)
	return erased, e.db.client.Redis.Watch(ctx, func(tx *redis.Tx) error {
		erased = false
		text, err := tx.Get(ctx, name).Result()
		if err != nil {
			return err
		}
		record, err := records.Orders.Decode(key, text)
		if err != nil {
			return err
		}
		next, changed := e.withoutPerson(record.State)
		if !changed {
			return nil
		}
		stamp := engine.Stamp{Counter: record.Stamp.Counter + 1, Writer: e.writer, Sequence: 1}
		encoded := records.Orders.Encode(nil, &engine.Record[*commerce.Order]{Stamp: stamp, State: next}, nil)
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error { return pipe.Set(ctx, name, encoded, 0).Err() })
		erased = err == nil
		return err
	}, name)
}

// withoutPerson returns an order without personal data; false if it is another customer's, or
// has none.
func (e *erasure) withoutPerson(o *commerce.Order) (*commerce.Order, bool) {
	if !e.concerns(o.Customer, o.Email) {
		return o, false
	}
	next := *o
	next.Email, next.CustomerNote = "", ""
	next.ShippingAddress, next.BillingAddress = countryOf(o.ShippingAddress), countryOf(o.BillingAddress)
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
