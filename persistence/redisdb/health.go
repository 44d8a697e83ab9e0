package redisdb

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
)

// Lost notes that Redis did not answer. After silence, or if no connection can be made, Redis
// counts as unreachable. A cluster's servers are judged one by one (clusterNode). A full pool
// says nothing about Redis.
func (c *Client) Lost(err error) {
	if c.cluster || c.unreachable.Load() || errors.Is(err, redis.ErrPoolTimeout) {
		return
	}
	var timeout net.Error
	silent := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
	if silent || errors.Is(err, ErrDial) || ping(c.pinger, c.config.Timeout/2) != nil {
		c.leave(err)
	}
}

// leave notes that Redis is unreachable, and starts to probe it.
func (c *Client) leave(err error) {
	if c.unreachable.CompareAndSwap(false, true) {
		c.log.Warn("redis is unreachable", "error", err.Error())
		go c.probe()
	}
}

// Unanswered notes a command without an answer, unless ctx ended first: a caller's deadline
// says nothing about Redis. It reports whether ctx ended.
func (c *Client) Unanswered(ctx context.Context, err error) (impatient bool) {
	switch {
	case IsReply(err):
	case ended(ctx):
		return true
	default:
		c.Lost(err)
	}
	return false
}

func ping(client redis.UniversalClient, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(background, timeout)
	defer cancel()
	return client.Ping(ctx).Err()
}

// probeEvery is the pause between two probes of an unreachable Redis.
const probeEvery = 100 * time.Millisecond

// probe waits until Redis is back. First it needs a connection, because a swallowed attempt
// costs only half a time-out; then an answer, within the time-out of a request.
func (c *Client) probe() {
	for !c.closed.Load() {
		if (c.dial == nil || reachable(c.dial, c.config.Timeout/2)) && c.serves(c.config.Timeout) {
			c.unreachable.Store(false)
			c.log.Info("redis is back")
			return
		}
		time.Sleep(probeEvery)
	}
}

// serves reports whether Redis answers over the pool of the requests; of a cluster, whether any
// master answers.
func (c *Client) serves(timeout time.Duration) bool {
	if c.cluster {
		return pingAny(c.Redis.(*redis.ClusterClient), timeout) == nil
	}
	return ping(c.Redis, timeout) == nil
}

// reachable reports whether Redis accepts connections.
func reachable(dial func(context.Context) (net.Conn, error), timeout time.Duration) bool {
	ctx, cancel := context.WithTimeout(background, timeout)
	defer cancel()
	conn, err := dial(ctx)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// closeIdle closes idle connections until the client closes.
func (c *Client) closeIdle() {
	for ; !c.closed.Load(); time.Sleep(idleEvery) {
		c.conns.closeIdle(time.Now().Add(-c.config.Timeout - idleAfter))
	}
}
