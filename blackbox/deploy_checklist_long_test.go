//go:build long

package blackbox_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cartd/blackbox"
	"cartd/internal/process"
	"cartd/internal/redistest"
)

// productionShop is a shop as the checklist wants it. It returns the variables of the commands, and a folder
// in place of systemd's.
func productionShop(t *testing.T) (variables []string, units string) {
	t.Helper()
	const password = "a-password-of-redis"
	redis := redistest.Real(t, "--appendonly", "yes", "--appendfsync", "always", "--maxmemory", "1gb")
	if err := redis.Client().ConfigSet(t.Context(), "requirepass", password).Err(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("REDIS_PASSWORD", password) // of redis_exporter
	url, dir, texts := redis.As("default", password).URL(), t.TempDir(), t.TempDir()
	flags := []string{"--trusted-proxies", "127.0.0.0/8"}
	first := watchedNode(t, options{redis: url, stores: storeFiles(t, keyShop), flags: flags})
	second := watchedNode(t, options{redis: url, flags: flags})

	shop, figures, c := free(t), free(t), redistest.NewCertificates(t)
	file := altered(t, "../deploy/haproxy.cfg", "# bind :443 ssl crt /etc/haproxy/certs/", "bind "+shop+" ssl crt "+filepath.Join(dir, "certs"))
	router := exec.Command(blackbox.HAProxy(), "-db", "-f", file)
	router.Env = []string{"HAPROXY_LISTEN=" + free(t), "HAPROXY_FIGURES=" + figures, "CARTD_NODE1=" + first.addr, "CARTD_NODE2=" + second.addr}
	urlFile, snapshot := filepath.Join(dir, "redis-url"), filepath.Join(dir, "backup.rdb")
	units = filepath.Join(dir, "units")
	dropIn := regexp.MustCompile(`(?s)\[Service\]\nExecStartPre=.*?\n` + "```").FindString(string(read(t, "../docs/operations.md")))
	if err := errors.Join(
		os.Mkdir(filepath.Join(dir, "certs"), 0o700),
		os.WriteFile(filepath.Join(dir, "certs", "shop.pem"), append(read(t, c.Cert), read(t, c.Key)...), 0o600),
		os.WriteFile(urlFile, []byte(url+"\n"), 0o400),
		os.MkdirAll(filepath.Join(units, "redis-server.service.d"), 0o700),
		os.WriteFile(filepath.Join(units, "redis-server.service.d", "override.conf"), []byte(strings.TrimSuffix(dropIn, "```")), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	proc, err := process.Start(router)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proc.Kill)
	_, port, _ := net.SplitHostPort(redis.Addr())
	bash(t, "redis-cli -p "+port+" --rdb "+snapshot, "REDISCLI_AUTH="+password)
	bash(t, "sh scripts/check-backup.sh --figures "+filepath.Join(texts, "cartd-backup.prom")+" "+snapshot, "CARTD="+binary)
	alerts, _, _, _ := alertmanager(t, "5s")
	prometheus := watchMore(t, hastyRules(t), exportersWith(t, redis, texts)+fmt.Sprintf("- job_name: haproxy\n  static_configs: [{targets: [%q]}]\n"+
		"alerting: {alertmanagers: [{static_configs: [{targets: [%q]}]}]}\n", figures, alerts), first, second)
	return []string{
		"URL_FILE=" + urlFile, "HOST=127.0.0.1", "PORT=" + port, "REDISCLI_AUTH=" + password, "STORE=" + storeBase, "KEY=" + keyShop, "SNAPSHOT=" + snapshot,
		"NODES=" + first.addr + " " + second.addr, "SHOP=https://" + shop, "PROMETHEUS=" + prometheus.addr, "ALERTMANAGER=" + alerts,
		"CURL_CA_BUNDLE=" + c.CA, "CARTD=" + binary, "USER=ada", "TMPDIR=" + dir,
	}, units
}

// Every command of the checklist prints on such a shop what its row says. Prometheus sends an alert again after a
// minute only.
func TestLongChecklist(t *testing.T) {
	variables, units := productionShop(t)
	_, chapter, _ := strings.Cut(string(read(t, "../docs/operations.md")), "\n## Checklist for production\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| (.*) \\| `(.*)` \\| `(.*)` \\|$").FindAllStringSubmatch(chapter, -1)
	if lines := strings.Count(chapter, "\n| "); len(rows) != lines-2 || len(rows) < 20 { // without the table's head
		t.Fatalf("%d rows of %d have a command and what it prints", len(rows), lines-2)
	}
	for _, row := range rows {
		command, prints := strings.ReplaceAll(row[2], `\|`, "|"), strings.ReplaceAll(row[3], `\|`, "|")
		command = strings.ReplaceAll(command, "/etc/systemd/system", units)
		want := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(prints), "…", ".+") + "$")
		got := ""
		if !pollFor(2*pageWithin, func() bool {
			shell := exec.Command("bash", "-c", command)
			shell.Dir, shell.Env = "..", append([]string{"PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH")}, variables...)
			out, _ := shell.CombinedOutput()
			got = strings.Join(strings.Fields(string(out)), " ")
			return want.MatchString(got)
		}) {
			t.Errorf("%s: %s\nprints %q\nwant   %q", row[1], command, got, prints)
		}
	}
}
