package persistence

import (
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/stores"
)

// changedShop is theShop after an import that changed the settings, revoked "key" and added the
// key "new".
func changedShop() shop {
	s := theShop()
	s.Name = "Changed"
	s.Keys[0].Revoked = true
	s.Keys = append(s.Keys, apiKey("both"), apiKey("new"))
	return s
}

// unchangedShop has the key "both" too, which admits a request both ahead of the import and
// after it.
func unchangedShop() shop {
	s := theShop()
	s.Keys = append(s.Keys, apiKey("both"))
	return s
}

func TestOtherNodeFollowsAnImport(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		importer, db := node(t, s), node(t, s)
		unchangedShop().save(t, importer)
		if a := admit(t, db, asks("key")); a.Store.Name != "Shop" {
			t.Fatalf("the store without the import is %s", a.Store.Name)
		}
		changedShop().save(t, importer)
		changed, err := db.ReadHead(background, shopID)
		if err != nil {
			t.Fatal(err)
		}
		// Keys are in force at once.
		if a := admit(t, db, asks("key")); a.Key != nil {
			t.Errorf("a revoked key resolves to %+v", a.Key)
		}
		if a := admit(t, db, asks("new")); a.Key == nil {
			t.Error("a new key does not resolve")
		}
		// Settings follow without a failing request, within the grace by Redis's clock.
		eventually(t, "the settings follow", patience, func() bool {
			a := admit(t, db, asks("both"))
			follows := a.Store.Name == "Changed"
			if late := a.Now.Sub(changed.Moved); !follows && late > stores.Grace {
				t.Errorf("the settings are the old ones %v after the import, want at most %v", late, stores.Grace)
			}
			return follows
		})
	})
}

// moveHeadBack makes the last import look older than it is.
func moveHeadBack(t testing.TB, s *redistest.Server, by time.Duration) {
	t.Helper()
	editHead(t, s, func(fields []string) {
		moved, err := strconv.ParseInt(fields[7], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		fields[7] = strconv.FormatInt(moved-by.Milliseconds(), 10)
	})
}

// An idle node that missed an import serves its first request from the new store.
func TestRequestAfterTheGraceWaitsForTheNewSettings(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		importer, db := node(t, s), node(t, s)
		unchangedShop().save(t, importer)
		admit(t, db, asks("both"))
		changedShop().save(t, importer)
		moveHeadBack(t, s, stores.Grace+time.Millisecond)
		if a := admit(t, db, asks("both")); a.Store.Name != "Changed" {
			t.Errorf("the store is %s, want the changed one", a.Store.Name)
		}
	})
}

// Within the grace no request waits: requests go on with the old settings while the new ones
// are read.
func TestRequestWithinTheGraceDoesNotWait(t *testing.T) {
	s := redistest.Mini(t)
	importer, db := node(t, s), node(t, s)
	unchangedShop().save(t, importer)
	admit(t, db, asks("both"))
	asked, release := make(chan struct{}, 10), make(chan struct{})
	db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if strings.Contains(keyIn(cmd), ":store:") {
			asked <- struct{}{}
			select {
			case <-release:
			case <-time.After(patience):
				t.Error("no request was answered while the store was read")
			}
		}
		return next()
	}))
	s.Mini.SetTime(noon) // the fake clock keeps the grace from ending
	changedShop().save(t, importer)
	for range 3 {
		if a := admit(t, db, asks("both")); a.Store.Name != "Shop" {
			t.Errorf("the store is %s, want the old one while the new one is read", a.Store.Name)
		}
	}
	<-asked
	close(release)
	eventually(t, "the settings follow", patience, func() bool {
		return admit(t, db, asks("both")).Store.Name == "Changed"
	})
	if n := len(asked); n != 0 {
		t.Errorf("the store was read %d times too often", n)
	}
}

func TestGraceOfAStore(t *testing.T) {
	for size, want := range map[int]time.Duration{0: time.Second, stores.LargeStore: time.Second, stores.LargeStore + 1: 5 * time.Second} {
		if got := (&stores.Head{Size: size}).Grace(); got != want {
			t.Errorf("a store of %d bytes: %v, want %v", size, got, want)
		}
	}
}

