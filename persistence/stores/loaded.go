package stores

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// HeadKey is the key of a store's head: {<store>}:head.
func HeadKey(store uuid.UUID) string { return records.SingleKey(store, "head") }

// Head is the short text by which requests are admitted and visits judged: the request limit (which the
// limiter's script reads), the stamp of the store's record, and the revision of the usage counts.
type Head struct {
	Text  string
	Limit int
	Stamp engine.Stamp
	Usage string
}

// usageField is the index of the revision of the usage counts among a head's fields.
const usageField = 2

// makeHead returns a head with its text.
func makeHead(limit int, stamp engine.Stamp, usage string) Head {
	text := strconv.Itoa(limit) + " " + hex.EncodeToString(records.AppendStamp(nil, stamp)) + " " + usage
	return Head{Text: text, Limit: limit, Stamp: stamp, Usage: usage}
}

// ParseHead reads the text of a head.
func ParseHead(text string) (Head, error) {
	f := strings.Fields(text)
	if len(f) != 3 {
		return Head{}, fmt.Errorf("store head %q: %w", text, redisdb.ErrCorrupt)
	}
	limit, err := strconv.Atoi(f[0])
	bytes, err2 := hex.DecodeString(f[1])
	stamp, err3 := records.ParseStamp(string(bytes))
	if err != nil || err2 != nil || err3 != nil || stamp.Zero() {
		return Head{}, fmt.Errorf("store head %q: %w", text, redisdb.ErrCorrupt)
	}
	return Head{Text: text, Limit: limit, Stamp: stamp, Usage: f[usageField]}, nil
}

// UsedUp returns a head with another revision of the usage counts.
func UsedUp(head string) string {
	fields := strings.Fields(head)
	fields[usageField] = NewRevision()
	return strings.Join(fields, " ")
}

// secretKey is the key of the store's secret, which is made once: {<store>}:secret.
func secretKey(store uuid.UUID) string { return records.SingleKey(store, "secret") }

// StoresKey is the set of all stores' ids.
const StoresKey = "stores"

// Loaded is a store in a node's memory; it is never changed.
type Loaded struct {
	// Head is the head in force, and record the store's record under it, with its keys and usage counts. The
	// settings are those of the commit revised, which may be older for some time.
	Head    Head
	record  engine.Record[*engine.StoreState]
	revised engine.Stamp
	// paged is the document of the settings. Store is its store under the operator's settings and the usage counts.
	paged *storefile.PagedStore
	Store *commerce.Store
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

// state is what the record says.
func (l *Loaded) state() *engine.StoreState { return l.record.State }

// lags reports whether the settings are older than the head.
func (l *Loaded) lags() bool { return l.revised != l.state().Revised }

// Serves reports whether a head's settings are those of the store; other usage counts do not matter.
func (l *Loaded) Serves(h *Head) bool { return l.Head.Stamp == h.Stamp && !l.lags() }

// loadAttempts bounds the loading of a store that is replaced again and again.
const loadAttempts = 3

// LoadStore reads the whole store under its present head.
func (s *Stores) LoadStore(ctx context.Context, store uuid.UUID) (*Loaded, error) {
	return s.loadAfter(ctx, store, new(storefile.PagedStore))
}

// loadAfter is LoadStore after an earlier version of the document: it reads the pages that this one lacks.
func (s *Stores) loadAfter(ctx context.Context, store uuid.UUID, before *storefile.PagedStore) (*Loaded, error) {
	var err error
	for range loadAttempts {
		var p present
		if p, err = s.readPresent(ctx, store); err != nil {
			return nil, err
		}
		var l *Loaded
		if l, err = s.load(ctx, store, &p, before); err == nil || !errors.Is(err, redis.Nil) {
			return l, err // only a page that expired meanwhile is worth another attempt
		}
	}
	return nil, err
}

// load reads the store of a record.
func (s *Stores) load(ctx context.Context, store uuid.UUID, p *present, before *storefile.PagedStore) (*Loaded, error) {
	paged, err := s.readDocument(ctx, store, p.state(), before)
	if err != nil {
		return nil, err
	}
	secret, err := s.client.Redis.Get(ctx, secretKey(store)).Bytes()
	if err != nil {
		return nil, fmt.Errorf("secret of store %s: %w", store, err)
	}
	copy(paged.Store.Secret[:], secret)
	keys, operator, err := s.loadKeys(ctx, store, p.state().Ring)
	if err != nil {
		return nil, err
	}
	l := loadedOf(p.head, p.record, paged)
	l.keys = keys
	return l, s.withUsage(ctx, l.under(operator))
}

// readDocument reads the document of a record, after an earlier version of it.
func (s *Stores) readDocument(ctx context.Context, store uuid.UUID, state *engine.StoreState, before *storefile.PagedStore) (*storefile.PagedStore, error) {
	lacks := before.Lacks(&state.Table)
	var keep func(storefile.PageName, []byte)
	if len(lacks) <= storeCached {
		keep = func(name storefile.PageName, packed []byte) { s.pages.follow(store, name, packed) }
	}
	texts, err := s.readPages(ctx, store, lacks, keep)
	if err != nil {
		return nil, err
	}
	paged, err := s.assemble(before, state.Table, func(name storefile.PageName) ([]byte, error) { return texts[name], nil })
	if err != nil {
		return nil, formatError{err}
	}
	return paged, nil
}

// loadedOf is a store without keys, whose settings are those of the document.
func loadedOf(head Head, record engine.Record[*engine.StoreState], paged *storefile.PagedStore) *Loaded {
	return &Loaded{
		Head: head, record: record, revised: record.State.Revised, paged: paged, Store: paged.Store,
		memory: storefile.MemoryOf(paged.Store, paged.Bytes()), document: Operator{Suspended: paged.Store.Suspended, Limit: paged.Store.RateLimit},
	}
}

// evictAboveBound evicts the stores whose last use is longest ago, until the others take at most the bound. The store
// that was used last stays, however large it is. The next request loads an evicted one again.
func (s *Stores) evictAboveBound() {
	type held struct {
		entry *StoreEntry
		used  int64
	}
	total := int64(0)
	s.mu.Lock()
	for _, entry := range s.entries {
		if l := entry.Current.Load(); l != nil {
			total += l.memory
		}
	}
	if s.bound == 0 || total <= s.bound {
		s.mu.Unlock()
		return
	}
	var all []held
	for _, entry := range s.entries {
		if entry.Current.Load() != nil {
			all = append(all, held{entry, entry.used.Load()})
		}
	}
	slices.SortFunc(all, func(a, b held) int { return cmp.Compare(a.used, b.used) })
	for _, one := range all[:len(all)-1] {
		if total <= s.bound {
			break
		}
		l := one.entry.Current.Load()
		delete(s.entries, one.entry.ID)
		s.forgetKeys(one.entry, l)
		total -= l.memory
		s.evicted.Add(1)
	}
	s.mu.Unlock()
	debug.FreeOSMemory()
}
