package persistence

import (
	"fmt"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/accounts"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
)

// stranger is a caller whose address no trusted proxy named.
var stranger = engine.Caller{Addr: netip.MustParseAddr("192.0.2.1")}

// find is FindAccount for a Redis that answers.
func find(t testing.TB, db *DB, email string) engine.Account {
	t.Helper()
	found, err := db.FindAccount(shopID, email, soonest())
	if err != nil {
		t.Fatalf("FindAccount(%s) = %v", email, err)
	}
	return found
}

// wantFound wants that an address belongs to this customer; zero: to no account.
func wantFound(t testing.TB, db *DB, email string, want uuid.UUID) {
	t.Helper()
	var got uuid.UUID
	if found := find(t, db, email); found.Record != nil {
		got = found.Record.State.ID
	}
	if got != want {
		t.Errorf("%s leads to %v, want %v", email, got, want)
	}
}

func newAccount(n int, email string) *commerce.Contact {
	return &commerce.Contact{ID: testID(n), Approved: true, Email: email, FirstName: "N", PasswordHash: "$2", CreatedAt: noon, UpdatedAt: noon}
}

func newToken(text string, number uint64) *commerce.Session {
	return &commerce.Session{Token: *secret(text), ExpiresAt: time.Now().Add(time.Hour).UnixMilli(), Number: number}
}

func register(t testing.TB, db *DB, n int, email string) error {
	t.Helper()
	return db.Register(countedAsk(t, db, "key"), find(t, db, email), newAccount(n, email), newToken("token-"+email, 0))
}

func TestAddressHasOneAccount(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		wantFound(t, db, "ada@example.com", ada)
		wantFound(t, db, "new@example.com", uuid.Nil)
		unknown := find(t, db, "new@example.com")
		if err := register(t, db, 0x71, "new@example.com"); err != nil {
			t.Fatalf("Register = %v", err)
		}
		wantFound(t, db, "new@example.com", testID(0x71))
		if v := visitor(t, db, "token-new@example.com"); !v.Known || v.CustomerID != testID(0x71) || !v.Approved {
			t.Errorf("the first token is %+v", v)
		}
		other := newAccount(0x72, "new@example.com")
		if err := db.Register(countedAsk(t, db, "key"), unknown, other, newToken("other", 0)); err != engine.ErrOutdated {
			t.Errorf("another one = %v, want engine.ErrOutdated", err)
		}
		if v := visitor(t, db, "other"); v.Known {
			t.Errorf("the later one's token is %+v", v)
		}
		want := newAccount(0x71, "new@example.com")
		if got := find(t, db, "new@example.com").Record.State; !reflect.DeepEqual(got, want) {
			t.Errorf("kept as %+v\nwant %+v", got, want)
		}
	})
}

// A registration whose reply is lost is sent again, and is done once.
func TestRegistrationWhoseAnswerIsLost(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		ask, unknown := countedAsk(t, db, "key"), find(t, db, "new@example.com")
		db.client.Redis.AddHook(losing(records.Write))
		if err := db.Register(ask, unknown, newAccount(0x71, "new@example.com"), newToken("t", 0)); err != nil {
			t.Errorf("Register = %v", err)
		}
		wantFound(t, db, "new@example.com", testID(0x71))
	})
}

// The head moves after a registration was counted. The registration has to be judged again under the
// new head, and is not counted again.
func TestRegistrationUnderANewHead(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		ask := countedAsk(t, db, "key")
		limitedShop(t, node(t, s), 7)
		for _, want := range []error{engine.ErrOutdated, nil} {
			if err := db.Register(ask, find(t, db, "new@example.com"), newAccount(0x71, "new@example.com"), newToken("t", 0)); err != want {
				t.Fatalf("Register = %v, want %v", err, want)
			}
			if err := db.Refresh(ask.Store.ID, ask); err != nil {
				t.Fatal(err)
			}
		}
		wantFound(t, db, "new@example.com", testID(0x71))
		wantCounted(t, s, 1)
	})
}

// The index follows the documents: a new address, an account that had it earlier, an address
// that is free again.
func TestIndexOfAddressesFollowsTheDocument(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		if err := register(t, db, 0x71, "next@example.com"); err != nil {
			t.Fatal(err)
		}
		shopWith(theCustomer(object{"email": "next@example.com"})).save(t, db)
		wantFound(t, db, "next@example.com", ada) // the document decides
		wantFound(t, db, "ada@example.com", uuid.Nil)
		if err := register(t, db, 0x72, "ada@example.com"); err != nil {
			t.Fatal(err)
		}
		wantFound(t, db, "ada@example.com", testID(0x72))
		shopWith(theCustomer()).save(t, db)
		wantFound(t, db, "ada@example.com", ada)
		if err := s.Client().Del(background, accounts.EmailKey(shopID, "ada@example.com")).Err(); err != nil {
			t.Fatal(err)
		}
		renamed := shopWith(theCustomer()) // an import adds to the index the entries of records that it lacks
		renamed.Name = "Renamed"
		renamed.save(t, db)
		wantFound(t, db, "ada@example.com", ada)
	})
}

