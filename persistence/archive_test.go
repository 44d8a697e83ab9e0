package persistence

import (
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

// deleting sends a visit of ada's record, with this stamp counter, that deletes addresses at
// these times.
func deleting(t *testing.T, db *DB, counter uint64, at ...time.Time) {
	t.Helper()
	var gone []commerce.DeletedAddress
	for _, at := range at {
		gone = append(gone, commerce.DeletedAddress{Address: commerce.Address{Name: at.Format(time.RFC3339)}, At: at})
	}
	next := engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: counter, Writer: 1}, State: &commerce.Contact{}}
	seen := engine.Stamp{}
	if counter > 1 {
		seen = engine.Stamp{Counter: counter - 1, Writer: 1}
	}
	v := visiting(engine.RecordKey{Store: shopID, ID: ada}, seen, next)
	v.Effects = []engine.Effects{{Effects: commerce.Effects{Deleted: &gone}}}
	for range 2 { // the second sending does nothing
		if got := send(t, db, v); got.Kind != engine.Done {
			t.Fatalf("deletion %d: %+v", counter, got)
		}
	}
}

func wantRetained(t *testing.T, s *redistest.Server, n int, first, last time.Time) {
	t.Helper()
	key := records.DeletedKey(engine.RecordKey{Store: shopID, ID: ada})
	all := s.Client().ZRangeWithScores(background, key, 0, -1).Val()
	if len(all) != n {
		t.Fatalf("%d are retained, want %d", len(all), n)
	}
	for i, at := range map[int]time.Time{0: first, n - 1: last} {
		if text, _ := all[i].Member.(string); all[i].Score != float64(at.UnixMilli()) || !strings.Contains(text, at.Format(time.RFC3339)) {
			t.Errorf("entry %d of %d is %q at %v, want that of %v", i, n, text, all[i].Score, at)
		}
	}
	if ttl := s.Client().PTTL(background, key).Val(); (ttl - commerce.DeletedAddressLifetime).Abs() > time.Minute {
		t.Errorf("the set leaves in %v", ttl)
	}
}

// At most 250 deleted addresses are archived, for 180 days.
func TestArchiveOfAddressesIsBounded(t *testing.T) {
	if commerce.MaxDeletedAddresses != 250 || commerce.DeletedAddressLifetime != 180*24*time.Hour {
		t.Errorf("retains %d for %v", commerce.MaxDeletedAddresses, commerce.DeletedAddressLifetime)
	}
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		deleting(t, db, 1, noon)
		deleting(t, db, 2, noon.Add(time.Second))
		wantRetained(t, s, 2, noon, noon.Add(time.Second))
		over := noon.Add(commerce.DeletedAddressLifetime)
		deleting(t, db, 3, over.Add(-time.Millisecond))
		wantRetained(t, s, 3, noon, over.Add(-time.Millisecond))
		deleting(t, db, 4, over)
		wantRetained(t, s, 3, noon.Add(time.Second), over)
		counter := uint64(5)
		at := over
		for range commerce.MaxDeletedAddresses + 5 {
			at = at.Add(time.Second)
			deleting(t, db, counter, at)
			counter++
		}
		wantRetained(t, s, commerce.MaxDeletedAddresses, over.Add(6*time.Second), at)
	})
}

// The archive works also under a Redis whose clock begins in 1970. Two equal addresses that are
// deleted one after another are two entries.
func TestAddressesDeletedIn1970AreArchived(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, at := node(t, s), time.UnixMilli(1000).UTC()
		deleting(t, db, 1, at)
		wantRetained(t, s, 1, at, at)
		deleting(t, db, 2, at.Add(time.Millisecond))
		wantRetained(t, s, 2, at, at.Add(time.Millisecond))
	})
}
