package persistence

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// cartAt is a record of the test's cart with this stamp counter.
func cartAt(counter uint64, email string) engine.CartRecord {
	c := commerce.NewCart(testID(0xca), time.Now().Truncate(time.Millisecond).UTC())
	c.Email = email
	return engine.CartRecord{Stamp: engine.Stamp{Counter: counter, Writer: 9, Sequence: counter}, State: c}
}

// newCart is the first record of another cart.
func newCart(id uuid.UUID) engine.CartRecord {
	r := cartAt(1, "")
	r.State.ID = id
	return r
}

func keyOf(r engine.CartRecord) engine.RecordKey {
	return engine.RecordKey{Store: shopID, ID: r.State.ID}
}

// replacing is the visit that replaces the record with the stamp seen by next.
func replacing(seen engine.Stamp, next engine.CartRecord) *engine.Visit[*commerce.Cart] {
	return visiting(keyOf(next), seen, next)
}

func visiting[S any](key engine.RecordKey, seen engine.Stamp, next engine.Record[S]) *engine.Visit[S] {
	return &engine.Visit[S]{
		Key: key, Seen: seen, Writes: true, Next: next,
		Tolerance: patience, Deadline: time.Now().Add(patience), MaySend: func() bool { return true },
	}
}

// counting makes a visit count n requests.
func counting[S any](v *engine.Visit[S], n int) *engine.Visit[S] {
	for range n {
		v.Requests = append(v.Requests, &engine.Request{})
	}
	return v
}

// version returns a store's version in the node's memory, else in Redis.
func version(db *DB, store uuid.UUID) *engine.StoreVersion {
	if known := db.Stores.Entry(store).Current.Load(); known != nil {
		return known.Version
	}
	head := db.client.Redis.Get(background, stores.HeadKey(store)).Val()
	return &engine.StoreVersion{
		Store: store, Head: head, HeadKey: stores.HeadKey(store), Log: ratelimit.StoreKey(store.String()), Clock: &engine.Clock{},
	}
}

// follow makes a node follow a store to its present head.
func follow(db *DB, store uuid.UUID) { db.Refresh(store, asks("")) }

// send sends a visit and returns its outcome. A visit without a version and a time is judged by
// the node's memory, and again if that is out of date.
func send[S any](t testing.TB, db *DB, v *engine.Visit[S]) engine.Outcome[S] {
	t.Helper()
	for tries := 0; ; tries++ {
		outcome := make(chan engine.Outcome[S], 2)
		post(db, v, func(o engine.Outcome[S]) { outcome <- o })
		db.Flush(time.Time{})
		select {
		case o := <-outcome:
			outdated := v.Version == nil && o.Kind == engine.OtherHead || v.Judged.IsZero() && o.Kind == engine.TooLate
			if !outdated || tries == 2 {
				return o
			}
			follow(db, v.Key.Store)
		case <-time.After(patience):
			t.Fatalf("no outcome within %v", patience)
		}
	}
}

// post sends a visit once.
func post[S any](db *DB, v *engine.Visit[S], done func(engine.Outcome[S])) {
	own := *v
	own.Done = func(o engine.Outcome[S]) {
		o.Current.Size = 0 // TestSizesOfRecords checks it
		done(o)
	}
	if own.SentAt.IsZero() {
		own.SentAt = time.Now()
	}
	if own.Version == nil {
		own.Version = version(db, v.Key.Store)
	}
	if own.Judged.IsZero() {
		var heard bool
		if own.Judged, heard = own.Version.Clock.Now(); !heard {
			own.Judged = time.Now()
		}
	}
	switch own := any(&own).(type) {
	case *engine.Visit[*commerce.Cart]:
		Carts.In(db).Send(own)
	case *engine.Visit[*commerce.Contact]:
		Contacts.In(db).Send(own)
	case *engine.Visit[*commerce.Order]:
		Orders.In(db).Send(own)
	}
}

