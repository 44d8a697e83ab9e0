package stores

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/accounts"
)

// Summary is a store's entry in the list of stores.
type Summary struct {
	ID        uuid.UUID
	Name      string
	Suspended bool
	// Operator are the operator's settings.
	Operator  Operator
	Products  int
	Keys      int
	Customers int64
	RateLimit int
	Limits    commerce.Limits
	// Imported is the time of the import of the present settings.
	Imported time.Time
	// Fault is the reason why only the id is known; nil if all fields are.
	Fault error
}

// ListStores returns the summaries of all stores, by their ids.
func (s *Stores) ListStores(ctx context.Context) ([]Summary, error) {
	ids, err := s.StoreIDs(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Summary, len(ids))
	for i, id := range ids {
		if list[i], err = s.summary(ctx, id); err != nil {
			list[i] = Summary{ID: id, Fault: err}
		}
	}
	return list, nil
}

// StoreIDs returns the ids of all stores, in order.
func (s *Stores) StoreIDs(ctx context.Context) (ids []uuid.UUID, err error) {
	texts, err := s.members(ctx, StoresKey)
	for _, text := range texts {
		if id, err := uuid.Parse(text); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// summary reads a store's entry in the list.
func (s *Stores) summary(ctx context.Context, id uuid.UUID) (Summary, error) {
	l, err := s.LoadStore(ctx, id)
	if err != nil {
		return Summary{}, err
	}
	customers, err := s.client.Redis.SCard(ctx, accounts.CustomersKey(id)).Result()
	return Summary{
		ID: id, Name: l.Store.Name, Suspended: l.Store.Suspended, Operator: l.operator, Products: len(l.Store.Products), Keys: len(l.keys),
		Customers: customers, RateLimit: l.Head.Limit, Limits: l.Store.Limits, Imported: l.Head.Moved,
	}, err
}