// An index entry without an account belongs to no customer, and a registration may replace it.
func TestIndexEntryWithoutAnAccount(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	guest := engine.RecordKey{Store: shopID, ID: testID(0x90)}
	s.Client().Set(background, records.Contacts.Key(guest),
		records.GuestRecord(&commerce.Guest{ID: guest.ID, Email: "g@b.co", At: noon}, engine.Stamp{Counter: 1}), 0)
	for n, entry := range []string{testID(0x404).String(), guest.ID.String(), "nonsense"} {
		s.Client().Set(background, accounts.EmailKey(shopID, "g@b.co"), entry, 0)
		wantFound(t, db, "g@b.co", uuid.Nil)
		if err := register(t, db, 0x80+n, "g@b.co"); err != nil {
			t.Errorf("over %q: %v", entry, err)
		}
		wantFound(t, db, "g@b.co", testID(0x80+n))
	}
}

func TestEndedTokenStaysEnded(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		v := visitor(t, db, "token-ada")
		if err := db.EndSession(shopID, ada, v.Session, soonest()); err != nil {
			t.Fatal(err)
		}
		if got := visitor(t, db, "token-ada"); got.Known {
			t.Errorf("an ended token is %+v", got)
		}
		if ttl := s.Client().PTTL(background, accounts.TokenKey(shopID, v.Session.Token)).Val(); ttl <= 0 || ttl > time.Hour {
			t.Errorf("it is remembered for %v, want until its expiry", ttl)
		}
		shopWith(theCustomer(object{"first_name": "Augusta"})).save(t, db)
		if got := visitor(t, db, "token-ada"); got.Known {
			t.Errorf("after an import it is %+v", got)
		}
		if err := db.EndSession(shopID, ada, *newToken("never", 0), soonest()); err != nil || visitor(t, db, "never").Known {
			t.Errorf("the end of an unknown token: %v", err)
		}
		if err := db.SaveSession(shopID, ada, newToken("fresh", 0), soonest()); err != nil || !visitor(t, db, "fresh").Known {
			t.Errorf("a new token after it: %v", err)
		}
	})
}

// contactVisit makes a visit that changes a contact.
func contactVisit(t testing.TB, db *DB, email string, change func(*commerce.Contact), effects ...engine.Effects) *engine.Visit[*commerce.Contact] {
	t.Helper()
	seen := find(t, db, email).Record
	next := *seen.State
	change(&next)
	stamp := engine.Stamp{Counter: seen.Stamp.Counter + 1, Writer: 77, Sequence: seen.Stamp.Counter + 1}
	v := visiting(engine.RecordKey{Store: shopID, ID: next.ID}, seen.Stamp,
		engine.Record[*commerce.Contact]{Stamp: stamp, State: &next, Writers: seen.Remember(77, noon)})
	v.Effects = effects
	return v
}

// movingSession makes a visit that ends all of ada's sessions except that of the request's
// token.
func movingSession(t testing.TB, db *DB, name string, to uint64) *engine.Visit[*commerce.Contact] {
	t.Helper()
	r := asks("key")
	r.Token = secret(name)
	r.Facts = admit(t, db, r)
	next := r.Visitor.Session
	next.Number = to
	v := contactVisit(t, db, "ada@example.com", func(c *commerce.Contact) { c.Session = to },
		engine.Effects{Effects: commerce.Effects{Session: &commerce.SessionMove{From: r.Visitor.Session, To: next}}})
	v.Requests = []*engine.Request{r}
	return v
}

// A visit that ends all sessions keeps the session of its own token, unless that token was
// ended meanwhile.
func TestEndOfAllSessionsKeepsTheOwnToken(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		for _, name := range []string{"kept", "other", "ended"} {
			if err := db.SaveSession(shopID, ada, newToken(name, 0), soonest()); err != nil {
				t.Fatal(err)
			}
		}
		move := func(name string) *engine.Visit[*commerce.Contact] { return movingSession(t, db, name, 1) }
		kept, ended := move("kept"), move("ended")
		if err := db.EndSession(shopID, ada, ended.Effects[0].Session.From, soonest()); err != nil {
			t.Fatal(err)
		}
		if o := send(t, db, ended); o.Kind != engine.OtherFacts || o.Facts[0].Visitor.Known {
			t.Errorf("of a token that was ended: %+v", o)
		}
		ttl := s.Client().PTTL(background, accounts.TokenKey(shopID, *secret("kept"))).Val()
		for range 2 { // the same visit again changes nothing
			if o := send(t, db, kept); o.Kind != engine.Done {
				t.Fatalf("outcome %+v", o)
			}
		}
		for name, want := range map[string]bool{"kept": true, "other": false, "ended": false, "token-ada": false} {
			if got := visitor(t, db, name); got.Known != want {
				t.Errorf("token %s is %+v, known: want %v", name, got, want)
			}
		}
		if now := s.Client().PTTL(background, accounts.TokenKey(shopID, *secret("kept"))).Val(); now > ttl || now <= 0 {
			t.Errorf("the kept token lasts %v, it was %v", now, ttl)
		}
	})
}

