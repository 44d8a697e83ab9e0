//go:build long

package blackbox_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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
	failures *atomic.Int64
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
				break
			}
			s.failures.Add(1)
			if a.Status != 0 && a.Status < 500 || time.Since(began) > pollWithin {
				t.Errorf("POST lines: %d %s", a.Status, a.Body)
				return
			}
		}
	}
}

// HAProxy sends all requests of a cart to one node. While Redis is away, clients get cartd's own
// answers. Package blackbox/scale sends load while nodes come and go.
func TestLongACartStaysAtItsNodeBehindHAProxy(t *testing.T) {
	redis, stores := redistest.Real(t, "--appendonly", "yes"), storeFiles(t, keyWide)
	first, firstAdds := serveNode(t, redis.URL(), stores)
	second, secondAdds := serveNode(t, redis.URL(), stores)
	shop := routeTo(t, first.addr, second.addr).client(t).withKey(keyWide)
	paths := make([]string, 12)
	for i := range paths {
		paths[i] = shop.newCart()
	}
	wantOneNodeACart(t, shop, paths, []func() int{firstAdds, secondAdds})
	redis.Kill()
	poll(t, "503 of cartd itself", func() bool {
		a, err := shop.node.way.Send(shop.call("GET", paths[0], ""))
		return err == nil && a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != ""
	})
	shop.get("/v1/ping").wantStatus(http.StatusOK)
}

// stickyAdds is the number of adds that shows that a cart stays at its node.
const stickyAdds = 20

func wantOneNodeACart(t *testing.T, shop client, paths []string, counts []func() int) {
	t.Helper()
	used := map[string]int{}
	for _, path := range paths {
		before := []int{counts[0](), counts[1]()}
		for range stickyAdds {
			shop.add(path, hammer, "1")
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
		t.Errorf("%d carts all went to one node", len(paths))
	}
}
