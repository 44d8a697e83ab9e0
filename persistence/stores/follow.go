package stores

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

const (
	// pagesAtOnce is the number of a document's pages up to which a request waits until they are read.
	pagesAtOnce = 64
	// grace is how long requests may be served with older settings, from the last admission at which the node had
	// those in force.
	grace = 5 * time.Second
	// inForceEvery is the least time between two updates of the time of that admission.
	inForceEvery = 100 * time.Millisecond
	// lookEvery is the least time between two readings of the head in the background.
	lookEvery = 500 * time.Millisecond
)

// Follow returns the store under Redis's present head. New keys and usage counts are read at
// once, and so are the settings if they have few pages. More are read in the background within the grace; after it
// the caller waits for them. A store that Redis does not have any more serves no request. Errors:
// ErrUnavailable.
func (s *Stores) Follow(ctx context.Context, entry *StoreEntry, headText string) (*Loaded, error) {
	if entry.lost.Swap(headText == "") != (headText == "") && headText == "" {
		s.log.Error("the store is not in Redis any more: import it again", "store", entry.ID.String())
	}
	if headText == "" {
		return nil, engine.ErrUnavailable
	}
	l := entry.Current.Load()
	if headText != l.Head.Text {
		var err error
		if _, err = ParseHead(headText); err == nil {
			l, err = s.readKeysAndUsage(ctx, entry, headText)
		}
		if errors.Is(err, redisdb.ErrCorrupt) {
			return nil, s.client.Unreadable(err, HeadKey(entry.ID))
		}
		if err != nil {
			return nil, s.Unavailable(entry, err)
		}
	}
	switch {
	case !l.lags():
		return l, nil
	case len(l.paged.Lacks(&l.state().Table)) > s.pagesAtOnce && redisdb.SinceStart(time.Now())-entry.inForce.Load() < int64(grace):
		s.LoadInBackground(entry, l.Head.Text, func() {})
		return l, nil
	}
	l, err := s.LoadUnder(ctx, entry, l.Head.Text)
	if err != nil {
		return nil, s.Unavailable(entry, err)
	}
	return l, nil
}

// FollowInBackground reads the head of a store whose requests the node answers from its memory, at most twice
// a second, so that they too are soon judged by an import or an operator's act.
func (s *Stores) FollowInBackground(entry *StoreEntry) {
	now, last := redisdb.SinceStart(time.Now()), entry.looked.Load()
	if now-last < int64(lookEvery) || !entry.looked.CompareAndSwap(last, now) {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
		defer cancel()
		if _, err := s.refresh(ctx, entry); err != nil {
			s.Unavailable(entry, err)
		}
	}()
}

// storeReading is one reading of a whole store. All callers that need the store await its end,
// until their deadlines.
type storeReading struct {
	done chan struct{}
	// loaded is the result, or err; set once done is closed.
	loaded *Loaded
	err    error
}

// largeStore is the memory of a store, in bytes, above which the memory of its reading is given back to the system at once, if more
// was read than one trip of pages.
const largeStore = 32 << 20

// loadTimeout bounds the reading of a whole store.
const loadTimeout = 30 * time.Second

// LoadUnder reads a store, unless it was read under this head meanwhile ("": any head). The
// returned store has that head, or was read after the call began. entry.Current may be older,
// because an earlier reading that ends later replaces it. Errors: ErrUnavailable if Redis is
// unreachable or ctx ends first; the reading goes on then.
func (s *Stores) LoadUnder(ctx context.Context, entry *StoreEntry, headText string) (*Loaded, error) {
	var r *storeReading
	for range 2 { // a reading under way may have begun too early
		if l := entry.Current.Load(); l != nil && (headText == "" || l.Head.Text == headText && !l.lags()) {
			return l, nil
		}
		if s.client.Unreachable() { // an earlier caller has noticed it
			return nil, engine.ErrUnavailable
		}
		var mine bool
		if r, mine = entry.join(); mine {
			go s.read(entry, r)
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, engine.ErrUnavailable
		}
		if mine || r.err != nil {
			break
		}
	}
	return r.loaded, r.err
}

