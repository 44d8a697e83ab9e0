//go:build long

package blackbox_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// dump is the stored value of one key.
type dump struct {
	key, value string
	ttl        time.Duration
}

func backup(t *testing.T, client *redis.Client, key string) dump {
	t.Helper()
	value, err := client.Dump(context.Background(), key).Result()
	if err != nil {
		t.Fatalf("DUMP %s: %v", key, err)
	}
	ttl, err := client.PTTL(context.Background(), key).Result()
	if err != nil || ttl <= 29*24*time.Hour || ttl > 30*24*time.Hour {
		t.Fatalf("PTTL %s = %v, %v; want 30 days", key, ttl, err)
	}
	return dump{key, value, ttl}
}

// wantRetryLater is wantUnavailable for requests that the node's own window may answer.
func wantRetryLater(a answer) {
	a.t.Helper()
	a.want(http.StatusServiceUnavailable, `{"message":"Service Unavailable"}`)
	if seconds, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || seconds < 1 {
		a.t.Errorf("%v\nRetry-After: got %q, want whole seconds, at least 1", a, a.header.Get("Retry-After"))
	}
}

// wantUnavailable wants the 503 that means that the request had no effect.
func wantUnavailable(a answer) {
	a.t.Helper()
	wantRetryLater(a)
	a.wantHeader("X-RateLimit-Limit", "") // answered ahead of the limiter
}

// atOnce is the maximum time of an answer that waits for nothing, well below --redis-timeout.
const atOnce = 500 * time.Millisecond

func (d dump) restore(t *testing.T, client *redis.Client) {
	t.Helper()
	if err := client.RestoreReplace(context.Background(), d.key, d.ttl, d.value).Err(); err != nil {
		t.Fatalf("RESTORE %s: %v", d.key, err)
	}
}

// wantRefusedAtOnce wants 503 without a wait: the node already knows that Redis is away. A request
// that waits for Redis is late each time, a busy machine only sometimes.
func (c client) wantRefusedAtOnce(path string) {
	c.t.Helper()
	const times = 5
	late := 0
	for range times {
		began := time.Now()
		wantUnavailable(c.get(path))
		if time.Since(began) > atOnce {
			late++
		}
	}
	if late > times/2 {
		c.t.Errorf("the node knew that Redis is away and took more than %v, %d times of %d", atOnce, late, times)
	}
}

// answeredWithin is the maximum time of an answer while Redis is away: one second, and three more
// for a busy machine. It is half of the time that --request-timeout allows.
const answeredWithin = 4 * time.Second

// recordKey is the Redis key of a cart.
func recordKey(store, path string) string {
	return "{" + store + "}:cart:" + strings.TrimPrefix(path, "commerce/carts/")
}

// wantRecovery wants successful reads and writes, readiness, and an unchanged cart.
func (c client) wantRecovery(path, before string) {
	c.t.Helper()
	c.eventually("/readyz", http.StatusOK)
	if after := c.eventually(path, http.StatusOK); string(after.body) != before {
		c.t.Errorf("%v\nwant an unchanged cart, because 503 means that the request had no effect: %s", after, before)
	}
	c.patch(path, "{}").wantStatus(http.StatusOK)
}

// wantOutage sends every kind of request at once while Redis is away.
func (c client) wantOutage(path, lineID string) {
	c.t.Helper()
	calls := []string{
		"GET " + path, "POST commerce/carts", "PATCH " + path, "POST " + path + "/lines",
		"PATCH " + path + "/lines/" + lineID, "DELETE " + path + "/lines/" + lineID,
		"GET me", "GET /v1/ping", "GET /healthz",
	}
	began := time.Now()
	answers := together(len(calls), func(i int) outcome {
		method, at, _ := strings.Cut(calls[i], " ")
		body := `{"quantity":7,"product_id":"` + hammer + `","email":"late@example.com"}`
		if method == http.MethodGet {
			body = ""
		}
		return c.outcome(method, at, body)
	})
	if took := time.Since(began); took > answeredWithin {
		c.t.Errorf("the answers took %v, want at most %v", took, answeredWithin)
	}
	for i, o := range answers {
		switch {
		case o.err != nil:
			c.t.Errorf("%s: %v", o.call, o.err)
		case i > 0 && i < 6 && o.status == http.StatusGatewayTimeout: // the node sent it while it still took Redis for reachable
			o.want(http.StatusGatewayTimeout, `{"message":"Gateway Timeout"}`)
		case i < 6:
			wantUnavailable(o.answer)
		default:
			o.wantStatus(http.StatusOK)
		}
	}
	c.eventually("/readyz", http.StatusServiceUnavailable)
	c.wantRefusedAtOnce(path)
}

