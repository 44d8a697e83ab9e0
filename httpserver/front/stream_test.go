package front

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/valyala/fasthttp"
	"github.com/valyala/fasthttp/fasthttputil"
)

// streamer is a server whose every answer stays open.
type streamer struct {
	t      *testing.T
	server *Server
	served chan error
	dial   func() (net.Conn, error)
	begun  chan *Stream
	ended  chan ended
}

type ended struct {
	reason StreamEnd
	bytes  int64
}

func newStreamer(t *testing.T, ln net.Listener, dial func() (net.Conn, error)) *streamer {
	s := &streamer{t: t, served: make(chan error, 1), dial: dial, begun: make(chan *Stream, 1<<10), ended: make(chan ended, 1<<10)}
	s.server = New(Config{
		Handler: s.handle, Log: slog.New(slog.DiscardHandler), Limits: Limits{LastRequests: time.Millisecond},
		Unreadable: func(*fasthttp.RequestCtx, error) {}, Refusal: func(net.Addr) []byte { return nil },
		Accepts: func(*fasthttp.RequestHeader) (int, bool) { return 0, false },
	})
	go func() { s.served <- s.server.Serve(ln) }()
	return s
}

func (s *streamer) handle(ctx *fasthttp.RequestCtx) {
	ctx.SetBodyString("first\n\n")
	var st *Stream
	opened := make(chan struct{})
	st = s.server.OpenStream(ctx, func() { <-opened; s.begun <- st }, func(reason StreamEnd, bytes int64) { s.ended <- ended{reason, bytes} })
	close(opened)
}

// onTCP is a streamer on a real socket, in whose buffers little fits.
func onTCP(t *testing.T) *streamer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newStreamer(t, smallBuffers{ln}, func() (net.Conn, error) { return net.Dial("tcp", ln.Addr().String()) })
	t.Cleanup(s.stop)
	return s
}

type smallBuffers struct{ net.Listener }

func (l smallBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		c.(*net.TCPConn).SetWriteBuffer(64 << 10)
	}
	return c, err
}

func (s *streamer) stop() {
	if err := s.server.Shutdown(context.Background()); err != nil || <-s.served != nil {
		s.t.Errorf("Shutdown: %v", err)
	}
}

// open opens a stream and reads its first event.
func (s *streamer) open() (net.Conn, *bufio.Reader, *Stream) {
	s.t.Helper()
	c, err := s.dial()
	if err != nil {
		s.t.Fatal(err)
	}
	c.Write([]byte("GET / HTTP/1.1\r\nHost: test\r\n\r\n"))
	r := bufio.NewReaderSize(c, 1<<10)
	got, err := http.ReadResponse(r, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if got.ContentLength != -1 || !got.Close || len(got.TransferEncoding) > 0 {
		s.t.Errorf("the head announces a length: %+v", got)
	}
	s.wantRead(r, "first\n\n")
	return c, r, <-s.begun
}

func (s *streamer) wantRead(r io.Reader, want string) {
	s.t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != want {
		s.t.Errorf("read %.40q, %v; want %.40q", got, err, want)
	}
}

func (s *streamer) wantEnd(reason StreamEnd) ended {
	s.t.Helper()
	got := <-s.ended
	if got.reason != reason {
		s.t.Errorf("ended by %q, want %q", got.reason, reason)
	}
	return got
}

func TestAppendEvent(t *testing.T) {
	if got, want := string(AppendEvent(nil, []byte("7"), "cart", []byte("{}"))), "id: 7\nevent: cart\ndata: {}\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := string(AppendEnd(nil, StreamDrain, 1500*time.Millisecond)), "retry: 1500\nevent: end\ndata: {\"reason\":\"drain\"}\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A stream carries its events until its end, which closes the connection. It counts as a connection.
func TestStreamSendsEvents(t *testing.T) {
	s := onTCP(t)
	c, r, st := s.open()
	defer c.Close()
	st.Send([]byte("second\n\n"))
	s.wantRead(r, "second\n\n")
	if open, _, _ := s.server.Connections(); open != 1 || s.server.Streams() != 1 {
		t.Errorf("%d connections, %d streams; want 1 and 1", open, s.server.Streams())
	}
	st.End([]byte("last\n\n"), "done")
	st.Send([]byte("lost"))
	st.End([]byte("lost"), "again")
	s.wantRead(r, "last\n\n")
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("after the end: %v, want EOF", err)
	}
	if got := s.wantEnd("done"); got.bytes != int64(len("first\n\nsecond\n\nlast\n\n")) {
		t.Errorf("%d bytes are counted", got.bytes)
	}
	if open, _, _ := s.server.Connections(); open != 0 || s.server.Streams() != 0 {
		t.Errorf("%d connections, %d streams are left", open, s.server.Streams())
	}
}

// large is more than the buffers of both ends hold.
var large = append(make([]byte, 8<<20), "\n\n"...)

// A client that has not taken an event when the next one comes is too slow.
func TestClientOneEventLate(t *testing.T) {
	s := onTCP(t)
	c, _, st := s.open()
	defer c.Close()
	st.Send(large)
	st.Send([]byte("next\n\n"))
	if got := s.wantEnd(StreamSlow); got.bytes >= int64(len(large)) {
		t.Errorf("%d bytes were taken", got.bytes)
	}
}

// A client that takes an event slowly gets all of it, and delays no other stream.
func TestClientTakesALargeEventSlowly(t *testing.T) {
	s := onTCP(t)
	slow, from, st := s.open()
	defer slow.Close()
	fast, other, quick := s.open()
	defer fast.Close()
	st.Send(large)
	quick.Send([]byte("second\n\n"))
	s.wantRead(other, "second\n\n")
	s.wantRead(from, string(large))
	waitFor(t, "the rest of the event", func() bool { return s.server.streams.late.Load() == 0 })
	st.Send([]byte("third\n\n"))
	s.wantRead(from, "third\n\n")
	st.End(large, "done")
	s.wantRead(from, string(large))
	s.wantEnd("done")
}

// The events that clients have not taken yet are bounded together.
func TestLateEventsAreBounded(t *testing.T) {
	s := onTCP(t)
	for n := range 3 {
		c, _, st := s.open()
		defer c.Close()
		st.Send(make([]byte, maxLateBytes/2))
		if n < 2 {
			continue
		}
		s.wantEnd(StreamSlow)
	}
	if n := s.server.Streams(); n != 2 {
		t.Errorf("%d streams are open, want 2", n)
	}
}

// A ping comes every 15 seconds, also between events.
func TestPings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := fasthttputil.NewInmemoryListener()
		s := newStreamer(t, ln, func() (net.Conn, error) { return ln.Dial() })
		c, r, st := s.open()
		began := time.Now()
		for n := 1; n <= 3; n++ {
			time.Sleep(time.Second)
			st.Send([]byte("event\n\n"))
			s.wantRead(r, "event\n\n")
			s.wantRead(r, "event: ping\ndata: {}\n\n")
			if late := time.Since(began) - time.Duration(n)*pingInterval; late.Abs() > streamTick {
				t.Errorf("ping %d is %v late", n, late)
			}
		}
		st.End(nil, "done")
		s.wantEnd("done")
		c.Close()
		s.stop()
		time.Sleep(time.Minute)
	})
}

