package stores

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// Stores are the stores that this node has loaded, each on its first use.
type Stores struct {
	client *redisdb.Client
	log    *slog.Logger
	// assemble is storefile.PagedStore.Assemble, except in tests.
	assemble func(before *storefile.PagedStore, next storefile.Table, text func(storefile.PageName) ([]byte, error)) (*storefile.PagedStore, error)
	// pagesAtOnce is the constant of that name, except in tests.
	pagesAtOnce int
	// leaseTime is the constant of that name, except in tests.
	leaseTime time.Duration

	mu      sync.RWMutex
	entries map[uuid.UUID]*StoreEntry
	keys    map[commerce.KeyHash]*StoreEntry // of all loaded stores
	// imports counts the versions that replaced an earlier one in memory.
	imports atomic.Uint64
	// evicted counts the stores that left because all took more than the bound.
	evicted atomic.Uint64
	// pages are packed pages of stores that are changed here.
	pages pageCache
	// bound is the memory, in bytes, above which stores leave; 0 for none.
	bound int64
	// indexing makes new indexes of catalogues.
	indexing indexing
}

// StoreEntry is a node's entry for one store.
type StoreEntry struct {
	ID  uuid.UUID
	Log string // the limiter's list
	// Contacts is the prefix of its contacts' keys.
	Contacts string
	// Clock is the clock of the store's Redis.
	Clock   engine.Clock
	Current atomic.Pointer[Loaded]
	// Moved is true after an order of this node that may have moved the head, because it took the
	// last use of a discount. The next write reads the head first.
	Moved atomic.Bool
	// reading is the reading under way, nil if there is none. refreshing is true while a
	// goroutine reads the store in the background.
	reading    *storeReading
	joining    sync.Mutex // guards reading
	refreshing atomic.Bool
	// following is locked while new keys and usage counts are read.
	following timedLock
	// looked is the last reading of the head for FollowInBackground, in redisdb.SinceStart's time.
	looked atomic.Int64
	// inForce is the last admission at which the node had the head in force with its settings, in
	// redisdb.SinceStart's time.
	inForce atomic.Int64
	// lost means that Redis does not have the store any more, which is logged once.
	lost atomic.Bool
	// warnings are those of the document.
	warnings warnings
	// used is the last use of the store, in redisdb.SinceStart's time.
	used atomic.Int64
}

// New returns Stores without a loaded store.
func New(client *redisdb.Client, log *slog.Logger) *Stores {
	return &Stores{
		client: client, log: log, assemble: (*storefile.PagedStore).Assemble, pagesAtOnce: pagesAtOnce, leaseTime: leaseTime,
		entries: map[uuid.UUID]*StoreEntry{}, keys: map[commerce.KeyHash]*StoreEntry{}, pages: pageCache{stores: map[uuid.UUID]*storePages{}},
	}
}

// Bound bounds the memory of the loaded stores, in bytes; 0 is no bound. It is set ahead of the first use.
func (s *Stores) Bound(bytes int64) { s.bound = bytes }

// evictEvery is the pause between two evictions of unused stores.
const evictEvery = 10 * time.Second

// EvictIdle evicts the stores that no request has used for idle. The next request loads them
// again. It returns when stop is closed.
func (s *Stores) EvictIdle(idle time.Duration, stop <-chan struct{}) {
	tick := time.NewTicker(min(evictEvery, idle))
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			s.evict(now.Add(-idle))
		}
	}
}

// evict evicts the stores without a use since a moment. A request in flight keeps its store.
func (s *Stores) evict(since time.Time) {
	large := false
	s.mu.Lock()
	for id, entry := range s.entries {
		if entry.used.Load() >= redisdb.SinceStart(since) {
			continue
		}
		delete(s.entries, id)
		if l := entry.Current.Load(); l != nil {
			s.forgetKeys(entry, l)
			large = large || l.memory > largeStore
		}
	}
	s.mu.Unlock()
	if large {
		debug.FreeOSMemory()
	}
}

// forgetKeys removes a store's keys from the index of keys. The caller has the lock.
func (s *Stores) forgetKeys(entry *StoreEntry, l *Loaded) {
	for hash := range l.keys {
		if s.keys[hash] == entry {
			delete(s.keys, hash)
		}
	}
}

// Find returns the store of the request's API key, or nil if the key resolves to none. A key
// that the node does not know costs a read; a store that is not loaded is loaded. Errors:
// ErrUnavailable.
func (s *Stores) Find(r *engine.Request) (*StoreEntry, error) {
	if found := s.known(r.KeyHash, r.Began); found != nil {
		return found, nil
	}
	if s.client.Unreachable() {
		return nil, engine.ErrUnavailable
	}
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	hint, err := s.client.ReadKey(ctx, keyHint(r.KeyHash))
	if err != nil || hint == "" {
		return nil, err
	}
	id, _ := parseHint(hint)
	if id == uuid.Nil {
		return nil, nil
	}
	entry := s.Entry(id)
	l, err := s.refresh(ctx, entry)
	if err != nil {
		if errors.Is(err, errNoStore) {
			return nil, nil
		}
		return nil, s.Unavailable(entry, err)
	}
	if l.Key(r.KeyHash) == nil {
		return nil, nil
	}
	return entry, nil
}

// refresh loads a store, or reads its changes.
func (s *Stores) refresh(ctx context.Context, entry *StoreEntry) (*Loaded, error) {
	if entry.Current.Load() == nil {
		return s.LoadUnder(ctx, entry, "")
	}
	text, err := s.client.ReadKey(ctx, HeadKey(entry.ID))
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, errNoStore
	}
	return s.Follow(ctx, entry, text)
}