func TestHeadIsReadStrictly(t *testing.T) {
	h, err := stores.ParseHead("120 rev hash keys 2 300 usage 1000")
	want := stores.Head{Text: "120 rev hash keys 2 300 usage 1000", Limit: 120, Revision: "rev", Hash: "hash", Keys: "keys", Parts: 2, Size: 300, Usage: "usage", Moved: time.UnixMilli(1000)}
	if err != nil || h != want {
		t.Errorf("parseHead = %+v, %v; want %+v", h, err, want)
	}
	for _, text := range []string{"", "1 a b c 1 2 u", "1 a b c 1 2 u 3 4", "x a b c 1 2 u 3", "1 a b c x 2 u 3", "1 a b c 1 x u 3", "1 a b c 1 2 u x"} {
		if h, err := stores.ParseHead(text); err == nil {
			t.Errorf("parseHead(%q) = %+v", text, h)
		}
	}
}

// A request was admitted under the old head, and is judged after the node followed an import.
// It must not restore the old keys for later requests.
func TestLateRequestDoesNotRestoreOldKeys(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	unchangedShop().save(t, db)
	admit(t, db, asks("both"))
	entry := db.Stores.Known(*secret("both"), time.Now())
	oldHead := entry.Current.Load().Head.Text
	changedShop().save(t, db)
	moveHeadBack(t, s, time.Minute)
	admit(t, db, asks("both"))
	now := time.Now()
	if _, err := db.Stores.Follow(background, entry, oldHead, now); err != nil {
		t.Fatal(err)
	}
	newHead := s.Client().Get(background, stores.HeadKey(shopID)).Val()
	l, err := db.Stores.Follow(background, entry, newHead, now)
	if err != nil || l.Store.Name != "Changed" || l.Key(*secret("key")) != nil || l.Key(*secret("new")) == nil {
		t.Errorf("follow = %+v, %v; want the changed store with its keys", l, err)
	}
}

func TestStoreWithAMissingPartIsUnavailable(t *testing.T) {
	s := redistest.Mini(t)
	theShop().save(t, node(t, s))
	h, err := node(t, s).ReadHead(background, shopID)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{stores.PartKey(shopID, h.Revision, 0), stores.KeysKey(shopID, h.Keys), stores.SecretKey(shopID)} {
		piece, _ := s.Mini.Get(key)
		s.Mini.Del(key)
		db := node(t, s)
		if a, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable || db.Away() {
			t.Errorf("without %s: %+v, %v, away %v; want ErrUnavailable", key, a, err, db.Away())
		}
		s.Mini.Set(key, piece)
		admit(t, db, asks("key"))
	}
}

// A store that Redis has lost is unavailable until it is imported again. The loss is logged
// once.
func TestStoreThatRedisLost(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		var log lines
		importer, db := node(t, s), node(t, s, func(c *Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		theShop().save(t, importer)
		admit(t, db, asks("key"))
		s.Client().FlushAll(background)
		for range 3 {
			if a, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable {
				t.Errorf("a read: %+v, %v; want ErrUnavailable", a, err)
			}
			ask := asks("key")
			ask.Write = true
			if known, err := db.Recall(ask); !known || err != nil {
				t.Fatalf("Recall = %v, %v", known, err)
			}
			v := replacing(none.Stamp, cartAt(1, ""))
			v.Version = ask.Version
			wantOutcome(t, db, v, engine.OtherHead, none)
			if err := db.Refresh(ask.Store.ID, ask); err != engine.ErrUnavailable {
				t.Errorf("a write: Refresh = %v, want ErrUnavailable", err)
			}
		}
		if log.count("\n") != 1 || log.count("is not in Redis any more") != 1 {
			t.Errorf("logged:\n%s", log.text.String())
		}
		theShop().save(t, importer)
		again := s.Client().Get(background, stores.SecretKey(shopID)).Val()
		eventually(t, "the store with its new secret", patience, func() bool {
			a := admit(t, db, asks("key"))
			return a.Key != nil && string(a.Store.Secret[:]) == again
		})
		wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Done, none)
	})
}

// A store may be evicted while a write of it is under way.
func TestRefreshOfAnEvictedStore(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	admit(t, db, asks("key"))
	ask := asks("key")
	if known, err := db.Recall(ask); !known || err != nil {
		t.Fatalf("Recall = %v, %v", known, err)
	}
	db.Stores.Evict(time.Now().Add(time.Hour))
	if err := db.Refresh(ask.Store.ID, ask); err != nil || ask.Store == nil || ask.Key == nil {
		t.Fatalf("Refresh = %v", err)
	}
	v := replacing(none.Stamp, cartAt(1, ""))
	v.Version, v.Judged = ask.Version, ask.Now
	wantOutcome(t, db, v, engine.Done, none)
	db.Stores.Evict(time.Now().Add(time.Hour))
	s.Mini.FlushAll()
	if err := db.Refresh(ask.Store.ID, ask); err != engine.ErrUnavailable {
		t.Errorf("of a store that Redis lost: Refresh = %v", err)
	}
}

