//go:build long

package blackbox_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// socket is a kept connection to a node.
type socket struct {
	client client
	net.Conn
	answers *bufio.Reader
}

func (c client) dial() *socket {
	c.t.Helper()
	conn, err := net.Dial("tcp", c.node.addr)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { conn.Close() })
	return &socket{c, conn, bufio.NewReader(conn)}
}

// raw is a request as it goes over the connection.
func (c client) raw(method, path, body string) string {
	return fmt.Sprintf("%s /v1/api/%s HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", method, path, c.key, len(body), body)
}

// sixty is a request that adds 60 hammers to a cart; the line's maximum is 100.
func (c client) sixty(path string) string { return c.raw("POST", path+"/lines", addBody(hammer, "60")) }

func (s *socket) write(text string) {
	s.client.t.Helper()
	if _, err := s.Write([]byte(text)); err != nil {
		s.client.t.Fatal(err)
	}
}

// answer reads an answer: 200 and 201 are true, 422 because of the maximum is false.
func (s *socket) answer() bool {
	s.client.t.Helper()
	res, err := http.ReadResponse(s.answers, nil)
	if err != nil {
		s.client.t.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.client.t.Fatal(err)
	}
	got := answer{t: s.client.t, status: res.StatusCode, header: res.Header, body: text}
	if got.status == http.StatusOK || got.status == http.StatusCreated {
		return true
	}
	got.want(422, aboveMax)
	return false
}

// pairs sends two equal adds to a new cart in each round, the last bytes of both together, on a
// connection to each node. It returns the number of adds that were refused.
func pairs(a, b client, rounds int) (refused int) {
	a.t.Helper()
	sockets := [2]*socket{a.dial(), b.dial()}
	for range rounds {
		path := a.newCart()
		request := a.sixty(path)
		last := len(request) - 1
		for _, s := range sockets {
			s.write(request[:last])
		}
		for _, s := range sockets {
			s.write(request[last:])
		}
		added := 0
		for _, s := range sockets {
			if s.answer() {
				added++
			} else {
				refused++
			}
		}
		want := []string{"no line", "Hammer 60 × 1999 = 119940", "Hammer 100 × 1999 = 199900"}
		a.get(path).wantLines(200, want[added])
	}
	return refused
}

// The counts of the rule of simultaneous adds, on a quiet machine and beside a busy core.
func TestLongSimultaneousAdds(t *testing.T) {
	const rounds, kept, apart = 1000, 1000, 200
	nodes := pair(t, redistest.Real(t), keyShop)
	table := newFigures(t)
	count := func(where string, maximum int) {
		for i, name := range []string{"one node", "two nodes"} {
			refused := pairs(nodes[0], nodes[i], rounds)
			table.row(fmt.Sprintf("422 of %d pairs, %s, %s", rounds, name, where), fmt.Sprintf("at most %d", maximum), fmt.Sprint(refused), refused > maximum)
		}
	}
	count("quiet", 2)
	var ended atomic.Bool
	go func() {
		for !ended.Load() { // keeps a core busy
		}
	}()
	count("beside a busy core", 20)
	ended.Store(true)
	nodes[0].refusesAfterItsAnswer(kept)
	sockets := [2]*socket{nodes[0].dial(), nodes[1].dial()}
	for n := range apart {
		path := nodes[0].newCart()
		for i, want := range []bool{true, false} {
			if sockets[i].write(nodes[i].sixty(path)); sockets[i].answer() != want {
				t.Fatalf("cart %d: node %d answered %v, want %v", n+1, i+1, !want, want)
			}
			time.Sleep(50 * time.Millisecond) // the case: an add that comes later by this
		}
	}
}

// refusesAfterItsAnswer adds twice to each new cart on one kept connection, and once more on a
// connection that has read the cart.
func (c client) refusesAfterItsAnswer(rounds int) {
	c.t.Helper()
	adds, reads := c.dial(), c.dial()
	for range rounds {
		path := c.newCart()
		for _, step := range []struct {
			on      *socket
			request string
			want    bool
		}{
			{adds, c.sixty(path), true}, {adds, c.sixty(path), false},
			{reads, c.raw("GET", path, ""), true}, {reads, c.sixty(path), false},
		} {
			if step.on.write(step.request); step.on.answer() != step.want {
				c.t.Fatalf("answered %v, want %v:\n%s", !step.want, step.want, step.request)
			}
		}
	}
}

// An add on a connection that has carried an answer of the cart since the line was made is refused
// above the maximum, however soon it comes. Of two adds that are sent together on two connections, the
// later one is clamped. Spec: Line behaviour 2; docs/decisions.md#line-behaviour. The test is not parallel:
// 10 ms may pass between the two arrivals on a busy machine.
func TestLongAddIsClampedOnlyIfItIsSimultaneous(t *testing.T) {
	const rounds, maxRefused = 40, 10
	nodes := pair(t, redistest.Real(t), keyShop)
	nodes[0].refusesAfterItsAnswer(rounds)
	if refused := pairs(nodes[0], nodes[0], rounds); refused > maxRefused {
		t.Errorf("one node refused %d of %d, want at most %d", refused, rounds, maxRefused)
	}
	if refused := pairs(nodes[0], nodes[1], rounds); refused > maxRefused {
		t.Errorf("two nodes refused %d of %d, want at most %d", refused, rounds, maxRefused)
	}
}
