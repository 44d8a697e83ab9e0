package httpserver

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

// A store is limited after a minute in which most of its requests were refused, for a minute.
func TestStoresThatAreRefusedAltogether(t *testing.T) {
	t.Parallel()
	var m storeMinutes
	at := time.Date(2026, 11, 29, 12, 0, 30, 0, time.UTC)
	refused, half, few, other := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	ask := func(store uuid.UUID, granted, limited int) {
		for range granted {
			m.count(store, 200, at)
		}
		for range limited {
			m.count(store, 429, at)
		}
	}
	want := func(limited ...uuid.UUID) {
		t.Helper()
		all := map[uuid.UUID]bool{}
		for _, store := range limited {
			all[store] = true
		}
		for _, store := range []uuid.UUID{refused, half, few, other} {
			if got := m.limited(store, at); got != all[store] {
				t.Errorf("at %v: %v, want %v", at, got, all[store])
			}
		}
	}
	ask(refused, 4, 6)
	ask(half, 5, 5)
	ask(few, 0, limitedFrom-1)
	want()
	at = at.Add(time.Minute)
	want(refused)
	ask(half, 0, limitedFrom)
	at = at.Add(time.Minute)
	want(half)
	at = at.Add(2 * time.Minute)
	want()
}
