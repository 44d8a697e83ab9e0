package persistence

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
)

// Erased is what an erasure did to one kind of record.
type Erased struct {
	Kind    string
	Records int
	// Parts says what of them is gone.
	Parts string
}

// erasure is the erasing of one customer.
type erasure struct {
	*rewriter
	shop   *commerce.Store
	ids    []uuid.UUID // of the account and of the guest of the same address
	emails []string
}

// erasers are the kinds of record that hold personal data, in the order of their erasing. A
// further kind is a further row.
var erasers = []struct {
	kind, parts string
	erase       func(ctx context.Context, e *erasure) (int, error)
}{
	{"carts", "e-mail, metadata", eraseCarts},
	{"quotes", "e-mail, name, company, phone, message, signer's name, reason of the decline, signature", eraseQuotes},
	{"orders", "e-mail, note, addresses but for their country", eraseOrders},
	{"webhook events given up", "the whole event", eraseGivenUp},
	// Last: from it an erasure that broke off finds the rest again.
	{"contacts", "e-mail, names, phone, company, password, addresses, deleted addresses; all sessions have ended", eraseContacts},
}

// EraseCustomer takes a customer's personal data out of a store: who is a customer's id or
// an e-mail address. It reports by kind, in the order of erasers. What names the customer
// elsewhere in the store keeps the id alone. Errors: ErrNotFound.
func (d *DB) EraseCustomer(ctx context.Context, store uuid.UUID, who string) ([]Erased, error) {
	e, err := d.beginErasure(ctx, store, who)
	if err != nil {
		return nil, err
	}
	var report []Erased
	for _, row := range erasers {
		n, err := row.erase(ctx, e)
		if err != nil {
			return report, err
		}
		report = append(report, Erased{Kind: row.kind, Records: n, Parts: row.parts})
	}
	return report, nil
}

// beginErasure finds all that the customer is known by.
func (d *DB) beginErasure(ctx context.Context, store uuid.UUID, who string) (*erasure, error) {
	l, err := d.LoadStore(ctx, store)
	if err != nil {
		return nil, err
	}
	e := &erasure{rewriter: d.rewriter(store), shop: l.Store}
	email := strings.ToLower(who)
	if id, ok := commerce.ParseID(who); ok {
		found, err := d.FindContact(ctx, store, id)
		if err != nil {
			return nil, err
		}
		e.ids, email = []uuid.UUID{id}, found.State.Email
	}
	if email == "" { // erased before; what broke off goes on
		return e, nil
	}
	ids, err := d.customersOf(ctx, l.Store, email)
	e.emails = []string{email}
	for _, id := range ids {
		if !slices.Contains(e.ids, id) {
			e.ids = append(e.ids, id)
		}
	}
	return e, err
}

// concerns reports whether a record is bound to the customer or carries the address.
func (e *erasure) concerns(customer commerce.Binding, email string) bool {
	return slices.Contains(e.ids, customer.ID) || slices.Contains(e.emails, email)
}

// eraseContacts leaves of each contact its id and a row without an account, to which no
// token resolves.
func eraseContacts(ctx context.Context, e *erasure) (erased int, err error) {
	for _, id := range e.ids {
		done, err := rewriteRecord(ctx, e.rewriter, contactVisits, id, eraseContact, func(key engine.RecordKey, plan *records.Plan) {
			for _, email := range e.emails { // which another account may have taken since
				if name := accounts.EmailKey(e.store, email); e.db.client.Redis.Get(ctx, name).Val() == id.String() {
					plan.CheckValue(name, id.String())
					plan.Write("DEL", name)
				}
			}
			plan.Write("DEL", records.DeletedKey(key))
			plan.Set("SREM", accounts.CustomersKey(e.store), id.String())
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

// eraseContact is a contact without personal data; false: it has none.
func eraseContact(c *commerce.Contact) (*commerce.Contact, bool) {
	if c.Guest && c.Email == "" {
		return c, false
	}
	return &commerce.Contact{ID: c.ID, Guest: true, Session: c.Session + 1, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt}, true
}

// eraseCarts takes the address and the metadata out of the carts that are bound to the
// customer or carry the address. A cart of the guest is bound to no
// customer from then on: its binding derives from the address.
func eraseCarts(ctx context.Context, e *erasure) (int, error) {
	return rewriteAll(ctx, e.rewriter, cartVisits, "cart", func(c *commerce.Cart) (*commerce.Cart, bool) {
		if !e.concerns(c.Customer, c.Email) {
			return c, false
		}
		next := *c
		next.Email, next.Metadata = "", nil
		if c.Customer.Guest {
			next.Customer = commerce.Binding{}
		}
		return &next, c.Email != "" || c.Metadata != nil || next.Customer != c.Customer
	}, nil)
}

// eraseGivenUp drops what was given up of events that name the customer.
func eraseGivenUp(ctx context.Context, e *erasure) (erased int, err error) {
	for i := range e.shop.Webhooks {
		key := outbox.GivenUpKey(e.store, e.shop.WebhookID(i))
		texts, err := e.db.client.Redis.LRange(ctx, key, 0, outbox.GivenUpLength-1).Result()
		if err != nil {
			return erased, err
		}
		for _, text := range texts {
			if !e.names(text) {
				continue
			}
			n, err := e.db.client.Redis.LRem(ctx, key, 0, text).Result()
			if err != nil {
				return erased, err
			}
			erased += int(n)
		}
	}
	return erased, nil
}

// names reports whether a text of JSON names the customer.
func (e *erasure) names(text string) bool {
	for _, email := range e.emails {
		if quoted, _ := json.Marshal(email); strings.Contains(text, string(quoted)) {
			return true
		}
	}
	return slices.ContainsFunc(e.ids, func(id uuid.UUID) bool { return strings.Contains(text, id.String()) })
}
