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

// erasure is the erasure of one customer.
type erasure struct {
	*rewriter
	shop *commerce.Store
	ids  []uuid.UUID // of the account and of the guest with the same address
	// email is empty if an earlier erasure has removed it.
	email string
	// further are the addresses of the customer's orders and quotes, counted the ids under which the uses
	// of discounts of the orders count: an archived order has no address any more.
	further, counted []string
	// keepInvoices leaves an order what its invoice needs.
	keepInvoices bool
	// carts are those of the customer's orders and quotes. Such a cart may have neither the customer
	// nor the address, if only the checkout or the request for the quote had it.
	carts map[uuid.UUID]bool
}

// erasers are the kinds of record with personal data, in the order of their erasure. A new kind
// is a new row.
var erasers = []struct {
	kind, parts string
	erase       func(ctx context.Context, e *erasure) (int, error)
}{
	{"carts", "e-mail, metadata, texts of lines, what is kept of a checkout", eraseCarts},
	{"uses of discounts", "the counts by customer", eraseUses},
	{"quotes", "e-mail, name, company, phone, message, metadata, texts of lines, signer's name, reason of the decline, signature", eraseQuotes},
	{"orders", "e-mail, note, metadata, texts of lines, addresses but for their country, references of payments, reason of the cancel, tracking", eraseOrders},
	{"webhook events given up", "the whole event", eraseGivenUp},
	// Last: an interrupted erasure finds the other records by the contact.
	{"contacts", "e-mail, names, phone, company, external id, password, addresses, deleted addresses; all sessions have ended", eraseContacts},
}

// EraseCustomer removes a customer's personal data from a store. customer is an id, an e-mail
// address, or ExternalPrefix and an external id. It returns the ids under which the store knew the
// customer, of the account and of the guest with the same address, and the results by kind, in the
// order of erasers. Other records that refer to the customer keep only the id. keepInvoices leaves
// the address of the invoice of orders. Errors: ErrNotFound.
func (o Operator) EraseCustomer(ctx context.Context, store uuid.UUID, customer string, keepInvoices bool) ([]uuid.UUID, []Erased, error) {
	e, err := o.beginErasure(ctx, store, customer)
	if err != nil {
		return nil, nil, err
	}
	e.keepInvoices = keepInvoices
	var report []Erased
	for _, row := range erasers {
		n, err := row.erase(ctx, e)
		if err != nil {
			return e.ids, report, err
		}
		parts := row.parts
		if row.kind == "orders" && keepInvoices {
			parts = "e-mail, note, metadata, texts of lines, shipping address but for its country, references of payments, reason of the cancel, tracking; " +
				"the billing address stays, or where there is none the shipping address"
		}
		report = append(report, Erased{Kind: row.kind, Records: n, Parts: parts})
	}
	return e.ids, report, nil
}

// ExternalPrefix precedes an external id where a customer is named.
const ExternalPrefix = "external:"

// accountOfExternal returns the id of the account with an external id. Errors: ErrNotFound.
func (o Operator) accountOfExternal(store uuid.UUID, externalID string) (string, error) {
	found, err := o.FindExternal(store, externalID, o.Redis().Soon())
	if err == nil && found.Record == nil {
		err = ErrNotFound
	}
	if err != nil {
		return "", err
	}
	return found.Record.State.ID.String(), nil
}

// beginErasure finds the ids and addresses of the customer.
func (o Operator) beginErasure(ctx context.Context, store uuid.UUID, customer string) (*erasure, error) {
	l, err := o.LoadStore(ctx, store)
	if err != nil {
		return nil, err
	}
	e := &erasure{rewriter: o.rewriter(store), shop: l.Store}
	if externalID, is := strings.CutPrefix(customer, ExternalPrefix); is {
		if customer, err = o.accountOfExternal(store, externalID); err != nil {
			return nil, err
		}
	}
	e.email = commerce.LowerEmail(customer)
	if id, ok := commerce.ParseID(customer); ok {
		found, err := o.FindContact(ctx, store, id)
		if err != nil {
			return nil, err
		}
		e.ids, e.email = []uuid.UUID{id}, commerce.LowerEmail(found.State.Email)
	}
	if e.email == "" { // continue an interrupted erasure
		return e, nil
	}
	ids, err := o.customersOf(ctx, l.Store, e.email)
	for _, id := range ids {
		if !slices.Contains(e.ids, id) {
			e.ids = append(e.ids, id)
		}
	}
	return e, err
}

