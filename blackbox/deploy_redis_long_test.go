//go:build long

package blackbox_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/internal/process"
	"cartd/internal/redistest"
)

// exporters starts redis_exporter for a Redis and node_exporter for this machine's disks. It returns
// the lines of their jobs for Prometheus's configuration.
func exporters(t *testing.T, redis *redistest.Server) (jobs string) {
	t.Helper()
	texts := t.TempDir()
	writeBackup(t, texts, time.Now())
	return exportersWith(t, redis, texts)
}

// writeBackup writes the time of the last backup as check-backup.sh does.
func writeBackup(t *testing.T, texts string, at time.Time) {
	t.Helper()
	text := fmt.Sprintf("# TYPE cartd_backup_snapshot_time_seconds gauge\ncartd_backup_snapshot_time_seconds %d\n", at.Unix())
	if err := os.WriteFile(filepath.Join(texts, "cartd-backup.prom"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// exportersWith is exporters with a folder of node_exporter's textfile collector.
func exportersWith(t *testing.T, redis *redistest.Server, texts string) (jobs string) {
	t.Helper()
	for _, exporter := range []struct {
		job, program, listen string
		args                 []string
	}{
		{"redis", "prometheus-redis-exporter", "-web.listen-address", []string{"-redis.addr", "redis://" + redis.Addr()}},
		{"redis-disk", "prometheus-node-exporter", "--web.listen-address", []string{"--collector.disable-defaults", "--collector.filesystem",
			"--collector.textfile", "--collector.textfile.directory", texts}},
	} {
		address, err := process.FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exporter.program, append(exporter.args, exporter.listen, address)...)
		cmd.Env = os.Environ() // REDIS_PASSWORD, if the test sets it
		p, err := process.Start(cmd)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Kill)
		jobs += fmt.Sprintf("- job_name: %s\n  static_configs: [{targets: [%q]}]\n", exporter.job, address)
	}
	return jobs
}

// inbox is a receiver of Alertmanager. It keeps the texts that it got.
type inbox struct {
	mu    sync.Mutex
	texts string
}

func (i *inbox) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.texts += string(body)
}

func (i *inbox) has(text string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return strings.Contains(i.texts, text)
}

// alertmanager starts an Alertmanager with the file of deploy/, which waits for others of a group before
// it sends.
func alertmanager(t *testing.T, wait string) (address string, pager, tickets, watchdog *inbox) {
	t.Helper()
	pager, tickets, watchdog = &inbox{}, &inbox{}, &inbox{}
	text := string(read(t, "../deploy/alertmanager.yaml"))
	for name, box := range map[string]*inbox{"http://pager.example/": pager, "http://tickets.example/": tickets, "http://watchdog.example/": watchdog} {
		if strings.Count(text, name) != 1 {
			t.Fatalf("alertmanager.yaml names %s %d times, want once", name, strings.Count(text, name))
		}
		s := httptest.NewServer(box)
		t.Cleanup(s.Close)
		text = strings.Replace(text, name, s.URL, 1)
	}
	text = strings.Replace(text, "  group_wait: 5s\n", "  group_wait: "+wait+"\n", 1)
	dir := t.TempDir()
	file := filepath.Join(dir, "alertmanager.yaml")
	address, err := process.FreeAddress()
	if err := errors.Join(err, os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	p, err := process.Start(exec.Command("prometheus-alertmanager", "--config.file", file, "--storage.path", filepath.Join(dir, "data"),
		"--web.listen-address", address, "--cluster.listen-address="))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return address, pager, tickets, watchdog
}

// The alerts about Redis fire over a real exporter. A page reaches the pager through Alertmanager, a
// ticket the tickets, each with the address of its section.
func TestLongAlertsAboutRedisReachPeople(t *testing.T) {
	redis := redistest.Real(t, "--appendonly", "yes")
	n := watchedNode(t, options{redis: redis.URL(), stores: storeFiles(t, keyShop)})
	address, pager, tickets, _ := alertmanager(t, "0s")
	p := watchMore(t, hastyRules(t), exporters(t, redis)+fmt.Sprintf("alerting: {alertmanagers: [{static_configs: [{targets: [%q]}]}]}\n", address), n)
	client := redis.Client()
	if err := client.ConfigSet(t.Context(), "maxmemory", "8mb").Err(); err != nil {
		t.Fatal(err)
	}
	used := "x"
	p.await(t, func() {
		used += "x"
		client.Set(t.Context(), "filling"+used, strings.Repeat("x", 200<<10), 0)
	}, "RedisMemoryNearlyFull")
	client.ConfigSet(t.Context(), "maxmemory", "0")
	client.ConfigSet(t.Context(), "appendonly", "no")
	p.await(t, nil, "RedisFileFails")
	poll(t, "page", func() bool { return pager.has("RedisFileFails") && pager.has("/runbook.md#redisfilefails") })
	poll(t, "ticket", func() bool { return tickets.has("RedisMemoryNearlyFull") })
	if pager.has("RedisMemoryNearlyFull") || tickets.has("RedisFileFails") {
		t.Error("an alert went to the wrong receiver")
	}
}
