package webhooks

import (
	"bufio"
	"context"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cartd/commerce"
)

// rawReceiver is a receiver that reads and writes plain bytes, and returns its address.
func rawReceiver(t *testing.T, serve func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); serve(c) }()
		}
	}()
	return l.Addr().String()
}

// answering writes the same bytes as the answer to every request.
func answering(text string) func(net.Conn) {
	return func(c net.Conn) {
		for in := bufio.NewReader(c); ; {
			req, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, req.Body)
			_, _ = io.WriteString(c, text)
		}
	}
}

// repeating waits for a first byte, then writes the same text again and again until the
// connection ends.
func repeating(text string, pause time.Duration) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = c.Read(make([]byte, 1))
		for {
			if _, err := io.WriteString(c, text); err != nil {
				return
			}
			time.Sleep(pause)
		}
	}
}

func ignoreSurplus(string) {}

const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

// Every attempt ends by its time-out. An unexpected 1xx answer is a failure at once.
func TestAttemptEndsInTime(t *testing.T) {
	const timeout = 300 * time.Millisecond
	silent := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	for _, c := range []struct {
		name, scheme string
		serve        func(net.Conn)
		want         string // reason
		atOnce       bool
	}{
		{"101 upgrade", "http", answering(switching), "status 101", true},
		{"199", "http", answering("HTTP/1.1 199 Nothing\r\n\r\n"), "status 199", true},
		{"099", "http", answering("HTTP/1.1 099 Nothing\r\nContent-Length: 0\r\n\r\n"), "status 99", true},
		{"many 103", "http", repeating("HTTP/1.1 103 Early Hints\r\n\r\n", 0), "status 103", true},
		{"slow 102", "http", repeating("HTTP/1.1 102 Processing\r\n\r\n", timeout/20), "no answer in time", false},
		{"slow header", "http", repeating("H", timeout/20), "no answer in time", false},
		{"silence", "http", silent, "no answer in time", false},
		{"no request read", "http", func(c net.Conn) { <-t.Context().Done() }, "no answer in time", false},
		{"slow body", "http", answering("HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\na"), "status 500", true},
		{"silent handshake", "https", silent, "no answer in time", false},
		{"slow handshake", "https", repeating("\x16\x03\x03\x3f\xff\x02\x00\x3f\xf0", timeout/20), "no answer in time", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			closed := make(chan struct{})
			address := rawReceiver(t, func(conn net.Conn) { c.serve(conn); close(closed) })
			r := &commerce.Receiver{Webhook: commerce.Webhook{URL: c.scheme + "://" + address, Secrets: [][]byte{secret}}}
			limit := patience
			if !c.atOnce {
				limit = timeout
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			client := newClient(true, ignoreSurplus)
			began := time.Now()
			err := attempt(ctx, client, r, &commerce.Delivery{ID: "msg_1", Body: []byte("{}"), Now: time.Now()})
			if err == nil || reason(err) != c.want {
				t.Errorf("attempt: %v, want %q", err, c.want)
			}
			if took := time.Since(began); took > limit+patience/2 {
				t.Errorf("it took %v", took)
			}
			if c.atOnce {
				waitFor(t, "the end of the connection", closed)
			}
		})
	}
}

func waitFor(t *testing.T, event string, happened <-chan struct{}) {
	t.Helper()
	select {
	case <-happened:
	case <-time.After(patience):
		t.Fatalf("%s: not within %v", event, patience)
	}
}

func TestInformationalAnswersMayPrecedeTheAnswer(t *testing.T) {
	const before = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
	address := rawReceiver(t, answering(strings.Repeat(before, 33)+"HTTP/1.1 204 No Content\r\n\r\n"))
	o := newOutbox(t)
	o.add("http://"+address, 2)
	d, log := o.deliverer()
	o.await("both deliveries", o.empty)
	d.Stop(patience)
	if got := d.Counts(); got != (Counts{Delivered: 2}) || log.String() != "" {
		t.Errorf("%+v, log: %s", got, log)
	}
}

// A read of a receiver's bytes ends with the attempt's context, even after net/http has returned
// the connection to its caller.
func TestConnectionEndsWithItsAttempt(t *testing.T) {
	address := rawReceiver(t, answering(switching))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := newClient(true, ignoreSurplus).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	ended := make(chan struct{})
	go func() {
		_, _ = answer.Body.Read(make([]byte, 1))
		close(ended)
	}()
	cancel()
	waitFor(t, "the end of a read", ended)
}