// While Redis is away, a request that needs it is answered 503 with Retry-After within a second,
// and all others are served. The node recovers by itself.
func TestLongRedisAway(t *testing.T) {
	for _, c := range []struct {
		name       string
		away, back func(r *redistest.Server)
	}{
		{"dead", (*redistest.Server).Kill, (*redistest.Server).Restart},
		{"silent", (*redistest.Server).Pause, (*redistest.Server).Resume},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := durable(t)
			shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--redis-timeout", "1s", "--request-timeout", "3s"}}).client(t)
			path := shop.fill()
			before := shop.get(path)
			lineID := before.cart(http.StatusOK).Lines[0].ID
			shop.get("me").wantStatus(http.StatusOK)
			for range 2 { // in the second outage the node is not new to it
				c.away(r)
				shop.wantOutage(path, lineID)
				c.back(r)
				shop.wantRecovery(path, string(before.body))
			}
			shop.add(path, hammer, "1")
		})
	}
}

// A record that Redis has lost is gone, even if a node has it in memory. A write does not make it
// again.
func TestLongLostRecordIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes := pair(t, r, keyShop)
	path := nodes[0].newCart()
	id := nodes[0].add(path, hammer, "1").Lines[0].ID
	if n, err := r.Client().Del(context.Background(), recordKey(storeBase, path)).Result(); n != 1 || err != nil {
		t.Fatalf("DEL %s = %d, %v; want 1", recordKey(storeBase, path), n, err)
	}
	missing := `{"message":"No query results for model [Cart] ` + strings.TrimPrefix(path, "commerce/carts/") + `"}`
	for _, shop := range nodes {
		shop.post(path+"/lines", addBody(hammer, "1")).want(404, missing)
		shop.patch(path, `{"email":"a@b"}`).want(404, missing)
		shop.patch(path+"/lines/"+id, `{"quantity":2}`).want(404, missing)
		shop.remove(path+"/lines/"+id).want(404, missing)
		shop.get(path).want(404, missing)
	}
	if n, err := r.Client().Exists(context.Background(), recordKey(storeBase, path)).Result(); n != 0 || err != nil {
		t.Errorf("EXISTS %s = %d, %v; want 0: a node has written the lost cart again", recordKey(storeBase, path), n, err)
	}
}

// A Redis that was set back has an older record. Every node goes on from that record.
func TestLongNodeReloadsARecordThatRedisHasSetBack(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	nodes := pair(t, r, keyShop)
	path := nodes[0].newCart()
	nodes[0].add(path, hammer, "1")
	older := backup(t, r.Client(), recordKey(storeBase, path))
	nodes[0].add(path, hammer, "1")
	nodes[1].add(path, hammer, "1")
	nodes[0].get(path).wantLines(200, "Hammer 3 × 1999 = 5997")

	older.restore(t, r.Client())
	nodes[0].get(path).wantLines(200, "Hammer 1 × 1999 = 1999")
	nodes[1].post(path+"/lines", addBody(hammer, "4")).wantLines(201, "Hammer 5 × 1999 = 9995")
	nodes[0].post(path+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 6 × 1999 = 11994")

	older.restore(t, r.Client()) // the first request after it is a write
	nodes[0].post(path+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 2 × 1999 = 3998")
	nodes[1].get(path).wantLines(200, "Hammer 2 × 1999 = 3998")
}
