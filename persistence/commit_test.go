package persistence

import (
	"errors"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
)

// cartAt is a record of the test's cart with this stamp counter.
func cartAt(counter uint64, email string) engine.CartRecord {
	c := commerce.NewCart(testID(0xca), time.Now().Truncate(time.Millisecond).UTC())
	c.Email = email
	return engine.CartRecord{Stamp: engine.Stamp{Counter: counter, Writer: 9, Sequence: counter}, State: c}
}

func keyOf(r engine.CartRecord) engine.RecordKey {
	return engine.RecordKey{Store: shopID, ID: r.State.ID}
}

// replacing is the commit that puts next in the place of the record with the stamp seen.
func replacing(seen engine.Stamp, next engine.CartRecord) *engine.Commit[*commerce.Cart] {
	return &engine.Commit[*commerce.Cart]{
		Key: keyOf(next), Expect: seen, Next: next, Claim: func() bool { return true },
	}
}

// send sends a commit once and returns what became of it.
func send(t testing.TB, db *DB, c *engine.Commit[*commerce.Cart]) engine.Outcome[*commerce.Cart] {
	t.Helper()
	outcome := make(chan engine.Outcome[*commerce.Cart], 2)
	c.Done = func(o engine.Outcome[*commerce.Cart]) { outcome <- o }
	db.Send(c)
	db.Flush(time.Time{})
	select {
	case o := <-outcome:
		return o
	case <-time.After(patience):
		t.Fatalf("no outcome within %v", patience)
		panic("unreachable")
	}
}

// wantOutcome sends a commit and fails unless this became of it. current is the
// record that must stand in the way.
func wantOutcome(t testing.TB, db *DB, c *engine.Commit[*commerce.Cart], kind engine.OutcomeKind, current engine.CartRecord) {
	t.Helper()
	want := engine.Outcome[*commerce.Cart]{Kind: kind, Current: current}
	if got := send(t, db, c); !reflect.DeepEqual(got, want) {
		t.Fatalf("outcome %+v (%+v), want %+v (%+v)", got, got.Current.State, want, want.Current.State)
	}
}

var none engine.CartRecord

// load reads the test's cart as an actor would.
func load(t testing.TB, db *DB) (engine.CartRecord, error) {
	t.Helper()
	type answer struct {
		record engine.CartRecord
		err    error
	}
	answers := make(chan answer, 2)
	db.Load(keyOf(cartAt(1, "")), nil, func(r engine.CartRecord, _ *engine.IdempotencyEntry, err error) { answers <- answer{r, err} })
	select {
	case a := <-answers:
		return a.record, a.err
	case <-time.After(patience):
		t.Fatalf("no answer within %v", patience)
		panic("unreachable")
	}
}

func wantLoaded(t testing.TB, db *DB, want engine.CartRecord) {
	t.Helper()
	if got, err := load(t, db); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("loaded %+v (%+v), %v; want %+v (%+v)", got, got.State, err, want, want.State)
	}
}

func TestACommitCreatesReplacesAndGivesWay(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		first, second, other := cartAt(1, "a@b.co"), cartAt(2, "c@d.co"), cartAt(2, "e@f.co")
		other.Stamp.Writer = 10
		wantLoaded(t, db, none)
		wantOutcome(t, db, replacing(first.Stamp, second), engine.Conflicted, none) // a missing record is never new
		wantOutcome(t, db, replacing(none.Stamp, first), engine.Committed, none)
		wantLoaded(t, db, first)
		wantOutcome(t, db, replacing(none.Stamp, other), engine.Conflicted, first)
		wantOutcome(t, db, replacing(first.Stamp, second), engine.Committed, none)
		wantOutcome(t, db, replacing(first.Stamp, other), engine.Conflicted, second)
		wantLoaded(t, db, second)
	})
}

func TestTheSameCommitSentAgainIsDone(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		first, second := cartAt(1, ""), cartAt(2, "")
		create, replace := replacing(none.Stamp, first), replacing(first.Stamp, second)
		for _, c := range []*engine.Commit[*commerce.Cart]{create, create, replace, replace} {
			wantOutcome(t, db, c, engine.Committed, none)
		}
		wantOutcome(t, db, create, engine.Conflicted, second) // overtaken
		wantLoaded(t, db, second)
	})
}

// Stamps are compared as a whole: a greater counter proves nothing.
func TestEveryPartOfAStampCounts(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	first := cartAt(1, "")
	wantOutcome(t, db, replacing(none.Stamp, first), engine.Committed, none)
	for _, seen := range []engine.Stamp{{Counter: 2, Writer: 9, Sequence: 1}, {Counter: 1, Writer: 8, Sequence: 1}, {Counter: 1, Writer: 9, Sequence: 2}} {
		wantOutcome(t, db, replacing(seen, cartAt(3, "")), engine.Conflicted, first)
	}
}

func TestACartLeavesWithItsExpiry(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		first, second := cartAt(1, ""), cartAt(2, "")
		second.State.ExpiresAt = second.State.ExpiresAt.Add(time.Hour)
		seen := none
		for _, next := range []engine.CartRecord{first, second} {
			wantOutcome(t, db, replacing(seen.Stamp, next), engine.Committed, none)
			seen = next
			got := time.Now().Add(s.Client().PTTL(background, cartKey(keyOf(next))).Val())
			if d := got.Sub(next.State.ExpiresAt).Abs(); d > 10*time.Second {
				t.Errorf("Redis lets the cart leave at %v, want %v", got, next.State.ExpiresAt)
			}
		}
		if s.Mini != nil {
			s.Mini.FastForward(commerce.CartLifetime)
			wantLoaded(t, db, second)
			s.Mini.FastForward(time.Hour + time.Minute)
			wantLoaded(t, db, none)
		}
	})
}

