//go:build long

package blackbox_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"cartd/bench/process"
	"cartd/internal/redistest"
)

// serveNode starts a node. It also returns a function that counts the adds in the node's access
// log.
func serveNode(t *testing.T, redis string, stores []string) (*node, func() int) {
	t.Helper()
	n := start(t, options{redis: redis, stores: stores, flags: []string{"--drain-delay", "2s", "--access-log"}})
	return n, func() int { return strings.Count(n.Log.String(), "/carts/{id}/lines\"") }
}

// adder adds to a cart of its own until it is stopped. It repeats each add under one key until it
// is answered.
type adder struct {
	shop     client
	path     string
	added    int
	failures *atomic.Int64
	longest  time.Duration // of an add with its repetitions
}

func (s *adder) run(t *testing.T, name int, stop <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		began, shop := time.Now(), s.shop.once(fmt.Sprintf("a-key-of-adder-%d-%d", name, n))
		for {
			a, _ := shop.node.way.Send(shop.call("POST", s.path+"/lines", addBody(hammer, "1")))
			if a.Status == http.StatusCreated {
				s.added++
				break
			}
			s.failures.Add(1)
			if a.Status != 0 && a.Status < 500 || time.Since(began) > pollWithin {
				t.Errorf("POST lines: %d %s", a.Status, a.Body)
				return
			}
		}
		s.longest = max(s.longest, time.Since(began))
	}
}

// haproxy is the tested router with its configuration file.
type haproxy struct {
	*node
	file string
}

func routeTo(t *testing.T, node1, node2 string) *haproxy {
	t.Helper()
	listen, err := process.FreeAddress()
	figures, err2 := process.FreeAddress()
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := errors.Join(err, err2, os.WriteFile(file, read(t, "../deploy/haproxy.cfg"), 0o600)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(haproxyProgram(), "-W", "-f", file)
	cmd.Env = []string{"HAPROXY_LISTEN=" + listen, "HAPROXY_FIGURES=" + figures, "CARTD_NODE1=" + node1, "CARTD_NODE2=" + node2}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-p.ID(), syscall.SIGKILL) }) // with its workers
	h := &haproxy{at(t, p, listen), file}
	h.client(t).eventually("/v1/ping", http.StatusOK)
	return h
}

// add adds a node to both backends, as the file's comments describe, and reloads.
func (h *haproxy) add(t *testing.T, address string) {
	t.Helper()
	const second = `    server node2 "${CARTD_NODE2-node2:8080}"` + "\n"
	text := strings.ReplaceAll(string(read(t, h.file)), second, second+"    server node3 "+address+"\n")
	if err := os.WriteFile(h.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h.send(t, syscall.SIGUSR2)
}

// A cart stays at one node. No request fails while nodes are added and drained. If a node is
// killed, its requests fail and another node answers the repetitions; no add counts twice or is
// lost. While Redis is away, clients get cartd's own answers.
func TestLongNodesComeAndGoUnderHAProxy(t *testing.T) {
	redis, stores := redistest.Real(t, "--appendonly", "yes"), storeFiles(t, keyWide)
	first, firstAdds := serveNode(t, redis.URL(), stores)
	second, secondAdds := serveNode(t, redis.URL(), stores)
	counts := []func() int{firstAdds, secondAdds}
	h := routeTo(t, first.addr, second.addr)
	shop := h.client(t).withKey(keyWide)

	var failures atomic.Int64
	shoppers := make([]*adder, 12)
	for i := range shoppers {
		shoppers[i] = &adder{shop: shop, path: shop.newCart(), failures: &failures}
	}
	wantOneNodeACart(t, shoppers, counts)

	stop, running := make(chan struct{}), sync.WaitGroup{}
	for i, s := range shoppers {
		running.Go(func() { s.run(t, i, stop) })
	}
	steps := []struct {
		name    string
		do      func()
		mayFail bool // requests may fail in this step
	}{
		{"steady", func() {}, false},
		{"a node is added", func() {
			third, adds := serveNode(t, redis.URL(), stores)
			counts = append(counts, adds)
			h.add(t, third.addr)
			poll(t, "add at the new node", func() bool { return adds() > 0 })
		}, false},
		{"a node is drained", func() {
			if status := first.Stop(); status != 0 {
				t.Errorf("the drained node's exit status is %d", status)
			}
		}, false},
		{"a node is killed", second.Kill, true},
		{"one node is left", func() {}, false},
	}
	for _, step := range steps {
		before, adds := failures.Load(), counts[len(counts)-1]()
		step.do()
		poll(t, step.name+": 100 more adds", func() bool { return counts[len(counts)-1]() > adds+100 })
		failed := failures.Load() - before
		t.Logf("%s: %d requests failed", step.name, failed)
		if failed > 0 && !step.mayFail {
			t.Errorf("%s: %d requests failed", step.name, failed)
		}
	}
	close(stop)
	running.Wait()
	for i, s := range shoppers {
		if got := shop.get(s.path).cart(http.StatusOK).Lines[0].Quantity; got.String() != fmt.Sprint(s.added+stickyAdds) {
			t.Errorf("cart %d has %s, and %d adds were answered", i, got, s.added+stickyAdds)
		}
		t.Logf("cart %d: %d adds, the longest took %v", i, s.added, s.longest)
	}

	redis.Kill()
	poll(t, "503 of cartd itself", func() bool {
		a, err := shop.node.way.Send(shop.call("GET", shoppers[0].path, ""))
		return err == nil && a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != ""
	})
	shop.get("/v1/ping").wantStatus(http.StatusOK)
}

// stickyAdds is the number of adds that shows that a cart stays at its node.
const stickyAdds = 20

func wantOneNodeACart(t *testing.T, shoppers []*adder, counts []func() int) {
	t.Helper()
	used := map[string]int{}
	for _, s := range shoppers {
		before := []int{counts[0](), counts[1]()}
		for range stickyAdds {
			s.shop.add(s.path, hammer, "1")
		}
		sum := before[0] + before[1] + stickyAdds
		poll(t, "line of each add", func() bool { return counts[0]()+counts[1]() == sum })
		by := []int{counts[0]() - before[0], counts[1]() - before[1]}
		if by[0] != 0 && by[1] != 0 {
			t.Errorf("the adds of one cart went to both nodes: %d and %d", by[0], by[1])
		}
		used[strconv.FormatBool(by[0] == 0)]++
	}
	if len(used) != 2 {
		t.Errorf("%d carts all went to one node", len(shoppers))
	}
}