// Reread reads a store's head, and follows it.
func (s *Stores) Reread(ctx context.Context, store uuid.UUID) error {
	_, err := s.refresh(ctx, s.Entry(store))
	return err
}

// known returns the loaded store that a key resolves in, or nil.
func (s *Stores) known(hash commerce.KeyHash, now time.Time) *StoreEntry {
	s.mu.RLock()
	entry := s.keys[hash]
	s.mu.RUnlock()
	if entry != nil && entry.Current.Load().Key(hash) != nil {
		entry.used.Store(redisdb.SinceStart(now))
		return entry
	}
	return nil
}

func (s *Stores) Entry(id uuid.UUID) *StoreEntry {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.entries[id]
	if found == nil {
		found = &StoreEntry{
			ID: id, Log: ratelimit.StoreKey(id.String()), Contacts: records.ContactPrefix(id), following: make(timedLock, 1),
		}
		s.entries[id] = found
	}
	found.used.Store(redisdb.SinceStart(time.Now()))
	return found
}

// Under returns the store under a head if the node has all of it, as nearly always; else nil.
func (e *StoreEntry) Under(headText string) *Loaded {
	l := e.Current.Load()
	if headText != l.Head.Text || l.lags() || e.lost.Load() {
		return nil
	}
	if used := e.used.Load(); used-e.inForce.Load() > int64(inForceEvery) {
		e.inForce.Store(used)
	}
	return l
}

// Unavailable logs why a store cannot be read. An unreachable Redis and a request's deadline
// are logged elsewhere.
func (s *Stores) Unavailable(entry *StoreEntry, err error) error {
	if errors.Is(err, engine.ErrUnavailable) {
		return err
	}
	s.log.Error("a store cannot be read", "store", entry.ID.String(), "error", err.Error())
	return engine.ErrUnavailable
}

// LoadInBackground reads a store in the background, unless that is under way, and then calls
// then.
func (s *Stores) LoadInBackground(entry *StoreEntry, headText string, then func()) {
	if !entry.refreshing.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer entry.refreshing.Store(false)
		if _, err := s.LoadUnder(context.Background(), entry, headText); err != nil {
			s.Unavailable(entry, err)
			return
		}
		then()
	}()
}

// readKeysAndUsage reads the record after a move of the head, and its keys and usage counts. If they cannot be read, as
// after the next move, it reads the whole store.
func (s *Stores) readKeysAndUsage(ctx context.Context, entry *StoreEntry, headText string) (*Loaded, error) {
	if !entry.following.lock(ctx) {
		return nil, engine.ErrUnavailable
	}
	defer entry.following.unlock()
	l := entry.Current.Load()
	if l.Head.Text == headText {
		return l, nil
	}
	if s.client.Unreachable() { // an earlier caller has noticed it
		return nil, engine.ErrUnavailable
	}
	patience, cancel := context.WithTimeout(ctx, s.client.Timeout())
	defer cancel()
	next, err := s.withKeysAndUsage(patience, entry.ID, l, headText)
	if err != nil {
		s.client.Unanswered(ctx, err)
		return s.LoadUnder(ctx, entry, headText)
	}
	return s.install(entry, next), nil
}

// withKeysAndUsage is a loaded store under the present head, still with its settings. A head that differs only in the
// usage counts needs no record.
func (s *Stores) withKeysAndUsage(ctx context.Context, store uuid.UUID, l *Loaded, headText string) (*Loaded, error) {
	next := *l
	h, err := ParseHead(headText)
	if next.Head = h; err == nil && h.Stamp != l.Head.Stamp {
		var p present
		if p, err = s.readAny(ctx, store); err == nil && p.head.Text == "" {
			err = errNoStore
		}
		if next.Head, next.record = p.head, p.record; err == nil && next.state().Dropped {
			next.state().Revised = l.revised // no key finds it any more
		}
	}
	if err != nil {
		return nil, err
	}
	if next.state().Ring != l.state().Ring {
		var operator Operator
		if next.keys, operator, err = s.loadKeys(ctx, store, next.state().Ring); err != nil {
			return nil, err
		}
		next.under(operator)
	}
	if next.Head.Usage != l.Head.Usage {
		err = s.withUsage(ctx, &next)
	}
	return &next, err
}

// install makes a store the present version of its entry, and returns it.
func (s *Stores) install(entry *StoreEntry, l *Loaded) *Loaded {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := entry.Current.Load()
	l.Version = &engine.StoreVersion{
		Store: entry.ID, Head: l.Head.Text, HeadKey: HeadKey(entry.ID), Log: entry.Log, Limit: l.Head.Limit,
		Clock: &entry.Clock, Catalogue: l.catalogue,
	}
	if !l.lags() {
		l.Version.InForce = &entry.inForce
		entry.inForce.Store(redisdb.SinceStart(time.Now()))
	}
	entry.Current.Store(l)
	if old != nil && old.revised != l.revised {
		s.imports.Add(1)
	}
	if s.entries[entry.ID] == nil { // evicted while it was being read
		s.entries[entry.ID] = entry
	}
	if s.entries[entry.ID] != entry {
		return l
	}
	if old != nil {
		s.forgetKeys(entry, old)
	}
	for hash := range l.keys {
		s.keys[hash] = entry
	}
	return l
}

// Holding lists the loaded stores whose carts may hold stock.
func (s *Stores) Holding() (all []*engine.StoreVersion) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, entry := range s.entries {
		if l := entry.Current.Load(); l != nil && l.Store.HoldsStock() {
			all = append(all, l.Version)
		}
	}
	return all
}
