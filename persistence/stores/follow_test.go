package stores

import (
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
)

// unchangedShop has the key "both", which opens the store both ahead of the import of changedShop
// and after it.
func unchangedShop() shop {
	s := theShop()
	s.Keys = append(s.Keys, apiKey("both"))
	return s
}

// changedShop is theShop after an import that changed the settings, revoked "key" and added the
// key "new".
func changedShop() shop {
	s := named("Changed")
	s.Keys[0]["revoked"] = true
	s.Keys = append(s.Keys, apiKey("both"), apiKey("new"))
	return s
}

// An idle node that missed an import serves its first request from the new store.
func TestRequestAfterTheGraceWaitsForTheNewSettings(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		importer := node(t, s)
		db.pagesAtOnce = 0
		unchangedShop().save(t, importer)
		serve(t, db, "both")
		changedShop().save(t, importer)
		inForce(db, grace+time.Millisecond)
		if a := serve(t, db, "both"); a.Store.Name != "Changed" {
			t.Errorf("the store is %s, want the changed one", a.Store.Name)
		}
	})
}

// Within the grace no request waits: requests go on with the old settings while the new ones
// are read. Keys are in force at once.
func TestRequestWithinTheGraceDoesNotWait(t *testing.T) {
	s := redistest.Mini(t)
	importer, db := node(t, s), node(t, s)
	unchangedShop().save(t, importer)
	serve(t, db, "both")
	asked, release := make(chan struct{}, 10), make(chan struct{})
	beforeReading(db, func() {
		asked <- struct{}{}
		select {
		case <-release:
		case <-time.After(patience):
			t.Error("no request was answered while the store was read")
		}
	})
	db.pagesAtOnce = 0
	changedShop().save(t, importer)
	inForce(db, -time.Minute)
	for _, key := range []string{"both", "both", "new"} {
		a := serve(t, db, key)
		if a.Store.Name != "Shop" || a.key == nil || a.Key(secret("key")) != nil {
			t.Errorf("the store is %s with the keys %+v, want the old one with the new keys", a.Store.Name, a.keys)
		}
	}
	<-asked
	close(release)
	eventually(t, "the settings follow", patience, func() bool { return serve(t, db, "both").Store.Name == "Changed" })
	if n := len(asked); n != 0 {
		t.Errorf("the store was read %d times too often", n)
	}
}

// A document of few pages is read at once, whatever the node served a moment ago.
func TestSmallDocumentIsReadAtOnce(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		importer := node(t, s)
		unchangedShop().save(t, importer)
		serve(t, db, "both")
		changedShop().save(t, importer)
		if a := serve(t, db, "both"); a.Store.Name != "Changed" {
			t.Errorf("the store is %s, want the changed one", a.Store.Name)
		}
	})
}

// The grace counts from the last answer under the settings, and not from the last move of the head.
func TestGraceCountsFromTheLastAdmission(t *testing.T) {
	s := redistest.Mini(t)
	importer, db := node(t, s), node(t, s)
	db.pagesAtOnce = 0
	unchangedShop().save(t, importer)
	head := serve(t, db, "both").Head.Text
	entry := db.Entry(shopID)
	inForce(db, time.Hour)
	missed := entry.inForce.Load()
	if entry.Under(head) == nil || entry.inForce.Load() == missed {
		t.Error("an admission under the head does not count")
	}
	inForce(db, grace+time.Second)
	named("Missed").save(t, importer)
	changedShop().save(t, importer)
	if a := serve(t, db, "both"); a.Store.Name != "Changed" {
		t.Errorf("a node that missed an import serves %s", a.Store.Name)
	}
}

func TestHeadIsReadStrictly(t *testing.T) {
	const digits = "000000000000000700000000000000020000000000000003"
	want := makeHead(120, engine.Stamp{Counter: 7, Writer: 2, Sequence: 3}, "0123456789abcdef")
	if want.Text != "120 "+digits+" 0123456789abcdef" || len(want.Text) != 69 {
		t.Errorf("the head is %q", want.Text)
	}
	h, err := ParseHead(want.Text)
	if err != nil || h != want {
		t.Errorf("ParseHead = %+v, %v; want %+v", h, err, want)
	}
	for _, text := range []string{"", "1 " + digits, "1 " + digits + " u 3", "x " + digits + " u", "1 " + digits[1:] + " u", "1 " + digits[2:] + " u",
		"1 " + strings.Repeat("0", 48) + " u", "1 " + digits[:47] + "x u"} {
		if h, err := ParseHead(text); err == nil {
			t.Errorf("ParseHead(%q) = %+v", text, h)
		}
	}
}

// A request was admitted under the old head, and is judged after the node followed an import.
// It must not restore the old keys for later requests.
func TestLateRequestDoesNotRestoreOldKeys(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	unchangedShop().save(t, db)
	oldHead := serve(t, db, "both").Head.Text
	entry := db.Entry(shopID)
	changedShop().save(t, db)
	serve(t, db, "both")
	if _, err := db.Follow(background, entry, oldHead); err != nil {
		t.Fatal(err)
	}
	newHead, _ := s.Mini.Get(HeadKey(shopID))
	l, err := db.Follow(background, entry, newHead)
	if err != nil || l.Store.Name != "Changed" || l.Key(secret("key")) != nil || l.Key(secret("new")) == nil {
		t.Errorf("Follow = %+v, %v; want the changed store with its keys", l, err)
	}
}

