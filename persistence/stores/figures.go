package stores

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Imports counts the imports that this node has followed.
func (s *Stores) Imports() uint64 { return s.imports.Load() }

// Evicted counts the stores that left this node's memory because all took more than the bound.
func (s *Stores) Evicted() uint64 { return s.evicted.Load() }

// Age is the age of a loaded store's version. Moved is the time of its document's commit by Redis's clock.
// Lags is true while the node still serves the earlier version. Memory is about what the store takes.
type Age struct {
	ID     uuid.UUID
	Name   string
	Moved  time.Time
	Lags   bool
	Memory int64
}

// Ages lists the stores in the node's memory.
func (s *Stores) Ages() (all []Age) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, entry := range s.entries {
		if l := entry.Current.Load(); l != nil {
			all = append(all, Age{entry.ID, l.Store.Name, l.state().At, l.lags(), l.memory})
		}
	}
	return all
}

// Count returns the number of stores in Redis.
func (s *Stores) Count(ctx context.Context) (int64, error) {
	return s.client.Redis.SCard(ctx, StoresKey).Result()
}

// WithWebhooks lists the loaded stores that have webhooks.
func (s *Stores) WithWebhooks() (all []*Loaded) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, entry := range s.entries {
		if l := entry.Current.Load(); l != nil && len(l.Store.Webhooks) > 0 {
			all = append(all, l)
		}
	}
	return all
}
