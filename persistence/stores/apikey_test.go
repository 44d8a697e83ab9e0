package stores

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

var readScope = commerce.Scopes(0).With(commerce.CommerceRead)

func makeKey(t testing.TB, db *Stores, scopes commerce.Scopes) string {
	t.Helper()
	made, err := db.MakeKey(background, shopID, commerce.APIKey{Name: "made", Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func revokeKey(t testing.TB, db *Stores, name string) {
	t.Helper()
	if err := db.RevokeKey(background, shopID, name); err != nil {
		t.Fatal(err)
	}
}

// To learn a new key a node reads the part of the keys, not the whole store.
func TestNewKeyDoesNotLoadTheStoreAgain(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		serve(t, db, "key")
		made := makeKey(t, node(t, s), readScope)
		beforeReading(db, func() { t.Error("the store is read again") })
		if a := serve(t, db, made); a.key == nil || a.key.Name != "made" || a.key.Scopes != readScope {
			t.Errorf("the new key is %+v", a.key)
		}
		serve(t, db, "key")
	})
}

// A later version may have scopes that this one does not know: its keys open the rest.
func TestUnknownScopeOfStoredKeyIsLeftOut(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	made := makeKey(t, db, readScope.With(commerce.OrdersWrite))
	err := db.changeRing(background, shopID, Act{}, func(ring *keyRing) error {
		k := ring.named("made")
		k.Scopes = append(slices.DeleteFunc(k.Scopes, func(name string) bool { return name == commerce.OrdersWrite.String() }), "orders:later")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := serve(t, node(t, s), made); a.key == nil || a.key.Scopes != readScope {
		t.Errorf("the key is %+v", a.key)
	}
}

// A revoked key is refused at once also while the node reads a large import.
func TestRevocationDoesNotWaitForTheReadingOfAStore(t *testing.T) {
	s := redistest.Mini(t)
	importer, db := node(t, s), node(t, s)
	unchangedShop().save(t, importer)
	serve(t, db, "both")
	reading, release := make(chan struct{}, 10), make(chan struct{})
	beforeReading(db, func() {
		reading <- struct{}{}
		<-release
	})
	db.pagesAtOnce = 0
	changedShop().save(t, importer)
	inForce(db, -time.Minute)
	serve(t, db, "both")
	<-reading
	revokeKey(t, importer, "both")
	within(t, "the refusal", soon, func() {
		if a := serve(t, db, "both"); a.key != nil {
			t.Errorf("a revoked key resolves to %+v", a.key)
		}
	})
	close(release)
	eventually(t, "the settings follow", patience, func() bool { return serve(t, db, "new").Store.Name == "Changed" })
	if a := serve(t, db, "both"); a.key != nil {
		t.Errorf("after the settings followed the revoked key resolves to %+v", a.key)
	}
}

// A key that is in no document any more may come into another store's document; a revoked key
// may not. Spec: API key 2.
func TestKeyMayMoveToAnotherStore(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	first, second := theShop(), shop{shoptest.Shop{ID: otherShop, Name: "Other", Keys: []object{apiKey("moves", "commerce:read")}}}
	first.Keys = append(first.Keys, apiKey("moves", "commerce:read"))
	first.save(t, db)
	refused := func(s shop) {
		t.Helper()
		if _, err := db.SaveStore(background, s.document(t), true); err == nil || !strings.Contains(err.Error(), "another store") {
			t.Errorf("SaveStore = %v, want the key refused", err)
		}
	}
	refused(second)
	first.Keys = first.Keys[:1]
	first.save(t, db)
	second.save(t, db)
	if a := serve(t, node(t, s), "moves"); a.Loaded == nil || a.Store.ID != otherShop {
		t.Errorf("the key opens %+v, want the other store", a)
	}
	if err := db.RevokeKey(background, otherShop, "moves"); err != nil {
		t.Fatal(err)
	}
	second.Keys = nil
	second.save(t, db)
	first.Keys = append(first.Keys, apiKey("moves"))
	refused(first)
}

func TestHintOfAMissingStoreDoesNotResolve(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	for key, hint := range map[string]string{"a": otherShop.String(), "b": "garbage", "c": ""} {
		s.Mini.Set(keyHint(secret(key)), hint)
		if a := serve(t, db, key); a.Loaded != nil {
			t.Errorf("hint %q: store %+v, key %+v", hint, a.Store, a.key)
		}
	}
}

// Spec: Authentication, API key 2 and 3.
func TestKeysThatAnImportMayNotHave(t *testing.T) {
	for _, c := range []struct {
		rule string
		edit func(*shop)
		want string // in the error; empty: accepted
	}{
		{"a key of another store", func(s *shop) { s.Keys = append(s.Keys, apiKey("elsewhere")) }, "belongs to another store"},
		{"a scope added", func(s *shop) { s.Keys[0]["scopes"] = []string{"commerce:read", "commerce:write"} }, "scopes cannot be added"},
		{"another scope", func(s *shop) { s.Keys[0]["scopes"] = []string{"commerce:write"} }, "scopes cannot be added"},
		{"a scope removed", func(s *shop) { s.Keys[0]["scopes"] = []string{} }, ""},
		{"a key revoked", func(s *shop) { s.Keys[0]["revoked"] = true }, ""},
		{"a new name", func(s *shop) { s.Keys[0]["name"] = "renamed" }, ""},
		{"a new key", func(s *shop) { s.Keys = append(s.Keys, apiKey("new", "commerce:write")) }, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := redistest.Mini(t)
			db := node(t, s)
			shop{shoptest.Shop{ID: otherShop, Name: "Other", Keys: []object{apiKey("elsewhere")}}}.save(t, db)
			theShop().save(t, db)
			before := everything(t, s)
			changed := theShop()
			c.edit(&changed)
			_, err := db.SaveStore(background, changed.document(t), true)
			if c.want == "" {
				if err != nil {
					t.Errorf("SaveStore = %v, want it accepted", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("SaveStore = %v, want %q", err, c.want)
			}
			if after := everything(t, s); !reflect.DeepEqual(after, before) {
				t.Errorf("a refused import changed Redis from %q to %q", before, after)
			}
		})
	}
}

// wantsKey returns two stores whose documents have the same keys.
func wantsKey() (first, second shop) {
	first = shop{shoptest.Shop{ID: shopID, Name: "First", Keys: []object{apiKey("shared"), apiKey("also")}}}
	second = shop{shoptest.Shop{ID: otherShop, Name: "Second", Keys: []object{apiKey("also"), apiKey("shared")}}}
	return first, second
}

// haveKey returns the stores that have a key.
func haveKey(t *testing.T, db *Stores, key string) (owners []uuid.UUID) {
	t.Helper()
	for _, store := range []uuid.UUID{shopID, otherShop} {
		if err := db.lacksKey(background, store, secret(key)); errors.Is(err, errKeyTaken) {
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
		if hint := s.Client().Get(background, keyHint(secret(key))).Val(); !strings.HasPrefix(hint, owners[0].String()) {
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
	shoptest.Alone(t)
	for _, expired := range []bool{false, true} {
		for n := int64(1); ; n++ {
			s := redistest.Mini(t)
			first, second := wantsKey()
			slow, other := node(t, s), node(t, s)
			var theirs error
			hook, came := redistest.Ahead(n, func() {
				if expired {
					s.Mini.FastForward(leaseTime)
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

func TestImportsAtOnceShareNoKey(t *testing.T) {
	s := redistest.Real(t)
	dbs := []*Stores{node(t, s), node(t, s)}
	for round := range 20 {
		s.Client().FlushAll(background)
		first, second := wantsKey()
		docs := []*Document{first.document(t), second.document(t)}
		var came [2]error
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
	if store, number := parseHint(s.Client().Get(background, keyHint(secret("shared"))).Val()); store != shopID ||
		number != s.Client().HGet(background, importsKey(shopID), "begun").Val() {
		t.Errorf("the hint has %s and the number %q, want %s and that of the import", store, number, shopID)
	}
	if _, err := node(t, s).SaveStore(background, second.document(t), true); !errors.Is(err, errKeyReserved) {
		t.Errorf("at once SaveStore = %v, want errKeyReserved", err)
	}
	s.Mini.FastForward(leaseTime)
	second.save(t, node(t, s))
	_, err := node(t, s).SaveStore(background, first.document(t), true)
	if !errors.Is(err, errKeyTaken) {
		t.Errorf("the killed import again: %v, want errKeyTaken", err)
	}
	wantOneOwner(t, s, "after the lease", err, nil)
}
