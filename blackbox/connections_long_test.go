//go:build long

package blackbox_test

import (
	"bufio"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

func connect(t *testing.T, n *node) net.Conn {
	t.Helper()
	c, err := net.DialTimeout("tcp", n.addr, requestTimeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// wantAnswer sends a request on this connection and reports whether the answer is the wanted one.
func wantAnswer(t *testing.T, c net.Conn, method, path string, status int) bool {
	t.Helper()
	c.SetDeadline(time.Now().Add(requestTimeout))
	_, _ = c.Write([]byte(method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + keyShop + "\r\nContent-Length: 2\r\n\r\n{}"))
	got, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Errorf("%s %s: %v, want %d", method, path, err, status)
		return false
	}
	got.Body.Close()
	if got.StatusCode != status {
		t.Errorf("%s %s: got %d, want %d", method, path, got.StatusCode, status)
	}
	return got.StatusCode == status
}

// Idle connections cannot use up the file descriptors that the node needs. Connected clients go on
// writing, further connections are refused, and the node ends as usual.
func TestLongFloodOfConnectionsDoesNotCutTheNodeOffRedis(t *testing.T) {
	t.Parallel()
	const flood, writers = 300, 8
	o := options{redis: redistest.Real(t).URL(), stores: storeFiles(t, keyShop)}
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -n 160; exec "$0" "$@"`, binary}, o.args()...)...)
	cmd.Env = []string{"CARTD_REDIS_TIMEOUT=8s"}
	n := listens(t, cmd)
	shop := n.client(t)
	path := shop.newCart()
	if !strings.Contains(n.Log.String(), `"max_connections":80`) {
		t.Errorf("of 160 files: want 80 for connections\n%s", n.Log)
	}
	connected := make([]net.Conn, writers)
	for i := range connected { // connected ahead of the flood
		connected[i] = connect(t, n)
		wantAnswer(t, connected[i], "GET", "/v1/ping", 200)
	}
	for range flood {
		connect(t, n)
	}
	wantAnswer(t, connect(t, n), "GET", "/v1/ping", 503)
	together(writers, func(i int) bool {
		return wantAnswer(t, connected[i], "PATCH", "/v1/api/"+path, 200)
	})
	if code := n.Stop(); code != 0 {
		t.Errorf("SIGTERM: exit status %d, want 0\n%s", code, n.Log)
	}
}
