//go:build long

package blackbox_test

import (
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/process"
	"cartd/internal/redistest"
)

// durableRedis starts a redis-server as an operator does: in a folder, at an address, with a password,
// as a user.
func durableRedis(t *testing.T, dir, address, password string, owner *syscall.Credential) *process.Process {
	t.Helper()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", dir, "--save", "",
		"--appendonly", "yes", "--appendfsync", "always", "--requirepass", password)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	p, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	client := redis.NewClient(&redis.Options{Addr: address, Password: password})
	defer client.Close()
	poll(t, "answer of Redis", func() bool { return client.Ping(t.Context()).Err() == nil })
	return p
}

// serviceUser is the user of Debian's Redis if the test may become it, else the test's own.
func serviceUser(t *testing.T) *syscall.Credential {
	t.Helper()
	found, err := user.Lookup("redis")
	if os.Getuid() != 0 || err != nil {
		return nil
	}
	uid, err := strconv.ParseUint(found.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(found.Gid, 10, 32)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// openFolder is a folder that every user may enter, and the owner may write to.
func openFolder(t *testing.T, owner *syscall.Credential) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err == nil && owner != nil {
		err = os.Chown(dir, int(owner.Uid), int(owner.Gid))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// blocksOf are the blocks of commands in a chapter of a document.
func blocksOf(t *testing.T, file, chapter string) (blocks []string) {
	t.Helper()
	_, text, found := strings.Cut("\n"+string(read(t, file)), "\n"+chapter+"\n")
	if !found {
		t.Fatalf("%s has no %q", file, chapter)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	for _, block := range regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, block[1])
	}
	return blocks
}

// bash runs a block with variables in the repository's root.
func bash(t *testing.T, block string, variables ...string) string {
	t.Helper()
	shell := exec.Command("bash", "-euo", "pipefail", "-c", block)
	shell.Dir = ".."
	shell.Env = append([]string{"PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH")}, variables...)
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%s%v", block, out, err)
	}
	return string(out)
}

// The blocks of docs/operations.md for backup and restore, unchanged, with a password and as the
// service's user. A restored Redis has the keys of the backup and takes further writes.
func TestLongBackupAndRestore(t *testing.T) {
	blocks := blocksOf(t, "../docs/operations.md", "## Back up and restore")
	if len(blocks) != 10 {
		t.Fatalf("the chapter has %d blocks, want backup, restore, Compose, Kubernetes, a check, its failure, three of a moment, and numbers", len(blocks))
	}
	const password = "a-password-of-redis"
	owner := serviceUser(t)
	work, dir := t.TempDir(), openFolder(t, owner)
	address, err := process.FreeAddress()
	url := "redis://default:" + password + "@" + address + "/0"
	file := filepath.Join(work, "redis-url")
	if err := errors.Join(err, os.WriteFile(file, []byte(url+"\n"), 0o400)); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	run := func(block string) string {
		t.Helper()
		in := strings.NewReplacer("backup.rdb", filepath.Join(work, "backup.rdb"), "store.json", filepath.Join(work, "store.json")).Replace(block)
		return bash(t, in, "PORT="+port, "DIR="+dir, "STORE="+storeBase, "URL_FILE="+file, "REDISCLI_AUTH="+password, "CLI=--user default",
			"ORDER=1300", "QUOTE=400")
	}
	server := durableRedis(t, dir, address, password, owner)
	o := options{redis: url, stores: storeFiles(t, keyShop)}
	shop := start(t, o).client(t)
	path := shop.newCart()
	shop.add(path, hammer, "3")
	run(blocks[0])
	shop.add(path, hammer, "1")
	later := shop.newCart()
	shop.node.Kill()
	server.Kill()

	if out := run(blocks[1]); !strings.Contains(out, "cartd orders --next, cartd quotes --next") {
		t.Errorf("the restore does not name the counters:\n%s", out)
	}
	for _, file := range []string{dir + "/appendonlydir", dir + "/appendonlydir/appendonly.aof.manifest", dir + "/dump.rdb"} {
		if info, err := os.Stat(file); err != nil || info.Mode()&0o077 != 0 || owner != nil && info.Sys().(*syscall.Stat_t).Uid != owner.Uid {
			t.Errorf("%s: %v, or it is not the service's own, or others may read it", file, err)
		}
	}
	for _, file := range []string{"backup.rdb", "store.json"} {
		if info, err := os.Stat(filepath.Join(work, file)); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v; want that no other user reads it", file, info.Mode(), err)
		}
	}
	server = durableRedis(t, dir, address, password, owner)
	aside := func() (files []string) {
		t.Helper()
		files, err := filepath.Glob(dir + "/*.old-*")
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	earlier := aside() // one file, from before the first restore
	if out, err := exec.Command("sh", "../scripts/restore-redis.sh", filepath.Join(work, "backup.rdb"), dir).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "stop Redis first; nothing was changed") {
		t.Errorf("a restore into the folder of a running Redis: %v\n%s", err, out)
	}
	if len(earlier) != 1 || !slices.Equal(aside(), earlier) {
		t.Errorf("put aside is %q, then %q; want the append-only file of before, and no more", earlier, aside())
	}
	if out := run(blocks[9]); !strings.Contains(out, "the next order gets the number 1300: after") ||
		!strings.Contains(out, "the next quote gets the number 400\n") {
		t.Errorf("the numbers after the restore:\n%s", out)
	}
	shop = start(t, o).client(t)
	shop.get(path).wantLines(http.StatusOK, "Hammer 3 × 1999 = 5997")
	shop.get(later).wantStatus(http.StatusNotFound) // made after the backup
	shop.add(path, hammer, "1")
	server.Kill() // the append-only file takes further writes, too
	again := durableRedis(t, dir, address, password, owner)
	shop.eventually(path, http.StatusOK).wantLines(http.StatusOK, "Hammer 4 × 1999 = 7996")
	document := string(read(t, filepath.Join(work, "store.json")))
	if !strings.Contains(document, storeBase) || strings.Contains(document, keyShop) {
		t.Errorf("the exported document is\n%.500s", document)
	}
	if before, bad := read(t, dir+"/dump.rdb"), filepath.Join(work, "bad.rdb"); os.WriteFile(bad, before[:len(before)/2], 0o600) == nil {
		out, err := exec.Command("sh", "../scripts/restore-redis.sh", bad, dir).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "nothing was changed") {
			t.Errorf("half a snapshot: %v\n%s\nwant it refused", err, out)
		}
	}
	again.Kill() // a second restore keeps what the first one has put aside
	run(blocks[1])
	if now := aside(); len(now) != 3 || !slices.Contains(now, earlier[0]) {
		t.Errorf("put aside is %q after a second restore, want %q and two more", now, earlier)
	}
}

