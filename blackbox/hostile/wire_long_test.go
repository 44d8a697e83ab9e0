//go:build long

package hostile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cartd/bench/shopper"
	"cartd/blackbox"
	"cartd/internal/redistest"
)

const quiet = time.Second // the maximum wait of another store's request during an attack

// Heads that arrive byte by byte, on a thousand connections at a time: each is closed in time, and no
// other store waits.
func TestLongSlowHeads(t *testing.T) {
	g := attack(t, productsOf(1, 0), nil)
	other := g.newCart(victim, 0)
	began := time.Now()
	var all []net.Conn
	for range 1000 {
		all = append(all, g.open("GET /v1/ping HTTP/1.1\r\nHost: x\r\n"))
	}
	for i := 0; time.Since(began) < 10*time.Second; i++ {
		for _, c := range all {
			_, _ = c.Write([]byte("A")) // a header's name that never ends
		}
		g.wantOthersServed(other, quiet)
	}
	for _, c := range all {
		_ = c.SetReadDeadline(began.Add(25 * time.Second))
		answer, err := bufio.NewReader(c).ReadString('\n')
		if !strings.Contains(answer, " 408 ") || time.Since(began) > 20*time.Second {
			t.Fatalf("after %v: %q, %v; want 408 after 15 s", time.Since(began), answer, err)
		}
	}
	if used := g.maxMemory(); used > 200<<20 {
		t.Errorf("the node has used %d MiB", used>>20)
	}
}

// Bodies of 100 KB of one client, and then silence: each is 408, the first eight after 2 s, the others once
// they have waited for a place.
func TestLongSlowBodies(t *testing.T) {
	g := attack(t, productsOf(1, 0), nil)
	cart := g.newCart(attacker, 0)
	began := time.Now()
	late := make(chan error)
	for range 24 {
		c := g.open(head("POST", cart+"/lines/batch", attacker, "Content-Length: 100000") + strings.Repeat(" ", 90<<10))
		go func() {
			_ = c.SetReadDeadline(began.Add(25 * time.Second))
			answer, err := bufio.NewReader(c).ReadString('\n')
			if err == nil && !strings.Contains(answer, " 408 ") {
				err = errors.New(answer)
			}
			late <- err
		}()
	}
	for i := range 24 {
		if err := <-late; err != nil {
			t.Errorf("got %v, want 408", err)
		}
		if least := time.Duration(1+i/8) * 2 * time.Second; time.Since(began) < least-100*time.Millisecond {
			t.Errorf("body %d was refused after %v, want %v", i, time.Since(began), least)
		}
	}
	if took := time.Since(began); took > 12*time.Second {
		t.Errorf("the last is refused after %v, want about 6 s", took)
	}
}

// ambiguous are the ends of heads with a body of which two readers may disagree on where it ends. The
// length 99 stands for one that reaches over the bytes that follow.
var ambiguous = []string{
	"Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n",
	"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
	"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
	"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
	"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
	"X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"Content-Length: 0, 99\r\n\r\n",
	"Content-Length: 0\r\nContent-Length: 99\r\n\r\n",
	"Content-Length: +0\r\n\r\n",
	"Content-Length: 0\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"Expect: 100-continue\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"Transfer-Encoding: chunked\r\n\r\n0;\nx\r\n\r\n",
	"Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 99\r\n\r\n",
}

// A request is hidden in what one reader of a connection takes for a body. A node carries it out never;
// through HAProxy (which may find it a request of the same client) no other client gets its answer.
func TestLongHiddenRequests(t *testing.T) {
	redis := redistest.Real(t)
	flags := []string{"--redis", redis.URL(), "--trusted-proxies", "127.0.0.0/8"}
	g := attack(t, productsOf(1, 0), nil, flags...)
	second := attack(t, productsOf(1, 0), nil, flags...)
	router := blackbox.Route(t, blackbox.InTurn, g.addr, second.addr)
	behind, err := shopper.NewClient("http://"+router.Addr, 16, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(behind.Close)
	direct, routed, other := g.newCart(attacker, 1), g.newCart(attacker, 1), g.newCart(victim, 0)
	want := string(g.want(http.StatusOK, shopper.Request{Method: "GET", Path: direct}).Body)
	for _, end := range ambiguous {
		for addr, cart := range map[string]string{g.addr: direct, router.Addr: routed} {
			hidden := hide(cart)
			c, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c.Write([]byte(unfinished(cart) + strings.ReplaceAll(end, "99", fmt.Sprint(len(hidden))) + hidden))
			for range 6 {
				a, err := behind.Send(&shopper.Request{Method: "GET", Path: other, Key: victim})
				if err != nil || a.Status != http.StatusOK || strings.Contains(string(a.Body), "hid@den.co") {
					t.Errorf("%q: another client got %d %s, %v", end, a.Status, a.Body, err)
				}
			}
			_ = c.(*net.TCPConn).CloseWrite()
			_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
			if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("%q: the connection stays open: %v", end, err)
			}
			c.Close()
		}
		if got := string(g.want(http.StatusOK, shopper.Request{Method: "GET", Path: direct}).Body); got != want {
			t.Errorf("%q: the hidden request was carried out: %s", end, got)
		}
	}
	c := g.open(unfinished(direct) + "Content-Length: 0\r\n\r\n" + hide(direct)) // the control: not hidden
	g.eventually("the second request of a clear pair is carried out", func() bool {
		return strings.Contains(string(g.want(http.StatusOK, shopper.Request{Method: "GET", Path: direct}).Body), "hid@den.co")
	})
	c.Close()
}

