package cluster

import (
	"bufio"
	"net"
	"strings"
	"testing"
	"time"
)

// upstream answers every line with the same line in capitals, and reports it.
func upstream(t *testing.T) (addr string, received <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	lines := make(chan string, 16)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for in := bufio.NewScanner(conn); in.Scan(); {
					lines <- in.Text()
					_, _ = conn.Write([]byte(strings.ToUpper(in.Text()) + "\n"))
				}
			}()
		}
	}()
	return listener.Addr().String(), lines
}

// call is one connection through a proxy.
type call struct {
	t    *testing.T
	conn net.Conn
}

func through(t *testing.T, p *Proxy) call {
	t.Helper()
	conn, err := net.Dial("tcp", p.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return call{t, conn}
}

func (c call) say(line string) { _, _ = c.conn.Write([]byte(line + "\n")) }

// hear returns the next event within a time: a line, "silence" or "the end".
func (c call) hear(within time.Duration) string {
	_ = c.conn.SetReadDeadline(time.Now().Add(within))
	line, err := bufio.NewReader(c.conn).ReadString('\n')
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		return "silence"
	}
	if err != nil {
		return "the end"
	}
	return strings.TrimSpace(line)
}

const (
	soon    = 50 * time.Millisecond
	forSure = 10 * time.Second
)

func TestWeather(t *testing.T) {
	for _, c := range []struct {
		name    string
		weather Weather
		within  time.Duration // the wait for heard and for arrived
		heard   string        // during the weather
		arrived bool          // during the weather
		after   string        // heard after the weather, on the same connection
	}{
		{"none", Weather{}, forSure, "HELLO", true, ""},
		{"cut", Weather{Cut: true}, forSure, "the end", false, ""},
		{"swallowed", Weather{Hole: true}, soon, "silence", false, "the end"},
		{"held back", Weather{Hold: true}, soon, "silence", false, "HELLO"},
		{"delayed", Weather{Delay: 20 * time.Millisecond}, forSure, "HELLO", true, ""},
		{"replies dropped", Weather{Drop: 1}, forSure, "the end", true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, received := proxyTo(t)
			one := through(t, p)
			one.say("first")
			if got := one.hear(forSure); got != "FIRST" {
				t.Fatalf("in good weather: %s", got)
			}
			<-received
			p.Set(c.weather)
			one.say("hello")
			if got := one.hear(c.within); got != c.heard {
				t.Errorf("heard %s, want %s", got, c.heard)
			}
			if got := len(received) == 1; got != c.arrived {
				t.Errorf("arrived: %v, want %v", got, c.arrived)
			}
			p.Heal()
			if c.after != "" {
				if got := one.hear(forSure); got != c.after {
					t.Errorf("afterwards heard %s, want %s", got, c.after)
				}
			}
			again := through(t, p)
			again.say("again")
			if got := again.hear(forSure); got != "AGAIN" {
				t.Errorf("a new connection in good weather: %s", got)
			}
		})
	}
}

func proxyTo(t *testing.T) (*Proxy, <-chan string) {
	t.Helper()
	addr, received := upstream(t)
	p, err := newProxy(addr, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	return p, received
}

func TestHeldBytesArriveThoughTheirSenderHasHungUp(t *testing.T) {
	p, received := proxyTo(t)
	one := through(t, p)
	one.say("first")
	one.hear(forSure)
	<-received
	p.Set(Weather{Hold: true})
	one.say("late")
	one.conn.Close()
	select {
	case <-received:
		t.Fatal("it arrived while it was held back")
	case <-time.After(soon):
	}
	p.Heal()
	select {
	case got := <-received:
		if got != "late" {
			t.Errorf("received %q, want late", got)
		}
	case <-time.After(forSure):
		t.Error("it never arrived")
	}
}

func TestDelayHoldsEachPieceBack(t *testing.T) {
	p, received := proxyTo(t)
	one := through(t, p)
	const delay, pieces = 20 * time.Millisecond, 20
	p.Set(Weather{Delay: delay})
	began := time.Now()
	for range pieces {
		one.say("hello")
		one.hear(forSure)
		<-received
	}
	if took := time.Since(began); took < pieces*delay/4 { // usually half of the sum; only one direction is certain
		t.Errorf("%d pieces took %v, each of them delayed by up to %v", pieces, took, delay)
	}
}
