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
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// Stores are those that this node has loaded, each on its first use.
type Stores struct {
	client *redisdb.Client
	log    *slog.Logger
	// decode makes a Store of the settings that SaveStore was given.
	decode func(settings []byte) (*commerce.Store, error)
	// LeaseTime is the constant of that name, except in tests.
	LeaseTime time.Duration

	Mu    sync.RWMutex
	Slots map[uuid.UUID]*StoreEntry
	keys  map[commerce.KeyHash]*StoreEntry // of all loaded stores
}

// slot is the place of one store.
type StoreEntry struct {
	ID  uuid.UUID
	Log string // the limiter's list
	// Contacts is the prefix of its keys of contacts.
	Contacts string
	// Clock is the one of the store's Redis.
	Clock   engine.Clock
	Current atomic.Pointer[Loaded]
	// reading is the store's reading that is under way, nil if none is; refreshing is true
	// while one reads the store in the background.
	reading    *storeReading
	joining    sync.Mutex // guards reading
	refreshing atomic.Bool
	// following is for reading what is new beside the settings.
	following turn
	// lost: Redis does not have the store any more, which is logged once.
	lost atomic.Bool
	// used is when the store was last asked for, as sinceStart has it.
	used atomic.Int64
}

// NewStores has loaded none. Decode makes a Store of the settings that SaveStore was given.
func New(client *redisdb.Client, log *slog.Logger, decode func(settings []byte) (*commerce.Store, error)) *Stores {
	return &Stores{
		client: client, log: log, decode: decode, LeaseTime: LeaseTime,
		Slots: map[uuid.UUID]*StoreEntry{}, keys: map[commerce.KeyHash]*StoreEntry{},
	}
}

// evictEvery is how often unused stores are evicted.
const evictEvery = 10 * time.Second

// EvictIdle lets stores leave memory that no request has used for idle; the next
// request loads them again. It returns when stop is closed.
func (s *Stores) EvictIdle(idle time.Duration, stop <-chan struct{}) {
	tick := time.NewTicker(min(evictEvery, idle))
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			s.Evict(now.Add(-idle))
		}
	}
}

// Evict forgets the stores last used before a moment. A request that holds one
// keeps it until it is answered.
func (s *Stores) Evict(before time.Time) {
	large := false
	s.Mu.Lock()
	for id, slot := range s.Slots {
		if slot.used.Load() >= redisdb.SinceStart(before) {
			continue
		}
		delete(s.Slots, id)
		if l := slot.Current.Load(); l != nil {
			s.forgetKeys(slot, l)
			large = large || l.Head.Size > LargeStore
		}
	}
	s.Mu.Unlock()
	if large {
		debug.FreeOSMemory()
	}
}

// forgetKeys takes a store's keys out of the index. The lock is held.
func (s *Stores) forgetKeys(slot *StoreEntry, l *Loaded) {
	for hash := range l.keys {
		if s.keys[hash] == slot {
			delete(s.keys, hash)
		}
	}
}

// Find returns the store of the asked API key, or nil where it resolves to none. A
// key that the node does not know costs a look-up, a store that is not loaded its
// loading. Errors: ErrUnavailable.
func (s *Stores) Find(r *engine.Request) (*StoreEntry, error) {
	if found := s.Known(*r.KeyHash, r.Began); found != nil {
		return found, nil
	}
	if s.client.Unreachable() {
		return nil, engine.ErrUnavailable
	}
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	hint, err := s.client.ReadKey(ctx, KeyHint(*r.KeyHash))
	if err != nil || hint == "" {
		return nil, err
	}
	id, _ := ParseHint(hint)
	if id == uuid.Nil {
		return nil, nil
	}
	slot := s.Entry(id)
	l, err := s.Refresh(ctx, slot)
	if err != nil {
		if errors.Is(err, errNoStore) {
			return nil, nil
		}
		return nil, s.Unavailable(slot, err)
	}
	if l.Key(*r.KeyHash) == nil {
		return nil, nil
	}
	return slot, nil
}

// Refresh loads a store, or reads what is new of it.
func (s *Stores) Refresh(ctx context.Context, slot *StoreEntry) (*Loaded, error) {
	if slot.Current.Load() == nil {
		return s.LoadUnder(ctx, slot, "")
	}
	text, err := s.client.ReadKey(ctx, HeadKey(slot.ID))
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, errNoStore
	}
	now, _ := slot.Clock.Now()
	return s.Follow(ctx, slot, text, now)
}

// Known returns the loaded store that a key resolves in, or nil.
func (s *Stores) Known(hash commerce.KeyHash, now time.Time) *StoreEntry {
	s.Mu.RLock()
	slot := s.keys[hash]
	s.Mu.RUnlock()
	if slot != nil && slot.Current.Load().Key(hash) != nil {
		slot.used.Store(redisdb.SinceStart(now))
		return slot
	}
	return nil
}

