//go:build long

package blackbox_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// keysIn are the API keys of a document.
func keysIn(t *testing.T, document object) list {
	t.Helper()
	keys, ok := document["api_keys"].(list)
	if !ok {
		t.Fatal("the document has no keys")
	}
	return keys
}

// keysOf are the keys of a store in Redis.
func keysOf(client *redis.Client, store string) (keys []string) {
	return client.Keys(context.Background(), "{"+store+"}:*").Val()
}

// An operator drops a store while nodes serve it, after typing its name. Everything of it goes: its
// keys are 401 from then on, and a new import begins empty. Other stores go on.
func TestLongStoresAreListedAndDropped(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop, keyOther)})
	idle := start(t, options{redis: r.URL()}) // no store is in its memory
	shop, other := n.client(t).withKey(keyAll), n.client(t).withKey(keyOther)
	path, kept := shop.fill(), other.fill()
	listed := operates(t, r, "stores").wants(t, "Base Tools", storeBase, storeOther)
	if want := regexp.MustCompile(`(?m)^` + storeBase + `  Base Tools  active  15 +4 +6 +2000000 +20\d\d-`); !want.MatchString(listed) {
		t.Errorf("the list is\n%s\nwant a line like %s", listed, want)
	}
	before := stored(t, r.Client())
	for _, typed := range []string{"", "base tools\n", storeBase + "\n", "Base Tools and more\n"} {
		f := pipes(t, []byte(typed), "stores", "--redis", r.URL(), "--drop", storeBase)
		f.wantOneLine(t, `nothing was deleted: "Base Tools" was not typed`)
	}
	operates(t, r, "stores", "--drop", "base").wantUsage(t, "no id of a store")
	operates(t, r, "stores", "--drop", unknownID).wantOneLine(t, "no such store")
	wantStored(t, r.Client(), before)

	pipes(t, []byte("Base Tools\n"), "stores", "--redis", r.URL(), "--drop", storeBase).wants(t, "Type Base Tools to go on", `"Base Tools": deleted, `)
	shop.get("me").wantStatus(http.StatusUnauthorized)
	shop.get(path).wantStatus(http.StatusUnauthorized)
	shop.on(idle).get("me").wantStatus(http.StatusUnauthorized)
	other.get(kept).wantStatus(http.StatusOK)
	other.add(kept, hammer, "1")
	for _, key := range keysOf(r.Client(), storeBase) {
		life := r.Client().PTTL(context.Background(), key).Val()
		if strings.HasSuffix(key, "}:grants") || (strings.HasSuffix(key, "}:store") || strings.HasSuffix(key, "}:head")) && life > 0 && life <= time.Hour {
			continue // head and record show the nodes that the store is gone; the log expires
		}
		t.Errorf("%s is left, for %v", key, life)
	}
	if hints := r.Client().Keys(context.Background(), "apikey:*").Val(); len(hints) != len(keysIn(t, another(storeOther, keyOther, nil))) {
		t.Errorf("%d keys lead to stores: %q", len(hints), hints)
	}
	if listed := operates(t, r, "stores").wants(t, storeOther); strings.Contains(listed, storeBase) {
		t.Errorf("the list has the dropped store:\n%s", listed)
	}
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	shop.get("me").wantStatus(http.StatusOK)
	shop.get(path).wantStatus(http.StatusNotFound)
	shop.fill()
	if left := r.Client().PTTL(context.Background(), "{"+storeBase+"}:head").Val(); left > 0 {
		t.Errorf("the new store's head expires in %v", left)
	}
}
