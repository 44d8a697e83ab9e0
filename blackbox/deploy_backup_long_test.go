//go:build long

package blackbox_test

import (
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cartd/bench/process"
)

// durableRedis starts a redis-server as an operator does, in a folder, at an address.
func durableRedis(t *testing.T, dir, address string) *process.Redis {
	t.Helper()
	r := process.NewRedis(dir, "--appendonly", "yes", "--appendfsync", "always")
	r.Addr = address
	t.Cleanup(r.Kill)
	if err := r.Restart(); err != nil {
		t.Fatal(err)
	}
	return r
}

// The two blocks of docs/operations.md, unchanged. A restored Redis has the keys of the backup and
// takes further writes.
func TestLongBackupAndRestore(t *testing.T) {
	_, chapter, _ := strings.Cut(string(read(t, "../docs/operations.md")), "\n## Back up and restore\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	blocks := regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindAllStringSubmatch(chapter, -1)
	if len(blocks) != 2 {
		t.Fatalf("the chapter has %d blocks, want one of each", len(blocks))
	}
	work, dir := t.TempDir(), filepath.Join(t.TempDir(), "redis")
	address, err := process.FreeAddress()
	if err := errors.Join(err, os.Mkdir(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	run := func(block string) {
		t.Helper()
		shell := exec.Command("bash", "-euo", "pipefail", "-c", block)
		shell.Dir = work
		shell.Env = []string{"PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH"), "PORT=" + port, "DIR=" + dir, "STORE=" + storeBase}
		if out, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%s\n%s%v", block, out, err)
		}
	}
	redis := durableRedis(t, dir, address)
	o := options{redis: redis.URL(), stores: storeFiles(t, keyShop)}
	shop := start(t, o).client(t)
	path := shop.newCart()
	shop.add(path, hammer, "3")
	run(blocks[0][1])
	shop.add(path, hammer, "1")
	later := shop.newCart()
	shop.node.Kill()
	redis.Kill()

	run(blocks[1][1])
	redis = durableRedis(t, dir, address)
	shop = start(t, o).client(t)
	shop.get(path).wantLines(http.StatusOK, "Hammer 3 × 1999 = 5997")
	shop.get(later).wantStatus(http.StatusNotFound) // made after the backup
	shop.add(path, hammer, "1")
	redis.Kill() // the append-only file takes further writes, too
	durableRedis(t, dir, address)
	shop.eventually(path, http.StatusOK).wantLines(http.StatusOK, "Hammer 4 × 1999 = 7996")
	document := string(read(t, filepath.Join(work, "store.json")))
	if !strings.Contains(document, storeBase) || strings.Contains(document, keyShop) {
		t.Errorf("the exported document is\n%.500s", document)
	}
}
