//go:build long

package blackbox_test

import (
	"context"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// check --redis reads all that is in Redis. It names what this program cannot read, and changes
// nothing.
func TestLongCheckReadsWhatIsInRedis(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), collected,
		setting("quotes", object{"enabled": true, "acceptance_mode": "signature"}))}})
	c := n.client(t).withKey(keyAll)
	c.sells(`{"email":"a@b.example"}`)
	c.offers("a@b.example", "A buyer")
	cart := c.once("a-key-of-a-check").newCart()
	n.Stop()
	before := contentOf(t, r.Client())
	f := operates(t, r, "check")
	f.wants(t, "store "+storeBase+": ok, \"Base Tools\" with ", "orders: 2 read", "quotes: 1 read", "idempotency entries: 1 read",
		"this release reads all that is in Redis")
	if contentOf(t, r.Client()) != before {
		t.Error("the check changed Redis")
	}
	key := "{" + storeBase + "}:cart:" + strings.TrimPrefix(cart, "commerce/carts/")
	ctx := context.Background()
	r.Client().SetRange(ctx, key, 0, "\x09") // a format far ahead
	f = operates(t, r, "check")
	if f.code != 1 || !strings.Contains(f.stderr, key+": cannot be read: ") || !strings.Contains(f.stderr, "faults: 1:") {
		t.Errorf("exit %d\n%s\nwant exit 1 and %s", f.code, f.stderr, key)
	}
	for _, page := range r.Client().Keys(ctx, "*:page:*").Val() {
		r.Client().SetRange(ctx, page, 0, "a later format")
	}
	if f = operates(t, r, "check"); f.code != 1 || !strings.Contains(f.stderr, "store "+storeBase+": cannot be read: ") {
		t.Errorf("exit %d\n%s\nwant exit 1 and the store", f.code, f.stderr)
	}
	if f := runsIn(t, []string{"CARTD_REDIS=" + r.URL()}, "check", storeFile(t, base())); f.code != 0 || !strings.Contains(f.stdout, "Base Tools") {
		t.Errorf("with the variable of a container: exit %d\n%s%s", f.code, f.stdout, f.stderr)
	}
}
