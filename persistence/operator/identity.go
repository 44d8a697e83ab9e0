package operator

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence"
)

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