// The block of docs/runbook.md that asks Redis works with a password.
func TestLongRunbookAsksRedis(t *testing.T) {
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	durableRedis(t, openFolder(t, nil), address, "a-password-of-redis", nil)
	host, port, _ := net.SplitHostPort(address)
	blocks := blocksOf(t, "../docs/runbook.md", "# Runbook")
	if len(blocks) != 1 {
		t.Fatalf("the runbook begins with %d blocks, want 1", len(blocks))
	}
	c := redistest.NewCertificates(t)
	secure := redistest.TLS(t, c)
	if err := secure.Client().Do(t.Context(), "ACL", "SETUSER", "operator", "on", ">another-password", "~*", "&*", "+@all").Err(); err != nil {
		t.Fatal(err)
	}
	secureHost, securePort, _ := net.SplitHostPort(secure.TLSAddr())
	for _, variables := range [][]string{
		{"HOST=" + host, "PORT=" + port, "REDISCLI_AUTH=a-password-of-redis"},
		{"HOST=" + host, "PORT=" + port, "REDISCLI_AUTH=a-password-of-redis", "CLI=--user default"},
		{"HOST=" + secureHost, "PORT=" + securePort, "REDISCLI_AUTH=another-password",
			"CLI=--user operator --tls --cacert " + c.CA + " --cert " + c.Cert + " --key " + c.Key},
	} {
		out := bash(t, blocks[0], variables...)
		for _, want := range []string{"PONG\n", "maxmemory_policy:noeviction", "aof_last_write_status:ok", "role:master"} {
			if !strings.Contains(out, want) || strings.Contains(out, "NOAUTH") {
				t.Errorf("with %q the block says\n%s\nwant %q", variables, out, want)
			}
		}
	}
}

// The password of Redis changes under load, as docs/operations.md describes it, without a failed
// request.
func TestLongPasswordChange(t *testing.T) {
	_, text, _ := strings.Cut(string(read(t, "../docs/operations.md")), "\n**Change the password without a failed request.**")
	found := regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindAllStringSubmatch(text, 2)
	if len(found) != 2 {
		t.Fatalf("the section has %d blocks, want 2", len(found))
	}
	const before, after = "the-password-before", "the-password-after"
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	durableRedis(t, openFolder(t, nil), address, before, nil)
	_, port, _ := net.SplitHostPort(address)
	file := filepath.Join(t.TempDir(), "redis-url")
	write := func(password string) {
		t.Helper()
		if err := os.WriteFile(file, []byte("redis://default:"+password+"@"+address+"/0\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stores := storeFiles(t, keyWide)
	serve := func(listen string) *node {
		t.Helper()
		cmd := exec.Command(binary, "serve", "--listen", listen, "--redis-file", file, "--store", stores[0], "--drain-delay", "2s")
		return listens(t, cmd)
	}
	write(before)
	first, second := serve("127.0.0.1:0"), serve("127.0.0.1:0")
	h := routeTo(t, first.addr, second.addr)
	shop := h.client(t).withKey(keyWide)
	var failures atomic.Int64
	stop, running := make(chan struct{}), sync.WaitGroup{}
	for i := range 4 {
		s := &adder{shop: shop, path: shop.newCart(), failures: &failures}
		running.Go(func() { s.run(t, i, stop) })
	}
	change := func(block string) {
		t.Helper()
		bash(t, block, "PORT="+port, "OLD="+before, "NEW="+after)
	}
	change(found[0][1])
	write(after)
	for _, n := range []*node{first, second} {
		if status := n.Stop(); status != 0 {
			t.Errorf("exit status %d", status)
		}
		replaced := serve(n.addr)
		poll(t, "HAProxy uses the new node", func() bool { return replaced.client(t).get("/readyz").status == http.StatusOK })
		time.Sleep(2 * time.Second) // HAProxy asks twice a second
	}
	change(found[1][1])
	time.Sleep(time.Second)
	close(stop)
	running.Wait()
	if failed := failures.Load(); failed > 0 {
		t.Errorf("%d requests failed", failed)
	}
	old := redis.NewClient(&redis.Options{Addr: address, Password: before})
	defer old.Close()
	if err := old.Ping(t.Context()).Err(); err == nil || !strings.Contains(err.Error(), "WRONGPASS") {
		t.Errorf("the old password: %v, want WRONGPASS", err)
	}
}
