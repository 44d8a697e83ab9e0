//go:build long

package blackbox_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/blackbox"
	"cartd/internal/process"
	"cartd/internal/redistest"
)

// pageWithin is the maximum time from a fault of the shop to its first page.
const pageWithin = time.Minute

// program is a program that is killed and started again at the same addresses.
type program struct {
	t       *testing.T
	command func() *exec.Cmd
	*process.Process
}

func (p *program) start() {
	p.t.Helper()
	var err error
	if p.Process, err = process.Start(p.command()); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(p.Kill)
}

func free(t *testing.T) string {
	t.Helper()
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// watchedShop is all of deploy/compose.yaml as processes: a Redis with its exporters, two nodes behind
// HAProxy, and Prometheus with Alertmanager by the files of deploy/, unchanged but for addresses.
func watchedShop(t *testing.T) (redis *redistest.Server, programs []*program, pager, watchdog *inbox) {
	t.Helper()
	redis = redistest.Real(t, "--appendonly", "yes")
	file := storeFiles(t, keyShop)[0]
	run := func(name string, env []string, args ...string) {
		p := &program{t: t, command: func() *exec.Cmd {
			cmd := exec.Command(name, args...)
			cmd.Env = append(os.Environ(), env...)
			return cmd
		}}
		p.start()
		programs = append(programs, p)
	}
	addresses := map[string]string{}
	for _, name := range []string{"node1:9090", "node2:9090", "haproxy:8404", "redis-exporter:9121", "redis-disk:9100"} {
		addresses[name] = free(t)
	}
	nodes := []string{free(t), free(t)}
	for i, ops := range []string{addresses["node1:9090"], addresses["node2:9090"]} {
		run(binary, nil, "serve", "--listen", nodes[i], "--ops-listen", ops, "--redis", redis.URL(), "--store", file)
	}
	router := []string{"HAPROXY_LISTEN=" + free(t), "HAPROXY_FIGURES=" + addresses["haproxy:8404"], "CARTD_NODE1=" + nodes[0], "CARTD_NODE2=" + nodes[1]}
	run(blackbox.HAProxy(), router, "-db", "-f", "../deploy/haproxy.cfg")
	run("prometheus-redis-exporter", nil, "-redis.addr", "redis://"+redis.Addr(), "-web.listen-address", addresses["redis-exporter:9121"])
	run("prometheus-node-exporter", nil, "--collector.disable-defaults", "--collector.filesystem", "--web.listen-address", addresses["redis-disk:9100"])
	addresses["alertmanager:9093"], pager, _, watchdog = alertmanager(t, "5s")
	text, rules := string(read(t, "../deploy/prometheus.yaml")), filepath.Join(t.TempDir(), "alerts.yaml")
	for name, address := range addresses {
		if strings.Count(text, name) != 1 {
			t.Fatalf("prometheus.yaml names %s %d times", name, strings.Count(text, name))
		}
		text = strings.Replace(text, name, address, 1)
	}
	dir := t.TempDir()
	config, listen := filepath.Join(dir, "prometheus.yaml"), free(t)
	text = strings.Replace(text, "[alerts.yaml]", "["+rules+"]", 1)
	if err := errors.Join(os.WriteFile(rules, read(t, "../deploy/alerts.yaml"), 0o600), os.WriteFile(config, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	proc, err := process.Start(exec.Command("prometheus", "--config.file", config, "--storage.tsdb.path", filepath.Join(dir, "data"),
		"--web.listen-address", listen))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proc.Kill)
	p := &prometheus{at(t, proc, listen)}
	poll(t, "answer of Prometheus", func() bool { return p.client(t).outcome("GET", "/-/ready", "").status == http.StatusOK })
	poll(t, "a Prometheus that reads every job", func() bool {
		began := time.Now().Add(-10 * time.Second)
		return len(p.span(t, "up == 1", began)) == 5 && len(p.span(t, "sum(cartd_ready) == 2", began)) == 1 &&
			len(p.span(t, "redis_up == 1", began)) == 1 && len(p.span(t, `haproxy_backend_active_servers{proxy="nodes"} == 2`, began)) == 1
	})
	// Prometheus may send its first alerts before it knows Alertmanager, and sends them again after a minute.
	if !pollFor(2*pageWithin, func() bool { return watchdog.has(`"Watchdog"`) }) {
		t.Fatal("no message of the dead man's switch")
	}
	return redis, programs, pager, watchdog
}

// wantPages waits for the first page of each name within a minute, and returns how long that took.
func wantPages(t *testing.T, pager *inbox, began time.Time, names ...string) {
	t.Helper()
	for _, name := range names {
		if !pollFor(pageWithin-time.Since(began), func() bool { return len(pager.messages(t, name, "firing")) > 0 }) {
			t.Fatalf("no page %s within %v; there are %q", name, pageWithin, pager.pages(t))
		}
		t.Logf("%s is paged after %.0f s", name, time.Since(began).Seconds())
	}
}

// wantEnd waits until the end of each name was sent. Nothing else was ever sent.
func wantEnd(t *testing.T, pager *inbox, names ...string) {
	t.Helper()
	began := time.Now()
	for _, name := range names {
		if !pollFor(4*time.Minute, func() bool { return len(pager.messages(t, name, "resolved")) > 0 }) {
			t.Fatalf("the end of %s is not sent", name)
		}
		t.Logf("the end of %s is sent after %.0f s", name, time.Since(began).Seconds())
	}
	slices.Sort(names)
	got := pager.pages(t)
	if n := len(pager.messages(t, "ExporterDown", "firing")); n == 2 { // the second exporter was read later
		got = slices.Compact(got)
	}
	if !slices.Equal(got, names) {
		t.Errorf("pages were %q, want each of %q once", got, names)
	}
}

// The end of the whole shop, of the router and of both exporters is paged within a minute, each once:
// what follows from it is kept back, and nobody is paged after the end.
func TestLongEndOfTheShopIsPagedOnce(t *testing.T) {
	t.Parallel()
	_, programs, pager, _ := watchedShop(t)
	began := time.Now()
	for _, p := range programs {
		p.Kill()
	}
	names := []string{"CartdNoNodeLeft", "HAProxyDown", "ExporterDown"}
	wantPages(t, pager, began, names...)
	for _, p := range programs {
		p.start()
	}
	wantEnd(t, pager, names...)
}

// The end of Redis is paged once, as that.
func TestLongEndOfRedisIsPagedOnce(t *testing.T) {
	t.Parallel()
	redis, _, pager, _ := watchedShop(t)
	began := time.Now()
	redis.Kill()
	wantPages(t, pager, began, "CartdRedisAway")
	redis.Restart()
	wantEnd(t, pager, "CartdRedisAway")
}

// A Redis that takes no writes is paged once, as that, although no node is ready.
func TestLongReadOnlyRedisIsPagedOnce(t *testing.T) {
	t.Parallel()
	redis, programs, pager, _ := watchedShop(t)
	client := redis.Client()
	client.ConfigSet(t.Context(), "min-replicas-to-write", "1")
	began := time.Now()
	for _, p := range programs[:2] { // a node learns it from its next write
		at(t, p.Process, p.command().Args[3]).client(t).post("commerce/carts", "").wantStatus(http.StatusServiceUnavailable)
	}
	wantPages(t, pager, began, "CartdRedisReadOnly")
	if pollFor(75*time.Second, func() bool { return len(pager.pages(t)) > 1 }) { // CartdNotReady waits longest
		t.Errorf("pages are %q, want one", pager.pages(t))
	}
	client.ConfigSet(t.Context(), "min-replicas-to-write", "0")
	wantEnd(t, pager, "CartdRedisReadOnly")
}

// message is what Alertmanager sends to a receiver.
type message struct {
	Status string
	Alerts []struct {
		Status string
		Labels map[string]string
	}
}

// all reads the messages that came.
func (i *inbox) all(t *testing.T) (all []message) {
	t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	for read := json.NewDecoder(strings.NewReader(i.texts)); read.More(); {
		var m message
		if err := read.Decode(&m); err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// messages are those about an alert with a status.
func (i *inbox) messages(t *testing.T, name, status string) (found []message) {
	t.Helper()
	for _, m := range i.all(t) {
		if m.Status == status && m.Alerts[0].Labels["alertname"] == name {
			found = append(found, m)
		}
	}
	return found
}

// pages are the names of all messages that something is wrong, sorted.
func (i *inbox) pages(t *testing.T) (names []string) {
	t.Helper()
	for _, m := range i.all(t) {
		if m.Status == "firing" {
			names = append(names, m.Alerts[0].Labels["alertname"])
		}
	}
	slices.Sort(names)
	return names
}
