//go:build long

package blackbox_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// promtool accepts the rules, and each fires and does not fire as alerts_test.yaml says.
func TestLongPromtoolAcceptsTheAlerts(t *testing.T) {
	wants(t, false, exec.Command("promtool", "check", "rules", "alerts.yaml"))
	wants(t, false, exec.Command("promtool", "test", "rules", "alerts_test.yaml"))
	check := exec.Command("promtool", "check", "config", "prometheus.yaml")
	wants(t, false, check)
}

// hastyRules are the alerts with shorter waits, and a webhook late after two seconds.
func hastyRules(t *testing.T) string {
	t.Helper()
	text := regexp.MustCompile(`for: \d+m`).ReplaceAllString(read(t, "alerts.yaml"), "for: 1s")
	text = regexp.MustCompile(`for: \d+s`).ReplaceAllString(text, "for: 0s")
	text = regexp.MustCompile(`\[\d+m\]`).ReplaceAllString(text, "[20s]")
	text = strings.Replace(text, "oldest_age_seconds) > 900", "oldest_age_seconds) > 2", 1)
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
		eventually(t, name+" fires", func() bool {
			if pressed != nil {
				pressed()
			}
			return p.firing(t)[name]
		})
	}
}

// Alerts about a node, its limits and its webhooks fire when that happens; none fires before.
func TestLongAlertsOfANodeFire(t *testing.T) {
	redis := redistest.Real(t)
	url := hook(t, func() int { return http.StatusServiceUnavailable })
	_, base, ops := watchedNode(t, redis.URL(), "--store", storeFile(t, hooked(url)), "--store", storeFile(t, limited), "--mailbox", "1")
	other, _, otherOps := watchedNode(t, redis.URL())
	p := watch(t, hastyRules(t), ops, otherOps)
	cart := makeCart(t, base)
	eventually(t, "Prometheus has read both nodes", func() bool { return len(p.span(t, "cartd_ready == 1", time.Now().Add(-time.Second))) == 2 })
	if firing := p.firing(t); len(firing) > 0 {
		t.Fatalf("before anything happens %v fire", firing)
	}

	var all sync.WaitGroup
	p.await(t, func() { // many adds to one cart at a time
		for range 20 {
			all.Go(func() { call("POST", cart+"/lines", "", `{"product_id": "`+tube+`", "quantity": 1}`) })
		}
		all.Wait()
	}, "CartdMailboxFull", "CartdUnavailable")
	p.await(t, func() {
		for range 10 {
			callWith(limitedKey, "GET", base+"/v1/api/me", "", "")
		}
	}, "CartdLimited")
	p.await(t, func() {
		for range 10 {
			call("POST", base+"/v1/api/contacts/login", "", `{"email": "ada@example.com", "password": "wrong-wrong"}`)
		}
	}, "CartdLoginsRefused")

	callWith("demo-back-office-key", "POST", base+"/v1/api/catalog/stock-adjustments", "", `{"product_id": "`+tube+`", "variant_id": null, "quantity": 1, "reason": "test"}`)
	p.await(t, nil, "CartdWebhooksLate")
	ageDeliveries(t, redis)
	p.await(t, nil, "CartdWebhooksGivenUp")

	for range 18 { // bodies of a quote's acceptance, nearly sent
		sendPart(t, strings.TrimPrefix(base, "http://"))
	}
	p.await(t, nil, "CartdBodiesNearlyFull")
	other.kill()
	p.await(t, nil, "CartdDown")
}

