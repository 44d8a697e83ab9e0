//go:build long

package blackbox_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"cartd/blackbox"
	"cartd/internal/process"
)

// visited starts deploy/haproxy.cfg, unchanged, with more variables, before a node that counts requests.
func visited(t *testing.T, variables ...string) (address string, reached *atomic.Int64) {
	t.Helper()
	reached = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" && r.URL.Path != "/first" {
			reached.Add(1)
		}
	}))
	t.Cleanup(s.Close)
	address = free(t)
	cmd := exec.Command(blackbox.HAProxy(), "-db", "-f", "../deploy/haproxy.cfg")
	cmd.Env = append(os.Environ(), "HAPROXY_LISTEN="+address, "HAPROXY_FIGURES="+free(t), "CARTD_NODE1="+s.Listener.Addr().String(), "CARTD_NODE2="+closedAddr(t))
	cmd.Env = append(cmd.Env, variables...)
	router, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(router.Kill)
	poll(t, "answer of HAProxy", func() bool {
		status, _, _ := visitorFrom(t, "127.0.0.99")("http://"+address+"/first", "192.0.2.1")
		return status == http.StatusOK
	})
	return address, reached
}

// visitorFrom is a visitor whose connections come from an address of this machine. It sends X-Forwarded-For.
func visitorFrom(t *testing.T, from string) func(url, forwarded string) (status int, header http.Header, body string) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	way := &http.Transport{DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
		return dialer.DialContext(ctx, "tcp4", address)
	}}
	t.Cleanup(way.CloseIdleConnections)
	return func(url, forwarded string) (int, http.Header, string) {
		r, err := http.NewRequest("GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", forwarded)
		a, err := way.RoundTrip(r)
		if err != nil {
			return 0, nil, err.Error()
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		if err != nil {
			t.Error(err)
		}
		return a.StatusCode, a.Header, string(text)
	}
}

// A visitor that sends more than 600 requests in ten seconds is refused, whatever it says about itself, and
// no node is asked. Another visitor goes on.
func TestLongHAProxyRefusesOneVisitor(t *testing.T) {
	t.Parallel()
	address, reached := visited(t)
	url, one, another := "http://"+address+"/v1/ping", visitorFrom(t, "127.0.0.2"), visitorFrom(t, "127.0.0.3")
	for n := range 600 {
		if status, _, body := one(url, fmt.Sprint("198.51.100.", n%250)); status != http.StatusOK {
			t.Fatalf("request %d: %d %s", n+1, status, body)
		}
	}
	for range 20 {
		status, header, body := one(url, "198.51.100.7")
		if status != http.StatusTooManyRequests || body != `{"message":"Too Many Attempts."}` || header.Get("Retry-After") != "10" ||
			header.Get("Content-Type") != "application/json" || uuid.Validate(header.Get("X-Request-Id")) != nil {
			t.Fatalf("beyond the limit: %d %v %s", status, header, body)
		}
	}
	if status, _, _ := visitorFrom(t, "127.0.0.2")(url, ""); status != http.StatusTooManyRequests {
		t.Errorf("a new connection of the visitor: %d, want 429", status)
	}
	if status, _, body := another(url, "198.51.100.7"); status != http.StatusOK {
		t.Errorf("another visitor: %d %s", status, body)
	}
	if got := reached.Load(); got != 601 {
		t.Errorf("the node got %d requests, want 600 and one", got)
	}
}

// Behind a load balancer that ends TLS a visitor is the address that the balancer has appended, of IPv6 its
// /64. Networks that are no one visitor are never limited. Both are variables.
func TestLongHAProxyKnowsVisitorsBehindABalancer(t *testing.T) {
	t.Parallel()
	address, _ := visited(t, "HAPROXY_BEHIND_TLS=1", "HAPROXY_VISITOR_REQUESTS=5", "HAPROXY_NO_VISITORS=198.51.100.0/24 2001:db8:ffff::/48")
	url, balancer := "http://"+address+"/v1/ping", visitorFrom(t, "127.0.0.2")
	for _, c := range []struct {
		forwarded string // with the number of the request
		want      int    // answered of 8
	}{
		{"192.0.2.%d, 203.0.113.1", 5}, {"192.0.2.7, 203.0.113.2", 5}, {"203.0.113.1", 0}, {"203.0.113.1, 203.0.113.3", 5},
		{"2001:db8::%d", 5}, {"2001:db8:0:1::1", 5}, {"2001:db8::1:1", 0},
		{"198.51.100.7", 8}, {"198.51.100.%d", 8}, {"2001:db8:ffff::1", 8}, {"198.51.100.7, 203.0.113.4", 5},
	} {
		answered := 0
		for n := range 8 {
			if status, _, _ := balancer(url, strings.ReplaceAll(c.forwarded, "%d", fmt.Sprint(n+1))); status == http.StatusOK {
				answered++
			}
		}
		if answered != c.want {
			t.Errorf("X-Forwarded-For %q: %d of 8 are answered, want %d", c.forwarded, answered, c.want)
		}
	}
}
