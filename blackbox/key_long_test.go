//go:build long

package blackbox_test

import (
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// A new key of cartd key works at once on running nodes, also if the node has the store in memory.
// The key has the scopes of its command.
func TestLongMadeKeyWorksAtOnce(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	shops := []client{start(t, options{redis: r.URL()}).client(t), start(t, options{redis: r.URL()}).client(t)}
	path := shops[0].newCart() // the other node has not loaded the store
	key := makeKey(t, r, "made", "commerce:read")
	for _, c := range shops {
		c = c.withKey(key)
		c.get(path).wantStatus(200)
		c.post("commerce/carts", "").want(403, `{"message":"Invalid ability provided."}`)
		if me := c.get("me"); !strings.Contains(string(me.body), `"key":{"name":"made","scopes":["commerce:read"]}`) {
			t.Errorf("%v\nwant: the key's name and scope", me)
		}
	}
	if other := makeKey(t, r, "other", ""); other == key {
		t.Error("two keys are the same")
	} else {
		shops[0].withKey(other).get(path).wantStatus(403)
	}
}

// The next request refuses a revoked key on every node. No import restores it, even if it is a key
// of the document.
func TestLongRevokedKeyStaysRevoked(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	shops := []client{start(t, options{redis: r.URL()}).client(t), start(t, options{redis: r.URL()}).client(t)}
	made := makeKey(t, r, "made", "commerce:read")
	refused := func(when string) {
		t.Helper()
		for _, c := range shops {
			for _, key := range []string{made, keyReader} {
				if a := c.withKey(key).get("me"); a.status != 401 {
					t.Errorf("%s: %v\nwant: 401", when, a)
				}
			}
			c.get("me").wantStatus(200)
		}
	}
	for _, c := range shops {
		c.withKey(made).get("me").wantStatus(200)
		c.withKey(keyReader).get("me").wantStatus(200)
	}
	revokeKey(t, r, "made")
	revokeKey(t, r, "reader")
	refused("at once")
	revokeKey(t, r, "reader") // a second revocation changes nothing
	imports(t, r, storeFile(t, base(), changed(hammer, "price_amount", 2100))).wantStores(t, "imported")
	refused("after an import")
	imports(t, r, storeFile(t, base(), func(d object) { d["api_keys"] = baseKeys()[:2] })).wantStores(t, "imported")
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	refused("after the key left the document and came back")
	shops[0] = start(t, options{redis: r.URL()}).client(t)
	refused("on a new node")
}
