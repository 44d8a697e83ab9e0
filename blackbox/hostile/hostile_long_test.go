//go:build long

package hostile

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cartd/bench/shopper"
)

// open sends the bytes of a request on a connection of its own, which the test neither reads nor closes
// before its end.
func (g *target) open(text string) net.Conn {
	g.t.Helper()
	c, err := net.Dial("tcp", g.addr)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { c.Close() })
	if _, err := c.Write([]byte(text)); err != nil {
		g.t.Fatal(err)
	}
	return c
}

var anID = regexp.MustCompile(`"id":"([0-9a-f-]{36})"`)

// eventually wants a condition within ten seconds.
func (g *target) eventually(what string, is func() bool) {
	g.t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			g.t.Fatalf("not within 10 s: %s", what)
		}
	}
}

// keepReading reads a path of the attacked store again and again, several visitors at a time, until stop
// is called, which returns the number of answers 200.
func (g *target) keepReading(path string, visitors int) (stop func() (answers int)) {
	var ended atomic.Bool
	var read atomic.Int64
	var all sync.WaitGroup
	for range visitors {
		all.Go(func() {
			for !ended.Load() {
				if a, err := g.Send(&shopper.Request{Method: "GET", Path: path, Key: attacker}); err == nil && a.Status == http.StatusOK {
					read.Add(1)
				}
			}
		})
	}
	return func() int {
		ended.Store(true)
		all.Wait()
		return int(read.Load())
	}
}

// wantOthersServed wants that the other store's requests are served, none after more than a time.
func (g *target) wantOthersServed(path string, within time.Duration) {
	g.t.Helper()
	for range 20 {
		began := time.Now()
		g.want(http.StatusOK, shopper.Request{Method: "GET", Path: path, Key: victim})
		if took := time.Since(began); took > within {
			g.t.Errorf("another store's request took %v", took)
		}
	}
}

// maxMemory is the greatest memory that the node has had, in bytes.
func (g *target) maxMemory() int {
	g.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.node.ID()))
	if err != nil {
		g.t.Fatal(err)
	}
	kib, _ := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(string(status))[1])
	return kib << 10
}

// head is a request's head.
func head(method, path, key string, more ...string) string {
	return method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n" + strings.Join(append(more, "\r\n"), "\r\n")
}

// newCart makes a cart with one unit of each of so many products.
func (g *target) newCart(key string, lines int) (path string) {
	g.t.Helper()
	a := g.want(http.StatusCreated, shopper.Request{Method: "POST", Path: "/v1/api/commerce/carts", Key: key})
	path = "/v1/api/commerce/carts/" + anID.FindStringSubmatch(string(a.Body))[1]
	for from := 0; from < lines; from += 100 {
		var batch []string
		for i := from; i < min(from+100, lines); i++ {
			batch = append(batch, fmt.Sprintf(`{"product_id":%q,"quantity":1}`, productID(i)))
		}
		g.want(http.StatusCreated, shopper.Request{Method: "POST", Path: path + "/lines/batch", Key: key, Body: `{"lines":[` + strings.Join(batch, ",") + `]}`})
	}
	return path
}
