//go:build long

package hostile

import (
	"encoding/base64"
	"fmt"
	"math"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/bench/shopper"
)

// Large bodies without a key, and then silence: each is 401 at once, and takes no memory of others.
func TestLongBodiesWithoutAKey(t *testing.T) {
	g := attack(t, productsOf(1, 0), nil)
	other := g.newCart(victim, 0)
	for range 141 {
		c := g.open(head("POST", "/v1/api/commerce/carts/x/lines/batch", "unknown", "Content-Length: 500000") + strings.Repeat("x", 100<<10))
		c.SetReadDeadline(time.Now().Add(5 * time.Second))
		var answer [12]byte
		if _, err := c.Read(answer[:]); err != nil || string(answer[:]) != "HTTP/1.1 401" && string(answer[:]) != "HTTP/1.1 429" {
			t.Fatalf("got %q, %v; want 401 at once", answer, err)
		}
	}
	g.want(http.StatusOK, shopper.Request{Method: "PATCH", Path: other, Key: victim, Body: `{"metadata":{"note":"` + strings.Repeat("x", 16_000) + `"}}`})
}

// Large bodies of one client with the storefront's key, and then silence: an eighth of the store's share is
// let in, and the store's other clients do not wait.
func TestLongSlowBodiesOfAClient(t *testing.T) {
	g := attack(t, productsOf(1, 0), nil, "--trusted-proxies", "127.0.0.0/8")
	cart := g.newCart(attacker, 0)
	for range 40 {
		g.open(head("POST", cart+"/lines/batch", attacker, "Content-Length: 500000", "X-Forwarded-For: 192.0.2.1") + strings.Repeat(" ", 300<<10))
	}
	for i := range 20 {
		g.want(http.StatusOK, shopper.Request{
			Method: "PATCH", Path: cart, Body: `{"metadata":{"note":"` + strings.Repeat("x", 16_000) + `"}}`,
			Header: http.Header{"X-Forwarded-For": {fmt.Sprint("198.51.100.", i)}},
		})
	}
	if text := g.node.Log.String(); strings.Contains(text, "is used up") {
		t.Errorf("one client has taken the store's memory:\n%s", text)
	}
}

// Bodies of one client from 3 MiB down to 1 KiB that never end, on connections that are closed and opened again
// each 1.5 s: the checkouts of other clients find room.
func TestLongBodiesOpenedAgain(t *testing.T) {
	const connections, again, lasts = 68, 1500 * time.Millisecond, 20 * time.Second
	g := attack(t, productsOf(1, 0), nil, "--trusted-proxies", "127.0.0.0/8")
	cart := g.newCart(attacker, 0)
	end := time.Now().Add(lasts)
	var all sync.WaitGroup
	for i := range connections {
		size := int(3 << 20 / math.Pow(3<<10, float64(i)/(connections-1)))
		method, path := "PATCH", cart
		switch {
		case size > 512<<10:
			method, path = "POST", "/v1/api/sales/quotes/by-token/x/accept"
		case size > 64<<10:
			method, path = "POST", cart+"/lines/batch"
		}
		unfinished := head(method, path, attacker, fmt.Sprint("Content-Length: ", size), "X-Forwarded-For: 192.0.2.1") + strings.Repeat(" ", size-1)
		all.Go(func() {
			for until := time.Now(); until.Before(end); {
				until = until.Add(again)
				if c, err := net.Dial("tcp", g.addr); err == nil {
					c.SetDeadline(until)
					c.Write([]byte(unfinished))
					time.Sleep(time.Until(until))
					c.Close()
				}
			}
		})
	}
	sold := 0
	for n := 0; time.Now().Before(end); n++ {
		from := http.Header{"X-Forwarded-For": {fmt.Sprint("198.51.100.", n%200)}}
		other := g.newCart(attacker, 1)
		body := `{"email":"a@b.co","billing_address":{"name":"A B","street":"C 1","postal_code":"1","city":"D","country":"NL"}` +
			strings.Repeat(" ", 20<<10) + `}`
		if a := g.send(shopper.Request{Method: "POST", Path: other + "/checkout", Body: body, Header: from}); a.Status != http.StatusCreated {
			t.Fatalf("checkout %d: got %d %.300s", n, a.Status, a.Body)
		}
		sold++
		time.Sleep(200 * time.Millisecond)
	}
	all.Wait()
	t.Logf("%d checkouts were answered", sold)
	if text := g.node.Log.String(); strings.Contains(text, "is used up") {
		t.Errorf("one client has taken the store's memory:\n%s", text)
	}
}

// Large bodies of many clients with a store's own key, and then silence: the store has an eighth of the
// memory.
func TestLongSlowBodiesOfAStore(t *testing.T) {
	g := attack(t, productsOf(1, 0), nil, "--trusted-proxies", "127.0.0.0/8")
	cart, other := g.newCart(attacker, 0), g.newCart(victim, 0)
	for i := range 40 {
		g.open(head("POST", cart+"/lines/batch", attacker, "Content-Length: 500000", fmt.Sprint("X-Forwarded-For: 192.0.2.", i)) + strings.Repeat(" ", 450<<10))
	}
	const line = "the memory for bodies is used up"
	g.eventually("a line in the log", func() bool { return strings.Contains(g.node.Log.String(), line) })
	g.want(http.StatusOK, shopper.Request{Method: "PATCH", Path: other, Key: victim, Body: `{"metadata":{"note":"` + strings.Repeat("x", 16_000) + `"}}`})
	g.want(http.StatusOK, shopper.Request{Method: "GET", Path: cart})
	if n := strings.Count(g.node.Log.String(), line); n != 1 {
		t.Errorf("%d lines in the log", n)
	}
}

// Signatures fill Redis by no more than the store's bucket. What does not grow, and the other store, go
// on.
func TestLongSignaturesFillNoStore(t *testing.T) {
	g := attack(t, productsOf(1, 0), nil, "--store-growth", "1", "--trusted-proxies", "127.0.0.0/8")
	pixel, _ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")
	picture := "data:image/png;base64," + base64.StdEncoding.EncodeToString(append(pixel, make([]byte, 2<<20-len(pixel))...))
	token := regexp.MustCompile(`"token":"([^"]+)"`)
	accepted, refused := 0, false
	for range 40 {
		cart := g.newCart(attacker, 1)
		quote := g.send(shopper.Request{Method: "POST", Path: cart + "/quote-request", Body: `{"email":"a@b.co"}`})
		if refused = quote.Status == http.StatusServiceUnavailable; refused {
			break
		}
		answer := g.send(shopper.Request{Method: "POST", Path: "/v1/api/sales/quotes/by-token/" + token.FindStringSubmatch(string(quote.Body))[1] + "/accept",
			Body: `{"signer_name":"A","signature":"` + picture + `"}`, Header: http.Header{"X-Forwarded-For": {fmt.Sprint("192.0.2.", accepted)}}})
		if refused = answer.Status == http.StatusServiceUnavailable; refused {
			break
		}
		if answer.Status == http.StatusTooManyRequests { // 30 a minute and caller
			t.Fatalf("%d were accepted ahead of the limit of callers", accepted)
		}
		if answer.Status != http.StatusCreated {
			t.Fatalf("got %d %.200s", answer.Status, answer.Body)
		}
		accepted++
	}
	if !refused || accepted > 32 {
		t.Errorf("%d signatures of 2 MiB were stored, refused: %v", accepted, refused)
	}
	g.newCart(victim, 1)
}
