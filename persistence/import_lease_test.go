package persistence

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
	"cartd/persistence/accounts"
	"cartd/persistence/stores"
)

// named is a shop with one customer of a first name.
func named(shopName, firstName string) shop {
	c := theCustomer()
	c.FirstName, c.Tokens = firstName, nil // tokens are of this second
	s := shopWith(c)
	s.Name = shopName
	return s
}

// onceAtParts calls f when the import is about to write the settings; the customers are written
// by then.
func onceAtParts(f func() error) meddler {
	var once sync.Once
	return func(cmd redis.Cmder, next func() error) (err error) {
		if strings.Contains(keyIn(cmd), ":store:") {
			once.Do(func() { err = f() })
		}
		if err != nil {
			return err
		}
		return next()
	}
}

// killed runs an import that is killed when it is about to write the settings.
func killed(t *testing.T, s *redistest.Server, changed shop) {
	t.Helper()
	db := node(t, s)
	var dead atomic.Bool // the node's own goroutines call the hook, too
	db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if strings.Contains(keyIn(cmd), ":store:") {
			dead.Store(true)
		}
		if dead.Load() {
			return errBroken
		}
		return next()
	}))
	if _, err := db.SaveStore(background, changed.document(t), true); !errors.Is(err, errBroken) {
		t.Fatalf("SaveStore = %v, want it broken", err)
	}
}

func wantCustomer(t *testing.T, s *redistest.Server, firstName string) {
	t.Helper()
	if got := readContact(t, s.Client(), ada).State.FirstName; got != firstName {
		t.Errorf("the customer is %s, want %s", got, firstName)
	}
}

func TestImportIsRefusedWhileAnotherRuns(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		named("Old", "Old").save(t, node(t, s))
		first, second := node(t, s), node(t, s)
		first.client.Redis.AddHook(onceAtParts(func() error {
			before := everything(t, s.Client())
			if _, err := second.SaveStore(background, named("Second", "Second").document(t), true); err != stores.ErrImportRunning {
				t.Errorf("SaveStore = %v, want ErrImportRunning", err)
			}
			if after := everything(t, s.Client()); !reflect.DeepEqual(after, before) {
				t.Errorf("the refused import changed Redis from %q to %q", before, after)
			}
			return nil
		}))
		named("First", "First").save(t, first)
		wantStore(t, s, "First")
		wantCustomer(t, s, "First")
		named("Second", "Second").save(t, second)
		wantStore(t, s, "Second")
		if n := s.Client().Exists(background, stores.LeaseKey(shopID)).Val(); n != 0 {
			t.Error("the lease is still there")
		}
	})
}

func TestImportAgainFinishesAKilledImport(t *testing.T) {
	s := redistest.Mini(t)
	named("Old", "Old").save(t, node(t, s))
	killed(t, s, named("New", "New"))
	if _, err := node(t, s).SaveStore(background, named("New", "New").document(t), true); err != stores.ErrImportRunning {
		t.Errorf("during the lease SaveStore = %v, want ErrImportRunning", err)
	}
	s.Mini.FastForward(stores.LeaseTime)
	wantStore(t, s, "Old")
	named("New", "New").save(t, node(t, s))
	wantStore(t, s, "New")
	wantCustomer(t, s, "New")
}

// After a killed import even the content in force is written, because customers may be of the
// killed import.
func TestOldContentIsWrittenAfterAKilledImport(t *testing.T) {
	s := redistest.Mini(t)
	old := named("Old", "Old")
	old.save(t, node(t, s))
	killed(t, s, named("New", "New"))
	wantCustomer(t, s, "New")
	s.Mini.FastForward(stores.LeaseTime)
	if again, err := node(t, s).SaveStore(background, old.document(t), false); again || err != nil {
		t.Errorf("a start with the content in force: %v, %v; want nothing done", again, err)
	}
	if again, err := node(t, s).SaveStore(background, old.document(t), true); !again || err != nil {
		t.Errorf("SaveStore of the content in force = %v, %v; want it written", again, err)
	}
	wantCustomer(t, s, "Old")
	if again, err := node(t, s).SaveStore(background, old.document(t), true); again || err != nil {
		t.Errorf("once more: %v, %v; want nothing done", again, err)
	}
}