// A visit writes its events into the outbox, once.
func TestEventsWaitInTheOutbox(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		shopWith(theCustomer()).save(t, db)
		event := engine.Effects{Effects: commerce.Effects{Event: &commerce.Event{Name: "an.event", Body: []byte(`{"x":1}`)}}}
		v := contactVisit(t, db, "ada@example.com", func(c *commerce.Contact) { c.Phone = "1" }, event)
		stale := contactVisit(t, db, "ada@example.com", func(c *commerce.Contact) { c.Phone = "2" }, event)
		stale.Next.Stamp.Writer = 78
		for range 2 {
			if o := send(t, db, v); o.Kind != engine.Done {
				t.Fatalf("outcome %+v", o)
			}
		}
		if o := send(t, db, stale); o.Kind != engine.OtherRecord || o.Current.State.Phone != "1" || o.Current.State.ID != ada {
			t.Errorf("a visit over another: %+v", o)
		}
		entries := client.LRange(background, outbox.Key(shopID), 0, 9).Val()
		if len(entries) != 1 || !regexp.MustCompile(`^{"id":"[0-9a-f]{32}","event":"an.event","body":{"x":1}}$`).MatchString(entries[0]) {
			t.Errorf("the outbox holds %q, want the event once", entries)
		}
	})
}

// While Redis is unreachable no account changes. The outcome of a sending without an answer is
// unknown.
func TestAccountsWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	s := redistest.Real(t)
	db := node(t, s, impatient)
	shopWith(theCustomer()).save(t, db)
	v := visitor(t, db, "token-ada")
	s.Pause()
	within(t, "the end of a session", soon+silence, func() {
		if err := db.EndSession(shopID, ada, v.Session, time.Now().Add(silence)); err != engine.ErrUnknownOutcome {
			t.Errorf("EndSession = %v, want ErrUnknownOutcome", err)
		}
	})
	within(t, "everything else", soon, func() {
		if _, err := db.FindAccount(shopID, "ada@example.com", soonest()); err != engine.ErrUnavailable {
			t.Errorf("FindAccount = %v", err)
		}
		if err := db.SaveSession(shopID, ada, newToken("x", 0), soonest()); err != engine.ErrUnavailable {
			t.Errorf("SaveSession = %v", err)
		}
		if _, _, err := db.BeginLogin(shopID, "a@b", stranger, soonest()); err != engine.ErrUnavailable {
			t.Errorf("BeginLogin = %v", err)
		}
	})
	s.Resume()
}

// Apart from the outbox, Redis has no token and no address in clear.
func TestNoKeyNamesAnAddress(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	shopWith(theCustomer()).save(t, db)
	if _, _, err := db.BeginLogin(shopID, "ada@example.com", stranger, soonest()); err != nil {
		t.Fatal(err)
	}
	for _, key := range s.Mini.Keys() {
		if strings.Contains(key, "ada@") || strings.Contains(key, "192.0.2") || strings.Contains(key, "token-ada") {
			t.Errorf("the key %s has a name or address", key)
		}
	}
}

// An attempt is taken back until Redis answers. One whose begin had no answer counts.
func TestLostAttempts(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	begin := func(deadline time.Time) (engine.Budget, func(), error) {
		return db.BeginLogin(shopID, "a@b", stranger, deadline)
	}
	var lost atomic.Int32
	db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if name := cmd.Name(); name != "evalsha" && name != "lrem" || lost.Add(-1) < 0 {
			return next()
		}
		next()
		cmd.SetErr(errBroken)
		return errBroken
	}))
	lost.Store(1)
	if _, takeBack, err := begin(soonest()); err != engine.ErrUnavailable {
		t.Errorf("a begin without an answer: %v", err)
	} else {
		takeBack()
	}
	_, takeBack, err := begin(time.Now().Add(patience))
	if err != nil {
		t.Fatal(err)
	}
	lost.Store(3)
	if takeBack(); lost.Load() >= 0 {
		t.Error("the taking back is not repeated")
	}
	lost.Store(0)
	if b, _, err := begin(soonest()); err != nil || b.Remaining != commerce.LoginFailures-1 {
		t.Errorf("afterwards: %+v, %v; want one failure", b, err)
	}
}

