package stores

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/redisdb"
)

// largeShop is a store whose pages are written ahead of the visit.
func largeShop(name string) shop {
	s := named(name)
	for i, text := range bulk(1200) {
		s.Categories = append(s.Categories, object{"id": testID(i), "name": strconv.Itoa(i), "slug": strconv.Itoa(i), "description": name + text})
	}
	return s
}

// atVisit runs f ahead of each sending of a visit of the shop's record; its error keeps the visit from Redis.
func atVisit(f func() error) redistest.Hook {
	return func(cmd redis.Cmder, next func() error) error {
		if carries(cmd, recordKey(shopID)) {
			if err := f(); err != nil {
				return err
			}
		}
		return next()
	}
}

// expiring are the pages of the shop that expire, and its marks.
func expiring(s *redistest.Server) (pages, marks int) {
	client := s.Client()
	for _, key := range client.Keys(background, "*:page:*").Val() {
		if client.PTTL(background, key).Val() > time.Minute {
			pages++
		}
	}
	return pages, len(client.Keys(background, "*:ahead:*").Val())
}

// An import that is killed between the pages that it writes ahead and its visit leaves pages that no record names, which
// expire, and the mark before them. A repetition uses those that are left.
func TestPagesOfAKilledImportExpire(t *testing.T) {
	s := redistest.Mini(t)
	db, broken := node(t, s), node(t, s, func(c *redisdb.Config) { c.Timeout = silence })
	theShop().save(t, db)
	var dead atomic.Bool
	broken.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if dead.Store(dead.Load() || carries(cmd, recordKey(shopID))); dead.Load() {
			return errBroken
		}
		return next()
	}))
	if _, err := broken.SaveStore(background, largeShop("Large").document(t), true); err == nil {
		t.Fatal("the import was not killed")
	}
	pages, marks := expiring(s)
	if pages < 5 || marks != 1 {
		t.Fatalf("%d pages and %d marks are there ahead of the visit", pages, marks)
	}
	wantStore(t, s, "Shop")
	wantSound(t, s, db)
	s.Mini.FastForward(leaseTime)
	largeShop("Large").save(t, db)
	wantStore(t, s, "Large")
	wantSound(t, s, db)
	s.Mini.FastForward(markFor)
	if pages, marks := expiring(s); pages != 0 || marks != 0 {
		t.Errorf("%d pages and %d marks are left of the killed import", pages, marks)
	}
}

// What was written ahead has expired before the visit: nothing is written by it, and all is written once more.
func TestPagesThatExpireBeforeTheVisitAreWrittenAgain(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		var visits atomic.Int32
		db.client.Redis.AddHook(atVisit(func() error {
			if visits.Add(1) == 1 { // the mark expires first, then the pages do
				client := s.Client()
				client.Del(background, append(client.Keys(background, "*:ahead:*").Val(), unnamed(t, s, db)...)...)
			}
			return nil
		}))
		largeShop("Large").save(t, db)
		if n := visits.Load(); n != 2 {
			t.Errorf("%d visits, want 2", n)
		}
		wantStore(t, s, "Large")
		wantSound(t, s, db)
	})
}

// unnamed are the shop's pages that its record does not name.
func unnamed(t *testing.T, s *redistest.Server, db *Stores) (keys []string) {
	t.Helper()
	named := map[string]bool{}
	for name := range stateOf(t, node(t, s)).Named() {
		named[pageOf(name)] = true
	}
	for _, key := range s.Client().Keys(background, "*:page:*").Val() {
		if !named[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// Closings, keys and limits come at once while an import runs, also between its pages and its visit, which is then
// judged again and keeps them.
func TestCommandsDuringAnImport(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		operator := node(t, s)
		db.client.Redis.AddHook(atVisit(sync.OnceValue(func() error {
			return errors.Join(operator.CloseForOrders(background, shopID, "soon"), operator.Limit(background, shopID, 77))
		})))
		largeShop("Large").save(t, db)
		a := serve(t, node(t, s), "key")
		if a.Store.Name != "Large" || a.Store.Closed == nil || a.Store.RateLimit != 77 || !strings.HasPrefix(a.Head.Text, "77 ") || len(a.Head.Text) != 68 {
			t.Errorf("%s with limit %d, closed: %v, head %s", a.Store.Name, a.Store.RateLimit, a.Store.Closed, a.Head.Text)
		}
		wantSound(t, s, db)
	})
}

// A key changes the record and not the revision of the document; the entries of sets have the revision of their commit.
func TestRevisionsFollowTheDocument(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		first := stateOf(t, db).Revision()
		done := changeOne(t, db, category(t, 1, "A"))
		changed := presentOfShop(t, db)
		makeKey(t, db, readScope)
		if err := db.Limit(background, shopID, 5); err != nil {
			t.Fatal(err)
		}
		now := presentOfShop(t, db)
		again := changeOne(t, db, category(t, 1, "A")) // which changes no text
		switch {
		case first == done.Revision || done.Revision != changed.state().Revision() || now.state().Revision() != done.Revision:
			t.Errorf("revisions %s, then %s of a set, then %s of a key", first, done.Revision, now.state().Revision())
		case now.head.Text == changed.head.Text:
			t.Error("a key has left the head as it was")
		case again.Revision == done.Revision:
			t.Error("a set that changes no text has the revision before")
		}
		wantSound(t, s, db)
	})
}

