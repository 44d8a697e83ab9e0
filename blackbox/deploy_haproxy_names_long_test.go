//go:build long

package blackbox_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cartd/blackbox"
	"cartd/internal/process"
)

// names is a DNS server that knows one full name.
type names struct {
	full string

	mu        sync.Mutex
	addresses []string // IPv4
}

func (s *names) set(addresses ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addresses = addresses
}

// serve answers queries at the address that it returns.
func (s *names) serve(t *testing.T) (address string) {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, client, err := socket.ReadFrom(buffer)
			if err != nil {
				return
			}
			if answer := s.answer(buffer[:n]); answer != nil {
				_, _ = socket.WriteTo(answer, client)
			}
		}
	}()
	return socket.LocalAddr().String()
}

// answer is the answer to a query: the addresses, or that there is no such name.
func (s *names) answer(query []byte) []byte {
	const head = 12
	var labels []string
	at := head
	for at < len(query) && query[at] > 0 {
		end := at + 1 + int(query[at])
		if end >= len(query) {
			return nil
		}
		labels = append(labels, string(query[at+1:end]))
		at = end
	}
	at += 5 // the end of the name, type and class
	if len(query) < at {
		return nil
	}
	out := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[head:at]...)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch kind := int(query[at-4])<<8 | int(query[at-3]); {
	case strings.Join(labels, ".") != s.full:
		out[3] |= 3 // NXDOMAIN
	case kind == 1: // A
		out[7] = byte(len(s.addresses))
		for _, address := range s.addresses {
			out = append(out, 0xc0, head, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4)
			out = append(out, net.ParseIP(address).To4()...)
		}
	}
	return out
}

// The chart's HAProxy finds its nodes in a DNS that knows full names only, as that of a cluster does:
// HAProxy takes no search list. Every node gets requests, also one that comes later.
func TestLongChartsHAProxyResolvesFullNames(t *testing.T) {
	dns := &names{full: "shop-nodes.live.svc.cluster.local"}
	const first, second, third = "127.0.0.2", "127.0.0.3", "127.0.0.4"
	dns.set(first, second)
	listener, err := net.Listen("tcp4", first+":0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close()
	for _, host := range []string{first, second, third} { // pods have one port and addresses of their own
		pod, err := net.Listen("tcp4", net.JoinHostPort(host, port))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { pod.Close() })
		go func() {
			_ = http.Serve(pod, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, host) }))
		}()
	}
	text := strings.NewReplacer("{{ .Values.haproxy.maxNodes }}", "20", "{{ .Release.Name }}", "shop", "{{ .Release.Namespace }}", "live",
		"{{ .Values.clusterDomain }}", "cluster.local", ":8080\n", ":"+port+"\n", "parse-resolv-conf", "nameserver dns "+dns.serve(t)).
		Replace(string(read(t, "../deploy/helm/files/haproxy.cfg")))
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	figures, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(blackbox.HAProxy(), "-db", "-f", file)
	c.Env = append(os.Environ(), "HAPROXY_LISTEN="+address, "HAPROXY_FIGURES="+figures, "HAPROXY_NO_VISITORS=127.0.0.0/8")
	proxy, err := process.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Kill)
	answering := func(want ...string) func() bool {
		return func() bool {
			var seen []string
			for range 12 {
				answer, err := http.Get("http://" + address + "/v1/ping")
				if err != nil {
					return false
				}
				body, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					return false
				}
				seen = append(seen, string(body))
			}
			slices.Sort(seen)
			return slices.Equal(slices.Compact(seen), want)
		}
	}
	poll(t, "answers of both nodes", answering(first, second))
	ready, err := http.Get("http://" + figures + "/ready")
	if err != nil || ready.StatusCode != http.StatusOK {
		t.Errorf("/ready: %v %v, want 200", ready, err)
	}
	dns.set(first, third)
	poll(t, "answers of the node that came", answering(first, third))
}
