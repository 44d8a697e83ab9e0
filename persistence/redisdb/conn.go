package redisdb

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// idleConns closes connections that were not used for a while. go-redis keeps what
// it dialled for a request that gave up, beyond its pool's size and for good: each
// outage would leave a few behind.
type idleConns struct {
	mu    sync.Mutex
	open  map[*conn]struct{}
	awake awake
}

const (
	// idleAfter is when a connection that was not used is closed, beyond the time that
	// one in use may wait for an answer.
	idleAfter = 5 * time.Second
	// idleEvery is how often they are looked for.
	idleEvery = time.Second
)

// started is when the node's clock began.
var started = time.Now()

// SinceStart is a moment of the node's monotonic clock, which does not jump, in nanoseconds.
func SinceStart(moment time.Time) int64 { return int64(moment.Sub(started)) }

// conn is a connection that knows when it was last used.
type conn struct {
	net.Conn
	inner syscall.Conn
	raw   syscall.RawConn
	of    *idleConns
	used  atomic.Int64 // SinceStart
	mu    sync.Mutex   // held while it is closed as idle, or taken into use
	idle  bool         // closed as idle
}

// errIdle ends the use of a connection that was closed as idle.
var errIdle = errors.New("the connection was closed as idle")

// dial wraps what a dialer makes.
func (c *idleConns) dial(dial dialer) dialer {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		made, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		inner, ok := made.(syscall.Conn)
		if !ok { // TLS: go-redis does not look at these
			return made, nil
		}
		raw, err := inner.SyscallConn()
		if err != nil {
			made.Close()
			return nil, err
		}
		known := &conn{Conn: made, inner: inner, raw: raw, of: c}
		known.used.Store(SinceStart(time.Now()))
		c.mu.Lock()
		c.open[known] = struct{}{}
		c.mu.Unlock()
		return known, nil
	}
}

// SyscallConn is what go-redis asks for before it takes a connection out of its pool.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle {
		return nil, errIdle
	}
	c.used.Store(SinceStart(time.Now()))
	return c.inner.SyscallConn()
}

func (c *conn) Read(b []byte) (int, error) {
	if len(b) > 0 && c.of.awake.worthwhile() {
		return c.of.awake.read(c.raw, b)
	}
	return c.Conn.Read(b)
}

func (c *conn) Write(b []byte) (int, error) {
	c.used.Store(SinceStart(time.Now()))
	return c.Conn.Write(b)
}

func (c *conn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// closeIdle closes what was last used before a moment.
func (c *idleConns) closeIdle(before time.Time) {
	for _, old := range c.unused(before) {
		old.mu.Lock()
		if old.used.Load() < SinceStart(before) {
			old.idle = true
			old.Close()
		}
		old.mu.Unlock()
	}
}

func (c *idleConns) unused(before time.Time) (old []*conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for known := range c.open {
		if known.used.Load() < SinceStart(before) {
			old = append(old, known)
		}
	}
	return old
}
