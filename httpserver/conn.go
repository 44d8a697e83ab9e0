package httpserver

import (
	"io"
	"net"
	"sync/atomic"
	"time"
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
	closed           atomic.Bool
	// heard: a byte has come.
	heard bool
}

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

func (c *conn) Read(b []byte) (n int, err error) {
	if err = c.reading.arm(c.Conn.SetReadDeadline); err == nil {
		n, err = c.Conn.Read(b)
	}
	if !c.heard && !c.hear(n) {
		return 0, io.EOF
	}
	return n, err
}

// hear looks at the outcome of a read of a connection that has been silent. It reports
// false where we have closed it: that is no fault of its client, and what may have come
// in the same moment must not be carried out, for nobody would get the answer.
func (c *conn) hear(n int) bool {
	if n == 0 {
		return !c.closed.Load()
	}
	c.heard = true
	return c.from.hear(c)
}

func (c *conn) Write(b []byte) (int, error) {
	if err := c.writing.arm(c.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
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
// again: by fasthttp, of a connection that it closed as idle.
func (c *conn) Close() error {
	first := c.closed.CompareAndSwap(false, true)
	err := c.Conn.Close()
	if first {
		c.from.leave(c)
	}
	return err
}
