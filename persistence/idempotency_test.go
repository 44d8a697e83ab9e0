package persistence

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
)

// once is an Idempotency-Key as the front end hands it over.
func once(n byte) *engine.IdempotencyKey {
	return &engine.IdempotencyKey{Name: [16]byte{n, 0xaa}, Request: [16]byte{n, 0xbb}, Status: 201}
}

// entryOf is what a commit at this stamp leaves under a key.
func entryOf(k *engine.IdempotencyKey, stamp engine.Stamp) *engine.IdempotencyEntry {
	return &engine.IdempotencyEntry{Request: k.Request, Status: k.Status, Stamp: stamp, Made: testID(0x77)}
}

// withKeys makes a commit remember these keys, with a guest of its own each.
func withKeys(c *engine.Commit[*commerce.Cart], keys ...*engine.IdempotencyKey) *engine.Commit[*commerce.Cart] {
	for i, k := range keys {
		guest := &commerce.Guest{ID: testID(0x200 + i), Email: "a@b.co", At: noon}
		c.Effects = append(c.Effects, engine.Effects{}, engine.Effects{Effects: commerce.Effects{Made: testID(0x77), Guest: guest}, Idempotency: k})
	}
	return c
}

// wantEntries sends a commit that must conflict with this record and these entries.
func wantEntries(t *testing.T, db *DB, c *engine.Commit[*commerce.Cart], current engine.CartRecord, entries ...*engine.IdempotencyEntry) {
	t.Helper()
	want := engine.Outcome[*commerce.Cart]{Kind: engine.Conflicted, Current: current, Entries: entries}
	if got := send(t, db, c); !reflect.DeepEqual(got, want) {
		t.Fatalf("outcome %+v %v, want %+v %v", got, got.Entries, want, want.Entries)
	}
}

func TestACommitRemembersItsKeysAndRefusesThemLater(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		first, second, third := cartAt(1, ""), cartAt(2, ""), cartAt(3, "")
		create := withKeys(replacing(none.Stamp, first), once(1), once(2))
		wantOutcome(t, db, create, engine.Committed, none)
		wantOutcome(t, db, create, engine.Committed, none) // sent again: its own entries are no obstacle
		one, two := entryOf(once(1), first.Stamp), entryOf(once(2), first.Stamp)

		// The stamp would allow it: the entry alone refuses, and nothing is written.
		wantEntries(t, db, withKeys(replacing(first.Stamp, second), once(3), once(1)), first, nil, one)
		wantLoaded(t, db, first)
		// The stamp alone refuses: no entry stands in the way, and none is left behind.
		wantEntries(t, db, withKeys(replacing(second.Stamp, third), once(3)), first, nil)
		wantEntries(t, db, withKeys(replacing(second.Stamp, third), once(2), once(3), once(1)), first, two, nil, one)
		wantOutcome(t, db, withKeys(replacing(first.Stamp, second), once(3)), engine.Committed, none)
		wantEntries(t, db, create, second, one, two) // overtaken
	})
}

// A creation repeated under its key meets no record, only the entry.
func TestACreationMeetsTheEntryOfAnotherCart(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		first, again := cartAt(1, ""), cartAt(1, "")
		wantOutcome(t, db, withKeys(replacing(none.Stamp, first), once(1)), engine.Committed, none)
		again.State.ID = testID(0xcb)
		wantEntries(t, db, withKeys(replacing(none.Stamp, again), once(1)), none, entryOf(once(1), first.Stamp))
		if n := s.Client().Exists(background, cartKey(keyOf(again))).Val(); n != 0 {
			t.Error("a second cart was made")
		}
	})
}

