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
)

// named is a shop with one customer of a first name.
func named(shopName, firstName string) shop {
	c := theCustomer()
	c.FirstName, c.Tokens = firstName, nil // tokens are of this second
	s := shopWith(c)
	s.Name = shopName
	return s
}

// While a killed import's mark stays, the content that Redis has already is
// written all the same: customers may be of the killed one.
func TestWhatWasThereCanBeBroughtBackAfterAKilledImport(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		old, changed := named("Old", "Old"), named("New", "New")
		old.save(t, node(t, s))
		killed := node(t, s)
		killed.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
			if strings.Contains(keyIn(cmd), ":store:") {
				return errBroken // the customers are written, the settings are not
			}
			return next()
		}))
		if _, err := killed.SaveStore(background, changed.document(t), true); !errors.Is(err, errBroken) {
			t.Fatalf("SaveStore = %v, want it broken", err)
		}
		if got := readContact(t, s.Client(), ada).State.FirstName; got != "New" {
			t.Fatalf("the customer is %s, want the killed import's", got)
		}
		if again, err := node(t, s).SaveStore(background, old.document(t), false); again || err != nil {
			t.Errorf("a start with what is in force: %v, %v; want nothing done", again, err)
		}
		if again, err := node(t, s).SaveStore(background, old.document(t), true); !again || err != nil {
			t.Errorf("SaveStore of what is in force = %v, %v; want it written", again, err)
		}
		if got := readContact(t, s.Client(), ada).State.FirstName; got != "Old" {
			t.Errorf("the customer is %s, want Old", got)
		}
		if again, err := node(t, s).SaveStore(background, old.document(t), true); again || err != nil {
			t.Errorf("once more: %v, %v; want nothing done", again, err)
		}
		if n := s.Client().Exists(background, importKey(shopID)).Val(); n != 0 {
			t.Error("the mark is still there")
		}
	})
}

// An import between whose commands another one comes writes no customer and moves
// no head any more; it is done again after the other.
func TestAnOvertakenImportIsDoneAgain(t *testing.T) {
	alone(t)
	for n := int64(1); ; n++ {
		s := redistest.Mini(t)
		named("Old", "Old").save(t, node(t, s))
		first, second := node(t, s), node(t, s)
		hook, came := ahead(n, func() { named("Second", "Second").save(t, second) })
		first.main.client.AddHook(hook)
		if _, err := first.SaveStore(background, named("First", "First").document(t), true); err != nil {
			t.Fatalf("overtaken at command %d: %v", n, err)
		}
		if !came() {
			if n < 8 {
				t.Errorf("an import takes %d commands, want all of them tried", n-1)
			}
			return
		}
		name := admit(t, node(t, s), asks("key")).Store.Name
		customer := readContact(t, s.Client(), ada).State.FirstName
		if name != customer || name == "Old" {
			t.Errorf("overtaken at command %d: the store is %s, its customer %s", n, name, customer)
		}
	}
}

// A start without --store-replace does not replace what another has loaded while
// it looked.
func TestAStartDoesNotReplaceWhatCameMeanwhile(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	hook, _ := ahead(2, func() { named("Theirs", "Theirs").save(t, node(t, s)) })
	db.main.client.AddHook(hook)
	if _, err := db.SaveStore(background, named("Ours", "Ours").document(t), false); !errors.Is(err, ErrStoreDiffers) {
		t.Errorf("SaveStore = %v, want ErrStoreDiffers", err)
	}
	wantStore(t, s, "Theirs")
	if got := readContact(t, s.Client(), ada).State.FirstName; got != "Theirs" {
		t.Errorf("the customer is %s, want Theirs", got)
	}
}

// A customer whom the document does not change is not written: its versions stay.
func TestACustomerWhoIsTheSameIsNotWritten(t *testing.T) {
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

// What a killed import wrote and nothing points to leaves by itself.
func TestPartsOfAKilledImportLeave(t *testing.T) {
	s := redistest.Mini(t)
	changed, db := theShop(), node(t, s)
	theShop().save(t, db)
	changed.Name = "Changed"
	db.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if cmd.Name() == "persist" {
			return errBroken
		}
		return next()
	}))
	if _, err := db.SaveStore(background, changed.document(t), true); !errors.Is(err, errBroken) {
		t.Fatalf("SaveStore = %v, want it broken", err)
	}
	h, err := db.readHead(background, shopID)
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for key := range everything(t, s.Client()) {
		if !strings.Contains(key, ":store:") || key == partKey(shopID, h.revision, 0) {
			continue
		}
		parts++
		if ttl := s.Client().PTTL(background, key).Val(); ttl <= 0 || ttl > replacedFor {
			t.Errorf("%s leaves in %v, want within %v", key, ttl, replacedFor)
		}
	}
	if parts != 1 {
		t.Errorf("the killed import left %d parts, want 1", parts)
	}
}

// signs reports whether a command is about the sign of life of the shop's imports, for so
// many milliseconds.
func signs(cmd redis.Cmder, alive int64) bool {
	args := cmd.Args()
	return len(args) == 6 && args[3] == aliveKey(shopID) && args[5] == alive
}

// An import overtaken by one that is killed then goes on, once that shows no sign of life.
func TestAnImportOvertakenByAKilledOneGoesOn(t *testing.T) {
	s := redistest.Real(t) // whose clock goes
	named("Old", "Old").save(t, node(t, s))
	first, killed := node(t, s), node(t, s)
	for _, db := range []*DB{first, killed} {
		db.importSilence = 100 * time.Millisecond
	}
	killed.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if strings.Contains(keyIn(cmd), ":store:") || signs(cmd, int64(0)) {
			return errBroken // nor does the sign of life leave
		}
		return next()
	}))
	hook, _ := ahead(8, func() {
		if _, err := killed.SaveStore(background, named("Killed", "Killed").document(t), true); err == nil {
			t.Error("the overtaker was not killed")
		}
	})
	first.main.client.AddHook(hook)
	within(t, "the import", patience, func() { named("First", "First").save(t, first) })
	wantStore(t, s, "First")
	if got := readContact(t, s.Client(), ada).State.FirstName; got != "First" {
		t.Errorf("the customer is %s, want First", got)
	}
}

// One that lives is waited for, however long it takes.
func TestAnImportThatLivesIsNotOvertakenByTheOneItOvertook(t *testing.T) {
	s := redistest.Real(t)
	named("Old", "Old").save(t, node(t, s))
	first, long := node(t, s), node(t, s)
	long.importSilence = 4 * overtakerPoll
	writing, waited, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	var once sync.Once
	long.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if strings.Contains(keyIn(cmd), ":store:") {
			once.Do(func() { close(writing); <-waited })
		}
		return next()
	}))
	var looks atomic.Int64
	first.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if signs(cmd, int64(0)) {
			if looks.Add(1) == 20 {
				close(waited)
			}
		}
		return next()
	}))
	hook, _ := ahead(8, func() {
		go func() {
			_, err := long.SaveStore(background, named("Long", "Long").document(t), true)
			ended <- err
		}()
		<-writing
	})
	first.main.client.AddHook(hook)
	named("First", "First").save(t, first)
	if err := <-ended; err != nil || looks.Load() < 20 {
		t.Errorf("the overtaker came to %v after %d looks, want it finished first", err, looks.Load())
	}
	wantStore(t, s, "First")
}
