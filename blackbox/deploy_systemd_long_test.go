//go:build long

package blackbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// machine is a Debian whose process 1 is systemd, with a network of its own.
type machine struct {
	t    *testing.T
	root string
	init int // the process outside of it
}

const (
	debianRelease = "bookworm"
	debianMirror  = "http://deb.debian.org/debian"
	// containerFlags let systemd-nspawn run where no systemd is, too.
	containerFlags = "--quiet --register=no --keep-unit"
)

// newMachine makes and boots a Debian. Packages are downloaded, and installed later by the documents' own line. With
// DEBIAN_TREE=FILE the tree is kept in that file, and taken from it.
func newMachine(t *testing.T, packages string) *machine {
	t.Helper()
	root := filepath.Join(t.TempDir(), "debian")
	kept := os.Getenv("DEBIAN_TREE")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(kept); kept != "" && err == nil {
		wants(t, false, exec.Command("tar", "-C", root, "-xf", kept))
	} else {
		wants(t, false, exec.Command("debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv,dbus,ca-certificates,iproute2",
			debianRelease, root, debianMirror))
		apt := filepath.Join(root, "etc/apt/apt.conf.d/99tests")
		if err := os.WriteFile(apt, []byte("APT::Install-Recommends \"false\";\nAPT::Get::Assume-Yes \"true\";\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		wants(t, false, exec.Command("sh", "-c", "exec systemd-nspawn "+containerFlags+` --pipe --resolv-conf=copy-host -D "$0" sh -c "$1"`, root,
			"apt-get -q update && apt-get -q --download-only install "+packages))
		if kept != "" {
			wants(t, false, exec.Command("tar", "-C", root, "-cf", kept, "."))
		}
	}
	m := &machine{t: t, root: root}
	boot := exec.Command("sh", "-c", "exec systemd-nspawn "+containerFlags+` --boot --private-network --console=pipe -M "$1" -D "$0"`, root,
		fmt.Sprint("cartd-", os.Getpid()))
	var console strings.Builder
	boot.Stdout, boot.Stderr = &console, &console
	if err := boot.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- boot.Wait() }()
	t.Cleanup(func() {
		if m.init != 0 {
			_ = syscall.Kill(m.init, syscall.SIGKILL) // and all that runs in it
		} else {
			_ = boot.Process.Kill()
		}
		<-ended
	})
	children := fmt.Sprintf("/proc/%d/task/%d/children", boot.Process.Pid, boot.Process.Pid)
	if !pollFor(2*time.Minute, func() bool {
		text, _ := os.ReadFile(children)
		m.init, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		if m.init == 0 {
			return false
		}
		state, _ := m.tries("systemctl is-system-running")
		return strings.Contains(state, "running") || strings.Contains(state, "degraded")
	}) {
		t.Fatalf("the Debian does not boot:\n%s", console.String())
	}
	return m
}

