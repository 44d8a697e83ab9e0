package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// Person is all that a store has of a customer: contacts, and every cart, order and quote that
// belongs to one of them or has the address.
type Person struct {
	Store    *commerce.Store
	Contacts []*Found[*commerce.Contact]
	// Carts, Orders and Quotes are the newest first.
	Carts  []*commerce.Cart
	Orders []*commerce.Order
	Quotes []*commerce.Quote
	// Now is Redis's time.
	Now time.Time
}

// FindPerson finds a customer by an id, an e-mail address, or ExternalPrefix and an external id, in a
// store, or in all stores for uuid.Nil. A guest is found by the address alone, also without a contact. It reads all carts,
// orders and quotes of each store where it looks; for an id these are the stores that have the
// contact. Errors: ErrNotFound.
func (o Operator) FindPerson(ctx context.Context, store uuid.UUID, customer string) ([]*Person, error) {
	return inStores(ctx, o, store, func(store uuid.UUID) ([]*Person, error) {
		c, err := o.identify(ctx, store, customer)
		if err != nil {
			return nil, err
		}
		p, err := o.personOf(ctx, c)
		if err != nil || len(p.Contacts)+len(p.Carts)+len(p.Orders)+len(p.Quotes) == 0 {
			return nil, err
		}
		return []*Person{p}, nil
	})
}

func (o Operator) personOf(ctx context.Context, c *identified) (*Person, error) {
	store := c.shop.ID
	now, _, err := o.Redis().Now(ctx, stores.HeadKey(store))
	if err != nil {
		return nil, err
	}
	p := &Person{Store: c.shop, Now: now}
	for _, id := range c.Customers {
		found, err := Find(ctx, o, persistence.Contacts, store, id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p.Contacts = append(p.Contacts, found)
	}
	err = eachOf(ctx, o, persistence.Carts, store, &c.Identity, func(c *commerce.Cart) { p.Carts = append(p.Carts, c) })
	if err == nil {
		err = eachOf(ctx, o, persistence.Orders, store, &c.Identity, func(o *commerce.Order) { p.Orders = append(p.Orders, o) })
	}
	if err == nil {
		err = eachOf(ctx, o, persistence.Quotes, store, &c.Identity, func(q *commerce.Quote) { p.Quotes = append(p.Quotes, q) })
	}
	p.sort()
	return p, err
}

// DeletedAddresses are the addresses that a contact has deleted in the last 180 days, the newest first.
func (o Operator) DeletedAddresses(ctx context.Context, store, contact uuid.UUID) ([]commerce.DeletedAddress, error) {
	key := records.DeletedKey(engine.RecordKey{Store: store, ID: contact})
	members, err := o.Redis().Redis.ZRevRange(ctx, key, 0, -1).Result()
	if err != nil {
		return nil, err
	}
	all := make([]commerce.DeletedAddress, len(members))
	for i, member := range members {
		if all[i], err = records.ReadDeletedAddress(member); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return all, nil
}

// sort puts the newest first. A quote without a number is a draft.
func (p *Person) sort() {
	slices.SortFunc(p.Carts, func(a, b *commerce.Cart) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID.String(), b.ID.String()))
	})
	slices.SortFunc(p.Orders, func(a, b *commerce.Order) int { return cmp.Compare(b.Number, a.Number) })
	slices.SortFunc(p.Quotes, func(a, b *commerce.Quote) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.Number, a.Number), cmp.Compare(a.ID.String(), b.ID.String()))
	})
}

// eachRecord reads the records of a kind; one may come twice.
func eachRecord[S any](ctx context.Context, o Operator, k *persistence.Kind[S], store uuid.UUID, each func(uuid.UUID, S) error) error {
	prefix := records.KeyPrefix(store, k.Kind)
	return o.ScanStore(ctx, store, k.Kind+":", func(keys []string) error {
		texts, err := o.Redis().Redis.MGet(ctx, keys...).Result()
		if err != nil {
			return err
		}
		for i, text := range texts {
			id, ok := commerce.ParseID(strings.TrimPrefix(keys[i], prefix))
			record, isText := text.(string)
			if !ok || !isText {
				continue // deleted meanwhile
			}
			decoded, err := k.Decode(engine.RecordKey{Store: store, ID: id}, record)
			if err != nil {
				return fmt.Errorf("%s: %w", keys[i], err)
			}
			if err := each(id, decoded.State); err != nil {
				return err
			}
		}
		return nil
	})
}

// identified is a customer of a store whose ids and address are known.
type identified struct {
	shop *commerce.Store
	commerce.Identity
}

// ExternalPrefix precedes an external id where a customer is named.
const ExternalPrefix = "external:"

// identify finds the ids and the address of a customer that is named by an id, an e-mail address, or ExternalPrefix and an external id.
// Errors: ErrNotFound.
func (o Operator) identify(ctx context.Context, store uuid.UUID, customer string) (*identified, error) {
	l, err := o.LoadStore(ctx, store)
	if err != nil {
		return nil, err
	}
	c := &identified{shop: l.Store}
	if externalID, is := strings.CutPrefix(customer, ExternalPrefix); is {
		if customer, err = o.accountOfExternal(store, externalID); err != nil {
			return nil, err
		}
	}
	c.Email = commerce.LowerEmail(customer)
	if id, ok := commerce.ParseID(customer); ok {
		found, err := Find(ctx, o, persistence.Contacts, store, id)
		if err != nil {
			return nil, err
		}
		c.Customers, c.Email = []uuid.UUID{id}, commerce.LowerEmail(found.State.Email)
	}
	if c.Email == "" { // an erasure that was interrupted
		return c, nil
	}
	ids, err := o.customersOf(ctx, l.Store, c.Email)
	for _, id := range ids {
		if !slices.Contains(c.Customers, id) {
			c.Customers = append(c.Customers, id)
		}
	}
	return c, err
}

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

// eachOf reads the records of a kind that belong to a customer or have the address, each once.
func eachOf[S commerce.Owned](ctx context.Context, o Operator, k *persistence.Kind[S], store uuid.UUID, who *commerce.Identity, each func(S)) error {
	seen := map[uuid.UUID]bool{} // a scan may return a key twice
	return eachRecord(ctx, o, k, store, func(id uuid.UUID, record S) error {
		if who.Concerns(record) && !seen[id] {
			seen[id] = true
			each(record)
		}
		return nil
	})
}
