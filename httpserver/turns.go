package httpserver

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
)

// turns bound the work of one kind that is done at a time: all together, and of each store. Work waits
// until its turn comes, in the order of its arrival. A store waits for a turn of all with no more work
// than may be done of it at a time, so that other stores do not wait behind all of its requests.
type turns struct {
	all   chan struct{}
	store int

	mu     sync.Mutex
	stores map[uuid.UUID]*storeTurns
}

// storeTurns are the turns of one store, while there is work of it.
type storeTurns struct {
	taken chan struct{}
	users int
}

// newTurns are as many turns for all stores together, and of them a number for each store.
func newTurns(all, store int) *turns {
	return &turns{all: make(chan struct{}, all), store: store, stores: map[uuid.UUID]*storeTurns{}}
}

// begin waits for a turn of a store. Errors: engine.ErrUnavailable at the deadline.
func (t *turns) begin(store uuid.UUID, deadline time.Time) error {
	t.mu.Lock()
	own := t.stores[store]
	if own == nil {
		own = &storeTurns{taken: make(chan struct{}, t.store)}
		t.stores[store] = own
	}
	own.users++
	t.mu.Unlock()
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	if !enter(own.taken, timer) {
		t.leave(store)
		return engine.ErrUnavailable
	}
	if !enter(t.all, timer) {
		<-own.taken
		t.leave(store)
		return engine.ErrUnavailable
	}
	return nil
}

// enter takes a place, or returns false when the timer ends first.
func enter(places chan struct{}, timer *time.Timer) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
	}
	select {
	case places <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}

// end ends a turn.
func (t *turns) end(store uuid.UUID) {
	<-t.all
	t.mu.Lock()
	own := t.stores[store]
	t.mu.Unlock()
	<-own.taken
	t.leave(store)
}

func (t *turns) leave(store uuid.UUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stores[store].users--; t.stores[store].users == 0 {
		delete(t.stores, store)
	}
}