// tries runs a script on the machine, as root.
func (m *machine) tries(script string, variables ...string) (string, error) {
	cmd := exec.Command("nsenter", "--target", strconv.Itoa(m.init), "--all", "/bin/bash", "-euo", "pipefail", "-c", script)
	cmd.Env = append([]string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "DEBIAN_FRONTEND=noninteractive"}, variables...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// runs is tries of a script that succeeds.
func (m *machine) runs(script string, variables ...string) string {
	m.t.Helper()
	out, err := m.tries(script, variables...)
	if err != nil {
		journal, _ := m.tries("systemctl --failed --no-legend; journalctl --no-pager -n 40 -o cat")
		m.t.Fatalf("%s\n%s%v\n%s", script, out, err, journal)
	}
	return strings.TrimSpace(out)
}

// is polls a script until it prints what is wanted.
func (m *machine) is(within time.Duration, want, script string) {
	m.t.Helper()
	got := ""
	if !pollFor(within, func() bool {
		out, _ := m.tries(script)
		got = strings.TrimSpace(out)
		return got == want
	}) {
		journal, _ := m.tries("systemctl --failed --no-legend; journalctl --no-pager -n 40 -o cat")
		m.t.Fatalf("%s\nprints %s\nwant   %s\n%s", script, got, want, journal)
	}
}

// value is what the machine's Prometheus answers to a query of one value; empty for none.
func (m *machine) value(query string) string {
	m.t.Helper()
	out := m.runs(`curl -s http://127.0.0.1:9091/api/v1/query --data-urlencode "query=$QUERY"`, "QUERY="+query)
	var answer struct {
		Data struct {
			Result []struct{ Value [2]any }
		}
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		m.t.Fatalf("%s: %v\n%s", query, err, out)
	}
	if len(answer.Data.Result) == 0 {
		return ""
	}
	return fmt.Sprint(answer.Data.Result[0].Value[1])
}

// underLoad makes carts and reads products through HAProxy while something is done, and returns the answers by their
// status.
func (m *machine) underLoad(do func()) map[string]int {
	m.t.Helper()
	m.runs(`rm -f /root/load.*
for n in 1 2 3; do
  (exec setsid curl -s -o /dev/null -w '%{stderr}%{http_code}\n' --rate 8/s -X POST -H "Authorization: Bearer $KEY" \
    "http://127.0.0.1/v1/api/commerce/carts?n=[1-9999]" > /root/load.$n 2>&1 & echo $! >> /root/load.pids)
  (exec setsid curl -s -o /dev/null -w '%{stderr}%{http_code}\n' --rate 8/s -H "Authorization: Bearer $KEY" \
    "http://127.0.0.1/v1/api/catalog/products?n=[1-9999]" > /root/load.r$n 2>&1 & echo $! >> /root/load.pids)
done`, "KEY="+keyShop)
	m.is(pollWithin, "yes", "test $(cat /root/load.[1-3r]* | wc -l) -gt 20 && echo yes")
	do()
	before := m.runs("cat /root/load.[1-3r]* | wc -l")
	m.is(pollWithin, "yes", "test $(cat /root/load.[1-3r]* | wc -l) -gt $(("+before+" + 30)) && echo yes")
	m.runs("kill $(cat /root/load.pids)")
	answers := map[string]int{}
	for code := range strings.FieldsSeq(m.runs("cat /root/load.[1-3r]*")) {
		answers[code]++
	}
	return answers
}

// failed counts the answers that are no success.
func failed(answers map[string]int) (n int) {
	for code, count := range answers {
		if code[0] != '2' {
			n += count
		}
	}
	return n
}

// seriesOf are the metrics that the alerts ask for.
func seriesOf(t *testing.T) []string {
	t.Helper()
	names := map[string]bool{}
	for _, rule := range regexp.MustCompile(`expr: >-\n\s+(.*)\n`).FindAllStringSubmatch(string(read(t, "../deploy/alerts.yaml")), -1) {
		text := regexp.MustCompile(`"[^"]*"|\[[^\]]*\]|\b(?:by|on|ignoring|group_left) ?\([^)]*\)`).ReplaceAllString(rule[1], "")
		for _, name := range regexp.MustCompile(`\b(?:cartd|redis|haproxy|node)_[a-z_]+|\bup\b`).FindAllString(text, -1) {
			names[name] = true
		}
	}
	all := make([]string, 0, len(names))
	for name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// A Debian whose process 1 is systemd: the documented steps, word for word and in their order, then a reload under
// load, a kill, a crash loop, a failed backup; and each series that an alert asks for is there, under the units as
// they are shipped. The machine needs root, systemd-nspawn, debootstrap and a mirror of Debian; NO_SYSTEMD=1 leaves
// the test out.
func TestLongDebianUnderSystemd(t *testing.T) {
	if os.Getenv("NO_SYSTEMD") != "" {
		t.Skip("NO_SYSTEMD is set")
	}
	for _, tool := range []string{"systemd-nspawn", "debootstrap", "nsenter"} {
		if _, err := exec.LookPath(tool); err != nil || os.Getuid() != 0 {
			t.Fatalf("this test needs root and %s (LONG=1 scripts/install-test-tools.sh); NO_SYSTEMD=1 leaves it out: %v", tool, err)
		}
	}
	_, text, _ := strings.Cut(string(read(t, "../docs/operations.md")), "\n### Debian\n")
	text, _, _ = strings.Cut(text, "\n### ")
	var steps []string
	for _, one := range regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindAllStringSubmatch(text, -1) {
		steps = append(steps, one[1])
	}
	packages := regexp.MustCompile(`(?m)^apt install (.*)$`).FindStringSubmatch(steps[0])
	if len(steps) != 5 || packages == nil {
		t.Fatalf("the steps are %d blocks, want 5 from `apt install` on", len(steps))
	}
	m := newMachine(t, packages[1])
	const archive = "root/cartd"
	var faults []error
	for from, to := range map[string]string{"../deploy": "deploy", "../scripts": "scripts"} {
		faults = append(faults, os.CopyFS(filepath.Join(m.root, archive, to), os.DirFS(from)))
	}
	faults = append(faults, os.WriteFile(filepath.Join(m.root, archive, "cartd"), read(t, binary), 0o755),
		os.WriteFile(filepath.Join(m.root, "root/store.json"), read(t, storeFile(t, base(), setting("rate_limit_per_minute", 600_000))), 0o600))
	if err := errors.Join(faults...); err != nil {
		t.Fatal(err)
	}

	// A variable of one block is there in the next, as in an operator's shell.
	for i, step := range steps {
		if i > 0 {
			step = "PASSWORD=$(sed -n 's/^requirepass //p' /etc/redis/redis.conf)\n" + step
		}
		m.runs("cd /" + archive + "\n" + step)
		if i == 1 { // both nodes start at once, with the programs of the first block beside them
			m.is(pollWithin, "200 200", "for port in 8080 8081; do curl -s -o /dev/null -w '%{http_code} ' 127.0.0.1:$port/readyz; done | sed 's/ $//'")
		}
	}
	m.runs("cartd import --redis-file /etc/cartd/redis-url /root/store.json")
	m.is(pollWithin, "active", "systemctl is-active cartd cartd2 haproxy prometheus prometheus-alertmanager prometheus-redis-exporter prometheus-node-exporter "+
		"redis-server cartd-backup.timer | sort -u")
	if open := m.runs("ss -Hltn | awk '{print $4}' | grep -v '^127\\.0\\.0\\.1:\\|^\\[::1\\]:' | sort -u || true"); open != "0.0.0.0:80" {
		t.Errorf("reachable from outside is %s, want HAProxy's port alone", open)
	}

	restarts := func() string { return m.runs("systemctl show -P NRestarts cartd cartd2 | tr -d '\\n'") }
	answers := m.underLoad(func() {
		for n := range 3 { // both at once, as documented
			m.runs("systemctl reload cartd cartd2")
			m.is(pollWithin, strconv.Itoa(2*n+2), `journalctl -u cartd -u cartd2 -o cat --no-pager | grep -c '"msg":"reloaded"'`)
		}
	})
	if failed(answers) > 0 || restarts() != "00" {
		t.Errorf("during reloads the answers were %v, and the units have started again %s times", answers, restarts())
	}
	t.Logf("during 3 reloads: %v", answers)
	answers = m.underLoad(func() {
		m.runs("systemctl kill -s KILL --kill-whom=main cartd")
		m.is(pollWithin, "1 200", "echo $(systemctl show -P NRestarts cartd) $(curl -s -o /dev/null -w '%{http_code}' 127.0.0.1:8080/readyz)")
	})
	if failed(answers) > 6 { // what was under way
		t.Errorf("at the kill of a node the answers were %v", answers)
	}
	t.Logf("during a kill of a node: %v", answers)

	for n := range 5 { // each life is seen by a reading of the metrics
		m.runs("systemctl kill -s KILL --kill-whom=main cartd2")
		m.is(pollWithin, fmt.Sprint(n+1, " 200"), "echo $(systemctl show -P NRestarts cartd2) $(curl -s -o /dev/null -w '%{http_code}' 127.0.0.1:8081/readyz)")
		began := m.runs("curl -s 127.0.0.1:9092/metrics | sed -n 's/^cartd_start_time_seconds //p'")
		if !pollFor(pollWithin, func() bool { return m.value(`cartd_start_time_seconds{instance="127.0.0.1:9092"} == `+began) != "" }) {
			t.Fatalf("Prometheus does not see the start of %s", began)
		}
	}
	if !pollFor(pollWithin, func() bool { return m.value(`ALERTS{alertname="CartdCrashLoop",alertstate="firing"}`) == "1" }) {
		t.Errorf("CartdCrashLoop does not fire; the starts are %s", m.value(`changes(cartd_start_time_seconds{instance="127.0.0.1:9092"}[10m])`))
	}

	// Redis comes back, however often it ends.
	for n := range 7 {
		m.runs("systemctl kill -s KILL --kill-whom=main redis-server")
		m.is(pollWithin, fmt.Sprint(n+1, " PONG"), `export REDISCLI_AUTH=$(sed -n 's/^requirepass //p' /etc/redis/redis.conf)
echo $(systemctl show -P NRestarts redis-server) $(redis-cli ping)`)
	}

	// A backup, what is kept of older ones, and one that fails.
	if !pollFor(pollWithin, func() bool { return m.value(`ALERTS{alertname="BackupMissing"}`) == "1" }) {
		t.Error("before the first backup BackupMissing does not wait for it")
	}
	m.runs(`cd /var/backups/cartd
for at in 26T0101 26T0201 25T2301 25T2359; do install -o redis /dev/null backup-200101${at}Z.rdb; touch -d '3 days ago' backup-200101${at}Z.rdb; done
install -o redis /dev/null backup-20010101T0001Z.rdb
touch -d '15 days ago' backup-20010101T0001Z.rdb
systemctl start cartd-backup`)
	if kept, want := m.runs("cd /var/backups/cartd; ls backup-2001*"), "backup-20010125T2301Z.rdb\nbackup-20010126T0101Z.rdb"; kept != want {
		t.Errorf("of older backups there are\n%s\nwant the first of each day:\n%s", kept, want)
	}
	m.runs(`cd /root/cartd
printf '%s\n' "replicaof 127.0.0.1 6379" "port 6380" "masterauth $(sed -n 's/^requirepass //p' /etc/redis/redis.conf)" > /root/replica.conf
systemd-run --unit replica redis-server /root/replica.conf`)
	missing := map[string]bool{}
	if !pollFor(time.Minute, func() bool {
		clear(missing)
		for _, name := range seriesOf(t) {
			if m.value("count("+name+")") == "" {
				missing[name] = true
			}
		}
		return len(missing) == 0
	}) {
		t.Errorf("under the shipped units no series has the name %v", missing)
	}
	if !pollFor(pollWithin, func() bool { return m.value(`ALERTS{alertname="BackupMissing"}`) == "" }) {
		t.Error("after a backup BackupMissing is still there")
	}
	for _, block := range blocksOf(t, "../docs/operations.md", "## Back up and restore") {
		if strings.Contains(block, "OnFailure=") {
			m.runs(block)
		}
	}
	if out, err := m.tries("chmod u+w /etc/cartd/backup.env; echo REDISCLI_AUTH=wrong > /etc/cartd/backup.env; systemctl start cartd-backup"); err == nil {
		t.Errorf("a backup with a wrong password succeeds: %s", out)
	}
	m.is(pollWithin, "yes", "test $(systemctl show -P ExecMainStartTimestampMonotonic cartd-backup-failed) -gt 0 && echo yes")
}
