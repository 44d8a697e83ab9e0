package front

import (
	"errors"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// StreamEnd is the reason why a stream has ended.
type StreamEnd string

// The reasons that this package knows. The handler has further ones.
const (
	// StreamLeft: the client has closed the connection, or is out of reach.
	StreamLeft StreamEnd = "client"
	// StreamSlow: the client has not taken an event in time.
	StreamSlow StreamEnd = "slow"
	// StreamDrain: the server stops.
	StreamDrain StreamEnd = "drain"
)

const (
	// pingInterval is the time between two pings of a stream.
	pingInterval = 15 * time.Second
	// streamTick is the time between two passes over all streams: for pings that are due, and for
	// clients that have closed the connection.
	streamTick = 500 * time.Millisecond
	// soon is the maximum time of a write that should not wait.
	soon = 5 * time.Millisecond
	// maxLateBytes bounds the memory of the events of all streams that their clients have not taken
	// yet.
	maxLateBytes = 16 << 20
	// minRetry and maxRetry bound the pause that a client of a stopped server is asked for.
	minRetry = 5 * time.Second
	maxRetry = 60 * time.Second
)

var pingEvent = AppendEvent(nil, nil, "ping", []byte("{}"))

// AppendEvent writes a server-sent event. The data is one line. An empty id is left out.
func AppendEvent(dst, id []byte, name string, data []byte) []byte {
	if len(id) > 0 {
		dst = append(append(append(dst, "id: "...), id...), '\n')
	}
	dst = append(append(append(dst, "event: "...), name...), "\ndata: "...)
	return append(append(dst, data...), "\n\n"...)
}

// AppendEnd writes the last event of a stream, with the reason of the end. A client connects again
// after the pause; 0 if it may choose.
func AppendEnd(dst []byte, reason StreamEnd, pause time.Duration) []byte {
	if pause > 0 {
		dst = append(fasthttp.AppendUint(append(dst, "retry: "...), int(pause.Milliseconds())), '\n')
	}
	return AppendEvent(dst, nil, "end", append(append([]byte(`{"reason":"`), reason...), `"}`...))
}

// streams are the connections that stay open for events. A write never waits: bytes that a
// client's socket does not take at once are written by a goroutine of their own within
// eventTimeout. So a waiting stream has no goroutine, and a slow client delays no other one.
type streams struct {
	mu   sync.Mutex
	open map[*Stream]struct{}
	// watching is true while a goroutine watches the streams. drained: new streams end at once.
	watching, drained bool
	// late is the memory of events that are not taken yet.
	late atomic.Int64
}

// Stream is one of these connections. The handler may call its methods from any goroutine, once
// begun was called.
type Stream struct {
	of   *streams
	conn *Conn
	// raw is the socket; nil if the connection has none.
	raw syscall.RawConn
	// begun is called once the answer's head and its body so far are written, ended once the
	// connection is closed. Either may come without the other.
	begun func()
	ended func(reason StreamEnd, bytes int64)

	mu sync.Mutex
	// late is true while a goroutine writes the rest of an event.
	late, closed bool
	// reason is that of the end if the next write fails; StreamLeft unless the last event is written.
	reason StreamEnd
	// bytes are those of the body that are written.
	bytes int64
	ping  time.Time
}

// OpenStream makes the connection of a request stay open after its answer, for further events. The
// handler calls it with the complete answer. begun and ended are called as Stream says.
func (s *Server) OpenStream(ctx *fasthttp.RequestCtx, begun func(), ended func(reason StreamEnd, bytes int64)) *Stream {
	c := ctx.Conn().(*Conn)
	st := &Stream{of: &s.streams, conn: c, begun: begun, ended: ended, reason: StreamLeft}
	c.stream = st
	// The answer has no length: it ends with the connection.
	ctx.SetConnectionClose()
	ctx.HijackSetNoResponse(true)
	ctx.Hijack(func(net.Conn) { st.begin(ctx) })
	return st
}

// begin writes the answer so far. fasthttp has left the connection.
func (st *Stream) begin(ctx *fasthttp.RequestCtx) {
	first := append(ctx.Response.Header.AppendBytes(nil), ctx.Response.Body()...)
	head := len(first) - len(ctx.Response.Body())
	c := st.conn
	c.use.Store(idle)
	c.unread.Store(false)
	c.Conn.SetDeadline(time.Time{})
	if socket, is := c.Conn.(syscall.Conn); is {
		st.raw, _ = socket.SyscallConn()
	}
	st.mu.Lock()
	st.ping, st.bytes = time.Now().Add(pingInterval), -int64(head)
	added := st.of.add(st)
	st.write(first)
	st.mu.Unlock()
	c.from.answers.sent(c)
	if !added {
		st.drain()
	}
	st.begun()
}

// Send writes an event, which the stream keeps. A client that has not taken the event before it is
// too slow: its stream ends.
func (st *Stream) Send(event []byte) {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case st.closed:
	case st.late:
		st.close(StreamSlow)
	default:
		st.write(event)
	}
}

