// Package turns bounds costly work: how much of a kind is done at a time, of all stores together and of
// each store.
package turns

import (
	"math"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Unbounded is a number of waiting requests without a bound.
const Unbounded = math.MaxInt

// Turns bound the work of one kind that is done at a time: all together, and of each store. Work waits
// until its turn comes, in the order of its arrival. A store waits for a turn of all with no more work
// than may be done of it at a time, so that other stores do not wait behind all of its requests.
type Turns struct {
	all chan struct{}
	// store is the work of one store that is done at a time, users all that does or waits.
	store, users int

	mu     sync.Mutex
	stores map[uuid.UUID]*storeTurns
}

// storeTurns are the turns of one store, while there is work of it.
type storeTurns struct {
	taken chan struct{}
	users int
}

// New makes as many turns for all stores together, of them a number for each store, and of each store
// room for a number of requests that wait.
func New(all, store, waiting int) *Turns {
	t := &Turns{all: make(chan struct{}, all), store: store, users: Unbounded, stores: map[uuid.UUID]*storeTurns{}}
	if waiting != Unbounded {
		t.users = store + waiting
	}
	return t
}

// Begin waits for a turn of a store. It returns false at the deadline, and at once if too many requests
// of the store wait.
func (t *Turns) Begin(store uuid.UUID, deadline time.Time) bool {
	own := t.join(store)
	if own == nil {
		return false
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	if !enter(own.taken, timer) {
		t.leave(store)
		return false
	}
	if !enter(t.all, timer) {
		<-own.taken
		t.leave(store)
		return false
	}
	return true
}

// join counts a user of a store's turns; nil if there are too many.
func (t *Turns) join(store uuid.UUID) *storeTurns {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.stores[store]
	if own == nil {
		own = &storeTurns{taken: make(chan struct{}, t.store)}
		t.stores[store] = own
	}
	if own.users == t.users {
		return nil
	}
	own.users++
	return own
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

// End ends a turn.
func (t *Turns) End(store uuid.UUID) {
	<-t.all
	t.mu.Lock()
	own := t.stores[store]
	t.mu.Unlock()
	<-own.taken
	t.leave(store)
}

func (t *Turns) leave(store uuid.UUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stores[store].users--; t.stores[store].users == 0 {
		delete(t.stores, store)
	}
}

// Users is the number of a store's requests that have a turn or wait for one.
func (t *Turns) Users(store uuid.UUID) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.stores[store]; own != nil {
		return own.users
	}
	return 0
}
