package redisdb

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// PoolSize is the max number of a client's connections to one server.
	PoolSize = 16
	protocol = 2 // no push messages, the simplest to parse
	// go-redis never sends a pipeline again by itself: the sender must know how often a commit
	// was sent.
	noRetries = -1
	// noPool: pipelines use the connections of all commands. go-redis would open others for them,
	// beyond PoolSize.
	noPool = -1
)

func (c *Client) single(o *redis.Options) redis.UniversalClient {
	o.CredentialsProvider = c.credentials
	dial := c.dialer(o.TLSConfig)
	if dial == nil {
		dial = redis.NewDialer(o)
	}
	c.dial = func(ctx context.Context) (net.Conn, error) { return dial(ctx, o.Network, o.Addr) }
	o.Dialer = markDial(c.conns.dial(dial))
	o.PoolFIFO = true // so that a connection closed as idle leaves the pool
	o.OnConnect, o.MaxRetries, o.DialerRetries = c.onConnect, noRetries, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = c.config.Timeout, c.config.Timeout, c.config.Timeout, c.poolTimeout()
	o.ContextTimeoutEnabled, o.PoolSize, o.PipelinePoolSize, o.Protocol, o.DisableIdentity = true, PoolSize, noPool, protocol, true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	alone := *o
	alone.OnConnect = nil
	c.pinger = redis.NewClient(&alone)
	client := redis.NewClient(o)
	client.AddHook(refusedConnection{})
	return client
}

func (c *Client) sentinel(o *redis.FailoverOptions) redis.UniversalClient {
	o.Dialer, o.CredentialsProvider = c.dialer(o.TLSConfig), c.credentials
	o.MaxRetries, o.DialerRetries = noRetries, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = c.config.Timeout, c.config.Timeout, c.config.Timeout, c.poolTimeout()
	o.ContextTimeoutEnabled, o.PoolSize, o.PipelinePoolSize, o.Protocol, o.DisableIdentity = true, PoolSize, noPool, protocol, true
	client := redis.NewFailoverClient(o)
	client.Options().OnConnect = c.onConnect // not of o: the sentinels would get it too, and know no scripts
	client.AddHook(masterWatch{client: c})
	return client
}

// masterWatch notes which master a sentinel's client is connected to.
type masterWatch struct {
	refusedConnection
	client *Client
}

// Failovers counts the masters that took over since the start: another server of a sentinel, or
// a server of a cluster that was no master then.
func (c *Client) Failovers() uint64 { return c.failovers.Load() }

// followMaster counts a failover if a sentinel names another master.
func (c *Client) followMaster(addr string) {
	if before := c.master.Swap(&addr); before != nil && *before != addr {
		c.failovers.Add(1)
	}
}

func (w masterWatch) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := next(ctx, network, addr)
		if err == nil {
			w.client.followMaster(conn.RemoteAddr().String())
		}
		return conn, err
	}
}

// poolTimeout ends a wait for a connection ahead of the caller's own time-out: a full pool does
// not mean that Redis is silent.
func (c *Client) poolTimeout() time.Duration { return c.config.Timeout * 3 / 4 }

type dialer = func(ctx context.Context, network, addr string) (net.Conn, error)

func markDial(dial dialer) dialer {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDial, err)
		}
		return conn, nil
	}
}

// minVersion is the lowest major version of Redis that has all commands of the scripts.
const minVersion = 7

// checkServer refuses a Redis that cannot be reached, is too old or would evict carts. It sets a
// warning for one that keeps nothing on disk.
func (c *Client) checkServer() error {
	address := RedactURL(c.config.URL)
	err := ping(c.Redis, c.config.Timeout)
	if err != nil { // the first may wait for a sentinel that is unreachable; then the others are known
		err = ping(c.Redis, c.config.Timeout)
	}
	if err != nil {
		return fmt.Errorf("redis cannot be reached at %s (%w): %s", address, err, toCorrect(address, err))
	}
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	server := c.Redis.Info(ctx, "server")
	if err := server.Err(); redis.HasErrorPrefix(err, "NOPERM") {
		return fmt.Errorf("redis at %s refuses INFO (%w): allow the user the commands of docs/operations.md, Users of Redis", address, err)
	}
	version := infoField(server, "redis_version")
	if major, _, _ := strings.Cut(version, "."); version != "" {
		if n, err := strconv.Atoi(major); err == nil && n < minVersion {
			return fmt.Errorf("redis at %s has version %s: cartd needs %d.0 or newer", address, version, minVersion)
		}
	}
	memory := infoField(c.Redis.Info(ctx, "memory"), "maxmemory_policy")
	if memory != "" && memory != "noeviction" {
		return fmt.Errorf("redis at %s evicts keys (maxmemory-policy %s): set it to noeviction", address, memory)
	}
	if infoField(c.Redis.Info(ctx, "persistence"), "aof_enabled") == "0" {
		c.Warning = "redis keeps no append-only file: answered writes may be lost when it stops (docs/operations.md, Durability)"
	}
	return nil
}

// toCorrect says how to correct the error of a Redis that is not reached.
func toCorrect(address string, err error) string {
	switch word := replyWord(err); {
	case word == "NOAUTH" || word == "WRONGPASS" || word == "NOPERM":
		return "correct user and password, or what the user may do (docs/operations.md, Passwords and TLS, Users of Redis)"
	case secure(address):
		return "start it, wait until it has loaded its file, or correct the address, or --redis-ca, --redis-cert and --redis-key"
	}
	return "start it, wait until it has loaded its file, or correct the address"
}

// infoField finds one field of an INFO answer; empty if it has none.
func infoField(info *redis.StringCmd, field string) string {
	for line := range strings.Lines(info.Val()) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && name == field {
			return value
		}
	}
	return ""
}