// End writes the last event and closes the connection.
func (st *Stream) End(last []byte, reason StreamEnd) {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case st.closed:
	case st.late: // the end is lost, too
		st.close(reason)
	default:
		st.reason = reason
		st.write(last)
		if !st.late && !st.closed {
			st.close(reason)
		}
	}
}

func (st *Stream) drain() {
	pause := minRetry + rand.N(maxRetry-minRetry)
	st.End(AppendEnd(nil, StreamDrain, pause), StreamDrain)
}

// write writes an event, or begins to. The lock is held.
func (st *Stream) write(event []byte) {
	n, err := writeNow(st.conn.Conn, st.raw, event)
	st.bytes += int64(n)
	switch {
	case err != nil:
		st.close(st.reason)
	case n < len(event) && st.of.late.Add(int64(len(event)-n)) > maxLateBytes:
		st.of.late.Add(int64(n - len(event)))
		st.close(StreamSlow)
	case n < len(event):
		st.late = true
		go st.finish(event[n:])
	}
}

// writeSoon is writeNow for a connection that only a deadline keeps from waiting.
func writeSoon(c net.Conn, b []byte) (int, error) {
	c.SetWriteDeadline(time.Now().Add(soon))
	n, err := c.Write(b)
	c.SetWriteDeadline(time.Time{})
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return n, err
}

// finish writes the rest of an event. If the stream has a reason to end, it was the last one.
func (st *Stream) finish(rest []byte) {
	st.conn.Conn.SetWriteDeadline(time.Now().Add(eventTimeout))
	n, err := st.conn.Conn.Write(rest)
	st.conn.Conn.SetWriteDeadline(time.Time{})
	st.of.late.Add(-int64(len(rest)))
	st.mu.Lock()
	defer st.mu.Unlock()
	st.late = false
	st.bytes += int64(n)
	switch {
	case st.closed:
	case errors.Is(err, os.ErrDeadlineExceeded):
		st.close(StreamSlow)
	case err != nil || st.reason != StreamLeft:
		st.close(st.reason)
	}
}

// close closes the connection. The lock is held.
func (st *Stream) close(reason StreamEnd) {
	st.closed, st.reason = true, reason
	st.conn.Close()
}

// left is called once, when the connection is closed. The lock is held if the stream has begun.
func (st *Stream) left() {
	st.of.remove(st)
	go st.ended(st.reason, max(0, st.bytes))
}

// tick pings the client if it is time, and closes the stream of a client that has left.
func (st *Stream) tick(now time.Time) {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case st.closed || st.late:
	case hasLeft(st.raw):
		st.close(StreamLeft)
	case !now.Before(st.ping.Add(-streamTick / 2)):
		st.ping = st.ping.Add(pingInterval)
		st.write(pingEvent)
	}
}

// add counts a stream as open. It returns false if the server stops.
func (s *streams) add(st *Stream) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drained {
		return false
	}
	if s.open == nil {
		s.open = map[*Stream]struct{}{}
	}
	s.open[st] = struct{}{}
	if !s.watching {
		s.watching = true
		go s.watch()
	}
	return true
}

// Streams returns the number of open streams.
func (s *Server) Streams() int {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	return len(s.streams.open)
}

func (s *streams) remove(st *Stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, st)
}

// watch ticks the streams until none is open.
func (s *streams) watch() {
	tick := time.NewTicker(streamTick)
	defer tick.Stop()
	for now := range tick.C {
		s.mu.Lock()
		all := slices.Collect(maps.Keys(s.open))
		s.watching = len(all) > 0
		s.mu.Unlock()
		if len(all) == 0 {
			return
		}
		for _, st := range all {
			st.tick(now)
		}
	}
}

// drain ends all streams, now and from now on.
func (s *streams) drain() {
	s.mu.Lock()
	s.drained = true
	all := slices.Collect(maps.Keys(s.open))
	s.mu.Unlock()
	for _, st := range all {
		st.drain()
	}
}