// wantOutcome sends a visit and fails unless it has this outcome. current is the record of the
// conflict.
func wantOutcome(t testing.TB, db *DB, v *engine.Visit[*commerce.Cart], kind engine.OutcomeKind, current engine.CartRecord) {
	t.Helper()
	if got := send(t, db, v); got.Kind != kind || !reflect.DeepEqual(got.Current, current) {
		t.Fatalf("outcome %+v (%+v), want %v, %+v (%+v)", got, got.Current.State, kind, current, current.State)
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
	Carts.In(db).Load(keyOf(cartAt(1, "")), func(r engine.CartRecord, err error) { answers <- answer{r, err} })
	select {
	case a := <-answers:
		a.record.Size = 0
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

func TestVisitCreatesReplacesAndFindsConflicts(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		first, second, other := cartAt(1, "a@b.co"), cartAt(2, "c@d.co"), cartAt(2, "e@f.co")
		other.Stamp.Writer = 10
		wantLoaded(t, db, none)
		wantOutcome(t, db, replacing(first.Stamp, second), engine.OtherRecord, none) // a missing record is never new
		wantOutcome(t, db, replacing(none.Stamp, first), engine.Done, none)
		wantLoaded(t, db, first)
		wantOutcome(t, db, replacing(none.Stamp, other), engine.OtherRecord, first)
		wantOutcome(t, db, replacing(first.Stamp, second), engine.Done, none)
		wantOutcome(t, db, replacing(first.Stamp, other), engine.OtherRecord, second)
		wantLoaded(t, db, second)
	})
}

func TestCartKeyHasTheExpiryOfItsCart(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		first, second := cartAt(1, ""), cartAt(2, "")
		second.State.ExpiresAt = second.State.ExpiresAt.Add(time.Hour)
		seen := none
		for _, next := range []engine.CartRecord{first, second} {
			wantOutcome(t, db, replacing(seen.Stamp, next), engine.Done, none)
			seen = next
			got := time.Now().Add(s.Client().PTTL(background, records.Carts.Key(keyOf(next))).Val())
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

// withGuest adds the effect of e-mail capture to a visit.
func withGuest(c *engine.Visit[*commerce.Cart], id uuid.UUID, email string) *engine.Visit[*commerce.Cart] {
	c.Effects = append(c.Effects, engine.Effects{}, engine.Effects{Effects: commerce.Effects{Guest: &commerce.Guest{ID: id, Email: email, At: noon}}})
	return c
}

func TestGuestIsCreatedOnceWithItsCart(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		guest, another, refused := testID(1), testID(2), testID(3)
		first, second := cartAt(1, ""), cartAt(2, "")
		create := withGuest(withGuest(replacing(none.Stamp, first), guest, "a@b.co"), another, "c@d.co")
		wantOutcome(t, db, create, engine.Done, none)
		wantOutcome(t, db, create, engine.Done, none)
		wantOutcome(t, db, withGuest(replacing(first.Stamp, second), guest, "changed@b.co"), engine.Done, none)
		wantOutcome(t, db, withGuest(replacing(first.Stamp, cartAt(3, "")), refused, "no@b.co"), engine.OtherRecord, second)
		for id, want := range map[uuid.UUID]string{guest: "a@b.co", another: "c@d.co"} {
			c := readContact(t, client, id)
			if !c.State.Guest || c.State.Email != want || c.Stamp != first.Stamp {
				t.Errorf("guest %s is %+v %+v, want %s, made by %+v", id, c.Stamp, *c.State, want, first.Stamp)
			}
			if ttl := client.PTTL(background, records.Contacts.Key(engine.RecordKey{Store: shopID, ID: id})).Val(); ttl > 400*24*time.Hour || ttl < 399*24*time.Hour {
				t.Errorf("contact %s leaves in %v, want 400 days", id, ttl)
			}
		}
		if n := client.Exists(background, records.Contacts.Key(engine.RecordKey{Store: shopID, ID: refused})).Val(); n != 0 {
			t.Error("a conflict created a guest")
		}
	})
}

// readContact reads a customer of the shop from Redis.
func readContact(t testing.TB, client *redis.Client, id uuid.UUID) engine.Record[*commerce.Contact] {
	t.Helper()
	b, err := client.Get(background, records.Contacts.Key(engine.RecordKey{Store: shopID, ID: id})).Result()
	if err != nil {
		t.Fatalf("contact %s: %v", id, err)
	}
	c, err := records.Contacts.Decode(engine.RecordKey{Store: shopID, ID: id}, b)
	if err != nil {
		t.Fatalf("contact %s: %v", id, err)
	}
	c.Size = 0 // TestSizesOfRecords checks it
	return c
}

func TestVisitWithoutAClaimIsNotSent(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	c := replacing(none.Stamp, cartAt(1, ""))
	c.MaySend = func() bool { return false }
	wantOutcome(t, db, c, engine.NotSent, none)
	wantLoaded(t, db, none)
}

func TestRefusalsThatProveThatNothingWasDone(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	for _, prefix := range redisdb.CertainRefusals {
		s.Mini.SetError(prefix + " for a test")
		wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Refused, none)
	}
	s = redistest.Mini(t) // on a connection that no error has closed
	db = node(t, s)
	s.Mini.SetError("ERR for a test")
	wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Broken, none)
}

func TestManyVisitsAtOnceAreEachAnsweredOnce(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		const n = 1000
		var answered sync.WaitGroup
		answers := make([][]engine.OutcomeKind, n)
		shared := version(db, shopID)
		for i := range n {
			v := replacing(none.Stamp, newCart(testID(i)))
			v.Version, v.Tolerance = shared, engine.Drift
			answered.Add(1)
			var done func(engine.Outcome[*commerce.Cart])
			done = func(o engine.Outcome[*commerce.Cart]) {
				if o.Kind == engine.TooLate { // on a busy machine
					post(db, v, done)
					go db.Flush(time.Time{})
					return
				}
				answers[i] = append(answers[i], o.Kind)
				answered.Done()
			}
			post(db, v, done)
			db.Flush(time.Time{})
		}
		answered.Wait()
		for i, got := range answers {
			r, err := records.Carts.Decode(engine.RecordKey{}, s.Client().Get(background, records.Carts.Key(engine.RecordKey{Store: shopID, ID: testID(i)})).Val())
			if len(got) != 1 || got[0] != engine.Done || err != nil || r.State.ID != testID(i) {
				t.Fatalf("visit %d: answered %v, stored %+v, %v", i, got, r.State, err)
			}
		}
	})
}
