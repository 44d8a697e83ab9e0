package stores

import (
	"context"
	"time"

	"cartd/persistence/accounts"

	"github.com/google/uuid"
)

// Summary is what a list of stores says of one.
type Summary struct {
	ID        uuid.UUID
	Name      string
	Suspended bool
	Products  int
	Keys      int
	Customers int64
	RateLimit int
	// Imported is when the settings that count were imported.
	Imported time.Time
	// Fault says why nothing but the id is known; nil: all is.
	Fault error
}

// ListStores summarises all stores, by their ids.
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

// StoreIDs are the ids of all stores, in order.
func (s *Stores) StoreIDs(ctx context.Context) (ids []uuid.UUID, err error) {
	texts, err := s.members(ctx, StoresKey)
	for _, text := range texts {
		if id, err := uuid.Parse(text); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// summary reads what a list says of a store.
func (s *Stores) summary(ctx context.Context, id uuid.UUID) (Summary, error) {
	l, err := s.LoadStore(ctx, id)
	if err != nil {
		return Summary{}, err
	}
	customers, err := s.client.Redis.SCard(ctx, accounts.CustomersKey(id)).Result()
	return Summary{
		ID: id, Name: l.Store.Name, Suspended: l.Store.Suspended, Products: len(l.Store.Products), Keys: len(l.keys),
		Customers: customers, RateLimit: l.Head.Limit, Imported: l.Head.Moved,
	}, err
}