// timedLock is a lock that a caller awaits no longer than its context lasts.
type timedLock chan struct{} // of capacity 1

func (t timedLock) lock(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t timedLock) unlock() { <-t }

// join returns the reading under way, or a new one that the caller has to begin.
func (s *StoreEntry) join() (r *storeReading, mine bool) {
	s.joining.Lock()
	defer s.joining.Unlock()
	if mine = s.reading == nil; mine {
		s.reading = &storeReading{done: make(chan struct{})}
	}
	return s.reading, mine
}

var errPanic = errors.New("reading a store panicked")

// read reads a store and installs it in this node.
func (s *Stores) read(entry *StoreEntry, r *storeReading) {
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack())
		}
		entry.joining.Lock()
		entry.reading = nil
		entry.joining.Unlock()
		close(r.done)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
	defer cancel()
	before := new(storefile.PagedStore)
	if present := entry.Current.Load(); present != nil {
		before = present.paged
	}
	l, err := s.loadAfter(ctx, entry.ID, before)
	if err != nil {
		r.err = err
		if impatient := s.client.Unanswered(ctx, err); !impatient && isSilence(err) {
			r.err = engine.ErrUnavailable // no fault of the store: the client has logged the silence
		}
		return
	}
	sentAt := time.Now()
	if now, _, err := s.client.Now(ctx, HeadKey(entry.ID)); err == nil {
		entry.Clock.Hear(now, sentAt)
	}
	followCatalogue(entry, l)
	r.loaded = s.install(entry, l)
	s.indexAnew(entry)
	s.evictAboveBound()
	if l.memory > largeStore && len(before.Lacks(&l.state().Table)) > tripPages {
		go debug.FreeOSMemory() // the memory of the reading and of the replaced store
	}
}

// readAll runs a pipeline of reads. It returns the first error of any command, where Exec returns
// that of the first command with one. A missing key is no error.
func readAll(ctx context.Context, pipe redis.Pipeliner) error {
	commands, err := pipe.Exec(ctx)
	if len(commands) == 0 {
		return err
	}
	for _, c := range commands {
		if err := c.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
	return nil
}

// formatError is the error of a store whose settings this program cannot decode.
type formatError struct{ error }

func (e formatError) Unwrap() error { return e.error }

// IsFormat reports whether a store cannot be read because of what Redis has, and not because Redis
// does not answer.
func IsFormat(err error) bool {
	var format formatError
	return errors.As(err, &format) || errors.Is(err, redisdb.ErrCorrupt)
}

// maxTried is the number of stores that CheckReadable reads at most.
const maxTried = 20

// CheckReadable returns the error of a store if the program can read none of the first 20 stores for
// their format. Errors also: that of Redis.
func (s *Stores) CheckReadable(ctx context.Context) error {
	ids, err := s.StoreIDs(ctx)
	if err != nil {
		return err
	}
	var fault error
	for _, id := range s.smallestFirst(ctx, ids[:min(len(ids), maxTried)]) {
		if _, err := s.LoadStore(ctx, id); !IsFormat(err) {
			return nil
		} else if fault == nil {
			fault = err
		}
	}
	return fault
}

// smallestFirst sorts stores by the number of their pages, so that the first one that can be read
// costs little.
func (s *Stores) smallestFirst(ctx context.Context, ids []uuid.UUID) []uuid.UUID {
	sizes := make(map[uuid.UUID]int, len(ids))
	for _, id := range ids {
		if p, err := s.readPresent(ctx, id); err == nil {
			sizes[id] = len(p.state().Pages)
		}
	}
	slices.SortStableFunc(ids, func(a, b uuid.UUID) int { return sizes[a] - sizes[b] })
	return ids
}