// All requests under way while stores are replaced are answered, each from one whole revision.
func TestNoRequestFailsWhileAStoreIsReplaced(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		importer, db := node(t, s), node(t, s)
		const imports = 20
		numbered := func(i int) shop {
			n := theShop()
			n.Name, n.Limit = strconv.Itoa(i), 1000+i
			return n
		}
		numbered(0).save(t, importer)
		stop := make(chan struct{})
		var requests sync.WaitGroup
		for range 4 {
			requests.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					a, err := tryAdmit(db, asks("key"))
					if err != nil || a.Key == nil || a.Store.Name != strconv.Itoa(a.Store.RateLimit-1000) {
						t.Errorf("Admit = %+v, %v", a, err)
						return
					}
				}
			})
		}
		for i := range imports {
			numbered(i+1).save(t, importer)
		}
		close(stop)
		requests.Wait()
	})
}

// A store takes longer to read than a request has. The request ends at its deadline, and the
// reading goes on.
func TestSlowStoreDelaysNoRequestBeyondItsDeadline(t *testing.T) {
	s := redistest.Mini(t)
	theShop().save(t, node(t, s))
	db, release := node(t, s), make(chan struct{})
	db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if keyIn(cmd) == stores.SecretKey(shopID) {
			<-release
		}
		return next()
	}))
	ask := asks("key")
	ask.Deadline = time.Now().Add(50 * time.Millisecond)
	within(t, "a request of the store", soon, func() {
		if a, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
			t.Errorf("Admit = %+v, %v; want ErrUnavailable", a, err)
		}
	})
	close(release)
	eventually(t, "the store is read", patience, func() bool { return db.Stores.Known(ask.KeyHash, time.Now()) != nil })
}

// All requests that wait for a store wait for one reading. Requests that ended earlier leave no
// goroutine.
func TestRequestsShareTheReadingOfAStore(t *testing.T) {
	s := redistest.Mini(t)
	theShop().save(t, node(t, s))
	db, release := node(t, s), make(chan struct{})
	var readings atomic.Int32
	db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if keyIn(cmd) == stores.SecretKey(shopID) {
			readings.Add(1)
			<-release
		}
		return next()
	}))
	before := runtime.NumGoroutine()
	var hasty, patient sync.WaitGroup
	for range 50 {
		hasty.Go(func() {
			ask := asks("key")
			ask.Deadline = time.Now().Add(50 * time.Millisecond)
			if _, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
				t.Errorf("%v; want ErrUnavailable", err)
			}
		})
	}
	patient.Go(func() { admit(t, db, asks("key")) })
	hasty.Wait()
	if more := runtime.NumGoroutine() - before; more > 10 {
		t.Errorf("%d goroutines are left after 50 requests that have ended", more)
	}
	close(release)
	patient.Wait()
	if n := readings.Load(); n != 1 {
		t.Errorf("the store was read %d times", n)
	}
}

// A document whose decoding panics does not stop the node.
func TestReadingThatPanicsIsAnError(t *testing.T) {
	s := redistest.Mini(t)
	theShop().save(t, node(t, s))
	db := node(t, s, func(c *Config) { c.Decode = func([]byte) (*commerce.Store, error) { panic("here") } })
	for range 2 {
		if _, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable {
			t.Errorf("%v; want ErrUnavailable", err)
		}
	}
}

// A reading begins, then an import moves the head, then the reading ends while a request reads
// the new keys. The reading must not restore the old keys for that request.
func TestLateReadingDoesNotRestoreARevokedKey(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	unchangedShop().save(t, db)
	admit(t, db, asks("both"))
	entry := db.Stores.Known(*secret("both"), time.Now())
	before := *entry.Current.Load()
	if err := db.RevokeKey(background, shopID, "both"); err != nil {
		t.Fatal(err)
	}
	head := s.Client().Get(background, stores.HeadKey(shopID)).Val()
	stop := make(chan struct{})
	var readings sync.WaitGroup
	for range 4 {
		readings.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					l := before
					db.Stores.Install(entry, &l)
				}
			}
		})
	}
	for n := range 2000 {
		l, err := db.Stores.Follow(background, entry, head, time.Now())
		if err != nil || l.Key(*secret("both")) != nil {
			t.Errorf("request %d: follow = %+v, %v; want the store without the revoked key", n, l, err)
			break
		}
	}
	close(stop)
	readings.Wait()
}
