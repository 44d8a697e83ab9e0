package operator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/accounts"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// Erased is the result of an erasure for one kind of record.
type Erased struct {
	Kind    string
	Records int
	// Parts names the erased parts.
	Parts string
}

// erasure is the erasure of one customer, record after record.
type erasure struct {
	*rewriter
	commerce.Erasure
	shop *commerce.Store
	// further are the addresses of the customer's orders and quotes, counted the ids under which the uses
	// of discounts of the orders count: an archived order has no address any more.
	further, counted []string
}

// eraser erases one kind of data. spared are the erased parts if invoices are kept, empty if they are the same.
type eraser struct {
	kind, parts, spared string
	erase               func(context.Context, *erasure) (int, error)
}

// erased names the parts that an erasure removes.
func (e *eraser) erased(keepInvoices bool) string {
	if keepInvoices && e.spared != "" {
		return e.spared
	}
	return e.parts
}

// erasers are in the order of their erasure.
var erasers = []eraser{
	ofKind(persistence.Carts),
	{kind: "uses of discounts", parts: "the counts by customer", erase: eraseUses},
	ofKind(persistence.Quotes),
	ofKind(persistence.Orders),
	{kind: "lists of a guest", parts: "the whole list", erase: eraseGuestLists},
	{kind: "webhook events given up", parts: "the whole event", erase: eraseGivenUp},
	// Last: an interrupted erasure finds the other records by the contact.
	{kind: "contacts", parts: persistence.Contacts.Erases, erase: eraseContacts},
}

// ofKind erases what a row of persistence says from all records of the kind.
func ofKind[S any](k *persistence.Kind[S]) eraser {
	return eraser{kind: k.Plural, parts: k.Erases, spared: k.Spared, erase: func(ctx context.Context, e *erasure) (int, error) {
		return rewriteAll(ctx, e.rewriter, k, func(key engine.RecordKey, state S) (S, bool) {
			next, concerned := k.Erased(&e.Erasure, state)
			return next, concerned && (!k.Same(next, state) || k.ErasedKey != nil && e.hasValue(ctx, k.ErasedKey(key)))
		}, func(key engine.RecordKey, plan *records.Plan) error {
			if k.ErasedKey != nil {
				plan.Write("DEL", k.ErasedKey(key))
			}
			return nil
		})
	}}
}

// hasValue reports whether a key is in Redis. It returns true also if Redis does not answer: the commit then
// fails.
func (e *erasure) hasValue(ctx context.Context, key string) bool {
	n, err := e.Redis().Redis.Exists(ctx, key).Result()
	return n > 0 || err != nil
}

// EraseCustomer removes a customer's personal data from a store. customer is an id, an e-mail
// address, or ExternalPrefix and an external id. It returns the ids under which the store knew the
// customer, of the account and of the guest with the same address, and the results by kind, in the
// order of erasers. Other records that refer to the customer keep only the id. keepInvoices leaves
// the address of the invoice of orders. Errors: ErrNotFound.
func (o Operator) EraseCustomer(ctx context.Context, store uuid.UUID, customer string, keepInvoices bool) ([]uuid.UUID, []Erased, error) {
	c, err := o.identify(ctx, store, customer)
	if err != nil {
		return nil, nil, err
	}
	e := &erasure{rewriter: o.rewriter(store), shop: c.shop, Erasure: commerce.Erasure{Identity: c.Identity, KeepInvoices: keepInvoices}}
	if err := e.findCarts(ctx); err != nil {
		return e.Customers, nil, err
	}
	var report []Erased
	for _, row := range erasers {
		n, err := row.erase(ctx, e)
		if err != nil {
			return e.Customers, report, err
		}
		report = append(report, Erased{Kind: row.kind, Records: n, Parts: row.erased(keepInvoices)})
	}
	return e.Customers, report, nil
}

// eraseContacts erases the contacts of the customer's ids, and removes them from the store's indexes.
func eraseContacts(ctx context.Context, e *erasure) (erased int, err error) {
	for _, id := range e.Customers {
		externalID := ""
		erase := func(c *commerce.Contact) (*commerce.Contact, bool) {
			externalID = c.ExternalID
			return persistence.Contacts.Erased(&e.Erasure, c)
		}
		done, err := rewriteRecord(ctx, e.rewriter, persistence.Contacts, id, erase, func(key engine.RecordKey, plan *records.Plan) error {
			var entries, own []string
			if e.Email != "" {
				entries = append(entries, accounts.EmailKey(e.store, e.Email))
			}
			if externalID != "" {
				entries = append(entries, accounts.ExternalKey(e.store, externalID))
			}
			for _, name := range entries { // another account may have the address by now
				holder, err := e.Redis().Redis.Get(ctx, name).Result()
				if err != nil && !errors.Is(err, redis.Nil) {
					return fmt.Errorf("%s: %w", name, err)
				}
				if holder == id.String() {
					plan.CheckValue(name, holder)
					own = append(own, name)
				}
			}
			for _, name := range append(own, persistence.Contacts.ErasedKey(key)) {
				plan.Write("DEL", name)
			}
			plan.Set("SREM", accounts.CustomersKey(e.store), id.String())
			stores.WriteAct(plan, e.store, stores.Act{Name: stores.ActErase, On: id.String()}, time.Now())
			return nil
		})
		if err != nil {
			return erased, err
		}
		if done {
			erased++
		}
	}
	return erased, nil
}

