//go:build long

package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// visitors shop on nodes until they leave. Every answer has to be a success.
type visitors struct {
	rest    time.Duration
	stopped atomic.Bool
	answers atomic.Int64
	group   sync.WaitGroup
	mu      sync.Mutex
	failed  []string
	slowest time.Duration
}

// visit starts visitors that add a line. They leave at the end of the test at the latest.
func visit(t *testing.T, line string, clients ...client) *visitors {
	return visitWithRest(t, 0, line, clients...)
}

// visitWithRest is visit with a rest after each cart, so that a fast machine does not fill the memory with carts.
func visitWithRest(t *testing.T, rest time.Duration, line string, clients ...client) *visitors {
	v := &visitors{rest: rest}
	t.Cleanup(func() { v.stopped.Store(true); v.group.Wait() })
	for _, c := range clients {
		for range 2 {
			v.group.Go(func() { v.shop(c, line) })
		}
	}
	return v
}

func (v *visitors) shop(c client, line string) {
	for ; !v.stopped.Load(); time.Sleep(v.rest) {
		a := v.note(c, "POST", "commerce/carts", "", http.StatusCreated)
		var made struct{ Data cart }
		if json.Unmarshal(a.body, &made) != nil {
			continue
		}
		path := "commerce/carts/" + made.Data.ID
		v.note(c, "POST", path+"/lines", line, http.StatusCreated)
		v.note(c, "GET", path, "", http.StatusOK)
	}
}

func (v *visitors) note(c client, method, path, body string, want int) answer {
	began := time.Now()
	a, err := c.try(method, path, body)
	took := time.Since(began)
	v.answers.Add(1)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.slowest = max(v.slowest, took)
	if err != nil || a.status != want {
		v.failed = append(v.failed, fmt.Sprintf("%v (%v), want %d", a, err, want))
	}
	return a
}

// leave stops the visitors and fails the test if one of them was not served.
func (v *visitors) leave(t *testing.T) {
	t.Helper()
	v.stopped.Store(true)
	v.group.Wait()
	if len(v.failed) > 0 {
		t.Errorf("%d of %d requests failed, the first: %s", len(v.failed), v.answers.Load(), v.failed[0])
	}
	if v.answers.Load() < 10 {
		t.Errorf("the visitors got %d answers, want a real load", v.answers.Load())
	}
}

// Two nodes follow an import within a second of its end. No request fails meanwhile.
func TestLongRunningNodesFollowAnImport(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	shops := []client{start(t, options{redis: r.URL()}).client(t), start(t, options{redis: r.URL()}).client(t)}
	v := visit(t, addBody(paper, "1"), shops...)
	me := func(c client) string { return string(c.get("me").body) }
	document := base()
	for _, step := range []struct {
		what   string
		change func(object)
		shows  func(c client) bool
	}{
		{"a price", changed(hammer, "price_amount", 2100), func(c client) bool { return c.priceOf(hammer) == 2100 }},
		{"a product that leaves", changed(nails, "active", false), func(c client) bool { return c.priceOf(nails) == 0 }},
		{"the policy", setting("policy", object{"max_lines": 7}), func(c client) bool {
			return strings.Contains(string(c.post("commerce/carts", "").body), `"max_lines":7,`)
		}},
		{"a tax rate", func(d object) { d["tax_rates"].(list)[1].(object)["rate"] = "10" }, func(c client) bool {
			return strings.Contains(string(c.post(c.newCart()+"/lines", addBody(paper, "1")).body), `{"rate":10,`)
		}},
		{"a module", without("configurator"), func(c client) bool { return !strings.Contains(me(c), `"configurator"`) }},
		{"the request limit", setting("rate_limit_per_minute", 1_999_999), func(c client) bool { return strings.Contains(me(c), `"limit":1999999,`) }},
		{"a customer's group", func(d object) { findByID(d["customers"].(list), ada)["group_id"] = groupTrade }, func(c client) bool {
			return c.withToken(tokenAda).priceOf(drill) == 8000
		}},
		{"a new key", func(d object) { d["api_keys"] = append(d["api_keys"].(list), apiKey("new", "secret-key-new")) }, func(c client) bool {
			return c.withKey("secret-key-new").get("me").status == http.StatusOK
		}},
		{"a revoked key", func(d object) { d["api_keys"].(list)[2].(object)["revoked"] = true }, func(c client) bool {
			return c.withKey(keyReader).get("me").status == http.StatusUnauthorized
		}},
		{"a key that leaves", func(d object) { d["api_keys"] = slices.Delete(d["api_keys"].(list), 3, 4) }, func(c client) bool {
			return c.withKey(keyWriter).get("me").status == http.StatusUnauthorized
		}},
	} {
		imports(t, r, storeFile(t, document, step.change)).wantStores(t, "imported")
		wantFollowed(t, step.what, step.shows, shops)
	}
	v.leave(t)
	imports(t, r, storeFile(t, document, setting("suspended", true))).wantStores(t, "imported")
	wantFollowed(t, "a suspension", func(c client) bool { return c.get("me").status == http.StatusForbidden }, shops)
	imports(t, r, storeFile(t, document, setting("suspended", false))).wantStores(t, "imported")
	wantFollowed(t, "its end", func(c client) bool { return c.get("me").status == http.StatusOK }, shops)
}
