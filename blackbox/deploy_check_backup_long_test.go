//go:build long

package blackbox_test

import (
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cartd/internal/process"
	"cartd/internal/redistest"
)

// snapshot copies a Redis into a file.
func snapshot(t *testing.T, r *redistest.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "backup.rdb")
	_, port, _ := net.SplitHostPort(r.Addr())
	bash(t, "redis-cli -p "+port+" --rdb "+file+" && redis-check-rdb "+file)
	return file
}

// A backup is good only if a scratch Redis loads it and cartd reads all of it. The check changes nothing, and
// leaves nothing behind.
func TestLongCheckBackup(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	shop.add(shop.newCart(), hammer, "1")
	good := snapshot(t, r)
	damaged := "{" + storeBase + "}:cart:9f6c1f0e-7d55-4f27-9a3b-2b2f6f5d1c10"
	if err := r.Client().Set(t.Context(), damaged, "\x01garbage", 0).Err(); err != nil {
		t.Fatal(err)
	}
	unreadable, empty := snapshot(t, r), snapshot(t, redistest.Real(t))
	half := filepath.Join(t.TempDir(), "half.rdb")
	whole := read(t, good)
	if err := os.WriteFile(half, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(t.TempDir(), "old.rdb")
	if err := os.WriteFile(old, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(filepath.Dir(old), "newer.rdb")
	if err := os.WriteFile(newer, append([]byte("REDIS0099"), whole[9:]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-27*time.Hour)); err != nil {
		t.Fatal(err)
	}
	block := blocksOf(t, "../docs/operations.md", "## Back up and restore")[4]
	for _, c := range []struct {
		file, want string
		good       bool
	}{
		{good, ": 1 stores, ", true}, {half, "is no whole snapshot of Redis", false}, {old, "27 hours old, more than 2", false},
		{newer, "is of a newer Redis than the one of this machine", false},
		{empty, "has no store of cartd", false}, {unreadable, damaged, false}, {good + ".gone", "cannot be read", false},
	} {
		scratch := t.TempDir()
		check := exec.Command("bash", "-euc", strings.Replace(block, "backup.rdb", c.file, 1))
		check.Dir = ".."
		check.Env = []string{"PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH"), "TMPDIR=" + scratch, "REDISCLI_AUTH=of another Redis", "CARTD=" + binary}
		out, err := check.CombinedOutput()
		if (err == nil) != c.good || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v\n%s\nwant %q", c.file, err, out, c.want)
		}
		if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
			t.Errorf("%s: the check leaves %v, %v", c.file, left, err)
		}
	}
	if string(read(t, good)) != string(whole) {
		t.Error("the check has changed the snapshot")
	}
}

// The snapshots of a cluster's masters are one backup: its stores are spread over them, and one master lists all.
func TestLongCheckBackupOfACluster(t *testing.T) {
	t.Parallel()
	url, masters := redistest.Cluster(t, redistest.Thirds)
	n := start(t, options{redis: url, stores: storeFiles(t, keyShop, keyTight)})
	n.client(t).newCart()
	var files []string
	for _, master := range masters {
		files = append(files, snapshot(t, master))
	}
	check := func(files ...string) (out string, good bool) {
		c := exec.Command("sh", append([]string{"../scripts/check-backup.sh", "--max-age", "1"}, files...)...)
		c.Env = append(os.Environ(), "CARTD="+binary)
		text, err := c.CombinedOutput()
		return string(text), err == nil
	}
	out, good := check(files...)
	if !good || !strings.Contains(out, "the backup of 3 snapshots is 0 minutes old: 2 stores, ") || !strings.Contains(out, "carts: 1 read") {
		t.Errorf("the check of all masters: %v\n%s", good, out)
	}
	alone := 0
	for _, file := range files {
		if _, good := check(file); good {
			alone++
		}
	}
	if alone > 0 {
		t.Errorf("%d masters alone are a whole backup", alone)
	}
	if out, good := check(files[0], files[1], files[2]+".gone"); good || !strings.Contains(out, "cannot be read") {
		t.Errorf("a snapshot that is not there: %s", out)
	}
}

