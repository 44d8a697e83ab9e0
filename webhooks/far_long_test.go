//go:build long

package webhooks

import (
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// farAway is the address of a receiver that is as far away as a round trip takes.
func farAway(t *testing.T, receiver string, trip time.Duration) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", receiver)
			if err != nil {
				near.Close()
				continue
			}
			connected := time.Now().Add(trip) // the node's connect took no trip
			go delay(far, near, connected, trip/2)
			go delay(near, far, time.Now(), trip/2)
		}
	}()
	return l.Addr().String()
}

// delay passes bytes on, each after a time.
func delay(to, from net.Conn, begins time.Time, after time.Duration) {
	defer to.Close()
	type piece struct {
		bytes []byte
		due   time.Time
	}
	pieces := make(chan piece, 100)
	go func() {
		defer close(pieces)
		for {
			p := make([]byte, 4<<10)
			n, err := from.Read(p)
			if err != nil {
				return
			}
			due := time.Now()
			if due.Before(begins) {
				due = begins
			}
			pieces <- piece{p[:n], due.Add(after)}
		}
	}()
	for p := range pieces {
		<-time.After(time.Until(p.due))
		if _, err := to.Write(p.bytes); err != nil {
			return
		}
	}
}

// A node makes 200 deliveries a second to TLS receivers that are 20 ms away, although each has a
// connection of its own, with the connections that webhooks may have. One receiver gets one event after
// another: at most 16 a second.
func TestLongDeliveriesToFarReceivers(t *testing.T) {
	const trip, each, wanted = 20 * time.Millisecond, 20, 200
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }))
	defer s.Close()
	address := farAway(t, s.Listener.Addr().String(), trip)
	trusted := x509.NewCertPool()
	trusted.AddCert(s.Certificate())
	o := newOutbox(t)
	d, log := o.deliverer()
	d.client.Transport.(*http.Transport).TLSClientConfig.RootCAs = trusted
	began := time.Now()
	o.mu.Lock() // the deliverer is at work
	for range maxServed {
		o.add("https://"+address, each)
	}
	o.mu.Unlock()
	o.signal()
	o.await("all deliveries", o.empty)
	if rate := maxServed * each / time.Since(began).Seconds(); rate < wanted || log.String() != "" {
		t.Errorf("%.0f deliveries a second; want %d. log: %s", rate, wanted, log)
	} else {
		t.Logf("%.0f deliveries a second", rate)
	}
}