// unfinished is a head without its end.
func unfinished(cart string) string {
	return strings.TrimSuffix(head("POST", cart+"/discount", attacker), "\r\n")
}

// hide is a request that changes a cart.
func hide(cart string) string {
	return head("PATCH", cart, attacker, "Content-Length: 22") + `{"email":"hid@den.co"}`
}

// A store's flood beyond its limit, and one without a key, from many connections at a time: another
// store's requests are served as before.
func TestLongFloods(t *testing.T) {
	for _, key := range []string{attacker, "no such key"} {
		g := attack(t, productsOf(1, 0), nil)
		other := g.newCart(victim, 0)
		flooders, err := shopper.NewClient("http://"+g.addr, 256, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(flooders.Close)
		stop := make(chan struct{})
		var all sync.WaitGroup
		for range 256 {
			all.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						_, _ = flooders.Send(&shopper.Request{Method: "POST", Path: "/v1/api/commerce/carts", Key: key})
					}
				}
			})
		}
		for began := time.Now(); time.Since(began) < 5*time.Second; {
			g.wantOthersServed(other, quiet)
		}
		close(stop)
		all.Wait()
		if used := g.maxMemory(); used > 400<<20 {
			t.Errorf("a flood with the key %q: the node has used %d MiB", key, used>>20)
		}
	}
}

// Bodies that are costly to read: each is refused at once, and the connection's client learns why.
func TestLongCostlyBodies(t *testing.T) {
	g := attack(t, productsOf(1, 0), nil)
	cart, other := g.newCart(attacker, 0), g.newCart(victim, 0)
	for name, body := range map[string]string{
		"deep lists":       strings.Repeat("[", 60_000),
		"deep objects":     strings.Repeat(`{"a":`, 12_000),
		"many members":     `{"metadata":{` + strings.Repeat(`"a":1,`, 10_000) + `"b":1}}`,
		"a long number":    `{"product_id":"` + productID(0) + `","quantity":1` + strings.Repeat("0", 60_000) + `}`,
		"a large exponent": `{"product_id":"` + productID(0) + `","quantity":1e999999999}`,
		"a small exponent": `{"product_id":"` + productID(0) + `","quantity":1e-999999999}`,
		"a long text":      `{"product_id":"` + strings.Repeat("a", 60_000) + `","quantity":1}`,
		"escapes":          `{"product_id":"` + strings.Repeat(`\ud800`, 10_000) + `","quantity":1}`,
		"zeros":            strings.Repeat("\x00", 60_000),
		"no UTF-8":         `{"product_id":"` + strings.Repeat("\xff", 30_000) + `"}`,
	} {
		for _, request := range []shopper.Request{
			{Method: "POST", Path: cart + "/lines", Body: body},
			{Method: "PATCH", Path: cart, Body: body},
			{Method: "POST", Path: cart + "/lines/batch", Body: body},
		} {
			began := time.Now()
			a := g.send(request)
			if request.Method == "POST" && (a.Status < 400 || a.Status >= 500) || a.Status >= 500 {
				t.Errorf("%s to %s: got %d %.200s, want a refusal", name, request.Path, a.Status, a.Body)
			}
			if took := time.Since(began); took > quiet {
				t.Errorf("%s to %s: the refusal took %v", name, request.Path, took)
			}
		}
	}
	g.wantOthersServed(other, quiet)
}

// Keys and tokens that no store has, in every form that a head lets through.
func TestLongForgedTokens(t *testing.T) {
	g := attack(t, productsOf(1, 0), nil)
	for _, forged := range []string{
		" ", "null", "undefined", "0", "*", "%00", "' OR 1=1 --", `{"$ne":null}`, "../../etc/passwd", attacker + "x", attacker[1:], strings.ToUpper(attacker),
		strings.Repeat("a", 8000), "é", "\xff\xfe", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", token + "1 ", " " + token + "1,",
	} {
		if a := g.send(shopper.Request{Method: "GET", Path: "/v1/api/me", Key: forged}); a.Status != http.StatusUnauthorized &&
			a.Status != http.StatusTooManyRequests {
			t.Errorf("the key %.40q: got %d %.200s, want 401", forged, a.Status, a.Body)
		}
		if strings.TrimSpace(forged) == token+"1" { // blanks around a header's value do not count
			continue
		}
		if a := g.send(shopper.Request{Method: "GET", Path: "/v1/api/commerce/orders", Token: forged}); a.Status != http.StatusUnauthorized {
			t.Errorf("the token %.40q: got %d %.200s, want 401", forged, a.Status, a.Body)
		}
	}
	if a := g.send(shopper.Request{Method: "GET", Path: "/v1/api/commerce/orders", Token: token + "1"}); a.Status != http.StatusOK {
		t.Errorf("the customer's own token: got %d %.200s", a.Status, a.Body)
	}
}