// An import's lease expires at any of its commands, and another import runs until its next
// command. Then the first import writes no customer and moves no head any more.
func TestImportStopsWhenItsLeaseIsLost(t *testing.T) {
	alone(t)
	lost := 0
	for n := int64(1); ; n++ {
		s := redistest.Mini(t)
		named("Old", "Old").save(t, node(t, s))
		first, second := node(t, s), node(t, s)
		hook, came := ahead(n, func() {
			s.Mini.FastForward(stores.LeaseTime)
			named("Second", "Second").save(t, second)
		})
		first.client.Redis.AddHook(hook)
		_, err := first.SaveStore(background, named("First", "First").document(t), true)
		if !came() {
			break
		}
		name := admit(t, node(t, s), asks("key")).Store.Name
		customer := readContact(t, s.Client(), ada).State.FirstName
		if name != customer || name == "Old" {
			t.Errorf("lost at command %d: the store is %s, its customer %s", n, name, customer)
		}
		if errors.Is(err, stores.ErrLeaseLost) {
			lost++
		}
		if err != nil && (!errors.Is(err, stores.ErrLeaseLost) || name != "Second") {
			t.Errorf("lost at command %d: SaveStore = %v, the store is %s", n, err, name)
		}
	}
	if lost < 5 {
		t.Errorf("%d imports stopped, want one for each command that writes", lost)
	}
}

func TestImportWithoutItsLeaseWritesNoToken(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		s.Client().Set(background, stores.LeaseKey(shopID), "8", 0)
		lost := stores.ContactImport{ImportLease: &stores.ImportLease{Stores: node(t, s).Stores, Store: shopID, Number: "7"}}
		customers := shopWith(theCustomer()).document(t).Customers
		if err := lost.SaveTokens(background, customers, make([]uint64, 1)); err != stores.ErrLeaseLost {
			t.Errorf("saveTokens = %v, want ErrLeaseLost", err)
		}
		if n := s.Client().Exists(background, accounts.TokenKey(shopID, *secret("token-ada"))).Val(); n != 0 {
			t.Error("the token is there")
		}
	})
}

func TestRunningImportKeepsItsLease(t *testing.T) {
	s := redistest.Real(t) // with a running clock
	db := node(t, s)
	db.LeaseTime = 200 * time.Millisecond
	extended := make(chan struct{}, 100)
	db.client.Redis.AddHook(onceAtParts(func() error {
		for range 2 * stores.Renewals {
			select {
			case <-extended:
			case <-time.After(patience):
				return errBroken
			}
		}
		return nil
	}))
	db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if args := cmd.Args(); len(args) == 6 && args[3] == stores.LeaseKey(shopID) {
			extended <- struct{}{}
		}
		return next()
	}))
	theShop().save(t, db)
	wantStore(t, s, "Shop")
}

// A start without --store-replace does not replace a store that was imported during its checks.
func TestStartDoesNotReplaceAConcurrentImport(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	other := node(t, s)
	hook, _ := ahead(2, func() { named("Theirs", "Theirs").save(t, other) })
	db.client.Redis.AddHook(hook)
	if _, err := db.SaveStore(background, named("Ours", "Ours").document(t), false); !errors.Is(err, stores.ErrStoreDiffers) {
		t.Errorf("SaveStore = %v, want ErrStoreDiffers", err)
	}
	wantStore(t, s, "Theirs")
	if got := readContact(t, s.Client(), ada).State.FirstName; got != "Theirs" {
		t.Errorf("the customer is %s, want Theirs", got)
	}
}

// A customer that the document does not change is not written and keeps its version.
func TestUnchangedCustomerIsNotWritten(t *testing.T) {
	s := redistest.Mini(t)
	named("One", "Ada").save(t, node(t, s))
	before := readContact(t, s.Client(), ada)
	named("Two", "Ada").save(t, node(t, s))
	if after := readContact(t, s.Client(), ada); !reflect.DeepEqual(after, before) {
		t.Errorf("the customer is %+v, was %+v", after, before)
	}
	named("Three", "Augusta").save(t, node(t, s))
	if after := readContact(t, s.Client(), ada); after.Stamp == before.Stamp || after.State.FirstName != "Augusta" {
		t.Errorf("the customer is %+v after a change", after)
	}
}

// The parts of a killed import expire.
func TestPartsOfAKilledImportExpire(t *testing.T) {
	s := redistest.Mini(t)
	changed, db := theShop(), node(t, s)
	theShop().save(t, db)
	changed.Name = "Changed"
	db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if cmd.Name() == "persist" {
			return errBroken
		}
		return next()
	}))
	if _, err := db.SaveStore(background, changed.document(t), true); !errors.Is(err, errBroken) {
		t.Fatalf("SaveStore = %v, want it broken", err)
	}
	h, err := db.ReadHead(background, shopID)
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for key := range everything(t, s.Client()) {
		if !strings.Contains(key, ":store:") || key == stores.PartKey(shopID, h.Revision, 0) {
			continue
		}
		parts++
		if ttl := s.Client().PTTL(background, key).Val(); ttl <= 0 || ttl > stores.UnusedFor {
			t.Errorf("%s leaves in %v, want within %v", key, ttl, stores.UnusedFor)
		}
	}
	if parts != 1 {
		t.Errorf("the killed import left %d parts, want 1", parts)
	}
}