// eraseGuestLists drops the lists of the guest with the customer's address, whose id derives from it. An account's lists stay.
func eraseGuestLists(ctx context.Context, e *erasure) (int, error) {
	if e.Email == "" {
		return 0, nil
	}
	guest := engine.RecordKey{Store: e.store, ID: e.shop.GuestID(e.Email)}
	n, err := e.Redis().Redis.Del(ctx, records.CustomerOrdersKey(guest), records.CustomerQuotesKey(guest)).Result()
	return int(n), err
}

// findCarts finds the carts of the customer's orders and quotes.
func (e *erasure) findCarts(ctx context.Context) error {
	e.Carts = map[uuid.UUID]bool{}
	err := eachOf(ctx, e.Operator, persistence.Orders, e.store, &e.Identity, func(o *commerce.Order) {
		e.Carts[o.CartID], e.further = true, append(e.further, o.Email)
		for _, use := range o.Uses {
			if use.Counter == commerce.CountCustomer {
				e.counted = append(e.counted, use.Field)
			}
		}
	})
	if err != nil {
		return err
	}
	return eachOf(ctx, e.Operator, persistence.Quotes, e.store, &e.Identity, func(q *commerce.Quote) {
		e.Carts[q.CartID], e.further = true, append(e.further, q.Email)
	})
}

// eraseGivenUp drops the given-up deliveries that name the customer.
func eraseGivenUp(ctx context.Context, e *erasure) (erased int, err error) {
	for _, receiver := range outbox.Receivers(e.shop) {
		key := outbox.GivenUpKey(e.store, receiver)
		texts, err := e.Redis().Redis.LRange(ctx, key, 0, outbox.GivenUpLength-1).Result()
		if err != nil {
			return erased, err
		}
		for _, text := range texts {
			if !e.names(text) {
				continue
			}
			n, err := e.Redis().Redis.LRem(ctx, key, 0, text).Result()
			if err != nil {
				return erased, err
			}
			erased += int(n)
		}
	}
	return erased, nil
}

// names reports whether a JSON text names the customer.
func (e *erasure) names(text string) bool {
	if quoted, _ := json.Marshal(e.Email); e.Email != "" && strings.Contains(text, string(quoted)) {
		return true
	}
	return slices.ContainsFunc(e.Customers, func(id uuid.UUID) bool { return strings.Contains(text, id.String()) })
}

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

// eraseUses removes the counts of the customer's uses of discounts: those of the account, and those of the
// guests with the customer's addresses, also with the addresses that orders and quotes have, or had before
// they were archived. It runs ahead of the erasure of these. It returns the number of counters that had
// some.
func eraseUses(ctx context.Context, e *erasure) (erased int, err error) {
	fields := e.counted
	for _, id := range e.Customers {
		fields = append(fields, id.String())
	}
	for _, email := range e.further {
		fields = append(fields, e.shop.GuestID(email).String())
	}
	if len(fields) == 0 {
		return 0, nil
	}
	err = e.ScanStore(ctx, e.store, stores.UsesKind, func(keys []string) error {
		for _, key := range keys {
			n, err := e.Redis().Redis.HDel(ctx, key, fields...).Result()
			if err != nil {
				return err
			}
			if n > 0 {
				erased++
			}
		}
		return nil
	})
	return erased, err
}

// ArchiveOrder leaves of an order what commerce.Order.Archived keeps, if same still accepts its state: the
// one that the caller has written elsewhere. It returns false if the order has changed since.
func (o Operator) ArchiveOrder(ctx context.Context, store, id uuid.UUID, same func(*commerce.Order) bool) (bool, error) {
	return rewriteRecord(ctx, o.rewriter(store), persistence.Orders, id, func(order *commerce.Order) (*commerce.Order, bool) {
		if !same(order) {
			return order, false
		}
		return order.Archived(time.UnixMilli(time.Now().UnixMilli()).UTC()), true
	}, nil)
}