// concerns reports whether a record is bound to the customer or has the address.
func (e *erasure) concerns(customer commerce.Binding, email string) bool {
	return slices.Contains(e.ids, customer.ID) || email != "" && email == e.email
}

// eraseContacts leaves only the id of each contact: a contact without an account, to which no
// token resolves.
func eraseContacts(ctx context.Context, e *erasure) (erased int, err error) {
	for _, id := range e.ids {
		externalID := ""
		erase := func(c *commerce.Contact) (*commerce.Contact, bool) {
			externalID = c.ExternalID
			return eraseContact(c)
		}
		done, err := rewriteRecord(ctx, e.rewriter, contacts, id, erase, func(key engine.RecordKey, plan *records.Plan) error {
			var entries, own []string
			if e.email != "" {
				entries = append(entries, accounts.EmailKey(e.store, e.email))
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
			for _, name := range append(own, records.DeletedKey(key)) {
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

// eraseContact returns a contact without personal data; false if it has none already.
func eraseContact(c *commerce.Contact) (*commerce.Contact, bool) {
	if c.Guest && c.Email == "" {
		return c, false
	}
	return &commerce.Contact{ID: c.ID, Guest: true, Session: c.Session + 1, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt}, true
}

// eraseCarts removes the address, the metadata, the properties of lines and what is kept of a checkout
// from the carts that are bound to the customer, have the address, or became an order or a quote of the
// customer. It also unbinds a guest's carts, because a guest's id derives from the address.
func eraseCarts(ctx context.Context, e *erasure) (int, error) {
	if err := e.findCarts(ctx); err != nil {
		return 0, err
	}
	return rewriteAll(ctx, e.rewriter, carts, func(c *commerce.Cart) (*commerce.Cart, bool) {
		next := *c
		var hadCounts, hadTexts bool
		if next.Codes, hadCounts = e.withoutCounts(c.Codes); !e.concerns(c.Customer, c.Email) && !e.carts[c.ID] {
			return &next, hadCounts
		}
		next.Email, next.Metadata, next.Checkout = "", nil, nil
		if c.Customer.Guest {
			next.Customer = commerce.Binding{}
		}
		next.Lines, hadTexts = withoutProperties(c.Lines, func(l *commerce.Line) *commerce.Line { return l })
		return &next, c.Email != "" || c.Metadata != nil || c.Checkout != nil || hadTexts || hadCounts || next.Customer != c.Customer
	}, nil)
}

// withoutCounts returns codes without what is counted for the customer; false if nothing is.
func (e *erasure) withoutCounts(codes []commerce.AttachedCode) ([]commerce.AttachedCode, bool) {
	counted := func(code commerce.AttachedCode) bool { return slices.Contains(e.ids, code.Counted.Account) }
	if !slices.ContainsFunc(codes, counted) {
		return codes, false
	}
	codes = slices.Clone(codes)
	for i := range codes {
		if counted(codes[i]) {
			codes[i].Counted = commerce.CountedUses{}
		}
	}
	return codes, true
}

// withoutProperties returns lines without properties; false if none has some.
func withoutProperties[L any](lines []L, line func(*L) *commerce.Line) ([]L, bool) {
	if !slices.ContainsFunc(lines, func(l L) bool { return line(&l).Properties != nil }) {
		return lines, false
	}
	lines = slices.Clone(lines)
	for i := range lines {
		line(&lines[i]).Properties = nil
	}
	return lines, true
}

func sold(l *commerce.OrderLine) *commerce.Line { return &l.Line }

// findCarts finds the carts of the customer's orders and quotes.
func (e *erasure) findCarts(ctx context.Context) error {
	e.carts = map[uuid.UUID]bool{}
	err := eachRecord(ctx, e.Operator, orders, e.store, func(_ uuid.UUID, o *commerce.Order) error {
		if e.concerns(o.Customer, o.Email) {
			e.carts[o.CartID], e.further = true, append(e.further, o.Email)
			for _, use := range o.Uses {
				if use.Counter == commerce.CountCustomer {
					e.counted = append(e.counted, use.Field)
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return eachRecord(ctx, e.Operator, quotes, e.store, func(_ uuid.UUID, q *commerce.Quote) error {
		if e.concerns(q.Customer, q.Email) {
			e.carts[q.CartID], e.further = true, append(e.further, q.Email)
		}
		return nil
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
	if quoted, _ := json.Marshal(e.email); e.email != "" && strings.Contains(text, string(quoted)) {
		return true
	}
	return slices.ContainsFunc(e.ids, func(id uuid.UUID) bool { return strings.Contains(text, id.String()) })
}