// The append-only file with times can be cut at a moment: what was written before it is there, what came
// later is gone.
func TestLongMomentInTime(t *testing.T) {
	t.Parallel()
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	dir := openFolder(t, nil)
	serve := func() *process.Process {
		t.Helper()
		p, err := process.Start(exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", dir, "--save", "", "--appendonly", "yes",
			"--appendfsync", "always", "--aof-timestamp-enabled", "yes"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Kill)
		poll(t, "answer of Redis", func() bool { return exec.Command("redis-cli", "-p", port, "ping").Run() == nil })
		return p
	}
	url := "redis://" + address + "/0"
	server := serve()
	n := start(t, options{redis: url, stores: storeFiles(t, keyShop)})
	shop := n.client(t)
	path := shop.newCart()
	shop.add(path, hammer, "3")
	moment := time.Now().Unix()
	poll(t, "next second", func() bool { return time.Now().Unix() > moment })
	shop.add(path, hammer, "1")
	runs(t, "stores", "--redis", url, "--suspend", storeBase).wants(t, "suspended (operator)")
	n.Kill()
	server.Kill()
	blocks := blocksOf(t, "../docs/operations.md", "## Back up and restore")
	compose := regexp.MustCompile(`(?s) redis "(.*)"\n`).FindStringSubmatch(blocks[8])
	if compose == nil || strings.ReplaceAll(strings.ReplaceAll(compose[1], "/data/", "$DIR/"), "\n  ", "\n")+"\n" != blocks[7] {
		t.Errorf("the blocks differ in more than the folder:\n%s\n%s", blocks[7], blocks[8])
	}
	bash(t, blocks[7], "DIR="+dir, "MOMENT="+strconv.FormatInt(moment, 10))
	serve()
	shop = start(t, options{redis: url, stores: storeFiles(t, keyShop)}).client(t)
	shop.get(path).wantLines(http.StatusOK, "Hammer 3 × 1999 = 5997")
	if !strings.Contains(string(read(t, "../deploy/compose.yaml")), " --aof-timestamp-enabled yes ") {
		t.Error("compose.yaml writes no times into the file")
	}
}

