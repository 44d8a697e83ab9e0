package persistence

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"cartd/internal/redistest"
	"cartd/persistence/stores"
)

// wantsKey returns two stores whose documents have the same keys.
func wantsKey() (first, second shop) {
	first = shop{ID: shopID, Name: "First", Keys: []shopKey{apiKey("shared"), apiKey("also")}}
	second = shop{ID: otherShop, Name: "Second", Keys: []shopKey{apiKey("also"), apiKey("shared")}}
	return first, second
}

// haveKey returns the stores that have a key.
func haveKey(t *testing.T, db *DB, key string) (owners []uuid.UUID) {
	t.Helper()
	for _, store := range []uuid.UUID{shopID, otherShop} {
		if err := db.LacksKey(background, store, *secret(key)); errors.Is(err, stores.ErrKeyTaken) {
			owners = append(owners, store)
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return owners
}

// wantOneOwner fails unless one store has the keys, the hints name it, and the import of the
// other store failed.
func wantOneOwner(t *testing.T, s *redistest.Server, when string, first, second error) {
	t.Helper()
	db := node(t, s)
	owners := haveKey(t, db, "shared")
	if len(owners) != 1 || !slices.Equal(haveKey(t, db, "also"), owners) {
		t.Fatalf("%s: the keys are of %v and %v, want one store", when, owners, haveKey(t, db, "also"))
	}
	for _, key := range []string{"shared", "also"} {
		if hint := s.Client().Get(background, stores.KeyHint(*secret(key))).Val(); !strings.HasPrefix(hint, owners[0].String()) {
			t.Errorf("%s: the hint of %s is %s, want %v in it", when, key, hint, owners[0])
		}
	}
	won, failed := first, second
	if owners[0] != shopID {
		won, failed = second, first
	}
	if won != nil || failed == nil {
		t.Errorf("%s: the import with the keys came to %v, the other to %v", when, won, failed)
	}
}

// One import runs between any two commands of another import of the same keys, also after the
// other's lease has expired. Spec: API key 2.
func TestKeyOfTwoImportsBelongsToOneStore(t *testing.T) {
	alone(t)
	for _, expired := range []bool{false, true} {
		for n := int64(1); ; n++ {
			s := redistest.Mini(t)
			first, second := wantsKey()
			slow, other := node(t, s), node(t, s)
			var theirs error
			hook, came := ahead(n, func() {
				if expired {
					s.Mini.FastForward(stores.LeaseTime)
				}
				_, theirs = other.SaveStore(background, second.document(t), true)
			})
			slow.client.Redis.AddHook(hook)
			_, ours := slow.SaveStore(background, first.document(t), true)
			if !came() {
				if n < 10 {
					t.Errorf("an import has %d commands, want all of them tried", n-1)
				}
				break
			}
			wantOneOwner(t, s, fmt.Sprintf("expired %v, ahead of command %d", expired, n), ours, theirs)
		}
	}
}

// An import whose lease has not expired ends between any two commands of another import that
// takes over its keys.
func TestImportEndsWhileAnotherWantsItsKeys(t *testing.T) {
	alone(t)
	for n := int64(1); ; n++ {
		s := redistest.Mini(t)
		first, second := wantsKey()
		without := first
		without.Keys = nil
		first.save(t, node(t, s))
		without.save(t, node(t, s)) // the hints stay
		taker, other := node(t, s), node(t, s)
		var ours error
		hook, came := ahead(n, func() { _, ours = other.SaveStore(background, first.document(t), true) })
		taker.client.Redis.AddHook(hook)
		_, theirs := taker.SaveStore(background, second.document(t), true)
		if !came() {
			return
		}
		wantOneOwner(t, s, fmt.Sprintf("ahead of command %d", n), ours, theirs)
	}
}

func TestImportsAtOnceShareNoKey(t *testing.T) {
	s := redistest.Real(t)
	dbs := []*DB{node(t, s), node(t, s)}
	for round := range 20 {
		s.Client().FlushAll(background)
		var docs [2]*stores.Document
		var came [2]error
		shops := make([]shop, 2)
		shops[0], shops[1] = wantsKey()
		for i := range docs {
			docs[i] = shops[i].document(t)
		}
		var both sync.WaitGroup
		for i, db := range dbs {
			both.Go(func() { _, came[i] = db.SaveStore(background, docs[i], true) })
		}
		both.Wait()
		wantOneOwner(t, s, fmt.Sprintf("round %d", round), came[0], came[1])
	}
}

// A key that only a killed import reserved is free once the import's lease has expired.
func TestKilledImportKeepsNoKey(t *testing.T) {
	s := redistest.Mini(t)
	first, second := wantsKey()
	killed(t, s, first)
	if _, err := node(t, s).SaveStore(background, second.document(t), true); !errors.Is(err, stores.ErrKeyReserved) {
		t.Errorf("at once SaveStore = %v, want ErrKeyReserved", err)
	}
	s.Mini.FastForward(stores.LeaseTime)
	second.save(t, node(t, s))
	_, err := node(t, s).SaveStore(background, first.document(t), true)
	if !errors.Is(err, stores.ErrKeyTaken) {
		t.Errorf("the killed import again: %v, want ErrKeyTaken", err)
	}
	wantOneOwner(t, s, "after the lease", err, nil)
}