func TestACartPastItsExpiryIsGone(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		r := cartAt(1, "")
		r.State.ExpiresAt = time.Now().Add(300 * time.Millisecond).Truncate(time.Millisecond)
		wantOutcome(t, db, replacing(none.Stamp, r), engine.Committed, none)
		if s.Mini != nil {
			s.Mini.FastForward(time.Second)
		}
		eventually(t, "the cart leaves", patience, func() bool {
			got, err := load(t, db)
			return err == nil && got.Stamp.Zero()
		})
	})
}

// withGuest adds e-mail capture's effect to a commit.
func withGuest(c *engine.Commit[*commerce.Cart], id uuid.UUID, email string) *engine.Commit[*commerce.Cart] {
	c.Effects = append(c.Effects, engine.Effects{}, engine.Effects{Effects: commerce.Effects{Guest: &commerce.Guest{ID: id, Email: email, At: noon}}})
	return c
}

func TestAGuestIsCreatedOnceWithTheCommit(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		guest, another, refused := testID(1), testID(2), testID(3)
		first, second := cartAt(1, ""), cartAt(2, "")
		create := withGuest(withGuest(replacing(none.Stamp, first), guest, "a@b.co"), another, "c@d.co")
		wantOutcome(t, db, create, engine.Committed, none)
		wantOutcome(t, db, create, engine.Committed, none)
		wantOutcome(t, db, withGuest(replacing(first.Stamp, second), guest, "changed@b.co"), engine.Committed, none)
		wantOutcome(t, db, withGuest(replacing(first.Stamp, cartAt(3, "")), refused, "no@b.co"), engine.Conflicted, second)
		for id, want := range map[uuid.UUID]string{guest: "a@b.co", another: "c@d.co"} {
			c := readContact(t, client, id)
			if !c.State.Guest || c.State.Email != want || c.Stamp != first.Stamp {
				t.Errorf("guest %s is %+v %+v, want %s, made by %+v", id, c.Stamp, *c.State, want, first.Stamp)
			}
			if ttl := client.PTTL(background, contactKey(engine.RecordKey{Store: shopID, ID: id})).Val(); ttl != -1 {
				t.Errorf("contact %s leaves in %v, want never", id, ttl)
			}
		}
		if n := client.Exists(background, contactKey(engine.RecordKey{Store: shopID, ID: refused})).Val(); n != 0 {
			t.Error("a commit that conflicted created a guest")
		}
	})
}

// readContact reads a customer of the shop as it stands in Redis.
func readContact(t testing.TB, client *redis.Client, id uuid.UUID) engine.Record[*commerce.Contact] {
	t.Helper()
	b, err := client.Get(background, contactKey(engine.RecordKey{Store: shopID, ID: id})).Result()
	if err != nil {
		t.Fatalf("contact %s: %v", id, err)
	}
	c, err := decodeContact(engine.RecordKey{Store: shopID, ID: id}, b)
	if err != nil {
		t.Fatalf("contact %s: %v", id, err)
	}
	return c
}

func TestACommitThatNobodyWaitsForIsNotSent(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	c := replacing(none.Stamp, cartAt(1, ""))
	c.Claim = func() bool { return false }
	wantOutcome(t, db, c, engine.NotSent, none)
	wantLoaded(t, db, none)
}

func TestACorruptRecordInTheWayRefuses(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	s.Client().Set(background, cartKey(keyOf(cartAt(1, ""))), "garbage", 0)
	wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Refused, none)
	if got, err := load(t, db); !errors.Is(err, errCorrupt) {
		t.Errorf("Load = %+v, %v; want errCorrupt", got, err)
	}
}

func TestWhatARefusalProves(t *testing.T) {
	for _, prefix := range redisdb.CertainRefusals() {
		s := redistest.Mini(t)
		db := node(t, s)
		s.Mini.SetError(prefix + " for a test")
		wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Refused, none)
	}
	s := redistest.Mini(t)
	db := node(t, s)
	s.Mini.SetError("ERR for a test")
	wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Unknown, none)
}

// A sending is one sending: the client repeats nothing behind our back.
func TestACommitWhoseConnectionBreaksWasSentOnce(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	var sent atomic.Int64
	s.Mini.Server().SetPreHook(func(peer *server.Peer, command string, _ ...string) bool {
		if command != "EVALSHA" {
			return false
		}
		sent.Add(1)
		peer.Close()
		return true
	})
	wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Unknown, none)
	if n := sent.Load(); n != 1 || db.Away() {
		t.Errorf("the commit was sent %d times, away %v; want once, and a Redis that answers", n, db.Away())
	}
}

func TestManyCommitsAtOnceAreEachAnsweredOnce(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		const n = 1000
		var answered sync.WaitGroup
		answers := make([][]engine.OutcomeKind, n)
		for i := range n {
			r := cartAt(1, strconv.Itoa(i))
			r.State.ID = testID(i)
			c := replacing(none.Stamp, r)
			c.Key.ID = r.State.ID
			answered.Add(1)
			c.Done = func(o engine.Outcome[*commerce.Cart]) {
				answers[i] = append(answers[i], o.Kind)
				answered.Done()
			}
			db.Send(c)
			db.Flush(time.Time{})
		}
		answered.Wait()
		client := s.Client()
		for i, got := range answers {
			b := client.Get(background, cartKey(engine.RecordKey{Store: shopID, ID: testID(i)})).Val()
			r, err := decodeCart(b)
			if len(got) != 1 || got[0] != engine.Committed || err != nil || r.State.Email != strconv.Itoa(i) {
				t.Fatalf("commit %d: answered %v, stored %+v, %v", i, got, r.State, err)
			}
		}
	})
}
