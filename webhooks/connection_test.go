package webhooks

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
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
			client := newClient(true)
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

// Every event has a connection of its own. Bytes after an answer are nobody's: they are not read, and
// nothing prints them.
func TestEveryEventHasAConnection(t *testing.T) {
	const events = 3
	var printed logBook
	log.SetOutput(&printed)
	defer log.SetOutput(os.Stderr)
	answer := answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" + strings.Repeat("surplus", 600))
	ended := make(chan struct{}, 2*events)
	address := rawReceiver(t, func(c net.Conn) { answer(c); ended <- struct{}{} })
	o := newOutbox(t)
	o.add("http://"+address, events)
	d, own := o.deliverer()
	o.await("all deliveries", o.empty)
	for range events {
		waitFor(t, "the end of a connection", ended)
	}
	d.Stop(patience)
	if got := d.Counts(); got != (Counts{Delivered: events}) || own.String() != "" || printed.String() != "" || len(ended) != 0 {
		t.Errorf("%+v, %d connections more than events, log: %s%s", got, len(ended), own, &printed)
	}
}
