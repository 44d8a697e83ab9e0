package front

import (
	"bytes"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// Conn is a connection that sets a deadline on its socket only when a read or a write may wait. It
// does not set it again if the deadline moved by less than deadlineSlack. fasthttp moves three
// deadlines with each request, and almost none of them is ever reached. A time-out may therefore
// come early by the slack, never late.
//
// As in fasthttp, one goroutine at a time uses a Conn, except for Close.
type Conn struct {
	net.Conn
	from             *listener
	reading, writing deadline
	pace             pace
	use              atomic.Int32
	// unread is true if the client may still send a body that the server does not read.
	unread atomic.Bool
	// received is true after the first byte, http2 if a connection of HTTP/2 began with it.
	received, http2 bool
	// began is the arrival of the request that is not answered yet.
	began time.Time
	// Notes belong to the handler; nil on a new connection.
	Notes any
	// stream is what the connection became; nil if it serves requests.
	stream *Stream
	// owes is true while an answer is counted for this connection.
	owes atomic.Bool
}

// The states of a Conn.
const (
	// idle: every request that has arrived is answered.
	idle = iota
	// busy: bytes have arrived, and nothing was written since.
	busy
	closed
)

// deadline is the last deadline that fasthttp set, and the last that the socket got.
type deadline struct{ wanted, armed time.Time }

// arm sets the socket's deadline if it is later than the wanted one, or earlier by the slack or more.
func (d *deadline) arm(set func(time.Time) error) error {
	if early := d.wanted.Sub(d.armed); 0 <= early && early < deadlineSlack {
		return nil
	}
	d.armed = d.wanted
	return set(d.wanted)
}

// Read returns the bytes that arrive. It drops bytes that arrive while the server closes the
// connection as idle: such a request must not be carried out, because its client would get no
// answer.
func (c *Conn) Read(b []byte) (n int, err error) {
	c.from.answers.sent(c)
	switch {
	case !c.pace.due.IsZero():
		n, err = c.readBody(b)
	default:
		if err = c.reading.arm(c.Conn.SetReadDeadline); err == nil {
			n, err = c.Conn.Read(b)
		}
	}
	if n == 0 {
		c.use.CompareAndSwap(busy, idle)
	} else if c.use.CompareAndSwap(idle, busy) {
		c.began = time.Now()
	}
	if c.use.Load() == closed {
		return 0, io.EOF // an ordinary end, not a fault of the client
	}
	if n > 0 && !c.received {
		c.received, c.http2 = true, bytes.HasPrefix(b[:n], []byte("PRI * HTTP/2.0\r\n"))
		c.reading.wanted = c.began.Add(c.from.readTimeout) // fasthttp sets none at a connection's first byte
		c.from.markReceived(c)
	}
	return n, err
}

func (c *Conn) Write(b []byte) (int, error) {
	if err := c.writing.arm(c.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	c.began = time.Time{}
	n, err := c.Conn.Write(b)
	c.use.CompareAndSwap(busy, idle)
	return n, err
}

// bodyFollows is added to the time-out that headReceived returns if a body follows. fasthttp sets a
// read deadline by it, which is too far ahead to be any other.
const bodyFollows = 100 * 365 * 24 * time.Hour

// SetReadDeadline is called at the start of a request. fasthttp leaves the write deadline of the
// previous answer in force. A 100 Continue or a 408 must not fail because of it. Ahead of a body it
// is called again, with the end of the first span of the body's pace; the request's deadline stays.
func (c *Conn) SetReadDeadline(t time.Time) error {
	if !c.reading.wanted.IsZero() && t.Sub(c.reading.wanted) > bodyFollows/2 {
		c.pace.begin(t.Add(-bodyFollows))
		return nil
	}
	c.reading.wanted = t
	if !c.writing.wanted.IsZero() && c.writing.wanted.Before(t) {
		c.writing.wanted = t
	}
	return nil
}

// SetWriteDeadline is called once for each answer.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.pace = pace{}
	c.writing.wanted = c.from.answers.writeDeadline(t)
	return nil
}

func (c *Conn) SetDeadline(t time.Time) error {
	c.reading.wanted, c.writing.wanted = t, t
	return nil
}

// Close closes the socket and frees the connection's place in the listener. fasthttp calls it twice
// on a connection that it closed as idle. A request that arrived just then has no effect.
func (c *Conn) Close() error {
	switch {
	case c.use.Swap(closed) == closed:
		return c.Conn.Close()
	case c.unread.Load():
		go c.closeLingering()
		return nil
	}
	return c.leave()
}

// closeUnused closes the connection unless a request has just arrived: fasthttp answers it, with
// Connection: close.
func (c *Conn) closeUnused() {
	if c.use.CompareAndSwap(idle, closed) {
		c.leave()
	}
}

func (c *Conn) leave() error {
	err := c.Conn.Close()
	c.from.answers.sent(c)
	c.from.leave(c)
	if c.stream != nil {
		c.stream.left()
	}
	return err
}

// closeLingering waits until the client closes the connection, at most until the request's read
// deadline, then closes it.
func (c *Conn) closeLingering() {
	linger(c.Conn, c.reading.wanted)
	c.leave()
}

// linger reads everything that the client sends after the answer. A close with unread bytes resets
// the connection, and the client may lose the answer.
func linger(c net.Conn, until time.Time) {
	tcp, is := c.(*net.TCPConn)
	if !is {
		return
	}
	tcp.CloseWrite()
	c.SetReadDeadline(until)
	io.Copy(io.Discard, c)
}

// ClientLeft reports whether the client of a request has closed its side of the connection: then it does
// not wait for the answer.
func ClientLeft(ctx *fasthttp.RequestCtx) bool {
	c, is := ctx.Conn().(*Conn)
	if !is {
		return false
	}
	socket, is := c.Conn.(syscall.Conn)
	if !is {
		return false
	}
	raw, err := socket.SyscallConn()
	return err == nil && hasLeft(raw)
}
