package persistence

import (
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

// once is an Idempotency-Key in the form of the front end.
func once(n byte) *engine.IdempotencyKey {
	return &engine.IdempotencyKey{Name: [16]byte{n, 0xaa}, Request: [16]byte{n, 0xbb}, Status: 201}
}

// entryOf is the entry that a visit with this stamp leaves under a key.
func entryOf(k *engine.IdempotencyKey, stamp engine.Stamp) *engine.IdempotencyEntry {
	effects := &engine.Effects{Effects: commerce.Effects{Made: testID(0x77)}, Idempotency: k}
	return &engine.IdempotencyEntry{Request: k.Request, Status: k.Status, Stamp: stamp, Made: testID(0x77), Text: string(records.MakeEntry(effects, stamp))}
}

// withKeys makes a visit answer counted requests with these keys, each of a guest of its own.
func withKeys(v *engine.Visit[*commerce.Cart], keys ...*engine.IdempotencyKey) *engine.Visit[*commerce.Cart] {
	for i, k := range keys {
		v.Requests = append(v.Requests, &engine.Request{Idempotency: k, Facts: engine.Facts{Counted: true}})
		guest := &commerce.Guest{ID: testID(0x200 + i), Email: "a@b.co", At: noon}
		v.Effects = append(v.Effects, engine.Effects{}, engine.Effects{Effects: commerce.Effects{Made: testID(0x77), Guest: guest}, Idempotency: k})
	}
	return v
}

// wantEntries sends a visit that must find this record and these entries.
func wantEntries(t *testing.T, db *DB, v *engine.Visit[*commerce.Cart], current engine.CartRecord, entries ...*engine.IdempotencyEntry) {
	t.Helper()
	got := send(t, db, v)
	var found []*engine.IdempotencyEntry
	for _, f := range got.Facts {
		found = append(found, f.Entry)
	}
	if got.Kind != engine.OtherFacts || !reflect.DeepEqual(got.Current, current) || !reflect.DeepEqual(found, entries) {
		t.Fatalf("outcome %+v with %+v, want %+v with %+v", got, found, current, entries)
	}
}

func TestVisitRemembersItsKeys(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		first, second, third := cartAt(1, ""), cartAt(2, ""), cartAt(3, "")
		create := withKeys(replacing(none.Stamp, first), once(1), once(2))
		wantOutcome(t, db, create, engine.Done, none)
		wantOutcome(t, db, create, engine.Done, none) // sent again: its own entries are no conflict
		one := entryOf(once(1), first.Stamp)

		// The stamp matches: only the entry is a conflict, and nothing is written.
		wantEntries(t, db, withKeys(replacing(first.Stamp, second), once(3), once(1)), first, nil, one)
		wantLoaded(t, db, first)
		// Only the stamp is a conflict, and no entry is written.
		wantOutcome(t, db, withKeys(replacing(second.Stamp, third), once(3)), engine.OtherRecord, first)
		wantOutcome(t, db, withKeys(replacing(first.Stamp, second), once(3)), engine.Done, none)
		wantOutcome(t, db, create, engine.OtherRecord, second) // another commit followed it

		// A replay writes nothing, and checks the entry that it read.
		replay := withKeys(replacing(second.Stamp, third), once(1))
		replay.Writes, replay.Effects, replay.Requests[0].Entry = false, nil, one
		wantOutcome(t, db, replay, engine.Done, none)
		s.Client().Del(background, records.IdempotencyKey(shopID, once(1).Name))
		wantEntries(t, db, replay, second, nil)
	})
}

// An entry is one small key: hashes, a status, a stamp and an id. It lasts a day.
func TestEntryIsSmallAndLastsADay(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		first, second := cartAt(1, "secret@b.co"), cartAt(2, "secret@b.co")
		key := records.IdempotencyKey(shopID, once(1).Name)
		wantOutcome(t, db, withKeys(replacing(none.Stamp, first), once(1)), engine.Done, none)
		value := client.Get(background, key).Val()
		want := string(records.MakeEntry(&engine.Effects{Effects: commerce.Effects{Made: testID(0x77)}, Idempotency: once(1)}, first.Stamp))
		if value != want || len(value) > 80 {
			t.Errorf("the entry is %q (%d bytes), want %q, at most 80 bytes", value, len(value), want)
		}
		if !regexp.MustCompile(`^\{` + shopID.String() + `\}:once:[0-9a-f]{32}$`).MatchString(key) {
			t.Errorf("its key is %s", key)
		}
		wantTTL(t, client, key, 24*time.Hour)
		if s.Mini == nil {
			return
		}
		s.Mini.FastForward(23 * time.Hour)
		wantEntries(t, db, withKeys(replacing(first.Stamp, second), once(1)), first, entryOf(once(1), first.Stamp))
		wantTTL(t, client, key, time.Hour) // a repetition does not extend it
		s.Mini.FastForward(time.Hour + time.Second)
		wantOutcome(t, db, withKeys(replacing(first.Stamp, second), once(1)), engine.Done, none)
	})
}

func wantTTL(t *testing.T, client *redis.Client, key string, want time.Duration) {
	t.Helper()
	if got := client.PTTL(background, key).Val(); got > want || got < want-10*time.Second {
		t.Errorf("%s leaves in %v, want %v", key, got, want)
	}
}

// A key costs one read and one write inside the visit.
func TestCommandsOfAnIdempotencyKey(t *testing.T) {
	s := redistest.Real(t)
	db, client := node(t, s), s.Client()
	store(t, db, cartAt(1, ""))
	known := version(db, shopID)
	limiter := map[string]int{"time": 1, "get": 1, "lindex": 1}
	for i, c := range []struct {
		keys []*engine.IdempotencyKey
		want map[string]int
	}{
		{nil, map[string]int{"evalsha": 1, "getrange": 1, "set": 1}},
		{[]*engine.IdempotencyKey{once(1)}, map[string]int{"evalsha": 1, "getrange": 1, "set": 2, "get": 1}},
		{[]*engine.IdempotencyKey{once(2), once(3)}, map[string]int{"evalsha": 1, "getrange": 1, "set": 3, "get": 2}},
	} {
		n := uint64(i) + 1
		v := withKeys(replacing(cartAt(n, "").Stamp, cartAt(n+1, "")), c.keys...)
		v.Version = known
		for i := range v.Effects {
			v.Effects[i].Guest = nil
		}
		got := commandsOf(t, client, func() { wantOutcome(t, db, v, engine.Done, none) })
		for name, n := range limiter {
			if got[name] -= n; got[name] == 0 {
				delete(got, name)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d keys: Redis ran %v, want %v", len(c.keys), got, c.want)
		}
	}
}
