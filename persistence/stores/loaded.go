package stores

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
)

// A store's keys are: its head (the revisions in force), the packed settings in parts under
// their revision, its API keys under a revision of their own, its secret and, while an import
// writes, the import's lease.

// partKey is the key of one part of the packed settings: {<store>}:store:<revision>:<n>.
func partKey(store uuid.UUID, revision string, n int) string {
	return records.KeyPrefix(store, "store") + revision + ":" + strconv.Itoa(n)
}

// secretKey is the key of the store's secret, which is made once: {<store>}:secret.
func secretKey(store uuid.UUID) string { return records.SingleKey(store, "secret") }

// StoresKey is the set of all stores' ids.
const StoresKey = "stores"

const (
	// partSize is the max size of a part.
	partSize = 1 << 20
	// replacedFor is how long replaced parts stay for nodes that read them.
	replacedFor = time.Minute
	// unusedFor is how long new parts stay unless the head moves to them.
	unusedFor = 10 * time.Minute
)

// Loaded is a store in a node's memory; it is never changed.
type Loaded struct {
	// Head is the head in force, with its keys and usage counts. The settings are those of
	// revision, which may be older within the head's grace.
	Head     Head
	revision string
	Store    *commerce.Store
	// document has the document's own settings of those that the operator may change.
	document Operator
	operator Operator
	keys     map[commerce.KeyHash]*commerce.APIKey
	// limited are the discounts with a usage limit.
	limited []commerce.Discount
	// catalogue is nil if the store shows none, and ahead of followCatalogue.
	catalogue *engine.Catalogue
	// memory is about what the store takes in memory, in bytes.
	memory  int64
	Version *engine.StoreVersion
}

// Key returns the API key with this hash, or nil if it is unknown or revoked.
func (l *Loaded) Key(hash commerce.KeyHash) *commerce.APIKey {
	if k := l.keys[hash]; k != nil && !k.Revoked {
		return k
	}
	return nil
}

var (
	errNoStore = errors.New("there is no such store")
	errBusy    = errors.New("the store is being changed all the time: try again")
)

// loadAttempts bounds the loading of a store that is replaced again and again.
const loadAttempts = 3

// LoadStore reads the whole store under its present head.
func (s *Stores) LoadStore(ctx context.Context, store uuid.UUID) (*Loaded, error) {
	var err error
	for range loadAttempts {
		var h Head
		if h, err = s.ReadHead(ctx, store); err != nil {
			return nil, err
		}
		var l *Loaded
		if l, err = s.loadRevision(ctx, store, h); err == nil || !errors.Is(err, redis.Nil) {
			return l, err // only a part that expired meanwhile is worth another attempt
		}
	}
	return nil, err
}

func (s *Stores) loadRevision(ctx context.Context, store uuid.UUID, h Head) (*Loaded, error) {
	settings, err := s.loadSettings(ctx, store, h)
	if err != nil {
		return nil, err
	}
	shop, err := s.decode(settings)
	if err != nil {
		return nil, formatError{err}
	}
	secret, err := s.client.Redis.Get(ctx, secretKey(store)).Bytes()
	if err != nil {
		return nil, fmt.Errorf("secret of store %s: %w", store, err)
	}
	copy(shop.Secret[:], secret)
	keys, operator, err := s.loadKeys(ctx, store, h.Keys)
	if err != nil {
		return nil, err
	}
	l := &Loaded{
		Head: h, revision: h.Revision, Store: shop, keys: keys, memory: storefile.MemoryOf(shop, settings),
		document: Operator{Suspended: shop.Suspended, Limit: shop.RateLimit},
	}
	return l, s.withUsage(ctx, l.under(operator))
}
