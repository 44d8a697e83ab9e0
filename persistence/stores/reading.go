package stores

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"cartd/engine"
)

// storeReading is one reading of a whole store. All callers that need the store await its end, until
// their deadlines.
type storeReading struct {
	done chan struct{}
	// loaded is what it came to, or err, once done.
	loaded *Loaded
	err    error
}

// loadTimeout bounds the reading of a whole store.
const loadTimeout = 30 * time.Second

// LoadUnder reads a store unless it was read under this head meanwhile ("": any).
// What it returns is of that head or was read later than it was asked for; entry.current may
// be older, for a reading of before puts its own there whenever it ends.
// Errors: ErrUnavailable where Redis is away or ctx ends first; the reading goes on then.
func (s *Stores) LoadUnder(ctx context.Context, entry *StoreEntry, headText string) (*Loaded, error) {
	var r *storeReading
	for range 2 { // a reading that was under way may have begun too early
		if l := entry.Current.Load(); l != nil && (headText == "" || l.Head.Text == headText && l.revision == l.Head.Revision) {
			return l, nil
		}
		if s.client.Unreachable() { // as an earlier caller has found
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

// turn is held by one at a time; the others wait for as long as they have time.
type turn chan struct{} // of capacity 1

func (t turn) take(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t turn) end() { <-t }

// join returns the reading that is under way, or one to begin.
func (s *StoreEntry) join() (r *storeReading, mine bool) {
	s.joining.Lock()
	defer s.joining.Unlock()
	if mine = s.reading == nil; mine {
		s.reading = &storeReading{done: make(chan struct{})}
	}
	return s.reading, mine
}

var errPanic = errors.New("reading a store panicked")

// read makes what a store is in Redis count on this node.
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
	l, err := s.LoadStore(ctx, entry.ID)
	if err != nil {
		s.client.Unanswered(ctx, err)
		r.err = err
		return
	}
	asked := time.Now()
	if now, _, err := s.client.Now(ctx, HeadKey(entry.ID)); err == nil {
		entry.Clock.Hear(now, asked)
	}
	r.loaded = s.Install(entry, l)
	if l.Head.Size > LargeStore {
		go debug.FreeOSMemory() // what the reading took, and the store in whose place this one came
	}
}
