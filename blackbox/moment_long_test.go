//go:build long

package blackbox_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/redistest"
)

// trailOf are the entries of cartd history --all, the newest first.
func trailOf(t *testing.T, r *redistest.Server) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(operates(t, r, "history", "--all").wants(t, "BEGAN")), "\n")[1:]
}

// crowd gives a store so many carts, copies of one of its own.
func crowd(t *testing.T, r *redistest.Server, path string, carts int) {
	t.Helper()
	key, pipe := "{"+storeBase+"}:cart:"+strings.TrimPrefix(path, "commerce/carts/"), r.Client().Pipeline()
	for range carts {
		pipe.Copy(t.Context(), key, "{"+storeBase+"}:cart:"+uuid.NewString(), 0, false)
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// The recipe of docs/operations.md gives back a store that was dropped, to the letter: with all of its keys,
// although the drop took longer than a second of the file. A drop that is killed has left an entry, too.
func TestLongAMomentBeforeADrop(t *testing.T) {
	_, section, _ := strings.Cut(string(read(t, "../docs/operations.md")), "\n### A moment in time\n")
	found := regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindAllStringSubmatch(section, 2)
	block := found[0][1] + found[1][1]
	if !strings.Contains(block, "$BEGAN") || !strings.Contains(block, "--truncate-to-timestamp") {
		t.Fatalf("the recipe is\n%s", block)
	}
	const carts = 20_000
	for _, killed := range []bool{false, true, false} {
		r := redistest.Real(t, "--appendonly", "yes", "--appendfsync", "everysec", "--aof-timestamp-enabled", "yes")
		client := r.Client()
		imports(t, r, storeFile(t, base(), collected)).wantStores(t, storeBase)
		shop := start(t, options{redis: r.URL()}).client(t).withKey(keyAll)
		path := shop.fill()
		sold := shop.sells(`{"email":"a@b.example"}`)
		crowd(t, r, path, carts)
		shop.node.Kill()
		time.Sleep(1100 * time.Millisecond) // the file has whole seconds: what came in the second of the drop goes with it
		before := client.DBSize(t.Context()).Val()

		drop := exec.Command(binary, "stores", "--redis", r.URL(), "--drop", storeBase)
		drop.Stdin, drop.Env = strings.NewReader("Base Tools\n"), []string{}
		var out bytes.Buffer
		drop.Stdout, drop.Stderr = &out, &out
		if err := drop.Start(); err != nil {
			t.Fatal(err)
		}
		poll(t, "drop under way", func() bool { return client.DBSize(t.Context()).Val() < before-10 })
		_ = drop.Process.Signal(syscall.SIGSTOP) // a drop of a large store takes longer than a second of the file
		time.Sleep(1100 * time.Millisecond)
		if killed {
			_ = drop.Process.Kill()
		}
		_ = drop.Process.Signal(syscall.SIGCONT)
		if err := drop.Wait(); (err != nil) != killed {
			t.Fatalf("the drop: %v\n%s", err, &out)
		}
		if left := client.DBSize(t.Context()).Val(); left > before-10 {
			t.Fatalf("%d of %d keys are left after the drop", left, before)
		}
		entry := trailOf(t, r)[0]
		if wantWords(t, entry, storeBase, "drop", "Base Tools"); killed != strings.Contains(entry, "has not ended: it runs, or was killed") {
			t.Errorf("the drop was killed: %v; the trail has %s", killed, entry)
		}
		const shown = len("2026-11-27 09:30:00Z")
		began, ended := entry[:shown], strings.TrimSpace(entry[shown:])
		if !killed && ended[:shown] <= began {
			t.Fatalf("the drop began and ended in one second: %s", entry)
		}
		dir := client.ConfigGet(t.Context(), "dir").Val()["dir"]
		r.Kill()
		bash(t, block, "BEGAN="+began, "DIR="+dir)
		r.Restart()
		if after := client.DBSize(t.Context()).Val(); after != before {
			t.Errorf("after the recipe there are %d keys, want %d", after, before)
		}
		shop = start(t, options{redis: r.URL()}).client(t).withKey(keyAll)
		shop.get(path).wantStatus(http.StatusOK)
		operates(t, r, "show", "order", sold).wants(t, sold)
		operates(t, r, "check").wants(t, "this release reads all that is in Redis")
		if trail := fmt.Sprint(trailOf(t, r)); strings.Contains(trail, "drop") || !strings.Contains(trail, "import") {
			t.Errorf("the trail at the moment is %s", trail)
		}
		r.Kill()
	}
}
