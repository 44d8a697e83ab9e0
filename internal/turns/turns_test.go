package turns

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
)

// A store's requests wait for each other, and at a full house for those of all stores, until their
// deadline. A store that waits keeps no more places than it may have, and refuses those beyond its room.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long, past := func() time.Time { return time.Now().Add(time.Minute) }, time.Now()
		one, other, third := uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}
		turns := New(2, 1, 1)
		begin := func(store uuid.UUID, until time.Time, want bool) {
			t.Helper()
			if got := turns.Begin(store, until); got != want {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
		begin(one, long(), true)
		begin(one, past, false)
		begin(other, long(), true)
		begin(third, past, false)
		turns.End(one)
		begin(third, past, true) // a free turn does not wait
		waits := make(chan bool, 2)
		for _, store := range []uuid.UUID{one, other} {
			go func() { waits <- turns.Begin(store, long()) }()
		}
		synctest.Wait()
		if turns.Users(one) != 1 || turns.Users(other) != 2 {
			t.Errorf("%d and %d use turns, want 1 and 2", turns.Users(one), turns.Users(other))
		}
		began := time.Now()
		if begin(other, long(), false); time.Since(began) > 0 {
			t.Error("a request beyond the room waits")
		}
		turns.End(third)
		turns.End(other)
		for range 2 {
			if !<-waits {
				t.Error("a turn does not come")
			}
		}
		turns.End(one)
		turns.End(other)
		if len(turns.stores) != 0 || len(turns.all) != 0 {
			t.Errorf("afterwards %d stores and %d turns are left", len(turns.stores), len(turns.all))
		}
	})
}
