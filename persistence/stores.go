package persistence

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// stores are those that this node has loaded, each on its first use.
type stores struct {
	db    *DB
	mu    sync.RWMutex
	slots map[uuid.UUID]*slot
	keys  map[commerce.KeyHash]*slot // of all loaded stores
	// imports counts the versions that took an earlier one's place in memory.
	imports atomic.Uint64
}

// slot is the place of one store.
type slot struct {
	id  uuid.UUID
	log string // the limiter's list
	// contacts is the prefix of its keys of contacts.
	contacts string
	// clock is the one of the store's Redis.
	clock   engine.Clock
	current atomic.Pointer[loaded]
	// reading is the store's reading that is under way, nil: none is; behind is true
	// while one reads the store in the background.
	reading *storeReading
	joining sync.Mutex // guards reading
	behind  atomic.Bool
	// following is for reading what is new beside the settings.
	following turn
	// lost: Redis does not have the store any more, which is logged once.
	lost atomic.Bool
	// used is when the store was last asked for, as sinceStart has it.
	used atomic.Int64
}

func newStores(d *DB) *stores {
	return &stores{db: d, slots: map[uuid.UUID]*slot{}, keys: map[commerce.KeyHash]*slot{}}
}

// evictEvery is how often stores that nobody uses are looked for.
const evictEvery = 10 * time.Second

// evictIdle lets stores leave memory that nobody has asked for in idle; the next
// request loads them again. It returns when stop is closed.
func (s *stores) evictIdle(idle time.Duration, stop <-chan struct{}) {
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

// evict forgets the stores last used before a moment. A request that holds one
// keeps it until it is answered.
func (s *stores) evict(before time.Time) {
	large := false
	s.mu.Lock()
	for id, slot := range s.slots {
		if slot.used.Load() >= redisdb.SinceStart(before) {
			continue
		}
		delete(s.slots, id)
		if l := slot.current.Load(); l != nil {
			s.forgetKeys(slot, l)
			large = large || l.head.size > largeStore
		}
	}
	s.mu.Unlock()
	if large {
		debug.FreeOSMemory()
	}
}

// forgetKeys takes a store's keys out of the index. The lock is held.
func (s *stores) forgetKeys(slot *slot, l *loaded) {
	for hash := range l.keys {
		if s.keys[hash] == slot {
			delete(s.keys, hash)
		}
	}
}

// find returns the store of the asked API key, or nil where it resolves to none. A
// key that the node does not know costs a look-up, a store that is not loaded its
// loading. Errors: ErrUnavailable.
func (s *stores) find(r *engine.Request) (*slot, error) {
	if found := s.known(*r.KeyHash, r.Began); found != nil {
		return found, nil
	}
	if s.db.Away() {
		return nil, engine.ErrUnavailable
	}
	ctx, cancel := context.WithDeadline(background, r.Deadline)
	defer cancel()
	hint, err := s.db.readKey(ctx, keyHint(*r.KeyHash))
	if err != nil || hint == "" {
		return nil, err
	}
	id, _ := parseHint(hint)
	if id == uuid.Nil {
		return nil, nil
	}
	slot := s.slot(id)
	l, err := s.refresh(ctx, slot)
	if err != nil {
		if errors.Is(err, errNoStore) {
			return nil, nil
		}
		return nil, s.unavailable(slot, err)
	}
	if l.key(*r.KeyHash) == nil {
		return nil, nil
	}
	return slot, nil
}

// refresh loads a store, or reads what is new of it.
func (s *stores) refresh(ctx context.Context, slot *slot) (*loaded, error) {
	if slot.current.Load() == nil {
		return s.loadUnder(ctx, slot, "")
	}
	text, err := s.db.readKey(ctx, headKey(slot.id))
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, errNoStore
	}
	now, _ := slot.clock.Now()
	return s.follow(ctx, slot, text, now)
}

// known returns the loaded store that a key resolves in, or nil.
func (s *stores) known(hash commerce.KeyHash, now time.Time) *slot {
	s.mu.RLock()
	slot := s.keys[hash]
	s.mu.RUnlock()
	if slot != nil && slot.current.Load().key(hash) != nil {
		slot.used.Store(redisdb.SinceStart(now))
		return slot
	}
	return nil
}

