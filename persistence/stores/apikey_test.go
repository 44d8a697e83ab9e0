package stores

import (
	"slices"
	"strings"
	"testing"
	"time"

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
