//go:build long

package blackbox_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// While a node waits it logs a line every 10 s.
func TestLongWaitLogsEvery10Seconds(t *testing.T) {
	t.Parallel()
	n := waits(t, "--redis", "redis://"+closedAddr(t)+"/0")
	began := time.Now()
	lines := func() int { return strings.Count(n.Log.String(), `"msg":"waiting for redis"`) }
	for lines() < 2 && time.Since(began) < 30*time.Second {
		time.Sleep(50 * time.Millisecond)
	}
	if took := time.Since(began); lines() != 2 || took < 9*time.Second {
		t.Errorf("%d lines after %v, want the second after 10 s:\n%s", lines(), took, n.Log)
	}
}

// wantWaiting wants the probes answered and everything else refused with 503.
func wantWaiting(t *testing.T, n *node) {
	t.Helper()
	c := n.client(t)
	c.get("/healthz").want(200, `{"status":"ok"}`)
	c.get("/readyz").want(503, `{"message":"Service Unavailable","reason":"redis_away"}`)
	for _, key := range []string{"", keyShop, "wrong"} {
		for _, path := range []string{"/v1/ping", "/v1/api/me", "/v1/nothing"} {
			a := c.withKey(key).get(path).wantStatus(503)
			if a.header.Get("Retry-After") == "" {
				t.Errorf("GET %s with key %q has no Retry-After", path, key)
			}
		}
		c.withKey(key).post("commerce/carts", "").wantStatus(503)
	}
	if _, page := fetch(t, opsOf(n)+"/metrics"); !strings.Contains(page, "\ncartd_ready 0\n") || !strings.Contains(page, "\ncartd_redis_up 0\n") {
		t.Errorf("the metrics of a waiting node lack cartd_ready 0 and cartd_redis_up 0:\n%s", short(page))
	}
}

// A node waits for Redis, then loads its documents and serves.
func TestLongStartWaitsForRedis(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	r.Kill()
	n := waits(t, "--redis", r.URL(), "--store", storeFiles(t, keyShop)[0])
	wantWaiting(t, n)
	r.Restart()
	poll(t, "the node is ready", func() bool { return n.Log.Address("listening") != "" })
	c := n.client(t).withKey(keyShop)
	c.get("/readyz").want(200, `{"status":"ok"}`)
	c.get("me").wantStatus(200)
	if _, page := fetch(t, opsOf(n)+"/metrics"); !strings.Contains(page, "\ncartd_ready 1\n") || !strings.Contains(page, "\ncartd_visits_total ") {
		t.Errorf("the node's metrics are still those of a waiting one:\n%s", short(page))
	}
	r.Kill() // Redis is away once more; the node stays as it is today
	poll(t, "readyz 503", func() bool { return c.get("/readyz").status == 503 })
	c.get("/v1/ping").wantStatus(200)
}

// A signal ends a waiting start with 0. A bounded patience ends it with 1, and its error.
func TestLongWaitEnds(t *testing.T) {
	t.Parallel()
	closed := closedAddr(t)
	n := waits(t, "--redis", "redis://"+closed+"/0")
	n.send(t, syscall.SIGTERM)
	if status := n.Await(); status != 0 {
		t.Errorf("exit status %d after SIGTERM, want 0", status)
	}
	n = waits(t, "--redis", "redis://"+closed+"/0", "--redis-patience", "1s")
	if status := n.Await(); status != 1 || !strings.Contains(n.Log.String(), "--redis-patience 1s is over") {
		t.Errorf("exit status %d, want 1 and the patience in the error:\n%s", status, n.Log)
	}
}

// A --store document that differs ends the start, after the wait.
func TestLongOtherDocumentEndsTheStartAfterTheWait(t *testing.T) {
	t.Parallel()
	r := durable(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	r.Kill()
	n := waits(t, "--redis", r.URL(), "--store", storeFile(t, base(), changed(hammer, "name", "Other")))
	r.Restart()
	if status := n.Await(); status != 1 || !strings.Contains(n.Log.String(), "--store-replace") {
		t.Errorf("exit status %d, want 1 and --store-replace in the error:\n%s", status, n.Log)
	}
}

// A node that can read none of the stores for their format is not ready. One store that can be read
// is enough, also if it comes later.
func TestLongUnreadableStoresMakeANodeUnready(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base())
	imports(t, r, file).wantStores(t, "imported")
	ctx := context.Background()
	pages := map[string]string{}
	for _, key := range r.Client().Keys(ctx, "*:page:*").Val() {
		pages[key] = r.Client().Get(ctx, key).Val()
		r.Client().SetRange(ctx, key, 0, "a later format")
	}
	n := start(t, options{redis: r.URL()})
	c := n.client(t).withKey(keyAll)
	c.get("/readyz").want(503, `{"message":"Service Unavailable","reason":"stores_unreadable"}`)
	c.get("me").wantStatus(503)
	if !strings.Contains(n.Log.String(), "no store can be read") {
		t.Errorf("the log lacks the error:\n%s", n.Log)
	}
	for key, page := range pages {
		r.Client().Set(ctx, key, page, 0)
	}
	poll(t, "the node is ready", func() bool { return c.get("/readyz").status == 200 })
	c.get("me").wantStatus(200)
}
