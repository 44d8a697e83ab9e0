package blackbox_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// hostileBytes must not reach the log.
const hostileBytes = "bytes of a receiver"

// hostile is a receiver that answers every request with these bytes, and keeps the
// connection open. It returns its address.
func hostile(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answerRaw(c, answer)
		}
	}()
	return "http://" + l.Addr().String()
}

func answerRaw(c net.Conn, answer string) {
	defer c.Close()
	for in := bufio.NewReader(c); ; {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(c, answer)
	}
}

// As many receivers as a node serves at a time, of which each holds its connection: one
// that answers gets its events all the same, the log shows no bytes of theirs, and the
// node stops.
func TestHostileReceiversHoldUpNothing(t *testing.T) {
	t.Parallel()
	answers := []string{
		"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + hostileBytes + "\r\n\r\n",
		"HTTP/1.1 199 " + hostileBytes + "\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" + strings.Repeat(hostileBytes, 300),
		hostileBytes + "\r\n",
		"HTTP/1.1 103 Early Hints\r\nLink: " + hostileBytes + "\r\n\r\n", // and silence
	}
	var hooks list
	hook := func(url string) {
		hooks = append(hooks, object{"url": url, "secret": hookSecret, "events": list{"stock.adjusted"}})
	}
	addresses := make([]string, len(answers))
	for i, answer := range answers {
		addresses[i] = hostile(t, answer)
	}
	for i := range 64 { // most of them hold a slot until something ends the attempt
		kind := 0
		if i < 2*len(answers) {
			kind = i % len(answers)
		}
		hook(fmt.Sprintf("%s/%d", addresses[kind], i))
	}
	good := newReceiver(t, takes)
	hook(good.URL)
	n := start(t, options{
		redis:  redistest.Real(t).URL(),
		stores: []string{storeFile(t, base(), withStock, setting("webhooks", hooks))},
		flags:  []string{"--webhook-allow-private", "--webhook-timeout", "500ms"},
	})
	merchant := n.client(t).withKey(keyAll)
	for i := range 3 {
		merchant.post("catalog/stock-adjustments", adjustBody(hammer, fmt.Sprint(1+i))).wantStatus(http.StatusCreated)
		poll(t, "the event", func() bool { return len(good.events()) == i+1 })
	}
	poll(t, "a line about surplus bytes", func() bool { return strings.Contains(n.Log.String(), "more than its answer") })
	if code := n.Stop(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	for _, line := range n.Log.Lines() {
		if !json.Valid([]byte(line)) || strings.Contains(line, hostileBytes) {
			t.Errorf("the log says %.200s", line)
		}
	}
	if lines := strings.Count(n.Log.String(), "more than its answer"); lines != 1 {
		t.Errorf("%d lines about surplus bytes of one host, want 1", lines)
	}
}