// lineBook is a log whose lines can be waited for.
type lineBook chan string

func (b lineBook) Write(line []byte) (int, error) {
	b <- string(line)
	return len(line), nil
}

// surplusLines waits for the first line about surplus bytes and returns all such lines.
func (b lineBook) surplusLines(t *testing.T, stop func()) (lines []string) {
	t.Helper()
	about := func(line string) bool { return strings.Contains(line, "more than its answer") }
	for timer := time.After(patience); len(lines) == 0; {
		select {
		case line := <-b:
			if about(line) {
				lines = append(lines, line)
			}
		case <-timer:
			t.Fatalf("no line within %v", patience)
		}
	}
	stop()
	for close(b); ; {
		line, more := <-b
		if !more {
			return lines
		}
		if about(line) {
			lines = append(lines, line)
		}
	}
}

const (
	emptyAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
	timeoutLine = "HTTP/1.0 408 Request Time-out\r\nConnection: close\r\n\r\n"
)

// Surplus bytes are reported with one line a minute, without the bytes.
func TestSurplusIsOneLine(t *testing.T) {
	surplus := strings.Repeat("surplus", 600)
	idle := make(chan struct{})
	for _, c := range []struct {
		name   string
		events int
		serve  func(net.Conn)
	}{
		{"with the answer", 3, answering(emptyAnswer + surplus)},
		{"after the answer", 1, afterwards(idle, surplus)},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, lines := rawReceiver(t, c.serve), make(lineBook, 100)
			o := newOutbox(t)
			o.add("http://"+address, c.events)
			d, _ := o.deliverer(func(config *Config) { config.Logger = slog.New(slog.NewTextHandler(lines, nil)) })
			o.await("all deliveries", o.empty)
			if c.events == 1 {
				close(idle)
			}
			got := lines.surplusLines(t, func() { d.Stop(patience) })
			if len(got) != 1 || !strings.Contains(got[0], "host="+address) || strings.Contains(got[0], "surplus") {
				t.Errorf("the log says %q, want one line with %s and none of the bytes", got, address)
			}
		})
	}
}

// afterwards answers one request, and writes bytes once the connection is idle.
func afterwards(idle <-chan struct{}, text string) func(net.Conn) {
	return func(c net.Conn) {
		req, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		_, _ = io.WriteString(c, emptyAnswer)
		<-idle
		_, _ = io.WriteString(c, text)
		_, _ = io.Copy(io.Discard, c) // until the node closes it
	}
}

// Status 408 on an idle connection announces that the receiver closes it.
func TestIdleTimeoutOfAReceiverIsNoSurplus(t *testing.T) {
	idle, closed := make(chan struct{}), make(chan struct{})
	serve := afterwards(idle, timeoutLine)
	address := rawReceiver(t, func(c net.Conn) { serve(c); close(closed) })
	o := newOutbox(t)
	o.add("http://"+address, 1)
	d, log := o.deliverer()
	o.await("the delivery", o.empty)
	close(idle)
	waitFor(t, "the end of the connection", closed)
	d.Stop(patience)
	if log.String() != "" {
		t.Errorf("the log says %s", log)
	}
}

func TestConnectionsOfTLSAreKept(t *testing.T) {
	var opened, surplus atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.StartTLS()
	defer s.Close()
	d := newDialer(true, func(string) { surplus.Add(1) })
	d.tls.RootCAs = x509.NewCertPool()
	d.tls.RootCAs.AddCert(s.Certificate())
	client := &http.Client{Transport: newTransport(d)}
	defer client.CloseIdleConnections()
	r := &commerce.Receiver{Webhook: commerce.Webhook{URL: s.URL, Secrets: [][]byte{secret}}}
	for range 3 {
		if err := attempt(t.Context(), client, r, &commerce.Delivery{ID: "msg_1", Body: []byte("{}"), Now: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	if opened.Load() != 1 || surplus.Load() != 0 {
		t.Errorf("%d connections, surplus bytes %d times; want 1 and 0", opened.Load(), surplus.Load())
	}
}
