package persistence

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/persistence/stores"
)

var readScope = commerce.Scopes(0).With(commerce.CommerceRead)

// To learn a new key a node reads the part of the keys, not the whole store.
func TestNewKeyDoesNotLoadTheStoreAgain(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		admit(t, db, asks("key"))
		made, err := node(t, s).MakeKey(background, shopID, "made", readScope)
		if err != nil {
			t.Fatal(err)
		}
		db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
			if strings.Contains(keyIn(cmd), ":store:") {
				t.Errorf("%v: the store is read again", cmd)
			}
			return next()
		}))
		if a := admit(t, db, asks(made)); a.Key == nil || a.Key.Name != "made" || a.Key.Scopes != readScope {
			t.Errorf("the new key is %+v", a.Key)
		}
		admit(t, db, asks("key"))
	})
}

// A later version may have scopes that this one does not know: its keys open the rest.
func TestUnknownScopeOfStoredKeyIsLeftOut(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		made, err := db.MakeKey(background, shopID, "made", readScope.With(commerce.OrdersWrite))
		if err != nil {
			t.Fatal(err)
		}
		head, err := db.ReadHead(background, shopID)
		if err != nil {
			t.Fatal(err)
		}
		name := stores.KeysKey(shopID, head.Keys)
		text := s.Client().Get(background, name).Val()
		later := strings.Replace(text, commerce.OrdersWrite.String(), "orders:later", 1)
		if later == text {
			t.Fatalf("no scope to replace in %s", text)
		}
		s.Client().Set(background, name, later, 0)
		if a := admit(t, node(t, s), asks(made)); a.Key == nil || a.Key.Scopes != readScope {
			t.Errorf("the key is %+v", a.Key)
		}
	})
}

// A revoked key is refused at once also while the node reads a large import.
func TestRevocationDoesNotWaitForTheReadingOfAStore(t *testing.T) {
	s := redistest.Mini(t)
	importer, db := node(t, s), node(t, s)
	unchangedShop().save(t, importer)
	admit(t, db, asks("both"))
	reading, release := make(chan struct{}, 10), make(chan struct{})
	db.client.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if strings.Contains(keyIn(cmd), ":store:") {
			reading <- struct{}{}
			<-release
		}
		return next()
	}))
	s.Mini.SetTime(noon) // the fake clock keeps the grace from ending
	changedShop().save(t, importer)
	admit(t, db, asks("both"))
	<-reading
	if err := importer.RevokeKey(background, shopID, "both"); err != nil {
		t.Fatal(err)
	}
	within(t, "the refusal", soon, func() {
		if a := admit(t, db, asks("both")); a.Key != nil {
			t.Errorf("a revoked key resolves to %+v", a.Key)
		}
	})
	close(release)
	eventually(t, "the settings follow", patience, func() bool {
		a := admit(t, db, asks("new"))
		return a.Store != nil && a.Store.Name == "Changed"
	})
	if a := admit(t, db, asks("both")); a.Key != nil {
		t.Errorf("after the settings followed the revoked key resolves to %+v", a.Key)
	}
}

// A key that is in no document any more may come into another store's document; a revoked key
// may not. Spec: API key 2.
func TestKeyMayMoveToAnotherStore(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	first, second := theShop(), shop{ID: otherShop, Name: "Other", Keys: []shopKey{apiKey("moves", "commerce:read")}}
	first.Keys = append(first.Keys, apiKey("moves", "commerce:read"))
	first.save(t, db)
	refused := func() {
		t.Helper()
		if _, err := db.SaveStore(background, second.document(t), true); err == nil || !strings.Contains(err.Error(), "another store") {
			t.Errorf("SaveStore = %v, want the key refused", err)
		}
	}
	refused()
	first.Keys = first.Keys[:1]
	first.save(t, db)
	second.save(t, db)
	if a := admit(t, node(t, s), asks("moves")); a.Store == nil || a.Store.ID != otherShop {
		t.Errorf("the key opens %+v, want the other store", a.Store)
	}
	if err := db.RevokeKey(background, otherShop, "moves"); err != nil {
		t.Fatal(err)
	}
	first, second = second, first
	first.Keys = nil
	first.save(t, db)
	second.Keys = append(second.Keys, apiKey("moves"))
	refused()
}

// A node that knows a key in its old store serves it in the new one from the first request on.
func TestNodeFollowsAKeyToAnotherStore(t *testing.T) {
	s := redistest.Mini(t)
	first, second := theShop(), shop{ID: otherShop, Name: "Other", Keys: []shopKey{apiKey("other")}}
	first.Keys = append(first.Keys, apiKey("moves"))
	first.save(t, node(t, s))
	second.save(t, node(t, s))
	knowsBoth, knowsOne := node(t, s), node(t, s)
	admit(t, knowsBoth, asks("moves"))
	admit(t, knowsBoth, asks("other"))
	admit(t, knowsOne, asks("moves"))
	first.Keys, second.Keys = first.Keys[:1], append(second.Keys, apiKey("moves"))
	first.save(t, node(t, s))
	second.save(t, node(t, s))
	for _, db := range []*DB{knowsBoth, knowsOne} {
		a := admit(t, db, asks("moves"))
		if a.Store == nil || a.Store.ID != otherShop || a.Key == nil || !a.Budget.Granted {
			t.Errorf("the key opens %+v, want the other store", a)
		}
	}
	first.Keys = append(first.Keys, apiKey("goes"))
	first.save(t, node(t, s))
	admit(t, knowsBoth, asks("goes"))
	first.Keys = first.Keys[:1]
	first.save(t, node(t, s))
	if a := admit(t, knowsBoth, asks("goes")); a.Key != nil {
		t.Errorf("a key that is in no document any more resolves to %+v", a.Key)
	}
}

// A key of the command cartd key stays such a key if a document, such as an export, names it.
func TestMadeKeyStaysIfADocumentNamesIt(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	made, err := db.MakeKey(background, shopID, "made", readScope)
	if err != nil {
		t.Fatal(err)
	}
	exported := theShop()
	exported.Keys = append(exported.Keys, shopKey{Name: "made", Key: made, Scopes: []string{"commerce:read"}})
	exported.save(t, db)
	theShop().save(t, db)
	if a := admit(t, db, asks(made)); a.Key == nil {
		t.Error("the key does not resolve")
	}
}

func TestNamesOfKeysAreUnique(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	if _, err := db.MakeKey(background, shopID, "made", readScope); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"key", "made"} {
		if _, err := db.MakeKey(background, shopID, name, readScope); err == nil || !strings.Contains(err.Error(), "unique") {
			t.Errorf("MakeKey(%s) = %v, want it refused", name, err)
		}
	}
	clash := theShop()
	clash.Keys = append(clash.Keys, apiKey("made"))
	if _, err := db.SaveStore(background, clash.document(t), true); err == nil || !strings.Contains(err.Error(), "rename") {
		t.Errorf("SaveStore = %v, want the name refused", err)
	}
}