func (s *stores) slot(id uuid.UUID) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.slots[id]
	if found == nil {
		found = &slot{
			id: id, log: ratelimit.StoreKey(id.String()), contacts: contactPrefix(id), following: make(turn, 1),
		}
		s.slots[id] = found
	}
	found.used.Store(redisdb.SinceStart(time.Now()))
	return found
}

// follow returns the store under the head that Redis has now. New keys and usage counts are read at
// once; new settings are read in the background for as long as their grace lasts, and waited for
// after that. A store that Redis does not have any more can serve nothing. Errors: ErrUnavailable.
func (s *stores) follow(ctx context.Context, slot *slot, headText string, now time.Time) (*loaded, error) {
	if slot.lost.Swap(headText == "") != (headText == "") && headText == "" {
		s.db.log.Error("the store is not in Redis any more: import it again", "store", slot.id.String())
	}
	if headText == "" {
		return nil, engine.ErrUnavailable
	}
	l := slot.current.Load()
	if headText != l.head.text {
		h, err := parseHead(headText)
		if err == nil {
			l, err = s.takeUp(ctx, slot, h)
		}
		if errors.Is(err, errCorrupt) {
			s.db.broken(headKey(slot.id))
			return nil, engine.ErrUnavailable
		}
		if err != nil {
			return nil, s.unavailable(slot, err)
		}
	}
	switch {
	case l.revision == l.head.revision:
		return l, nil
	case !l.lags(now):
		s.loadBehind(slot, l.head.text, func() {})
		return l, nil
	}
	l, err := s.loadUnder(ctx, slot, l.head.text)
	if err != nil {
		return nil, s.unavailable(slot, err)
	}
	return l, nil
}

// unavailable notes why a store cannot be read; that Redis is away, or a request's time
// is over, is said elsewhere.
func (s *stores) unavailable(slot *slot, err error) error {
	if err == engine.ErrUnavailable {
		return err
	}
	s.db.log.Error("a store cannot be read", "store", slot.id.String(), "error", err.Error())
	return engine.ErrUnavailable
}

// loadBehind reads a store in the background, unless somebody does, and calls then once
// it is there.
func (s *stores) loadBehind(slot *slot, headText string, then func()) {
	if !slot.behind.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer slot.behind.Store(false)
		if _, err := s.loadUnder(background, slot, headText); err != nil {
			s.unavailable(slot, err)
			return
		}
		then()
	}()
}

// takeUp reads what is new under a head beside the settings: keys and usage counts. Where the head
// has moved on since, its keys may be gone, and the whole store is read instead.
func (s *stores) takeUp(ctx context.Context, slot *slot, h head) (*loaded, error) {
	if !slot.following.take(ctx) {
		return nil, engine.ErrUnavailable
	}
	defer slot.following.end()
	l := slot.current.Load()
	if l.head.text == h.text {
		return l, nil
	}
	if s.db.Away() { // as somebody before us has found
		return nil, engine.ErrUnavailable
	}
	patience, cancel := context.WithTimeout(ctx, s.db.main.Timeout())
	defer cancel()
	next := *l
	next.head = h
	var err error
	if h.keys != l.head.keys {
		next.keys, err = s.db.loadKeys(patience, slot.id, h.keys)
	}
	if err == nil && h.usage != l.head.usage {
		err = s.db.withUsage(patience, &next)
	}
	if err != nil {
		s.db.main.Unanswered(ctx, err)
		return s.loadUnder(ctx, slot, h.text)
	}
	return s.install(slot, &next), nil
}

// install makes a store count on this node, and returns it.
func (s *stores) install(slot *slot, l *loaded) *loaded {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := slot.current.Load()
	l.version = &engine.StoreVersion{
		Store: slot.id, Head: l.head.text, HeadKey: headKey(slot.id), Log: slot.log, Clock: &slot.clock, Catalogue: l.catalogue,
	}
	slot.current.Store(l)
	if old != nil && old.revision != l.revision {
		s.imports.Add(1)
	}
	if s.slots[slot.id] == nil { // it left while it was being read
		s.slots[slot.id] = slot
	}
	if s.slots[slot.id] != slot {
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
