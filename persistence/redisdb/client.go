package redisdb

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// Config has the address of Redis and the client's settings.
type Config struct {
	// URL is redis://, rediss:// or unix://. A cluster has several, separated by commas; a
	// sentinel has ?master_name=.
	URL string
	// TLS has the certificates for a rediss:// URL.
	TLS TLSFiles
	// Timeout is the silence after which Redis counts as unreachable.
	Timeout time.Duration
	// Replicas is the number of replicas that must acknowledge a write.
	Replicas int
	// Scripts are loaded on every new connection, so that Redis knows them also after a restart
	// or a failover.
	Scripts []*redis.Script
	Logger  *slog.Logger
	// OnTrip observes every shared pipeline; nil if nothing counts them.
	OnTrip func(Trip)
}

// Client is the connection to one Redis or cluster, with its known health.
type Client struct {
	// Redis is for bulk work that no request waits for: imports, exports, tests.
	Redis redis.UniversalClient
	// Warning is a text for the operator about this Redis; empty if there is none.
	Warning string

	config Config
	// pinger checks whether Redis answers. It has connections of its own where possible,
	// because the pool's may all be in use.
	pinger  redis.UniversalClient
	cluster bool
	// dial makes one connection outside the pool, because the pool tries only once a second
	// after many failures; nil if only the pool knows the address.
	dial        func(context.Context) (net.Conn, error)
	secrets     atomic.Pointer[secrets]
	log         *slog.Logger
	conns       idleConns
	unreachable atomic.Bool
	readOnly    atomic.Bool // Redis answers, but accepts no writes
	silent      sync.Map    // *clusterNode → nil: the cluster's servers that do not answer
	closed      atomic.Bool
	greeted     atomic.Bool // a connection has loaded the scripts
	// failovers counts masters that took over. master is the one that a sentinel named last.
	failovers atomic.Uint64
	master    atomic.Pointer[string]
	faults    faults
	memory    memory
	clock     masterClock

	// only is the flusher of a Redis that is no cluster.
	only *flusher
	// flushers are those of a cluster, by the addresses of their masters.
	flushers struct {
		sync.Mutex
		of map[string]*flusher
	}
}

// Open connects. It refuses a Redis that cannot be reached or that would evict carts; the error
// says how to correct it.
func Open(config Config) (*Client, error) {
	c := &Client{config: config, log: config.Logger, conns: idleConns{open: map[*conn]struct{}{}}}
	var err error
	first := &secrets{}
	if first.tls, err = config.TLS.load(config.URL); err != nil {
		return nil, err
	}
	address, err := parseAddress(config.URL)
	if err != nil {
		return nil, err
	}
	first.user, first.password = address.credentials()
	c.secrets.Store(first)
	c.connect(address)
	if c.pinger == nil {
		c.pinger = c.Redis
	}
	if err := c.checkServer(); err != nil {
		c.disconnect()
		return nil, err
	}
	if c.cluster {
		c.flushToMasters()
	} else {
		c.only = newFlusher(c, c.Redis)
	}
	go c.closeIdle()
	return c, nil
}

func (c *Client) connect(a *address) {
	switch {
	case a.sentinel != nil:
		c.Redis = c.sentinel(a.sentinel)
	case a.cluster != nil:
		c.cluster = true
		c.flushers.of = map[string]*flusher{}
		c.Redis = c.clusterClient(a.cluster)
	default:
		c.Redis = c.single(a.single)
	}
}

// Close sends what is queued and disconnects.
func (c *Client) Close() {
	for _, f := range c.allFlushers() {
		f.close()
	}
	c.disconnect()
}

func (c *Client) disconnect() {
	c.closed.Store(true)
	c.Redis.Close()
	c.pinger.Close()
}

// Unreachable reports whether Redis is known to be out of reach.
func (c *Client) Unreachable() bool { return c.unreachable.Load() }

// Closed reports whether the client was closed.
func (c *Client) Closed() bool { return c.closed.Load() }

// Cluster reports whether Redis is a cluster, whose servers are judged one by one.
func (c *Client) Cluster() bool { return c.cluster }

// ReadOnly reports whether Redis answers, but accepts no writes.
func (c *Client) ReadOnly() bool { return c.readOnly.Load() }

// Timeout is the silence after which Redis counts as unreachable.
func (c *Client) Timeout() time.Duration { return c.config.Timeout }

// Queue queues an operation for the master of a key. The caller calls Flush right after it. It
// returns false if nothing was queued.
func (c *Client) Queue(key string, op Operation) bool {
	f := c.flusherOf(key)
	return f != nil && f.push(op)
}

// Flush sends the queued operations. If the caller can wait at least a Timeout until its
// deadline, they are sent on its goroutine.
func (c *Client) Flush(deadline time.Time) {
	if c.only != nil {
		c.only.flush(deadline)
		return
	}
	for _, f := range c.allFlushers() {
		f.flush(time.Time{})
	}
}

// Send is Queue and Flush for a caller that waits until its deadline. It returns false if
// nothing was sent.
func (c *Client) Send(key string, op Operation, deadline time.Time) bool {
	f := c.flusherOf(key)
	if f == nil || !f.push(op) {
		return false
	}
	f.flush(deadline)
	return true
}

// flusherOf finds the flusher of a key's master; nil if Redis is unreachable.
func (c *Client) flusherOf(key string) *flusher {
	switch {
	case c.Unreachable():
		return nil
	case c.only != nil:
		return c.only
	}
	return c.masterFlusher(key)
}

func (c *Client) allFlushers() []*flusher {
	if c.only != nil {
		return []*flusher{c.only}
	}
	c.flushers.Lock()
	defer c.flushers.Unlock()
	return slices.Collect(maps.Values(c.flushers.of))
}

// Exec runs a pipeline within the time-out. The error concerns the whole sending; each command
// keeps its own. For a cluster the error is nil, because some of its servers may have answered.
func (c *Client) Exec(p redis.Pipeliner) error {
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	cmds, err := p.Exec(ctx)
	switch {
	case err == nil:
		return nil
	case IsReply(err):
		c.noteReadOnly(cmds)
		return nil
	}
	c.Lost(err)
	if c.cluster {
		return nil
	}
	return err
}

// quiet drops go-redis's own log: Lost and probe log the same faults.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func init() { redis.SetLogger(quiet{}) }

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
