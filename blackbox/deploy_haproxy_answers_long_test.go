//go:build long

package blackbox_test

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"cartd/blackbox"
	"cartd/internal/process"
	"cartd/internal/redistest"
)

// backend is a node that records the heads that HAProxy sends. It breaks requests to /break off.
func backend(t *testing.T) (address string, heads chan http.Header, stop func()) {
	t.Helper()
	heads = make(chan http.Header, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("X-Request-Id"))
		switch r.URL.Path {
		case "/readyz":
		case "/v1/ping":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"message":"pong"}`)
		case "/v1/break":
			c, _, _ := http.NewResponseController(w).Hijack()
			c.(*net.TCPConn).SetLinger(0)
			c.Close()
		default:
			heads <- r.Header
		}
	}))
	return strings.TrimPrefix(s.URL, "http://"), heads, s.Close
}

// HAProxy passes on nothing that only a trusted proxy may say, and gives each request an id of its
// own. Its own refusals are JSON with Retry-After, and its log names their ids.
func TestLongHAProxySpeaksForItself(t *testing.T) {
	address, heads, stop := backend(t)
	t.Cleanup(stop)
	h := routeTo(t, address, closedAddr(t))
	send := func(path string) *http.Response {
		t.Helper()
		r, err := http.NewRequest("GET", h.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"X-Request-Id", "traceparent", "tracestate", "X-Server-Timing", "X-Forwarded-Proto"} {
			r.Header.Add(name, "the client's")
			r.Header.Add(name, "the client's second")
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Body.Close() })
		return a
	}
	seen := map[string]bool{}
	for range 3 {
		send("/v1/api/me")
		head := <-heads
		for _, name := range []string{"Traceparent", "Tracestate", "X-Server-Timing", "X-Forwarded-Proto"} {
			if len(head[name]) > 0 {
				t.Errorf("the node got %s %q", name, head[name])
			}
		}
		ids := head["X-Request-Id"]
		if len(ids) != 1 || uuid.Validate(ids[0]) != nil || seen[ids[0]] {
			t.Fatalf("the node got X-Request-Id %q, want a new UUID", ids)
		}
		seen[ids[0]] = true
	}
	wantOwn := func(path string, status int, message string) {
		t.Helper()
		a := send(path)
		var body struct{ Message string }
		if err := json.NewDecoder(a.Body).Decode(&body); err != nil || a.StatusCode != status || body.Message != message ||
			a.Header.Get("Content-Type") != "application/json" || a.Header.Get("Retry-After") != "1" || uuid.Validate(a.Header.Get("X-Request-Id")) != nil {
			t.Errorf("GET %s: %d %v %+v, %v; want %d, %q as JSON, Retry-After and an id", path, a.StatusCode, a.Header, body, err, status, message)
		}
	}
	wantOwn("/v1/break", http.StatusBadGateway, "Bad Gateway")
	poll(t, "log line of the 502 with its id", func() bool {
		return regexp.MustCompile(`(?m)^127\.0\.0\.1 GET 502 .* [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(h.Log.String())
	})
	stop()
	wantOwn("/v1/api/me", http.StatusServiceUnavailable, "Service Unavailable")
}

// HAProxy answers 404 itself for the paths of operators, in each spelling. All other paths reach a node.
func TestLongHAProxyDeniesThePathsOfOperators(t *testing.T) {
	var reached atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI != "/readyz" || r.Host != "" { // a check of HAProxy names no host
			reached.Add(1)
		}
	}))
	t.Cleanup(s.Close)
	h := routeTo(t, s.Listener.Addr().String(), closedAddr(t))
	send := func(target string) string {
		t.Helper()
		c, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n", target)
		head, _ := bufio.NewReader(c).ReadString('\n')
		return strings.TrimSpace(head)
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		encoded := fmt.Sprintf("/%%%02x%s", path[1], path[2:])
		for _, target := range []string{
			path, path + "/", path + "//", path + "/x", path + "?a=b", path + "/?a=b", path + ";a", "/" + path, "//" + path, "/." + path, "/.." + path,
			strings.ToUpper(path), encoded, encoded + "/", strings.ToUpper(encoded), path + "%2f", path + "%2F", "/%2f" + path[1:], path + "%20", path + "%3f",
			"/%2e" + path, "http://shop.example" + path, "http://shop.example" + path + "/",
		} {
			before := reached.Load()
			if head := send(target); head != "HTTP/1.1 404 Not Found" || reached.Load() != before {
				t.Errorf("GET %s: %q, a node got %d requests; want a 404 of HAProxy", target, head, reached.Load()-before)
			}
		}
	}
	for _, target := range []string{
		"/", "/v1/ping", "/v1/api/catalog/products/metrics", "/v1/api/catalog/products/a%2freadyz", "/docs/api/errors.md", "/readyz-of-mine", "/metrics.js",
	} {
		before := reached.Load()
		if head := send(target); head != "HTTP/1.1 200 OK" || reached.Load() != before+1 {
			t.Errorf("GET %s: %q, a node got %d requests; want its answer", target, head, reached.Load()-before)
		}
	}
}

