package persistence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
)

// deleting commits a change of ada's record, counter, that deletes addresses at these times.
func deleting(t *testing.T, client *redis.Client, counter uint64, at ...time.Time) {
	t.Helper()
	key := engine.RecordKey{Store: shopID, ID: ada}
	var gone []commerce.DeletedAddress
	for _, at := range at {
		gone = append(gone, commerce.DeletedAddress{Address: commerce.Address{Name: at.Format(time.RFC3339)}, At: at})
	}
	next := engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: counter, Writer: 1}, State: &commerce.Contact{}}
	commit := engine.Commit[*commerce.Contact]{Key: key, Next: next, Effects: []engine.Effects{{Effects: commerce.Effects{Deleted: &gone}}}}
	if counter > 1 {
		commit.Expect = engine.Stamp{Counter: counter - 1, Writer: 1}
	}
	for range 2 { // the second sending does nothing
		w := contactKind.wire(&commit)
		if err := commitScript.Load(background, client).Err(); err != nil {
			t.Fatal(err)
		}
		_, keys, args := w.script()
		if got := commitReply(commitScript.EvalSha(background, client, keys, args...).Result()); got.kind != engine.Committed {
			t.Fatalf("commit %d: %+v", counter, got)
		}
	}
}

func wantRetained(t *testing.T, client *redis.Client, n int, first, last time.Time) {
	t.Helper()
	key := deletedKey(engine.RecordKey{Store: shopID, ID: ada})
	all := client.LRange(background, key, 0, -1).Val()
	if len(all) != n || !slices.IsSorted(all) {
		t.Fatalf("%d are retained, in the order of their deletion: %v; want %d", len(all), slices.IsSorted(all), n)
	}
	for i, at := range map[int]time.Time{0: first, n - 1: last} {
		if text := fmt.Sprintf("%013d", at.UnixMilli()); !strings.HasPrefix(all[i], text) || !strings.Contains(all[i], at.Format(time.RFC3339)) {
			t.Errorf("entry %d of %d is %q, want that of %v", i, n, all[i], at)
		}
	}
	if ttl := client.PTTL(background, key).Val(); (ttl - commerce.DeletedAddressLifetime).Abs() > time.Minute {
		t.Errorf("the list leaves in %v", ttl)
	}
}

func TestDeletedAddressesAreForgottenInTheEnd(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		client := s.Client()
		deleting(t, client, 1, noon)
		deleting(t, client, 2, noon.Add(time.Second))
		wantRetained(t, client, 2, noon, noon.Add(time.Second))
		over := noon.Add(commerce.DeletedAddressLifetime)
		deleting(t, client, 3, over.Add(-time.Millisecond))
		wantRetained(t, client, 3, noon, over.Add(-time.Millisecond))
		deleting(t, client, 4, over)
		wantRetained(t, client, 3, noon.Add(time.Second), over)
		var many []time.Time
		for n := range commerce.MaxDeletedAddresses + 5 {
			many = append(many, over.Add(time.Duration(n+1)*time.Second))
		}
		deleting(t, client, 5, many...)
		wantRetained(t, client, commerce.MaxDeletedAddresses, many[5], many[len(many)-1])
	})
}

// A Redis whose clock has forgotten the year, as a machine without one begins, retains too.
func TestAddressesDeletedIn1970AreRetained(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		at := time.UnixMilli(1000).UTC()
		deleting(t, s.Client(), 1, at)
		wantRetained(t, s.Client(), 1, at, at)
	})
}
