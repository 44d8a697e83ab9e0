package blackbox_test

import (
	"testing"
	"time"

	"cartd/internal/redistest"
)

// followsWithin is the maximum time in which a node follows an import, with a margin for clocks
// that are read one after the other.
const followsWithin = time.Second + 50*time.Millisecond

// wantFollowed wants all nodes to show a change in time.
func wantFollowed(t *testing.T, what string, shows func(client) bool, shops []client) {
	t.Helper()
	ended := time.Now()
	for i, c := range shops {
		late := false
		poll(t, what, func() bool {
			late = time.Since(ended) > followsWithin // read first, because the answer takes its own time
			return shows(c) || late
		})
		if late && !shows(c) {
			t.Errorf("%s: node %d does not show it to a request of %v later", what, i, followsWithin)
		}
	}
}

// The first request after an idle time already shows the import.
func TestAnIdleNodeShowsTheImport(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	shop := start(t, options{redis: r.URL()}).client(t)
	if got := shop.priceOf(hammer); got != 1999 {
		t.Fatalf("the hammer costs %d", got)
	}
	imports(t, r, storeFile(t, base(), changed(hammer, "price_amount", 2100))).wantStores(t, "imported")
	r.Mini.SetTime(time.Now().Add(2 * time.Second)) // Redis's clock counts
	if got := shop.priceOf(hammer); got != 2100 {
		t.Errorf("two seconds after an import the hammer costs %d, want 2100", got)
	}
}

// A request limit that an import changes applies from the next request on.
func TestAChangedLimitHoldsAtOnce(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	imports(t, r, limited(t, 2)).wantStores(t, "imported")
	shop := start(t, options{redis: r.URL()}).client(t)
	for range 2 {
		shop.get("me").wantStatus(200)
	}
	wantRefused(shop.get("me"), 2)
	imports(t, r, limited(t, 1000)).wantStores(t, "imported")
	r.Mini.SetTime(time.Now().Add(2 * time.Second)) // the node's second is over
	shop.get("me").wantStatus(200).wantHeader("X-RateLimit-Limit", "1000")
	imports(t, r, limited(t, 1)).wantStores(t, "imported")
	r.Mini.SetTime(time.Now().Add(4 * time.Second))
	wantRefused(shop.get("me"), 1)
}