// The whole of what is kept: hashes, a status, a stamp and an id, in one small key,
// and only for a day.
func TestAnEntryIsSmallAndLivesADay(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		first, second := cartAt(1, "secret@b.co"), cartAt(2, "secret@b.co")
		key := onceKey(shopID, once(1).Name)
		wantOutcome(t, db, withKeys(replacing(none.Stamp, first), once(1)), engine.Committed, none)
		value := client.Get(background, key).Val()
		want := string(makeEntry(&engine.Effects{Effects: commerce.Effects{Made: testID(0x77)}, Idempotency: once(1)}, first.Stamp))
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
		wantOutcome(t, db, withKeys(replacing(first.Stamp, second), once(1)), engine.Committed, none)
	})
}

func wantTTL(t *testing.T, client *redis.Client, key string, want time.Duration) {
	t.Helper()
	if got := client.PTTL(background, key).Val(); got > want || got < want-10*time.Second {
		t.Errorf("%s leaves in %v, want %v", key, got, want)
	}
}

func TestWhatAnAdmissionAndALoadFindUnderAKey(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		held, holds := false, engine.Stamp{}
		db := node(t, s, func(c *Config) {
			c.Held = func(engine.RecordKey) (engine.Stamp, bool) { return holds, held }
		})
		theShop().save(t, db)
		first := cartAt(1, "")
		ask := func(cart int, k *engine.IdempotencyKey) engine.Facts {
			ask := asks("key")
			ask.CartID, ask.Idempotency = testID(cart), k
			return admit(t, db, ask)
		}
		if a := ask(0xca, once(1)); a.Entry != nil || !a.Cart.Stamp.Zero() || a.Cart.Record != nil {
			t.Errorf("before: %+v, %+v", a.Entry, a.Cart)
		}
		wantOutcome(t, db, withKeys(replacing(none.Stamp, first), once(1)), engine.Committed, none)
		for _, c := range []struct {
			what  string
			held  bool
			holds engine.Stamp
			whole *engine.CartRecord
		}{
			{what: "cold", whole: &first},
			{what: "held as it was", held: true, holds: engine.Stamp{Counter: 9}, whole: &first},
			{what: "held", held: true, holds: first.Stamp},
		} {
			held, holds = c.held, c.holds
			seen := engine.Sighting[*commerce.Cart]{Stamp: first.Stamp, Record: c.whole}
			if a := ask(0xca, once(1)); !reflect.DeepEqual(a.Entry, entryOf(once(1), first.Stamp)) || !reflect.DeepEqual(a.Cart, seen) {
				t.Errorf("%s: entry %+v, seen %+v", c.what, a.Entry, a.Cart)
			}
			if a := ask(0xca, once(2)); a.Entry != nil || !reflect.DeepEqual(a.Cart, seen) {
				t.Errorf("%s: another key's entry %+v, seen %+v", c.what, a.Entry, a.Cart)
			}
		}
		for _, k := range []*engine.IdempotencyKey{once(1), once(2), nil} {
			done := make(chan *engine.IdempotencyEntry, 1)
			db.Load(keyOf(first), k, func(r engine.CartRecord, e *engine.IdempotencyEntry, err error) {
				if err != nil || !reflect.DeepEqual(r, first) {
					t.Errorf("loaded %+v, %v", r, err)
				}
				done <- e
			})
			if got := <-done; (got != nil) != (k != nil && *k == *once(1)) {
				t.Errorf("loaded the entry %+v under %v", got, k)
			}
		}
	})
}

// What is no entry is nobody's: the request is not done.
func TestACorruptEntryRefuses(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	first := cartAt(1, "")
	store(t, db, first)
	s.Client().Set(background, onceKey(shopID, once(1).Name), "garbage", 0)
	ask := asks("key")
	ask.CartID, ask.Idempotency = testID(0xca), once(1)
	if a, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
		t.Errorf("Admit = %+v, %v; want ErrUnavailable", a, err)
	}
	db.config.Held = func(engine.RecordKey) (engine.Stamp, bool) { return first.Stamp, true }
	if a, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
		t.Errorf("Admit of a held cart = %+v, %v; want ErrUnavailable", a, err)
	}
	if got := send(t, db, withKeys(replacing(first.Stamp, cartAt(2, "")), once(1))).Kind; got != engine.Refused {
		t.Errorf("the commit ended as %v, want %v", got, engine.Refused)
	}
	wantLoaded(t, db, first)
}

