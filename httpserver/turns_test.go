package httpserver

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
)

// A store's requests wait for each other, and at a full house for those of all stores, until their
// deadline. A store that waits keeps no more places than it may have.
func TestTurns(t *testing.T) {
	long, past := func() time.Time { return time.Now().Add(time.Minute) }, time.Now()
	one, other, third := uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}
	turns := newTurns(2, 1)
	begin := func(store uuid.UUID, until time.Time, want error) {
		t.Helper()
		if err := turns.begin(store, until); !errors.Is(err, want) {
			t.Fatalf("got %v, want %v", err, want)
		}
	}
	begin(one, long(), nil)
	begin(one, past, engine.ErrUnavailable)
	begin(other, long(), nil)
	begin(third, past, engine.ErrUnavailable)
	turns.end(one)
	begin(third, past, nil) // a free turn does not wait
	waits := make(chan error, 2)
	for _, store := range []uuid.UUID{one, other} {
		go func() { waits <- turns.begin(store, long()) }()
		await(t, "a request to wait", func() bool { return turns.waiting(store) > 0 })
	}
	turns.end(third)
	turns.end(other)
	for range 2 {
		if err := <-waits; err != nil {
			t.Error(err)
		}
	}
	turns.end(one)
	turns.end(other)
	if len(turns.stores) != 0 || len(turns.all) != 0 {
		t.Errorf("afterwards %d stores and %d turns are left", len(turns.stores), len(turns.all))
	}
}
