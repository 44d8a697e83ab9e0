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

// idleConns closes connections that were not used for a while. go-redis keeps for good, beyond
// its pool's size, the connections that it dialled for requests that gave up.
type idleConns struct {
	mu   sync.Mutex
	open map[*conn]struct{}
}

const (
	// idleAfter is the idle time after which a connection is closed, added to the time that a
	// used one may wait for an answer.
	idleAfter = 5 * time.Second
	// idleEvery is the pause between two searches for idle connections.
	idleEvery = time.Second
)

// started is the start of the node's clock.
var started = time.Now()

// SinceStart converts a moment to nanoseconds of the node's monotonic clock, which does not
// jump.
func SinceStart(moment time.Time) int64 { return int64(moment.Sub(started)) }

// conn is a connection that knows its last use.
type conn struct {
	net.Conn
	inner syscall.Conn
	of    *idleConns
	used  atomic.Int64 // SinceStart
	mu    sync.Mutex   // locked while it is closed as idle, or put to use
	idle  bool         // closed as idle
}

// errIdle ends the use of a connection that was closed as idle.
var errIdle = errors.New("the connection was closed as idle")

// dial wraps the connections of a dialer.
func (c *idleConns) dial(dial dialer) dialer {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		made, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		inner, ok := made.(syscall.Conn)
		if !ok { // TLS: go-redis does not check these
			return made, nil
		}
		known := &conn{Conn: made, inner: inner, of: c}
		known.used.Store(SinceStart(time.Now()))
		c.mu.Lock()
		c.open[known] = struct{}{}
		c.mu.Unlock()
		return known, nil
	}
}

// SyscallConn is called by go-redis when it gets a connection from its pool.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle {
		return nil, errIdle
	}
	c.used.Store(SinceStart(time.Now()))
	return c.inner.SyscallConn()
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

// closeIdle closes the connections without a use since a moment.
func (c *idleConns) closeIdle(since time.Time) {
	for _, old := range c.unused(since) {
		old.mu.Lock()
		if old.used.Load() < SinceStart(since) {
			old.idle = true
			old.Close()
		}
		old.mu.Unlock()
	}
}

func (c *idleConns) unused(since time.Time) (old []*conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for known := range c.open {
		if known.used.Load() < SinceStart(since) {
			old = append(old, known)
		}
	}
	return old
}
