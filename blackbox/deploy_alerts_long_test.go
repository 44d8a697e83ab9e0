//go:build long

package blackbox_test

import (
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// promtool accepts the rules, and each fires and does not fire as alerts_test.yaml says.
func TestLongPromtoolAcceptsTheAlerts(t *testing.T) {
	wants(t, false, exec.Command("promtool", "check", "rules", "../deploy/alerts.yaml"))
	wants(t, false, exec.Command("promtool", "test", "rules", "../deploy/alerts_test.yaml"))
	wants(t, false, exec.Command("promtool", "check", "config", "../deploy/prometheus.yaml"))
	wants(t, false, exec.Command("amtool", "check-config", "../deploy/alertmanager.yaml"))
}

// hastyRules are the alerts with shorter waits, none of which outlasts its fault, a webhook late after two
// seconds, and nothing about a disk, because that of the machine may be fuller.
func hastyRules(t *testing.T) string {
	t.Helper()
	text := regexp.MustCompile(` for: \d+m`).ReplaceAllString(string(read(t, "../deploy/alerts.yaml")), " for: 1s")
	text = regexp.MustCompile(` for: \d+s`).ReplaceAllString(text, " for: 0s")
	text = regexp.MustCompile(`keep_firing_for: \d+[ms]`).ReplaceAllString(text, "keep_firing_for: 0s")
	text = regexp.MustCompile(`\[\d+m\]`).ReplaceAllString(text, "[20s]")
	text = strings.Replace(text, "    interval: 30s\n", "    interval: 1s\n", 1)
	text = strings.Replace(text, "oldest_age_seconds) > 900", "oldest_age_seconds) > 2", 1)
	text = strings.Replace(text, `size_bytes{job="redis-disk"} < 0.2`, `size_bytes{job="redis-disk"} < 0`, 1)
	file := filepath.Join(t.TempDir(), "alerts.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// await waits until alerts fire. pressed is done again and again meanwhile; nil: nothing is.
func (p *prometheus) await(t *testing.T, pressed func(), names ...string) {
	t.Helper()
	for _, name := range names {
		poll(t, name, func() bool {
			if pressed != nil {
				pressed()
			}
			return p.firing(t)[name]
		})
	}
}

// Alerts about a node, its limits and its webhooks fire when that happens; none fires earlier.
func TestLongAlertsOfANodeFire(t *testing.T) {
	redis := redistest.Real(t)
	fails := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return false
	})
	stores := append(storeFiles(t, keyTight), storeFile(t, base(), hookedTo(fails)))
	const full = 9 // stores whose bodies, 6 MiB each, nearly take the 64 MiB of all
	for i := range full {
		stores = append(stores, storeFile(t, another(smallStore(i), smallKey(i), changes(setting("name", fmt.Sprint("Store ", i)), withoutPasswords))))
	}
	n := watchedNode(t, options{redis: redis.URL(), stores: stores, flags: []string{"--mailbox", "1", "--trusted-proxies", "127.0.0.0/8"}})
	other := watchedNode(t, options{redis: redis.URL()})
	p := watch(t, hastyRules(t), n, other)
	shop := n.client(t).withKey(keyAll)
	path := shop.newCart()

	p.await(t, func() { // many adds to one cart at a time
		together(20, func(int) outcome { return shop.outcome("POST", path+"/lines", addBody(hammer, "1")) })
	}, "CartdMailboxFull", "CartdUnavailable")
	p.await(t, func() {
		for range 10 {
			shop.withKey(keyTight).get("me")
		}
	}, "CartdLimited")
	p.await(t, func() {
		for range 10 {
			shop.login(adaEmail, "secret-password-wrong")
		}
	}, "CartdLoginsRefused")

	shop.post("catalog/stock-adjustments", adjustBody(relic, "1")).wantStatus(http.StatusCreated)
	p.await(t, nil, "CartdWebhooksLate")
	ageDeliveries(t, redis)
	p.await(t, nil, "CartdWebhooksGivenUp")

	var slow []net.Conn
	for i := range 2 * full { // bodies of a quote's acceptance, of as many clients, nearly sent
		c := connect(t, n)
		_, err := fmt.Fprintf(c, "POST /v1/api/sales/quotes/by-token/x/accept HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 192.0.2.%d\r\nAuthorization: Bearer "+
			"%s\r\nContent-Length: %d\r\n\r\n%s",
			i, smallKey(i/2), 3<<20, strings.Repeat("x", 5<<19))
		if err != nil {
			t.Fatal(err)
		}
		slow = append(slow, c)
	}
	sent := time.Now()
	p.await(t, func() {
		if time.Since(sent) < 500*time.Millisecond {
			return
		}
		sent = time.Now()
		for _, c := range slow { // a little faster than a body must come
			_, _ = c.Write(make([]byte, 16<<10))
		}
	}, "CartdBodiesNearlyFull")
	other.Kill()
	p.await(t, nil, "CartdDown")
}

// ageDeliveries makes a delivery that waits for a retry a day old, and due.
func ageDeliveries(t *testing.T, redis *redistest.Server) {
	t.Helper()
	client, ctx := redis.Client(), t.Context()
	poll(t, "delivery that waits", func() bool {
		for _, key := range client.Keys(ctx, "*:retry").Val() {
			for _, text := range client.ZRange(ctx, key, 0, -1).Val() {
				parts := strings.SplitN(text, " ", 3)
				parts[1] = strconv.FormatInt(time.Now().Add(-25*time.Hour).UnixMilli(), 10)
				if client.ZRem(ctx, key, text).Val() == 1 {
					return client.Do(ctx, "ZADD", key, time.Now().UnixMilli(), strings.Join(parts, " ")).Err() == nil
				}
			}
		}
		return false
	})
}

// A node that may have few connections says when they are nearly used up.
func TestLongAlertOfConnectionsFires(t *testing.T) {
	o := options{redis: "embedded", flags: []string{"--ops-listen", "127.0.0.1:0"}}
	n := listens(t, exec.Command("sh", append([]string{"-c", `ulimit -n 400; exec "$0" "$@"`, binary}, o.args()...)...))
	p := watch(t, hastyRules(t), n)
	for range 180 {
		connect(t, n)
	}
	p.await(t, nil, "CartdConnectionsNearlyFull")
}

// Alerts about Redis fire when that happens.
func TestLongAlertsOfRedisFire(t *testing.T) {
	redis := redistest.Real(t)
	client, ctx := redis.Client(), t.Context()
	n := watchedNode(t, options{redis: redis.URL(), stores: storeFiles(t, keyShop), flags: []string{"--redis-timeout", "3s"}})
	waiting := watchedNode(t, options{redis: redis.URL(), flags: []string{"--redis-wait", "1", "--redis-timeout", "3s"}})
	p := watch(t, hastyRules(t), n, waiting)
	shop := n.client(t)
	path := shop.newCart()

	unmet := shop.on(waiting).begin("POST", path+"/lines", addBody(hammer, "1"))
	p.await(t, nil, "CartdReplicasUnmet", "CartdUnknownOutcomes")
	<-unmet
	p.await(t, func() { // Redis pauses for longer than half a second
		client.Do(ctx, "CLIENT", "PAUSE", "700", "ALL")
		shop.get(path)
	}, "CartdRedisSlow", "CartdSlow", "CartdBudgetBurnsFast", "CartdBudgetBurnsSlowly")
	for range 10 { // the store that has grown most: random texts, which take as much in Redis
		var note strings.Builder
		for note.Len() < 12_000 {
			note.WriteString(rand.Text())
		}
		shop.patch(shop.newCart(), `{"metadata": {"note": "`+note.String()+`"}}`).wantStatus(http.StatusOK)
	}
	used, err := strconv.Atoi(redistest.InfoField(client.Info(ctx, "memory").Val(), "used_memory"))
	if err != nil {
		t.Fatal(err)
	}
	client.ConfigSet(ctx, "maxmemory", strconv.Itoa(used*100/95))
	p.await(t, nil, "CartdStoresStopped")
	shop.post("commerce/carts", "").wantStatus(http.StatusServiceUnavailable)
	client.ConfigSet(ctx, "maxmemory", "1")
	p.await(t, func() { shop.post(path+"/lines", addBody(hammer, "1")) }, "CartdRedisReadOnly")
	client.ConfigSet(ctx, "maxmemory", "0")
	breakImport(t, redis)
	p.await(t, func() { shop.get("me") }, "CartdStoresLagging")
	redis.Kill()
	p.await(t, func() { shop.get(path) }, "CartdRedisAway", "CartdNotReady")
}

// breakImport imports another version of the store and damages its pages.
func breakImport(t *testing.T, redis *redistest.Server) {
	t.Helper()
	client, ctx := redis.Client(), t.Context()
	earlier := client.Keys(ctx, "*:page:*").Val()
	imports(t, redis, storeFile(t, base(), setting("name", "Another name"))).wantStores(t, storeBase)
	for _, key := range client.Keys(ctx, "*:page:*").Val() {
		if !slices.Contains(earlier, key) {
			client.Set(ctx, key, "damaged", 0)
		}
	}
}

// The failover of a sentinel is seen.
func TestLongAlertOfAFailoverFires(t *testing.T) {
	master := redistest.Real(t)
	host, port, _ := net.SplitHostPort(master.Addr())
	replica := redistest.Real(t, "--replicaof", host+" "+port)
	sentinel := redistest.Sentinel(t, "carts", master)
	_, port, _ = net.SplitHostPort(replica.Addr())
	poll(t, "replica that the sentinel knows", func() bool {
		link := redistest.InfoField(replica.Client().Info(t.Context(), "replication").Val(), "master_link_status")
		known := fmt.Sprint(sentinel.Client().Do(t.Context(), "SENTINEL", "REPLICAS", "carts").Val())
		return link == "up" && strings.Contains(known, port)
	})
	n := watchedNode(t, options{redis: "redis://" + sentinel.Addr() + "/0?master_name=carts", stores: storeFiles(t, keyShop)})
	p := watch(t, hastyRules(t), n)
	shop := n.client(t)
	path := shop.newCart()
	if err := sentinel.Client().Do(t.Context(), "SENTINEL", "FAILOVER", "carts").Err(); err != nil {
		t.Fatal(err)
	}
	p.await(t, func() { shop.get(path) }, "CartdRedisFailover")
}

// A server of a cluster that dies is seen by the node that asks it.
func TestLongAlertOfAClusterFires(t *testing.T) {
	ctx := t.Context()
	url, servers := redistest.Cluster(t, [][2]int{{0, 8191}, {8192, 16383}}, "--cluster-node-timeout", "60000")
	n := watchedNode(t, options{
		redis: url, stores: storeFiles(t, keyShop), flags: []string{"--redis-timeout", "500ms"},
	})
	p := watch(t, hastyRules(t), n)
	killed := 0
	for _, s := range servers {
		if s.Client().Exists(ctx, "{"+storeBase+"}:head").Val() == 1 { // another server answers MOVED
			s.Kill()
			killed++
		}
	}
	if killed != 1 {
		t.Fatalf("%d servers have the store, want one", killed)
	}
	p.await(t, func() { n.client(t).get("me") }, "CartdRedisClusterServersSilent")
}
