package persistence

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
)

// StoreSummary is what a list of stores says of one.
type StoreSummary struct {
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
func (s *Stores) ListStores(ctx context.Context) ([]StoreSummary, error) {
	ids, err := s.storeIDs(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]StoreSummary, len(ids))
	for i, id := range ids {
		if list[i], err = s.summary(ctx, id); err != nil {
			list[i] = StoreSummary{ID: id, Fault: err}
		}
	}
	return list, nil
}

// storeIDs are the ids of all stores, in order.
func (s *Stores) storeIDs(ctx context.Context) (ids []uuid.UUID, err error) {
	for cursor := uint64(0); ; {
		texts, next, err := s.client.Redis.SScan(ctx, storesKey, cursor, "", scanPage).Result()
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			if id, err := uuid.Parse(text); err == nil {
				ids = append(ids, id)
			}
		}
		if cursor = next; cursor == 0 {
			break
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(ids), nil // a scan may name one twice
}

// summary reads what a list says of a store.
func (s *Stores) summary(ctx context.Context, id uuid.UUID) (StoreSummary, error) {
	l, err := s.loadStore(ctx, id)
	if err != nil {
		return StoreSummary{}, err
	}
	customers, err := s.client.Redis.SCard(ctx, customersKey(id)).Result()
	return StoreSummary{
		ID: id, Name: l.store.Name, Suspended: l.store.Suspended, Products: len(l.store.Products), Keys: len(l.keys),
		Customers: customers, RateLimit: l.head.limit, Imported: l.head.moved,
	}, err
}
