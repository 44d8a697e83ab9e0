//go:build long

package deploy_test

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// durableRedis starts a redis-server as an operator would, in a folder, at a port.
func durableRedis(t *testing.T, dir, port string) *process {
	t.Helper()
	p := launch(t, exec.Command("redis-server", "--port", port, "--dir", dir, "--save", "", "--appendonly", "yes", "--appendfsync", "always"))
	eventually(t, "Redis answers", func() bool {
		out, err := exec.Command("redis-cli", "-p", port, "ping").Output()
		return err == nil && strings.HasPrefix(string(out), "PONG")
	})
	return p
}

// The two blocks of docs/operations.md, run as they stand there: a restored Redis holds what
// it held at the backup, and goes on.
func TestLongBackupAndRestore(t *testing.T) {
	_, chapter, _ := strings.Cut(read(t, "../../docs/operations.md"), "\n## Back up and restore\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	blocks := regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindAllStringSubmatch(chapter, -1)
	if len(blocks) != 2 {
		t.Fatalf("the chapter has %d blocks, want one of each", len(blocks))
	}
	work, dir := t.TempDir(), filepath.Join(t.TempDir(), "redis")
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err := errorsOf(err, os.Mkdir(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	run := func(block string) {
		t.Helper()
		shell := exec.Command("bash", "-euo", "pipefail", "-c", block)
		shell.Dir = work
		shell.Env = []string{"PATH=" + image + ":" + os.Getenv("PATH"), "PORT=" + port, "DIR=" + dir, "STORE=11111111-1111-4111-8111-111111111111"}
		if out, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%s\n%s%v", block, out, err)
		}
	}
	url, store, add := "redis://127.0.0.1:"+port+"/0", patientStore(t), `{"product_id": "`+tube+`", "quantity": 1}`
	redis := durableRedis(t, dir, port)
	node, address := serveNode(t, url, store)
	cart := makeCart(t, "http://"+address)
	for range 3 {
		call("POST", cart+"/lines", "", add)
	}
	run(blocks[0][1])
	call("POST", cart+"/lines", "", add)
	later := makeCart(t, "http://"+address)
	if got := quantity(t, cart); got != 4 {
		t.Fatalf("the cart has %d before the loss, want 4", got)
	}
	node.kill()
	redis.kill()

	run(blocks[1][1])
	redis = durableRedis(t, dir, port)
	_, address = serveNode(t, url, store)
	moved := "http://" + address + cart[strings.Index(cart, "/v1/"):]
	if got := quantity(t, moved); got != 3 {
		t.Errorf("the restored cart has %d, want 3", got)
	}
	if a := call("GET", "http://"+address+later[strings.Index(later, "/v1/"):], "", ""); a.status != http.StatusNotFound {
		t.Errorf("a cart made after the backup is %d %s", a.status, a.body)
	}
	if a := call("POST", moved+"/lines", "", add); a.status != http.StatusCreated {
		t.Errorf("POST lines: %d %s", a.status, a.body)
	}
	redis.kill() // the append-only file goes on, too
	durableRedis(t, dir, port)
	eventually(t, "the cart has what was added after the restore", func() bool { return call("GET", moved, "", "").status == http.StatusOK })
	if got := quantity(t, moved); got != 4 {
		t.Errorf("after another start of Redis the cart has %d, want 4", got)
	}
	document := read(t, filepath.Join(work, "store.json"))
	if !strings.Contains(document, `"Northwind Blinds"`) || strings.Contains(document, storefrontKey) {
		t.Errorf("the exported document is\n%.500s", document)
	}
}
