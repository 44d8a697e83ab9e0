//go:build long

package blackbox_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/blackbox"
	"cartd/internal/process"
)

// environmentFile has the variables of a file of systemd; of a name the last line counts.
func environmentFile(t *testing.T, file string) map[string]string {
	t.Helper()
	variables := map[string]string{}
	for line := range strings.Lines(string(read(t, file))) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		variables[name] = strings.Trim(value, `"`)
	}
	return variables
}

// The steps for Debian write files that each program reads: no name of a container is left in them, and the ports
// and the password are the same everywhere. They run in folders in place of /etc and /usr/local/bin, without apt and
// systemctl.
func TestLongDebianSteps(t *testing.T) {
	if serviceUser(t) == nil {
		t.Skip("needs root")
	}
	_, steps, _ := strings.Cut(string(read(t, "../docs/operations.md")), "\n### Debian\n")
	steps, _, _ = strings.Cut(steps, "\n### ")
	block := ""
	for _, one := range regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindAllStringSubmatch(steps, -1) {
		block += one[1]
	}
	root, archive, programs := t.TempDir(), t.TempDir(), t.TempDir()
	var faults []error
	for _, dir := range []string{"etc/redis", "etc/haproxy", "etc/prometheus", "etc/default", "etc/systemd/system",
		"usr/local/bin", "var/backups", "var/lib/prometheus/node-exporter"} {
		faults = append(faults, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for name, from := range map[string]string{"deploy": "../deploy", "scripts": "../scripts", "cartd": binary} {
		from, err := filepath.Abs(from)
		faults = append(faults, err, os.Symlink(from, filepath.Join(archive, name)))
	}
	for _, name := range []string{"apt", "systemctl"} {
		faults = append(faults, os.Symlink("/bin/true", filepath.Join(programs, name)))
	}
	faults = append(faults, os.WriteFile(filepath.Join(root, "etc/redis/redis.conf"), []byte("save 3600 1\n"), 0o600))
	if err := errors.Join(faults...); err != nil {
		t.Fatal(err)
	}
	text := block
	for _, place := range []string{"/etc/", "/usr/local/bin/", "/var/backups/", "/var/lib/prometheus/"} {
		text = regexp.MustCompile(`(^|[ >])`+place).ReplaceAllString(text, "${1}"+root+place)
	}
	shell := exec.Command("bash", "-euo", "pipefail", "-c", text)
	shell.Dir, shell.Env = archive, append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s%v", text, out, err)
	}
	etc := filepath.Join(root, "etc")

	// The drop-in is that of the durable profile.
	profile := ""
	for _, one := range blocksOf(t, "../docs/operations.md", "## Redis") {
		if strings.Contains(one, "ExecStartPre=") {
			profile = one
		}
	}
	if got := string(read(t, etc+"/systemd/system/redis-server.service.d/override.conf")); got != profile {
		t.Errorf("the drop-in of Redis's unit is\n%s\nwant\n%s", got, profile)
	}
	address, err := url.Parse(strings.TrimSpace(string(read(t, etc+"/cartd/redis-url"))))
	if err != nil {
		t.Fatal(err)
	}
	password, _ := address.User.Password()
	dir := t.TempDir()
	server, err := process.Start(exec.Command("redis-server", etc+"/redis/redis.conf", "--port", "0", "--unixsocket", dir+"/redis.sock", "--dir", dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Kill)
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: dir + "/redis.sock", Password: password})
	t.Cleanup(func() { client.Close() })
	poll(t, "answer of Redis", func() bool { return client.Ping(t.Context()).Err() == nil })
	for setting, want := range map[string]string{"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"} {
		if got := client.ConfigGet(t.Context(), setting).Val()[setting]; got != want {
			t.Errorf("Redis has %s %q, want %q", setting, got, want)
		}
	}

	// The backup has the password, which the nodes' users cannot read.
	info, err := os.Stat(etc + "/cartd/backup.env")
	if err != nil || info.Mode() != 0o400 || environmentFile(t, etc+"/cartd/backup.env")["REDISCLI_AUTH"] != password {
		t.Errorf("the backup has %v, %v", info, err)
	}
	if info, err := os.Stat(root + "/var/backups/cartd"); err != nil || info.Mode() != 0o700|os.ModeDir {
		t.Errorf("the folder of the backups: %v, %v", info, err)
	}
	for _, name := range []string{"cartd.service", "cartd2.service", "cartd-backup.service", "cartd-backup.timer"} {
		if _, err := os.Stat(etc + "/systemd/system/" + name); err != nil {
			t.Error(err)
		}
	}

	// HAProxy's nodes listen where the units of both nodes say.
	router, second := environmentFile(t, etc+"/default/haproxy"), environmentFile(t, etc+"/cartd/cartd2.env")
	if router["CARTD_NODE1"] != "127.0.0.1:8080" || router["CARTD_NODE2"] != second["CARTD_LISTEN"] || router["HAPROXY_USER"] == "" {
		t.Errorf("HAProxy has %v, and the second node %v", router, second)
	}
	check := exec.Command(blackbox.HAProxy(), "-c", "-q", "-f", etc+"/haproxy/haproxy.cfg")
	for name, value := range router {
		check.Env = append(check.Env, name+"="+value)
	}
	wants(t, true, check)

	// Prometheus reads what is there.
	wants(t, false, exec.Command("promtool", "check", "config", etc+"/prometheus/prometheus.yml"))
	wants(t, false, exec.Command("amtool", "check-config", etc+"/prometheus/alertmanager.yml"))
	targets := regexp.MustCompile(`[\w.-]+:\d{4}`).FindAllString(strings.ReplaceAll(string(read(t, etc+"/prometheus/prometheus.yml")), "# ", ""), -1)
	want := "127.0.0.1:9093 127.0.0.1:9090 " + second["CARTD_OPS_LISTEN"] + " 127.0.0.1:8404 127.0.0.1:9121 127.0.0.1:9100"
	if got := strings.Join(targets, " "); got != want {
		t.Errorf("Prometheus has the targets %s, want %s", got, want)
	}
	if strings.Contains(string(read(t, etc+"/prometheus/prometheus.yml")), ";/data") {
		t.Error("Prometheus looks for the file system of a container")
	}
	exporter := environmentFile(t, etc+"/default/prometheus-redis-exporter")
	if got := exporter["REDIS_EXPORTER_WEB_LISTEN_ADDRESS"]; got != "127.0.0.1:9121" {
		t.Errorf("redis_exporter listens at %q", got)
	}
	if program := strings.Fields(environmentFile(t, etc+"/default/prometheus-node-exporter")["ARGS"]); !slices.Contains(program, "--collector.textfile") {
		t.Errorf("node_exporter has %q", program)
	}
	passwords := map[string]string{}
	err = json.Unmarshal(read(t, strings.Replace(exporter["REDIS_PASSWORD_FILE"], "/etc", etc, 1)), &passwords)
	if err != nil || passwords[exporter["REDIS_ADDR"]] != password {
		t.Errorf("redis_exporter has the passwords of %v for %s, %v", passwords, exporter["REDIS_ADDR"], err)
	}
}
