package stores

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
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
	// Imported is the time of the commit of the present document.
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
		list[i] = s.Summary(ctx, id)
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

// Summary reads a store's entry in the list: its record, the keys, and the page with its settings.
func (s *Stores) Summary(ctx context.Context, id uuid.UUID) Summary {
	summary, err := s.summary(ctx, id)
	if err != nil {
		return Summary{ID: id, Fault: err}
	}
	return summary
}

func (s *Stores) summary(ctx context.Context, id uuid.UUID) (Summary, error) {
	p, err := s.readPresent(ctx, id)
	if err != nil {
		return Summary{}, err
	}
	ring, err := s.loadRing(ctx, id, p.state().Ring)
	if err != nil {
		return Summary{}, err
	}
	shop, err := s.storeEntry(ctx, id, p.state())
	if err != nil {
		return Summary{}, err
	}
	customers, err := s.client.Redis.SCard(ctx, accounts.CustomersKey(id)).Result()
	return Summary{
		ID: id, Name: shop.Name, Suspended: shop.Suspended || ring.Suspended, Operator: ring.Operator, Products: p.state().Products, Keys: len(ring.Keys),
		Customers: customers, RateLimit: p.head.Limit, Limits: shop.Limits, Imported: p.state().At,
	}, err
}

// storeEntry reads the settings of a record's document, of which it knows the fields of a Summary. They stand near the
// end of the document.
func (s *Stores) storeEntry(ctx context.Context, id uuid.UUID, state *engine.StoreState) (*commerce.Store, error) {
	for i := len(state.Pages) - 1; i >= 0; i-- {
		text, err := s.readPage(ctx, id, state.Pages[i])
		if err != nil {
			return nil, err
		}
		shop, err := storefile.SettingsIn(text)
		if shop != nil || err != nil {
			return shop, err
		}
	}
	return nil, fmt.Errorf("store %s: the document has no settings", id)
}