// ageDeliveries makes the deliveries that wait for a retry a day old, and due.
func ageDeliveries(t *testing.T, redis *redistest.Server) {
	t.Helper()
	client, ctx := redis.Client(), context.Background()
	eventually(t, "a delivery was aged", func() bool {
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

// sendPart sends all but the end of a large body, and keeps the connection.
func sendPart(t *testing.T, address string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	body := strings.Repeat("x", 3<<20-1)
	if _, err = fmt.Fprintf(c, "POST /v1/api/sales/quotes/by-token/x/accept HTTP/1.1\r\nHost: shop\r\nContent-Length: %d\r\n\r\n%s", len(body)+1, body); err != nil {
		t.Fatal(err)
	}
}

// A node that may have few connections says when they are nearly used up.
func TestLongAlertOfConnectionsFires(t *testing.T) {
	cmd := exec.Command("sh", "-c", "ulimit -n 400 && exec "+filepath.Join(image, "cartd")+" serve --listen 127.0.0.1:0 --ops-listen 127.0.0.1:0 --redis embedded --demo")
	cmd.Env = []string{}
	node := launch(t, cmd)
	at := node.addresses(t, "listening", "serving metrics")
	p := watch(t, hastyRules(t), at[1])
	for range 180 {
		c, err := net.Dial("tcp", at[0])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
	}
	p.await(t, nil, "CartdConnectionsNearlyFull")
}

// Alerts about Redis fire when that happens.
func TestLongAlertsOfRedisFire(t *testing.T) {
	redis := redistest.Real(t)
	client, ctx := redis.Client(), context.Background()
	_, base, ops := watchedNode(t, redis.URL(), "--store", patientStore(t), "--redis-timeout", "3s")
	_, waiting, waitingOps := watchedNode(t, redis.URL(), "--redis-wait", "1")
	p := watch(t, hastyRules(t), ops, waitingOps)
	cart := makeCart(t, base)
	eventually(t, "Prometheus has read both nodes", func() bool { return len(p.span(t, "cartd_ready == 1", time.Now().Add(-time.Second))) == 2 })
	if firing := p.firing(t); len(firing) > 0 {
		t.Fatalf("before anything happens %v fire", firing)
	}

	go call("POST", waiting+strings.TrimPrefix(cart, base)+"/lines", "", `{"product_id": "`+tube+`", "quantity": 1}`)
	p.await(t, nil, "CartdReplicasUnmet", "CartdUnknownOutcomes")
	p.await(t, func() { // Redis pauses for longer than half a second
		client.Do(ctx, "CLIENT", "PAUSE", "700", "ALL")
		call("GET", cart, "", "")
	}, "CartdRedisSlow", "CartdSlow")
	client.ConfigSet(ctx, "maxmemory", "1")
	p.await(t, func() { call("POST", cart+"/lines", "", `{"product_id": "`+tube+`", "quantity": 1}`) }, "CartdRedisReadOnly")
	client.ConfigSet(ctx, "maxmemory", "0")
	breakImport(t, redis)
	p.await(t, func() { call("GET", base+"/v1/api/me", "", "") }, "CartdStoresLagging")
	redis.Kill()
	p.await(t, func() { call("GET", cart, "", "") }, "CartdRedisAway", "CartdNotReady")
}

// breakImport imports another version of the store and takes a part of it away.
func breakImport(t *testing.T, redis *redistest.Server) {
	t.Helper()
	client, ctx := redis.Client(), context.Background()
	before := client.Keys(ctx, "*:store:*").Val()
	wants(t, false, exec.Command(filepath.Join(image, "cartd"), "import", "--redis", redis.URL(), storeFile(t, func(document map[string]any) {
		document["store"].(map[string]any)["name"] = "Another name"
	})))
	for _, key := range client.Keys(ctx, "*:store:*").Val() {
		if !strings.Contains(strings.Join(before, " "), key) {
			client.Set(ctx, key, "damaged", 0)
		}
	}
}

// A failover by a sentinel, and a silent server of a cluster, are seen.
func TestLongAlertsOfSeveralRedisFire(t *testing.T) {
	master := redistest.Real(t)
	host, port, _ := net.SplitHostPort(master.Addr())
	replica := redistest.Real(t, "--replicaof", host+" "+port)
	sentinel := redistest.Sentinel(t, "carts", master)
	eventually(t, "the sentinel knows the replica", func() bool {
		return redistest.InfoField(replica.Client().Info(context.Background(), "replication").Val(), "master_link_status") == "up" &&
			strings.Contains(fmt.Sprint(sentinel.Client().Do(context.Background(), "SENTINEL", "REPLICAS", "carts").Val()), replica.Addr()[strings.LastIndex(replica.Addr(), ":")+1:])
	})
	_, base, ops := watchedNode(t, "redis://"+sentinel.Addr()+"/0?master_name=carts", "--store", patientStore(t))
	p := watch(t, hastyRules(t), ops)
	cart := makeCart(t, base)
	eventually(t, "Prometheus has read the node", func() bool { return len(p.span(t, "cartd_ready == 1", time.Now().Add(-time.Second))) == 1 })
	if err := sentinel.Client().Do(context.Background(), "SENTINEL", "FAILOVER", "carts").Err(); err != nil {
		t.Fatal(err)
	}
	p.await(t, func() { call("GET", cart, "", "") }, "CartdRedisFailover")
}

// A server of a cluster that dies is seen, and so is the node's own 503 for its stores.
func TestLongAlertOfAClusterFires(t *testing.T) {
	ctx := context.Background()
	var servers []*redistest.Server
	for _, slots := range [][2]int{{0, 8191}, {8192, 16383}} {
		_, bus, _ := net.SplitHostPort(freeAddress(t))
		s := redistest.Real(t, "--cluster-enabled", "yes", "--cluster-require-full-coverage", "no", "--cluster-port", bus, "--cluster-node-timeout", "60000")
		if err := s.Client().Do(ctx, "CLUSTER", "ADDSLOTSRANGE", slots[0], slots[1]).Err(); err != nil {
			t.Fatal(err)
		}
		if len(servers) > 0 {
			host, port, _ := net.SplitHostPort(s.Addr())
			servers[0].Client().Do(ctx, "CLUSTER", "MEET", host, port, bus)
		}
		servers = append(servers, s)
	}
	eventually(t, "the servers know each other", func() bool {
		for _, s := range servers {
			if info := s.Client().ClusterInfo(ctx).Val(); !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, "cluster_slots_ok:16384") {
				return false
			}
		}
		return true
	})
	_, base, ops := watchedNode(t, servers[0].URL()+"?addr="+servers[1].Addr(), "--store", patientStore(t), "--redis-timeout", "500ms")
	p := watch(t, hastyRules(t), ops)
	for _, s := range servers {
		if held := s.Client().Keys(ctx, "{*}:head").Val(); len(held) == 1 { // the store's
			s.Kill()
		}
	}
	p.await(t, func() { call("GET", base+"/v1/api/me", "", "") }, "CartdRedisClusterServersSilent")
}