// A page that is gone while a node reads a store is no fault of the store: it reads the record again, three times.
func TestPageThatLeavesWhileItIsRead(t *testing.T) {
	s := redistest.Mini(t)
	importer, db := node(t, s), node(t, s)
	theShop().save(t, importer)
	names, reads := []string{"One", "Two", "Three"}, 0
	db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if strings.Contains(keyIn(cmd), ":page:") && reads < len(names) {
			if reads++; reads < 3 {
				named(names[reads]).save(t, importer)
				s.Mini.FastForward(2 * time.Minute)
			}
		}
		return next()
	}))
	if l, err := db.LoadStore(background, shopID); err != nil || l.Store.Name != "Three" {
		t.Errorf("LoadStore = %+v, %v; want the third store", l, err)
	}
}

// The last use of a discount moves the head while an import is judged: no visit writes back the counts from before.
func TestUsageMovesDuringAnImport(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		discountShop("first", discount(1, 5, 4)).save(t, db)
		used := ""
		db.client.Redis.AddHook(atVisit(sync.OnceValue(func() error {
			ordered(t, s, 1)
			used = headOf(t, node(t, s)).Usage
			return nil
		})))
		discountShop("second", discount(1, 5, 0)).save(t, db)
		if got := headOf(t, db).Usage; got != used {
			t.Errorf("the usage revision is %s, want %s", got, used)
		}
		wantUsed(t, node(t, s), 5)
	})
}

// Two imports of one store at once: one is done, the other one is refused; a set meets the lease.
func TestSetThatMeetsALease(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		_, end, err := db.beginImport(background, shopID, headOf(t, db))
		if err != nil {
			t.Fatal(err)
		}
		before := everything(t, s)
		if _, err := node(t, s).ImportChange(background, shopID, category(t, 1, "A")); err != ErrImportRunning {
			t.Errorf("the set: %v, want ErrImportRunning", err)
		}
		if after := everything(t, s); after[HeadKey(shopID)] != before[HeadKey(shopID)] || len(after) != len(before) {
			t.Error("a set that met a lease has changed the store")
		}
		end()
		changeOne(t, db, category(t, 1, "A"))
	})
}

// A set with more new items than its visit writes takes the lease, and gives it back with its visit.
func TestSetWithManyNewDiscounts(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		var many []object
		for i := range maxFirst + 1 {
			d := discount(i, 5, int64(i))
			d["code"] = "code" + strconv.Itoa(i)
			many = append(many, d)
		}
		changeOne(t, db, setDiscounts(t, many...))
		if n := s.Client().HLen(background, UsageKey(shopID)).Val(); n != maxFirst+1 {
			t.Errorf("%d counts, want %d", n, maxFirst+1)
		}
		if left, err := db.leaseWriter(background, shopID); left != "" || err != nil {
			t.Errorf("the lease is %x, %v", left, err)
		}
		killed, err := db.importKilled(background, shopID)
		if killed || err != nil {
			t.Errorf("the set counts as a killed import: %v, %v", killed, err)
		}
		wantSound(t, s, db)
	})
}

// A visit of the record whose answer is lost, and that another one has overtaken, is done.
func TestLostAnswerOfAnOvertakenCommit(t *testing.T) {
	s := redistest.Mini(t)
	db, other := node(t, s), node(t, s)
	theShop().save(t, db)
	var once sync.Once
	db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		err := next()
		if err == nil && carries(cmd, recordKey(shopID)) {
			once.Do(func() {
				revokeKey(t, other, "key")
				err = errors.New("the answer is lost")
			})
		}
		return err
	}))
	done := changeOne(t, db, category(t, 1, "A"))
	entry := engine.RevisionOf(stateOf(t, db).Revised)
	if acts, imports, err := lines(db); done.Revision != entry || acts != 1 || imports != 2 || err != nil {
		t.Errorf("revision %s, in force %s; %d acts, %d imports, %v", done.Revision, entry, acts, imports, err)
	}
	wantSound(t, s, db)
}
