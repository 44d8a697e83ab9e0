//go:build long

package shop

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"
	"time"
)

// way is the network between browsers and cartd. It can be slow and can lose answers.
type way struct {
	base string // its address

	mu     sync.Mutex
	delay  time.Duration
	faults []fault
	keys   map[string]int           // requests by Idempotency-Key
	held   map[string]chan struct{} // answers that wait, by method and end of the path
}

// fault is what happens to the next requests of a method and a path.
type fault struct {
	method, path string // the end of the path; /lines/* is each path whose last part but one is lines
	times        int
	// lose sends the request to cartd and answers 504 instead of its answer. Otherwise the answer is
	// 503, and cartd gets nothing.
	lose bool
}

// meets reports whether a path is one of the fault's.
func (f *fault) meets(of string) bool {
	if list, ok := strings.CutSuffix(f.path, "/*"); ok {
		return strings.HasSuffix(path.Dir(of), list)
	}
	return strings.HasSuffix(of, f.path)
}

// connect starts a network in front of cartd.
func connect(t *testing.T, cartd string) *way {
	t.Helper()
	target, err := url.Parse(cartd)
	if err != nil {
		t.Fatal(err)
	}
	n := &way{keys: map[string]int{}, held: map[string]chan struct{}{}}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.FlushInterval = -1 // events pass at once
	proxy.ModifyResponse = func(answer *http.Response) error {
		n.await(answer.Request)
		return nil
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		delay, hit := n.meet(r)
		time.Sleep(delay)
		switch {
		case hit == nil:
			proxy.ServeHTTP(w, r)
		case hit.lose:
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			answer(w, http.StatusGatewayTimeout)
		default:
			answer(w, http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.CloseClientConnections)
	n.base = server.URL
	return n
}

func answer(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`{"message":"` + http.StatusText(status) + `"}`)) // a reader may be gone
}

// meet returns how long a request takes, and the fault that it meets.
func (n *way) meet(r *http.Request) (time.Duration, *fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		n.keys[key]++
	}
	for i := range n.faults {
		f := &n.faults[i]
		if f.times > 0 && r.Method == f.method && f.meets(r.URL.Path) {
			f.times--
			return n.delay, f
		}
	}
	return n.delay, nil
}

// holds keeps the answers to requests of a method and a path until they are released.
func (n *way) holds(method, path string) (release func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	gate := make(chan struct{})
	n.held[method+" "+path] = gate
	return func() { close(gate) }
}

// await waits while the answer to a request is held.
func (n *way) await(r *http.Request) {
	n.mu.Lock()
	var gate chan struct{}
	for held, one := range n.held {
		if method, path, _ := strings.Cut(held, " "); r.Method == method && strings.HasSuffix(r.URL.Path, path) {
			gate = one
		}
	}
	n.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

// slow makes each request take this time more.
func (n *way) slow(by time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.delay = by
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// breaks adds a fault.
func (n *way) breaks(f fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.faults = append(n.faults, f)
}

// heals ends all faults.
func (n *way) heals() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.faults = nil
}

// repeated is the largest number of requests that had one key.
func (n *way) repeated() (maximum int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, times := range n.keys {
		maximum = max(maximum, times)
	}
	return maximum
}
