//go:build long

package deploy_test

import (
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

	"cartd/internal/redistest"
)

// serveNode starts a node at a free address.
func serveNode(t *testing.T, redis, store string) (p *process, address string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(image, "cartd"), "serve", "--listen", "127.0.0.1:0", "--redis", redis, "--store", store, "--drain-delay", "2s", "--access-log")
	cmd.Env = []string{}
	p = launch(t, cmd)
	return p, p.addresses(t, "listening")[0]
}

// shopper adds to a cart of its own, over and over, each add under a key of its own until
// it is answered.
type shopper struct {
	cart     string
	added    int
	failures *atomic.Int64
	longest  time.Duration // that an add took with its repetitions
}

func (s *shopper) run(t *testing.T, name int, stop <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		began, key := time.Now(), fmt.Sprintf("a-key-of-shopper-%d-%d", name, n)
		for {
			a := call("POST", s.cart+"/lines", key, `{"product_id": "`+tube+`", "quantity": 1}`)
			if a.status == http.StatusCreated {
				s.added++
				break
			}
			s.failures.Add(1)
			if a.status != 0 && a.status < 500 || time.Since(began) > within {
				t.Errorf("POST lines: %d %s", a.status, a.body)
				return
			}
		}
		s.longest = max(s.longest, time.Since(began))
	}
}

// haproxy is the router under test with its file.
type haproxy struct {
	*process
	base, file string
}

func routeTo(t *testing.T, node1, node2 string) *haproxy {
	t.Helper()
	listen := freeAddress(t)
	h := &haproxy{base: "http://" + listen, file: filepath.Join(t.TempDir(), "haproxy.cfg")}
	if err := os.WriteFile(h.file, []byte(read(t, "../../deploy/haproxy.cfg")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(haproxyProgram(), "-W", "-f", h.file)
	cmd.Env = []string{"HAPROXY_LISTEN=" + listen, "HAPROXY_FIGURES=" + freeAddress(t), "CARTD_NODE1=" + node1, "CARTD_NODE2=" + node2}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	h.process = launch(t, cmd)
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) // the workers too
	eventually(t, "HAProxy answers", func() bool { return call("GET", h.base+"/v1/ping", "", "").status == http.StatusOK })
	return h
}

// add adds a node to both backends, as the file says, and reloads.
func (h *haproxy) add(t *testing.T, address string) {
	t.Helper()
	const second = `    server node2 "${CARTD_NODE2-node2:8080}"` + "\n"
	text := strings.ReplaceAll(read(t, h.file), second, second+"    server node3 "+address+"\n")
	if err := errorsOf(os.WriteFile(h.file, []byte(text), 0o600), h.Process.Signal(syscall.SIGUSR2)); err != nil {
		t.Fatal(err)
	}
}

// counter counts the adds that a node has answered, by its access log.
type counter struct{ adds atomic.Int64 }

func countAdds(p *process) *counter {
	c := &counter{}
	go func() {
		for line := range p.lines {
			if strings.Contains(line, `"POST"`) && strings.Contains(line, "/lines") {
				c.adds.Add(1)
			}
		}
	}()
	return c
}

// A cart stays at one node. While nodes are added and drained no request fails; when one is
// killed the requests that it had fail, a repetition is answered by another node, and no add
// counts twice or is lost. With Redis away cartd's own answers come through.
func TestLongNodesComeAndGoUnderHAProxy(t *testing.T) {
	redis, store := redistest.Real(t, "--appendonly", "yes"), patientStore(t)
	first, address1 := serveNode(t, redis.URL(), store)
	second, address2 := serveNode(t, redis.URL(), store)
	counts := []*counter{countAdds(first), countAdds(second)}
	h := routeTo(t, address1, address2)

	var failures atomic.Int64
	shoppers := make([]*shopper, 12)
	for i := range shoppers {
		shoppers[i] = &shopper{cart: makeCart(t, h.base), failures: &failures}
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
			third, address := serveNode(t, redis.URL(), store)
			counts = append(counts, countAdds(third))
			h.add(t, address)
			eventually(t, "the new node is used", func() bool { return counts[2].adds.Load() > 0 })
		}, false},
		{"a node is drained", func() {
			if status := first.stop(t); status != 0 {
				t.Errorf("the drained node's exit status is %d", status)
			}
		}, false},
		{"a node is killed", second.kill, true},
		{"one node is left", func() {}, false},
	}
	for _, step := range steps {
		before, adds := failures.Load(), counts[len(counts)-1].adds.Load()
		step.do()
		eventually(t, step.name+": requests go on", func() bool { return counts[len(counts)-1].adds.Load() > adds+100 })
		failed := failures.Load() - before
		t.Logf("%s: %d requests failed", step.name, failed)
		if failed > 0 && !step.mayFail {
			t.Errorf("%s: %d requests failed", step.name, failed)
		}
	}
	close(stop)
	running.Wait()
	for i, s := range shoppers {
		if got := quantity(t, s.cart); got != s.added+stickyAdds {
			t.Errorf("cart %d has %d, and %d adds were answered", i, got, s.added+stickyAdds)
		}
		t.Logf("cart %d: %d adds, the longest took %v", i, s.added, s.longest)
	}

	redis.Kill()
	eventually(t, "cartd's own 503 comes through", func() bool {
		a := call("GET", shoppers[0].cart, "", "")
		return a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") != ""
	})
	if a := call("GET", h.base+"/v1/ping", "", ""); a.status != http.StatusOK {
		t.Errorf("with Redis away GET /v1/ping is %d %s", a.status, a.body)
	}
}

// stickyAdds is how many adds show that a cart stays at its node.
const stickyAdds = 20

func wantOneNodeACart(t *testing.T, shoppers []*shopper, counts []*counter) {
	t.Helper()
	used := map[string]int{}
	for _, s := range shoppers {
		before := []int64{counts[0].adds.Load(), counts[1].adds.Load()}
		for range stickyAdds {
			call("POST", s.cart+"/lines", "", `{"product_id": "`+tube+`", "quantity": 1}`)
		}
		sum := before[0] + before[1] + stickyAdds
		eventually(t, "the adds are logged", func() bool { return counts[0].adds.Load()+counts[1].adds.Load() == sum })
		by := []int64{counts[0].adds.Load() - before[0], counts[1].adds.Load() - before[1]}
		if by[0] != 0 && by[1] != 0 {
			t.Errorf("the adds of one cart went to both nodes: %d and %d", by[0], by[1])
		}
		used[strconv.FormatBool(by[0] == 0)]++
	}
	if len(used) != 2 {
		t.Errorf("%d carts all went to one node", len(shoppers))
	}
}
