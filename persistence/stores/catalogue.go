package stores

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"cartd/engine"
)

// followCatalogue gives a store that was read its catalogue, which follows that of the present version.
func followCatalogue(entry *StoreEntry, l *Loaded) {
	if before := entry.Current.Load(); before != nil {
		l.catalogue = engine.FollowCatalogue(before.catalogue, before.Store, l.Store)
	} else {
		l.catalogue = engine.NewCatalogue(l.Store)
	}
}

// indexing makes new indexes of large catalogues in the background: one at a time, and the next no sooner than the
// last one took, so that a store whose names change all the time costs a node at most half a processor.
type indexing struct {
	mu sync.Mutex
	// waiting are the stores whose catalogue is outdated, in the order of their requests. running is true while there is a
	// goroutine that takes them.
	waiting []*StoreEntry
	running bool
}

// indexAnew lets a store's catalogue be indexed anew, unless its index agrees with its products.
func (s *Stores) indexAnew(entry *StoreEntry) {
	if l := entry.Current.Load(); l.catalogue == nil || !l.catalogue.Outdated() {
		return
	}
	x := &s.indexing
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, other := range x.waiting {
		if other == entry {
			return
		}
	}
	x.waiting = append(x.waiting, entry)
	if !x.running {
		x.running = true
		go s.indexWaiting()
	}
}

// indexWaiting indexes the stores that wait, until there is none.
func (s *Stores) indexWaiting() {
	x := &s.indexing
	for {
		x.mu.Lock()
		if len(x.waiting) == 0 {
			x.running = false
			x.mu.Unlock()
			return
		}
		entry := x.waiting[0]
		x.waiting = x.waiting[1:]
		x.mu.Unlock()
		began := time.Now()
		if err := s.replaceIndex(entry); err != nil {
			s.log.Error("a catalogue cannot be indexed", "store", entry.ID.String(), "error", err.Error())
		}
		<-time.After(time.Since(began))
	}
}

// replaceIndex makes a new index of a store's catalogue. What has changed meanwhile is taken over; if that needs another
// index, the store waits again.
func (s *Stores) replaceIndex(entry *StoreEntry) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack())
		}
	}()
	l := entry.Current.Load()
	if l.catalogue == nil || !l.catalogue.Outdated() {
		return nil
	}
	indexed := engine.NewCatalogue(l.Store)
	entry.following.lock(context.Background()) // a version with new keys takes over the catalogue
	defer entry.following.unlock()
	for {
		present := entry.Current.Load()
		next, version := *present, *present.Version
		next.catalogue = engine.FollowCatalogue(indexed, l.Store, present.Store)
		version.Catalogue = next.catalogue
		next.Version = &version
		if entry.Current.CompareAndSwap(present, &next) {
			s.indexAnew(entry)
			return nil
		}
	}
}
