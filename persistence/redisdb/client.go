package redisdb

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// Config says where Redis is and how long it may take.
type Config struct {
	// URL is redis://, rediss:// or unix://, several of them separated by commas for a cluster,
	// ?master_name= for a sentinel.
	URL string
	// TLS is for a URL that is rediss://.
	TLS TLSFiles
	// Timeout is after how much silence Redis counts as away.
	Timeout time.Duration
	// Replicas is how many replicas have to acknowledge a write.
	Replicas int
	// Scripts are loaded on every new connection, so that a Redis that restarted or failed over
	// knows them before the first command.
	Scripts []*redis.Script
	Logger  *slog.Logger
}

// Client is the way to one Redis (or cluster), with what is known of its health.
type Client struct {
	// Redis is for bulk work that no request waits for: imports, exports, tests.
	Redis redis.UniversalClient
	// Warning is what an operator should know of this Redis; empty if nothing.
	Warning string

	config Config
	// pinger asks whether Redis is there over connections of its own where it can, for
	// all of the pool's may be in use.
	pinger  redis.UniversalClient
	cluster bool
	// dial makes one connection past the pool, which after many failures looks for
	// Redis only once a second; nil if only the pool knows where to dial.
	dial        func(context.Context) (net.Conn, error)
	tls         *tls.Config // certificates for rediss://; nil for the system's
	log         *slog.Logger
	conns       idleConns
	unreachable atomic.Bool
	readOnly    atomic.Bool // Redis answers, but takes no writes
	silent      sync.Map    // *clusterNode → nil: the servers of a cluster that do not answer
	closed      atomic.Bool
	faults      faults

	// only is the flusher of a Redis that is no cluster.
	only *flusher
	// flushers are a cluster's, by their masters' addresses.
	flushers struct {
		sync.Mutex
		of map[string]*flusher
	}
}

// Open connects, and refuses a Redis that cannot be reached or that would evict carts. Its
// errors say what to do.
func Open(config Config) (*Client, error) {
	c := &Client{config: config, log: config.Logger, conns: idleConns{open: map[*conn]struct{}{}}}
	var err error
	if c.tls, err = config.TLS.load(config.URL); err != nil {
		return nil, err
	}
	if err = c.connect(config.URL); err != nil {
		fault := strings.TrimRight(err.Error(), ": ")
		if strings.ContainsAny(config.URL, "@?") { // it may quote any part of the address, its password too
			fault = "it cannot be read"
		}
		return nil, fmt.Errorf("redis address %s: %s; begin it with redis://, rediss:// or unix://, and percent-encode what is special in a password", RedactURL(config.URL), fault)
	}
	if c.pinger == nil {
		c.pinger = c.Redis
	}
	if err := c.checkServer(); err != nil {
		c.disconnect()
		return nil, err
	}
	if !c.cluster {
		c.only = newFlusher(c, c.Redis)
	}
	go c.closeIdle()
	return c, nil
}

func (c *Client) connect(url string) (err error) {
	switch {
	case strings.Contains(url, "master_name="):
		c.Redis, err = c.sentinel(url)
	case strings.Contains(url, ",") || strings.Contains(url, "addr="):
		c.cluster = true
		c.flushers.of = map[string]*flusher{}
		c.Redis, err = c.clusterClient(url)
	default:
		c.Redis, err = c.single(url)
	}
	return err
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

// Cluster reports whether it is a cluster, whose servers are judged one by one.
func (c *Client) Cluster() bool { return c.cluster }

// ReadOnly reports whether Redis answers, but takes no writes.
func (c *Client) ReadOnly() bool { return c.readOnly.Load() }

// Timeout is after how much silence Redis counts as away.
func (c *Client) Timeout() time.Duration { return c.config.Timeout }

// Queue queues an operation for the master of a key. The caller calls Flush right after. False:
// nothing was queued.
func (c *Client) Queue(key string, op Operation) bool {
	f := c.flusherOf(key)
	return f != nil && f.push(op)
}

// Flush sends what was queued: on the caller's goroutine if that waits, until its deadline, for
// at least as long as Redis may be silent.
func (c *Client) Flush(deadline time.Time) {
	if c.only != nil {
		c.only.flush(deadline)
		return
	}
	for _, f := range c.allFlushers() {
		f.flush(time.Time{})
	}
}

// Send is Queue and Flush for a caller that waits until its deadline. False: nothing was sent.
func (c *Client) Send(key string, op Operation, deadline time.Time) bool {
	f := c.flusherOf(key)
	if f == nil || !f.push(op) {
		return false
	}
	f.flush(deadline)
	return true
}

// flusherOf finds the flusher of a key's master; nil if Redis is away.
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

// Exec runs a pipeline within the time-out. The error is of the sending as a whole; each
// command keeps its own. Of a cluster some servers may have answered, so there it is nil.
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

// quiet drops go-redis's own log: what matters of it is logged by lost and probe.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func init() { redis.SetLogger(quiet{}) }