func TestStoreWithAMissingPartIsUnavailable(t *testing.T) {
	s := redistest.Mini(t)
	theShop().save(t, node(t, s))
	state := stateOf(t, node(t, s))
	for _, key := range []string{pageOf(state.Pages[0]), pageOf(state.Ring), recordKey(shopID), secretKey(shopID)} {
		piece, _ := s.Mini.Get(key)
		s.Mini.Del(key)
		db := node(t, s)
		if a, err := tryServe(db, "key", patience); err != engine.ErrUnavailable || db.client.Unreachable() {
			t.Errorf("without %s: %+v, %v, unreachable %v; want ErrUnavailable", key, a, err, db.client.Unreachable())
		}
		s.Mini.Set(key, piece)
		serve(t, db, "key")
	}
}

// All requests under way while stores are replaced are answered, each from one whole revision.
func TestNoRequestFailsWhileAStoreIsReplaced(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		importer := node(t, s)
		const imports = 20
		numbered := func(i int) shop {
			n := named(strconv.Itoa(i))
			n.Limit = 1000 + i
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
					a, err := tryServe(db, "key", patience)
					if err != nil || a.key == nil || a.Store.Name != strconv.Itoa(a.Store.RateLimit-1000) {
						t.Errorf("a request got %+v, %v", a, err)
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

// All requests that wait for a store wait for one reading. A request ends at its deadline and
// leaves no goroutine, and the reading goes on.
func TestRequestsShareTheReadingOfAStore(t *testing.T) {
	s := redistest.Mini(t)
	theShop().save(t, node(t, s))
	db, release := node(t, s), make(chan struct{})
	var readings atomic.Int32
	db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if keyIn(cmd) == secretKey(shopID) {
			readings.Add(1)
			<-release
		}
		return next()
	}))
	before := runtime.NumGoroutine()
	var hasty, patient sync.WaitGroup
	for range 50 {
		hasty.Go(func() {
			if _, err := tryServe(db, "key", 50*time.Millisecond); err != engine.ErrUnavailable {
				t.Errorf("%v; want ErrUnavailable", err)
			}
		})
	}
	patient.Go(func() { serve(t, db, "key") })
	within(t, "requests with an early deadline", soon, hasty.Wait)
	eventually(t, "the goroutines of 50 requests that have ended", patience, func() bool { return runtime.NumGoroutine() <= before+10 })
	close(release)
	patient.Wait()
	if n := readings.Load(); n != 1 {
		t.Errorf("the store was read %d times", n)
	}
}

// A store that no request uses leaves the memory, and the next request loads it again.
func TestUnusedStoreIsEvicted(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	serve(t, db, "key")
	for stores, since := range []time.Time{time.Now().Add(time.Hour), time.Now().Add(-time.Hour)} {
		db.evict(since)
		if ages := db.Ages(); len(ages) != stores || (db.known(secret("key"), time.Now()) != nil) != (stores == 1) {
			t.Errorf("without a use since %v: %d stores are in memory, want %d", since, len(ages), stores)
		}
		if a := serve(t, db, "key"); a.key == nil {
			t.Error("the key does not resolve")
		}
	}
}

// A document whose decoding panics does not stop the node.
func TestReadingThatPanicsIsAnError(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	db.assemble = func(*storefile.PagedStore, storefile.Table, textOf) (*storefile.PagedStore, error) { panic("here") }
	for range 2 {
		if _, err := tryServe(db, "key", patience); err != engine.ErrUnavailable {
			t.Errorf("%v; want ErrUnavailable", err)
		}
	}
}

// A Redis that pauses while a store is read is no fault of the store. The client logs it.
func TestReadingThatRedisDoesNotAnswerIsNoFaultOfTheStore(t *testing.T) {
	for _, silent := range []error{os.ErrDeadlineExceeded, redis.ErrPoolTimeout, io.EOF} {
		s := redistest.Mini(t)
		db := node(t, s)
		theShop().save(t, db)
		db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
			if strings.Contains(keyIn(cmd), ":page:") {
				return silent
			}
			return next()
		}))
		if _, err := db.LoadUnder(background, db.Entry(shopID), ""); err != engine.ErrUnavailable {
			t.Errorf("%v: the error is %v; want ErrUnavailable, which is not logged again", silent, err)
		}
	}
}

// A reading begins, then an import moves the head, then the reading ends while a request reads
// the new keys. The reading must not restore the old keys for that request.
func TestLateReadingDoesNotRestoreARevokedKey(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	unchangedShop().save(t, db)
	before, entry := *serve(t, db, "both").Loaded, db.Entry(shopID)
	revokeKey(t, db, "both")
	head, _ := s.Mini.Get(HeadKey(shopID))
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
					db.install(entry, &l)
				}
			}
		})
	}
	for n := range 2000 {
		l, err := db.Follow(background, entry, head)
		if err != nil || l.Key(secret("both")) != nil {
			t.Errorf("request %d: Follow = %+v, %v; want the store without the revoked key", n, l, err)
			break
		}
	}
	close(stop)
	readings.Wait()
}
