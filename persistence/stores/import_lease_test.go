package stores

import (
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/stock"
)

// with is a shop with one customer; both have the same name.
func with(name string) shop {
	s := shopWith(theCustomer(object{"first_name": name, "tokens": nil})) // tokens would be of this second
	s.Name = name
	return s
}

// atPages calls f when the import is about to write the pages; the customers are written by
// then.
func atPages(f func() error) redistest.Hook {
	return func(cmd redis.Cmder, next func() error) (err error) {
		if keyIn(cmd) == StoresKey {
			err = f()
		}
		if err != nil {
			return err
		}
		return next()
	}
}

// killed runs an import that is killed when it is about to write the pages.
func killed(t *testing.T, s *redistest.Server, changed shop) {
	t.Helper()
	db := node(t, s)
	var dead atomic.Bool // the node's own goroutines call the hook, too
	db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if keyIn(cmd) == StoresKey {
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

// wantBoth fails unless the store and its customer have this name.
func wantBoth(t *testing.T, s *redistest.Server, name string) {
	t.Helper()
	wantStore(t, s, name)
	wantCustomer(t, s, name)
}

func wantCustomer(t *testing.T, s *redistest.Server, firstName string) {
	t.Helper()
	if got := readContact(t, s.Client(), ada).State.FirstName; got != firstName {
		t.Errorf("the customer is %s, want %s", got, firstName)
	}
}

func TestImportIsRefusedWhileAnotherRuns(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, first *Stores) {
		with("Old").save(t, node(t, s))
		second := node(t, s)
		first.client.Redis.AddHook(atPages(sync.OnceValue(func() error {
			before := everything(t, s)
			if _, err := second.SaveStore(background, with("Second").document(t), true); err != ErrImportRunning {
				t.Errorf("SaveStore = %v, want ErrImportRunning", err)
			}
			if after := everything(t, s); !reflect.DeepEqual(after, before) {
				t.Errorf("the refused import changed Redis from %q to %q", before, after)
			}
			return nil
		})))
		with("First").save(t, first)
		wantBoth(t, s, "First")
		with("Second").save(t, second)
		wantStore(t, s, "Second")
		if n := s.Client().Exists(background, leaseKey(shopID)).Val(); n != 0 {
			t.Error("the lease is still there")
		}
	})
}

// After a killed import a repetition completes it. Even the content in force is written, because
// customers may be of the killed import.
func TestImportsAfterAKilledOne(t *testing.T) {
	s := redistest.Mini(t)
	with("Old").save(t, node(t, s))
	save := func(name string, replace bool) (bool, error) {
		return node(t, s).SaveStore(background, with(name).document(t), replace)
	}
	killed(t, s, with("New"))
	wantCustomer(t, s, "New")
	if _, err := save("New", true); err != ErrImportRunning {
		t.Errorf("during the lease SaveStore = %v, want ErrImportRunning", err)
	}
	s.Mini.FastForward(leaseTime)
	wantStore(t, s, "Old")
	if again, err := save("Old", false); again || err != nil {
		t.Errorf("a start with the content in force: %v, %v; want nothing done", again, err)
	}
	if again, err := save("Old", true); !again || err != nil {
		t.Errorf("SaveStore of the content in force = %v, %v; want it written", again, err)
	}
	wantBoth(t, s, "Old")
	if again, err := save("Old", true); again || err != nil {
		t.Errorf("once more: %v, %v; want nothing done", again, err)
	}
	killed(t, s, with("New"))
	s.Mini.FastForward(leaseTime)
	with("New").save(t, node(t, s))
	wantBoth(t, s, "New")
}

// An import's lease expires at any of its commands, and another import runs until its next
// command. Then the first import writes no customer and moves no head any more.
func TestImportStopsWhenItsLeaseIsLost(t *testing.T) {
	shoptest.Alone(t)
	lost := 0
	for n := int64(1); ; n++ {
		s := redistest.Mini(t)
		with("Old").save(t, node(t, s))
		first, second := node(t, s), node(t, s)
		hook, came := redistest.Ahead(n, func() {
			s.Mini.FastForward(leaseTime)
			with("Second").save(t, second)
		})
		first.client.Redis.AddHook(hook)
		_, err := first.SaveStore(background, with("First").document(t), true)
		if !came() {
			break
		}
		name := serve(t, node(t, s), "key").Store.Name
		customer := readContact(t, s.Client(), ada).State.FirstName
		if name != customer || name == "Old" {
			t.Errorf("lost at command %d: the store is %s, its customer %s", n, name, customer)
		}
		if errors.Is(err, errLeaseLost) {
			lost++
		}
		if err != nil && (!errors.Is(err, errLeaseLost) || name != "Second") {
			t.Errorf("lost at command %d: SaveStore = %v, the store is %s", n, err, name)
		}
	}
	if lost < 5 {
		t.Errorf("%d imports stopped, want one for each command that writes", lost)
	}
}

func TestImportWithoutItsLeaseWritesNeitherTokensNorStock(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		s.Client().Set(background, leaseKey(shopID), records.StampRecord(records.MakeWriter().After(engine.Stamp{})), 0)
		lost := &importLease{stores: db, store: shopID, writer: "12345678", stamps: records.MakeWriter()}
		doc := shopWith(theCustomer()).document(t)
		doc.Stock = []commerce.Stocked{{Item: testID(0xa1), OnHand: 1}}
		if err := (&contactImport{importLease: lost}).saveTokens(background, doc.Customers, make([]uint64, 1)); err != errLeaseLost {
			t.Errorf("saveTokens = %v, want errLeaseLost", err)
		}
		if err := lost.saveFirst(background, doc.Stock, nil); err != errLeaseLost {
			t.Errorf("saveFirst = %v, want errLeaseLost", err)
		}
		if n := s.Client().Exists(background, accounts.TokenKey(shopID, secret("token-ada")), stock.OnHandKey(shopID)).Val(); n != 0 {
			t.Errorf("%d keys were written", n)
		}
	})
}

func TestRunningImportKeepsItsLease(t *testing.T) {
	s := redistest.Real(t) // with a running clock
	db := node(t, s)
	db.leaseTime = time.Second
	extended := make(chan struct{}, 100)
	db.client.Redis.AddHook(atPages(sync.OnceValue(func() error {
		for range 2 * renewals {
			select {
			case <-extended:
			case <-time.After(patience):
				return errBroken
			}
		}
		return nil
	})))
	db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
		if carries(cmd, leaseKey(shopID)) {
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
	db, other := node(t, s), node(t, s)
	hook, _ := redistest.Ahead(2, func() { with("Theirs").save(t, other) })
	db.client.Redis.AddHook(hook)
	if _, err := db.SaveStore(background, with("Ours").document(t), false); !errors.Is(err, ErrStoreDiffers) {
		t.Errorf("SaveStore = %v, want ErrStoreDiffers", err)
	}
	wantBoth(t, s, "Theirs")
}