func FuzzAnEntryIsReadOrRefused(f *testing.F) {
	f.Add(string(makeEntry(&engine.Effects{Effects: commerce.Effects{Made: testID(1)}, Idempotency: once(1)}, cartAt(1, "").Stamp)))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parseEntry(text)
		if (e == nil) != (text == "" || err != nil) || (err != nil) != (text != "" && len(text) < entrySize) {
			t.Fatalf("%q: %+v, %v", text, e, err)
		}
		if e == nil {
			return
		}
		again := makeEntry(&engine.Effects{Effects: commerce.Effects{Made: e.Made}, Idempotency: &engine.IdempotencyKey{Request: e.Request, Status: e.Status}}, e.Stamp)
		if string(again) != text[:entrySize] {
			t.Fatalf("%q was read as %+v, which is %q", text, e, again)
		}
	})
}

// A key costs no round trip: its entry is read with the record, in one command.
func TestAnIdempotencyKeyTakesNoFurtherRoundTrip(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		first := cartAt(1, "")
		store(t, db, first)
		admit(t, db, asks("key"))
		trips := countTrips(db.main.Redis)
		for key, want := range map[*engine.IdempotencyKey]string{nil: "get", once(1): "mget"} {
			ask := asks("key")
			if ask.CartID = first.State.ID; key != nil {
				ask.Idempotency = key
			}
			admit(t, db, ask)
			trips.want(t, "an admission", []string{"evalsha", want})
		}
		send(t, db, withKeys(replacing(first.Stamp, cartAt(2, "")), once(1)))
		trips.want(t, "a commit with a key", []string{"evalsha"})
	})
}

// What the commit script does for a key: one look and one write, and without one
// exactly what it always did.
func TestWhatAKeyCostsInsideTheCommit(t *testing.T) {
	s := redistest.Real(t)
	db, client := node(t, s), s.Client()
	store(t, db, cartAt(1, ""))
	var seen uint64 = 1
	cost := func(keys ...*engine.IdempotencyKey) map[string]int {
		t.Helper()
		before := commandCalls(t, client)
		c := replacing(cartAt(seen, "").Stamp, cartAt(seen+1, ""))
		for _, k := range keys {
			c.Effects = append(c.Effects, engine.Effects{Idempotency: k})
		}
		wantOutcome(t, db, c, engine.Committed, none)
		seen++
		calls := commandCalls(t, client)
		for name, n := range before {
			if calls[name] -= n; calls[name] == 0 {
				delete(calls, name)
			}
		}
		delete(calls, "info")
		return calls
	}
	for _, c := range []struct {
		keys []*engine.IdempotencyKey
		want map[string]int
	}{
		{nil, map[string]int{"evalsha": 1, "getrange": 1, "set": 1}},
		{[]*engine.IdempotencyKey{once(1)}, map[string]int{"evalsha": 1, "getrange": 1, "set": 2, "get": 1}},
		{[]*engine.IdempotencyKey{once(2), once(3)}, map[string]int{"evalsha": 1, "getrange": 1, "set": 3, "get": 2}},
	} {
		if got := cost(c.keys...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d keys: Redis ran %v, want %v", len(c.keys), got, c.want)
		}
	}
}

// commandCalls counts what Redis has run, commands of scripts included.
func commandCalls(t *testing.T, client *redis.Client) map[string]int {
	t.Helper()
	info, err := client.Info(background, "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]int{}
	for line := range strings.Lines(info) {
		name, stats, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls=")
		if !ok {
			continue
		}
		count, _, _ := strings.Cut(stats, ",")
		if calls[name], err = strconv.Atoi(count); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	return calls
}
