package blackbox_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"cartd/internal/redistest"
)

// reloaded is a log line about a reload.
type reloaded struct {
	Msg, Error string
	Changed    []string
}

// reload sends SIGHUP and returns the log line about it.
func (n *node) reload(t *testing.T) (line reloaded) {
	t.Helper()
	lines := func() (all []string) {
		for text := range strings.Lines(n.Log.String()) {
			if strings.Contains(text, `"msg":"reloaded"`) || strings.Contains(text, `"msg":"nothing was reloaded"`) {
				all = append(all, text)
			}
		}
		return all
	}
	before := len(lines())
	n.send(t, syscall.SIGHUP)
	poll(t, "line about the reload", func() bool { return len(lines()) > before })
	if err := json.Unmarshal([]byte(lines()[before]), &line); err != nil {
		t.Fatal(err)
	}
	return line
}

// SIGHUP reads again what comes from files, without an end of the node. A fault changes nothing.
func TestReload(t *testing.T) {
	t.Parallel()
	allowHangup()
	r := redistest.Real(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	redisDo := func(command ...any) {
		t.Helper()
		if err := r.Client().Do(t.Context(), command...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	redisDo("ACL", "SETUSER", "shop", "on", "~*", "+@all", ">first-password")
	urlOf := func(password string) string { return "redis://shop:" + password + "@" + r.Addr() + "/0\n" }
	n := listens(t, exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--store", storeFiles(t, keyShop)[0],
		"--redis-file", write("url", urlOf("first-password")), "--trusted-proxies", "@"+write("proxies", "10.0.0.0/8\n192.0.2.1\n"),
		"--cors-origins", "@"+write("origins", "https://a.example\n"), "--log-level", "@"+write("level", "info\n")))
	c := n.client(t).withKey(keyShop)
	allowed := func(origin string) bool {
		t.Helper()
		return c.withHeader("Origin", origin).get("/v1/ping").header.Get("Access-Control-Allow-Origin") == origin
	}
	secure := func() bool {
		t.Helper()
		return strings.Contains(string(c.withHeader("X-Forwarded-Proto", "https").get("catalog/products").body), `"first":"https://`)
	}
	want := func(what string, got reloaded, changed ...string) {
		t.Helper()
		if got.Msg != "reloaded" || !slices.Equal(got.Changed, changed) {
			t.Errorf("%s: %+v, want changed %v", what, got, changed)
		}
	}
	fails := func(what string, got reloaded, word string) {
		t.Helper()
		if got.Msg != "nothing was reloaded" || !strings.Contains(got.Error, word) || strings.Contains(got.Error, "wrong-password") ||
			strings.Contains(got.Error, "first-password") {
			t.Errorf("%s: %+v, want an error with %q and without a password", what, got, word)
		}
	}
	if !allowed("https://a.example") || allowed("https://b.example") || secure() || strings.Contains(n.Log.String(), `"msg":"request"`) {
		t.Error("the files do not count at the start")
	}
	write("level", "debug\n")
	want("the level", n.reload(t), "log-level")
	want("nothing", n.reload(t))
	c.get("me").wantStatus(http.StatusOK)
	poll(t, "line of a request", func() bool { return strings.Contains(n.Log.String(), `"level":"DEBUG","msg":"request"`) })
	write("origins", "https://b.example\n")
	write("proxies", "127.0.0.0/8")
	want("origins and proxies", n.reload(t), "trusted-proxies", "cors-origins")
	if allowed("https://a.example") || !allowed("https://b.example") || !secure() {
		t.Error("the files do not count after a reload")
	}

	// A fault in one file, and none of them counts.
	write("origins", "https://a.example")
	write("proxies", "everything")
	fails("a fault", n.reload(t), "--trusted-proxies: \"everything\" is no network")
	if allowed("https://a.example") {
		t.Error("half of a reload counts")
	}
	write("proxies", "127.0.0.0/8")
	write("url", urlOf("wrong-password"))
	fails("another password", n.reload(t), "WRONGPASS")
	write("url", "redis://shop:first-password@127.0.0.1:1/0")
	fails("another Redis", n.reload(t), "restart the node")
	if err := os.Remove(filepath.Join(dir, "url")); err != nil {
		t.Fatal(err)
	}
	fails("no file", n.reload(t), "--redis-file")

	// The password changes, and no request fails.
	redisDo("ACL", "SETUSER", "shop", ">second-password")
	write("url", urlOf("second-password"))
	want("the password and the origin of before", n.reload(t), "redis", "cors-origins")
	redisDo("ACL", "SETUSER", "shop", "<first-password")
	path := c.newCart()
	redisDo("CLIENT", "KILL", "USER", "shop")
	poll(t, "connections with the new password", func() bool {
		a, err := c.try("GET", path, "")
		return err == nil && a.status == http.StatusOK
	})
	n.send(t, syscall.SIGTERM)
	if code := n.Await(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
}

// A device that is no terminal is none, although it is another file than /dev/null: a unit of systemd with
// PrivateDevices=yes and a container find their standard input in another /dev than their own.
func TestHangupReloadsWhereStandardInputIsAnotherDevice(t *testing.T) {
	t.Parallel()
	allowHangup()
	for _, device := range []string{"/dev/zero", "/dev/full", "/dev/null"} {
		input, err := os.Open(device)
		if err != nil {
			t.Fatal(err)
		}
		defer input.Close()
		cmd := options{redis: "embedded", stores: storeFiles(t, keyShop)}.command()
		cmd.Stdin = input
		n := listens(t, cmd)
		if got := n.reload(t); got.Msg != "reloaded" {
			t.Errorf("standard input is %s: %+v, want a reload", device, got)
		}
		n.client(t).get("/readyz").wantStatus(http.StatusOK)
	}
}

// Where standard input is a terminal SIGHUP ends a node, because it comes when the terminal closes.
func TestHangupOfATerminalEndsANode(t *testing.T) {
	t.Parallel()
	allowHangup()
	terminal := openTerminal(t)
	cmd := options{redis: "embedded", stores: storeFiles(t, keyShop)}.command()
	cmd.Stdin = terminal
	n := listens(t, cmd)
	n.client(t).get("/readyz").wantStatus(http.StatusOK)
	n.send(t, syscall.SIGHUP)
	if code := n.Await(); code != 0 || !strings.Contains(n.Log.String(), `"signal":"hangup"`) {
		t.Errorf("exit status %d, want 0\n%s", code, n.Log)
	}
}

// openTerminal returns the side of a pseudoterminal that a program reads.
func openTerminal(t *testing.T) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudoterminals: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	side, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { side.Close() })
	return side
}
