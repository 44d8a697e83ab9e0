package httpserver

import (
	"io"
	"net"
	"sync/atomic"
	"time"

	"cartd/engine"
)

// conn is a connection whose deadlines are armed only by a read or a write that may
// wait for them, and not again where they moved by less than deadlineSlack: fasthttp
// moves three of them with each request, and nearly none is ever waited for. A
// time-out may so come early by the slack, never late.
//
// As fasthttp does, one goroutine at a time uses all of it but Close.
type conn struct {
	net.Conn
	from             *listener
	reading, writing deadline
	use              atomic.Int32
	// unread: the client may still send a body that the server does not read.
	unread atomic.Bool
	// heard: a byte has come.
	heard bool
	// began is when the request came that is not answered.
	began time.Time
	// leaving is told when the next answer leaves; nil: nobody asks.
	leaving *engine.Moment
}

// What a conn is in use for.
const (
	// idle: nothing has come that is not answered.
	idle = iota
	// asked: bytes have come, and nothing was written since.
	asked
	closed
)

// deadlineSlack is small beside readTimeout, writeTimeout and idleTimeout.
const deadlineSlack = time.Second

// deadline is what a connection was told last, and what its socket was.
type deadline struct{ wanted, armed time.Time }

// arm passes the deadline on where the socket's is too far from it.
func (d *deadline) arm(set func(time.Time) error) error {
	if early := d.wanted.Sub(d.armed); 0 <= early && early < deadlineSlack {
		return nil
	}
	d.armed = d.wanted
	return set(d.wanted)
}

// Read hands out what comes, but for what comes in the moment in which we close the
// connection as idle: that must not be carried out, for nobody would get the answer.
func (c *conn) Read(b []byte) (n int, err error) {
	if err = c.reading.arm(c.Conn.SetReadDeadline); err == nil {
		n, err = c.Conn.Read(b)
	}
	if n == 0 {
		c.use.CompareAndSwap(asked, idle) // so that it can be closed
	} else if c.use.CompareAndSwap(idle, asked) {
		c.began = time.Now()
	}
	if c.use.Load() == closed {
		return 0, io.EOF // no fault of its client
	}
	if n > 0 && !c.heard {
		c.heard = true
		c.from.hear(c)
	}
	return n, err
}

func (c *conn) Write(b []byte) (int, error) {
	if err := c.writing.arm(c.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	if c.leaving != nil {
		c.leaving.Happens()
		c.leaving = nil
	}
	c.began = time.Time{}
	n, err := c.Conn.Write(b)
	c.use.CompareAndSwap(asked, idle)
	return n, err
}

// SetReadDeadline begins a request. What is written before its answer (100 Continue, a
// 408) must not fall under the deadline of the answer before, which fasthttp leaves.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.reading.wanted = t
	if !c.writing.wanted.IsZero() && c.writing.wanted.Before(t) {
		c.writing.wanted = t
	}
	return nil
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	c.writing.wanted = t
	return nil
}

func (c *conn) SetDeadline(t time.Time) error {
	c.reading.wanted, c.writing.wanted = t, t
	return nil
}

// Close gives the connection's place away behind its file descriptor. It may be called
// again: by fasthttp, of a connection that it closed as idle. At a stop it leaves a
// connection alone on which something came in that very moment: the answer, which tells
// the client so, is its last.
func (c *conn) Close() error {
	var before int32
	for done := false; !done; done = c.use.CompareAndSwap(before, closed) {
		if before = c.use.Load(); before == asked && c.from.stopped() {
			return nil
		}
	}
	if before == closed {
		return c.Conn.Close()
	}
	if c.unread.Load() {
		go c.closeLingering()
		return nil
	}
	return c.leave()
}

func (c *conn) leave() error {
	err := c.Conn.Close()
	c.from.leave(c)
	return err
}

// closeLingering closes the connection after its client has, at the latest at the
// request's read deadline.
func (c *conn) closeLingering() {
	linger(c.Conn, c.reading.wanted)
	c.leave()
}

// linger reads what the client sends after the answer: a close with unread bytes resets
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
