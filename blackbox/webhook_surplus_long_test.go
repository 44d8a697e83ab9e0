//go:build long

package blackbox_test

import (
	"bufio"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// surplus is what a receiver sends after its answer.
const surplus = "\x1b[2Jsurplus"

// surplusReceiver answers each connection's first request with surplus bytes, and waits until the
// node closes the connection, which it then reports. It serves one connection at a time.
func surplusReceiver(t *testing.T) (url string, closed <-chan struct{}) {
	t.Helper()
	l, ended := listener(t), make(chan struct{}, 100)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				_, _ = io.Copy(io.Discard, req.Body)
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"+surplus)
				_, _ = io.Copy(io.Discard, conn)
				ended <- struct{}{}
			}
			conn.Close()
		}
	}()
	return "http://" + l.Addr().String(), ended
}

// No command writes bytes of a receiver to standard error.
func TestLongSurplusOfAReceiverIsNotPrinted(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	url, closed := surplusReceiver(t)
	var hooks list
	for i := range 5 {
		hooks = append(hooks, object{"url": url + "/" + strconv.Itoa(i), "secret": hookSecret, "events": list{"contact.password_reset_requested"}})
	}
	n := start(t, options{
		redis: r.URL(), stores: []string{storeFile(t, base(), setting("webhooks", hooks))}, flags: []string{"--webhook-allow-private"},
	})
	n.client(t).withKey(keyAll).post("contacts/forgot-password", `{"email":"`+adaEmail+`"}`).want(202, resetSent)
	for range hooks {
		<-closed
	}
	if code := n.Stop(); code != 0 || strings.Contains(n.Log.String(), "surplus") || strings.Contains(n.Log.String(), "Unsolicited") {
		t.Errorf("cartd serve: exit %d\n%s", code, n.Log)
	}
	f := operates(t, r, "webhooks", "--store", storeBase, "--test", "--webhook-allow-private")
	if f.code != 0 || f.stderr != "" || strings.Count(f.stdout, ": delivered, ") != len(hooks) {
		t.Errorf("cartd webhooks --test: exit %d\n%s%s", f.code, f.stdout, f.stderr)
	}
}