// Only its own host serves the desk, and nothing but the desk and the API, and only to its networks.
func TestLongHAProxyKeepsTheDeskApart(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	send := func(address, host, target string) string {
		t.Helper()
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", target, host)
		head, _ := bufio.NewReader(c).ReadString('\n')
		_, status, _ := strings.Cut(strings.TrimSpace(head), " ")
		return status
	}
	const found, denied = "200 OK", "404 Not Found"
	for _, c := range []struct {
		networks, host, target, want string
	}{
		{"", "shop.example", "/desk", denied},
		{"", "shop.example", "/desk/desk.js", denied},
		{"", "shop.example", "/DESK", denied},
		{"", "shop.example", "/%64esk", denied},
		{"", "shop.example", "//desk", denied},
		{"", "shop.example", "/desks", found},
		{"", "shop.example", "/v1/api/me", found},
		{"", "desk.example", "/desk", found},
		{"", "desk.example:443", "/desk/desk.js?1", found},
		{"", "DESK.example", "/v1/api/orders", found},
		{"", "desk.example", "/", denied},
		{"", "desk.example", "/docs", denied},
		{"10.0.0.0/8 192.168.0.0/16", "desk.example", "/desk", denied},
		{"10.0.0.0/8 192.168.0.0/16", "desk.example", "/v1/api/me", denied},
		{"10.0.0.0/8 127.0.0.0/8", "desk.example", "/desk", found},
		{"10.0.0.0/8", "shop.example", "/v1/api/me", found},
	} {
		t.Run(c.networks+c.host+c.target, func(t *testing.T) {
			t.Setenv("HAPROXY_DESK_HOST", "desk.example")
			if c.networks != "" {
				t.Setenv("HAPROXY_DESK_NETWORKS", c.networks)
			}
			h := routeTo(t, s.Listener.Addr().String(), closedAddr(t))
			if got := send(h.addr, c.host, c.target); got != c.want {
				t.Errorf("GET %s of %s: got %q, want %q", c.target, c.host, got, c.want)
			}
		})
	}
}

// Where HAProxy ends TLS, by the line of its file that is commented out, links are https://.
func TestLongHAProxyNamesTheSchemeOfTLS(t *testing.T) {
	address, heads, stop := backend(t)
	t.Cleanup(stop)
	free := func() string {
		t.Helper()
		address, err := process.FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		return address
	}
	listen := free()
	certificates, folder := redistest.NewCertificates(t), t.TempDir()
	pair := append(read(t, certificates.Cert), read(t, certificates.Key)...)
	if err := os.WriteFile(filepath.Join(folder, "shop.pem"), pair, 0o600); err != nil {
		t.Fatal(err)
	}
	file := altered(t, "../deploy/haproxy.cfg", "# bind :443 ssl crt /etc/haproxy/certs/", "bind "+listen+" ssl crt "+folder)
	cmd := exec.Command(blackbox.HAProxy(), "-f", file)
	cmd.Env = []string{"HAPROXY_LISTEN=" + free(), "HAPROXY_FIGURES=" + free(), "CARTD_NODE1=" + address, "CARTD_NODE2=" + closedAddr(t)}
	router, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(router.Kill)
	trusted := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	r, err := http.NewRequest("GET", "https://"+listen+"/v1/api/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-Proto", "the client's")
	poll(t, "answer over TLS", func() bool {
		a, err := trusted.Do(r)
		if err != nil {
			return false
		}
		defer a.Body.Close()
		return a.StatusCode == http.StatusOK
	})
	if got := (<-heads)["X-Forwarded-Proto"]; !slices.Equal(got, []string{"https"}) {
		t.Errorf("the node got X-Forwarded-Proto %q, want https", got)
	}
}