// A stop ends all streams with a pause of 5 to 60 seconds, each its own, also one that opens then.
func TestStopEndsStreams(t *testing.T) {
	s := onTCP(t)
	pauses := map[string]bool{}
	wantRetry := func(r *bufio.Reader) {
		t.Helper()
		rest, err := io.ReadAll(r)
		found := regexp.MustCompile(`^retry: (\d+)\nevent: end\ndata: {"reason":"drain"}\n\n$`).FindStringSubmatch(string(rest))
		if err != nil || found == nil {
			t.Fatalf("the stream ended with %q, %v", rest, err)
		}
		if pause, _ := strconv.Atoi(found[1]); pause < 5_000 || pause > 60_000 {
			t.Errorf("the pause is %d ms", pause)
		}
		pauses[found[1]] = true
		s.wantEnd(StreamDrain)
	}
	var open []*bufio.Reader
	for range 20 {
		c, r, _ := s.open()
		defer c.Close()
		open = append(open, r)
	}
	s.server.streams.drain()
	for _, r := range open {
		wantRetry(r)
	}
	if len(pauses) < 10 {
		t.Errorf("20 streams got %d different pauses", len(pauses))
	}
	c, r, _ := s.open()
	defer c.Close()
	wantRetry(r)
}

// Events, ends, clients that leave and a stop at the same time end each stream once.
func TestStreamsEndOnce(t *testing.T) {
	s := onTCP(t)
	var all sync.WaitGroup
	for n := range 40 {
		c, r, st := s.open()
		all.Go(func() {
			if n%4 == 0 {
				c.Close()
				return
			}
			io.Copy(io.Discard, r)
			c.Close()
		})
		all.Go(func() {
			for range n {
				st.Send([]byte(strings.Repeat("x", 64<<n%12)))
			}
			if n%2 == 0 {
				st.End([]byte("last\n\n"), "done")
			}
		})
	}
	s.stop()
	s.served <- nil // Cleanup stops again
	all.Wait()
	for range 40 {
		<-s.ended
	}
	if open, _, _ := s.server.Connections(); open != 0 || s.server.Streams() != 0 || len(s.ended) != 0 {
		t.Errorf("%d connections, %d streams, %d more ends", open, s.server.Streams(), len(s.ended))
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