// Of several that make the account of an external id at once, one does. Its former address is free again.
func TestExternalIDHasOneAccount(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		external := func() engine.Account {
			found, err := db.FindExternal(shopID, "idp|1", soonest())
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		made := newAccount(0x71, "new@example.com")
		made.ExternalID = "idp|1"
		ask, unknown := countedAsk(t, db, "key"), external()
		if err := db.SaveExternal(ask, &engine.AccountChange{Next: made}); err != nil || unknown.Record != nil {
			t.Fatalf("SaveExternal = %v; before it %+v", err, unknown.Record)
		}
		wantFound(t, db, "new@example.com", testID(0x71))
		for _, late := range []*engine.AccountChange{
			{Next: newExternal(0x72, "other@example.com")},                                     // the external id has an account
			{Next: newExternal(0x72, "new@example.com"), External: external()},                 // the address has one
			{Next: newExternal(0x71, "other@example.com"), External: external(), Former: true}, // the record has changed
		} {
			if late.Former {
				late.Before = &engine.Record[*commerce.Contact]{State: made}
			}
			if err := db.SaveExternal(ask, late); err != engine.ErrOutdated {
				t.Errorf("%+v = %v, want engine.ErrOutdated", late.Next, err)
			}
		}
		seen := external()
		change := &engine.AccountChange{Before: seen.Record, Next: newExternal(0x71, "other@example.com"), External: seen, Former: true}
		if err := db.SaveExternal(ask, change); err != nil {
			t.Fatalf("SaveExternal = %v", err)
		}
		wantFound(t, db, "new@example.com", uuid.Nil)
		wantFound(t, db, "other@example.com", testID(0x71))
		if got := external().Record; got.State.Email != "other@example.com" || got.Stamp.Counter != seen.Record.Stamp.Counter+1 {
			t.Errorf("kept as %+v %+v", got.State, got.Stamp)
		}
	})
}

func newExternal(n int, email string) *commerce.Contact {
	c := newAccount(n, email)
	c.ExternalID = "idp|1"
	return c
}

// A search goes on behind thousands of entries of the index that count no longer: of contacts that are gone, or have other names, or do not
// await approval any more. Each page ends early, and a page begins behind an entry that has gone meanwhile.
func TestContactsBehindEntriesThatCountNoLonger(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		r := asks("key")
		r.Facts = admit(t, db, r)
		const stale = 4000
		pipe := s.Client().Pipeline()
		index := func(n int, name string) {
			pipe.ZAdd(background, accounts.NamesKey(shopID), redis.Z{Member: name + "\n" + testID(n).String()})
			pipe.ZAdd(background, accounts.AwaitingKey(shopID), redis.Z{Score: float64(r.Now.UnixMilli() + int64(n/1500)), Member: testID(n).String()})
		}
		keep := func(n int, c commerce.Contact) {
			c.ID, c.CreatedAt = testID(n), noon
			pipe.Set(background, records.Contacts.Key(engine.RecordKey{Store: shopID, ID: c.ID}),
				records.Contacts.Encode(nil, &engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1}, State: &c}, nil), 0)
		}
		kept := map[uuid.UUID]string{}
		for n := 1; n <= stale; n++ {
			name := fmt.Sprintf("van %05d", n)
			switch index(n, name); {
			case n%1000 == 0:
				keep(n, commerce.Contact{CompanyName: name, B2B: true})
				kept[testID(n)] = name
			case n%2 == 0:
				keep(n, commerce.Contact{CompanyName: strings.Repeat("Ünïcode ", 30), LastName: strings.Repeat("Ünïcode ", 30), B2B: true, Approved: true})
			}
		}
		if _, err := pipe.Exec(background); err != nil {
			t.Fatal(err)
		}
		for _, q := range []engine.ContactQuery{{Name: "van", Size: 1}, {Name: "van", Size: 25}, {Awaiting: true, Size: 1}, {Awaiting: true, Size: 25}} {
			var found []string
			for pages := 1; ; pages++ {
				page, err := db.FindContacts(r, &q)
				if err != nil || pages > 100 {
					t.Fatalf("%+v: page %d: %v", q, pages, err)
				}
				for _, c := range page.Contacts {
					found = append(found, kept[c.ID])
				}
				if page.NextAfter == (engine.ContactPage{}).NextAfter {
					break
				}
				q.After = page.NextAfter
			}
			if want := []string{"van 01000", "van 02000", "van 03000", "van 04000"}; !slices.Equal(found, want) {
				t.Errorf("%+v finds %q", q, found)
			}
		}
	})
}