// The commands that the blocks of Compose and Kubernetes run in Redis's container make a snapshot with the
// container's own password, with an ACL user, and over TLS.
func TestLongBackupBlocks(t *testing.T) {
	t.Parallel()
	blocks := blocksOf(t, "../docs/operations.md", "## Back up and restore")
	compose := regexp.MustCompile(`(?s)redis sh -c '(.*?)'`).FindStringSubmatch(blocks[2])
	kubernetes := regexp.MustCompile(`(?s)REDIS-0 -- sh -c "(.*?)"`).FindStringSubmatch(blocks[3])
	if compose == nil || kubernetes == nil || !strings.Contains(blocks[2], " -e CLI -e REDISCLI_AUTH redis sh ") {
		t.Fatalf("the blocks run no command in the container, or hand no variables on:\n%s\n%s", blocks[2], blocks[3])
	}
	_, ready, _ := strings.Cut(blocks[2], "up -d redis\n")
	numbers, _, nodes := strings.Cut(ready, "docker compose -f deploy/compose.yaml up -d\n")
	commands := regexp.MustCompile(`(?m) node1 (.*?)(?: +#.*)?$`).FindAllStringSubmatch(numbers, -1)
	if !nodes || len(commands) != 2 {
		t.Fatalf("Compose's nodes start before the numbers are left out:\n%s", blocks[2])
	}
	restored := redistest.Real(t)
	imports(t, restored, storeFiles(t, keyShop)[0])
	for _, command := range commands {
		bash(t, binary+" "+command[1], "CARTD_REDIS="+restored.URL(), "STORE="+storeBase, "ORDER=7", "QUOTE=3")
	}
	if port, nodes := strings.Index(blocks[3], "kubectl port-forward"), strings.Index(blocks[3], "cartd --replicas 3"); port < 0 || nodes < port {
		t.Errorf("the nodes in Kubernetes start before the numbers are left out:\n%s", blocks[3])
	}
	c := redistest.NewCertificates(t)
	secure := redistest.TLS(t, c)
	for _, command := range [][]any{
		{"ACL", "SETUSER", "backup", "reset", "on", ">the-password-of-backup", "+sync", "+replconf"}, {"CONFIG", "SET", "requirepass", "the-password-of-redis"},
	} {
		if err := secure.Client().Do(t.Context(), command...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	_, port, _ := net.SplitHostPort(secure.Addr())
	_, securePort, _ := net.SplitHostPort(secure.TLSAddr())
	conf := filepath.Join(t.TempDir(), "redis.conf")
	if err := os.WriteFile(conf, []byte("requirepass the-password-of-redis\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ cli, password string }{
		{"-p " + port, ""}, {"-p " + port + " --user backup", "the-password-of-backup"},
		{"-p " + securePort + " --user backup --tls --cacert " + c.CA + " --cert " + c.Cert + " --key " + c.Key, "the-password-of-backup"},
	} {
		for name, command := range map[string]string{"Compose": compose[1], "Kubernetes": kubernetes[1]} {
			file := filepath.Join(t.TempDir(), "backup.rdb")
			password := row.password
			if name == "Kubernetes" && password == "" {
				password = "the-password-of-redis" // in the pod's environment
			}
			inside := strings.ReplaceAll(command, "/run/secrets/redis-conf", conf)
			bash(t, "("+inside+") > "+file+" && redis-check-rdb "+file, "CLI="+row.cli, "REDISCLI_AUTH="+password)
		}
	}
}

// The block that makes Compose's secrets keeps them from every other user of the machine: the folder is closed,
// and no file is ever there in an open one. The containers' users read the files.
func TestLongComposeSecretsAreClosed(t *testing.T) {
	t.Parallel()
	block := ""
	for _, one := range blocksOf(t, "../docs/operations.md", "## Install") {
		if strings.Contains(one, "deploy/secrets/redis-url") {
			block = one
		}
	}
	dir := t.TempDir()
	shell := exec.Command("bash", "-euo", "pipefail", "-c", "umask 022\n"+block)
	shell.Dir = dir
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s%v", block, out, err)
	}
	modes := map[string]fs.FileMode{"": 0o700 | fs.ModeDir, "redis-url": 0o444, "redis.conf": 0o444, "redis-exporter.json": 0o444}
	for name, want := range modes {
		info, err := os.Stat(filepath.Join(dir, "deploy/secrets", name))
		if err != nil || info.Mode() != want {
			t.Errorf("deploy/secrets/%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
	if closed, write := strings.Index(block, "chmod 0700"), strings.Index(block, "> deploy/secrets"); closed < 0 || closed > write {
		t.Errorf("the folder is closed only after a secret was written:\n%s", block)
	}
	if url := string(read(t, filepath.Join(dir, "deploy/secrets/redis-url"))); !regexp.MustCompile(`^redis://:[0-9a-f]{48}@redis:6379/0\n$`).MatchString(url) {
		t.Errorf("redis-url is %q", url)
	}
}

// The block that changes Compose's password writes into the files that the containers have, closed as before, and
// ends with the old password refused.
func TestLongComposePasswordBlock(t *testing.T) {
	t.Parallel()
	var making, changing string
	for _, chapter := range []string{"## Install", "## Redis"} {
		for _, block := range blocksOf(t, "../docs/operations.md", chapter) {
			switch {
			case strings.Contains(block, "> deploy/secrets/redis-url"):
				making = block
			case strings.Contains(block, "deploy/secrets/*; do"):
				changing = block
			}
		}
	}
	r := redistest.Real(t)
	_, port, _ := net.SplitHostPort(r.Addr())
	dir := t.TempDir()
	docker := `#!/bin/sh
shift 3 # compose -f deploy/compose.yaml
case "$*" in
"exec -T -e REDISCLI_AUTH redis redis-cli "*) shift 6; exec redis-cli --no-auth-warning -p ` + port + ` "$@" ;;
"kill -s HUP node1 node2" | "restart redis-exporter" | "logs "*) echo "$*" >> docker.log ;;
*) echo "unknown: $*" >&2; exit 1 ;;
esac
`
	if err := os.WriteFile(filepath.Join(dir, "docker"), []byte(docker), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(block string) {
		t.Helper()
		shell := exec.Command("bash", "-euo", "pipefail", "-c", block)
		shell.Dir, shell.Env = dir, []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "REDISCLI_AUTH="}
		if out, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%s\n%s%v", block, out, err)
		}
	}
	run(making)
	names := []string{"redis-url", "redis.conf", "redis-exporter.json"}
	info := func(name string) fs.FileInfo {
		t.Helper()
		info, err := os.Stat(filepath.Join(dir, "deploy/secrets", name))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	conf := filepath.Join(dir, "deploy/secrets/redis.conf")
	password := func() string { return strings.TrimSpace(strings.TrimPrefix(string(read(t, conf)), "requirepass ")) }
	before := password()
	if err := r.Client().ConfigSet(t.Context(), "requirepass", before).Err(); err != nil {
		t.Fatal(err)
	}
	var were []fs.FileInfo
	for _, name := range names {
		were = append(were, info(name))
	}
	run(changing)
	after := password()
	for i, name := range names {
		if is := info(name); !os.SameFile(were[i], is) || is.Mode() != 0o444 {
			t.Errorf("%s: another file, or its mode is %v", name, is.Mode())
		}
		if text := string(read(t, filepath.Join(dir, "deploy/secrets", name))); strings.Contains(text, before) || !strings.Contains(text, after) {
			t.Errorf("%s still has the old password", name)
		}
	}
	ping := "redis-cli --no-auth-warning -p " + port + " ping 2>&1"
	said := bash(t, ping+"; REDISCLI_AUTH="+before+" "+ping, "REDISCLI_AUTH="+after)
	if !strings.HasPrefix(said, "PONG\n") || !strings.Contains(said, "WRONGPASS") {
		t.Errorf("ping with the new and the old password:\n%s", said)
	}
	if done := string(read(t, filepath.Join(dir, "docker.log"))); !strings.HasPrefix(done, "kill -s HUP node1 node2\nrestart redis-exporter\n") {
		t.Errorf("docker was asked for\n%s", done)
	}
}