func (s *Stores) Entry(id uuid.UUID) *StoreEntry {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	found := s.Slots[id]
	if found == nil {
		found = &StoreEntry{
			ID: id, Log: ratelimit.StoreKey(id.String()), Contacts: records.ContactPrefix(id), following: make(turn, 1),
		}
		s.Slots[id] = found
	}
	found.used.Store(redisdb.SinceStart(time.Now()))
	return found
}

// Follow returns the store under the head that Redis has now. New keys and usage counts are read at
// once; new settings are read in the background for as long as their grace lasts, and waited for
// after that. A store that Redis does not have any more can serve nothing. Errors: ErrUnavailable.
func (s *Stores) Follow(ctx context.Context, slot *StoreEntry, headText string, now time.Time) (*Loaded, error) {
	if slot.lost.Swap(headText == "") != (headText == "") && headText == "" {
		s.log.Error("the store is not in Redis any more: import it again", "store", slot.ID.String())
	}
	if headText == "" {
		return nil, engine.ErrUnavailable
	}
	l := slot.Current.Load()
	if headText != l.Head.Text {
		h, err := ParseHead(headText)
		if err == nil {
			l, err = s.TakeUp(ctx, slot, h)
		}
		if errors.Is(err, redisdb.ErrCorrupt) {
			s.client.Broken(HeadKey(slot.ID))
			return nil, engine.ErrUnavailable
		}
		if err != nil {
			return nil, s.Unavailable(slot, err)
		}
	}
	switch {
	case l.revision == l.Head.Revision:
		return l, nil
	case !l.lags(now):
		s.LoadInBackground(slot, l.Head.Text, func() {})
		return l, nil
	}
	l, err := s.LoadUnder(ctx, slot, l.Head.Text)
	if err != nil {
		return nil, s.Unavailable(slot, err)
	}
	return l, nil
}

// Unavailable notes why a store cannot be read; that Redis is away, or a request's time
// is over, is said elsewhere.
func (s *Stores) Unavailable(slot *StoreEntry, err error) error {
	if err == engine.ErrUnavailable {
		return err
	}
	s.log.Error("a store cannot be read", "store", slot.ID.String(), "error", err.Error())
	return engine.ErrUnavailable
}

// LoadInBackground reads a store in the background, unless that is under way, and then calls
// then.
func (s *Stores) LoadInBackground(slot *StoreEntry, headText string, then func()) {
	if !slot.refreshing.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer slot.refreshing.Store(false)
		if _, err := s.LoadUnder(context.Background(), slot, headText); err != nil {
			s.Unavailable(slot, err)
			return
		}
		then()
	}()
}

// TakeUp reads what is new under a head beside the settings: keys and usage counts. Where the head
// has moved on since, its keys may be gone, and the whole store is read instead.
func (s *Stores) TakeUp(ctx context.Context, slot *StoreEntry, h Head) (*Loaded, error) {
	if !slot.following.take(ctx) {
		return nil, engine.ErrUnavailable
	}
	defer slot.following.end()
	l := slot.Current.Load()
	if l.Head.Text == h.Text {
		return l, nil
	}
	if s.client.Unreachable() { // as an earlier caller has found
		return nil, engine.ErrUnavailable
	}
	patience, cancel := context.WithTimeout(ctx, s.client.Timeout())
	defer cancel()
	next := *l
	next.Head = h
	var err error
	if h.Keys != l.Head.Keys {
		next.keys, err = s.loadKeys(patience, slot.ID, h.Keys)
	}
	if err == nil && h.Usage != l.Head.Usage {
		err = s.withUsage(patience, &next)
	}
	if err != nil {
		s.client.Unanswered(ctx, err)
		return s.LoadUnder(ctx, slot, h.Text)
	}
	return s.Install(slot, &next), nil
}

// Install makes a store count on this node, and returns it.
func (s *Stores) Install(slot *StoreEntry, l *Loaded) *Loaded {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	old := slot.Current.Load()
	l.Version = &engine.StoreVersion{
		Store: slot.ID, Head: l.Head.Text, HeadKey: HeadKey(slot.ID), Log: slot.Log, Clock: &slot.Clock, Catalogue: l.catalogue,
	}
	slot.Current.Store(l)
	if s.Slots[slot.ID] == nil { // it left while it was being read
		s.Slots[slot.ID] = slot
	}
	if s.Slots[slot.ID] != slot {
		return l
	}
	if old != nil {
		s.forgetKeys(slot, old)
	}
	for hash := range l.keys {
		s.keys[hash] = slot
	}
	return l
}

// Holding are the loaded stores whose carts may hold stock.
func (s *Stores) Holding() (all []*engine.StoreVersion) {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	for _, slot := range s.Slots {
		if l := slot.Current.Load(); l != nil && l.Store.HoldsStock() {
			all = append(all, l.Version)
		}
	}
	return all
}
