package redisdb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
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

// noWrites begin the answers of a Redis that accepts no writes: out of memory, a replica, a
// file that cannot be written, too few replicas.
var noWrites = []string{"OOM", "READONLY", "MISCONF", "NOREPLICAS"}

// takesNoWrites reports whether an error says that Redis accepts no writes. The client logs
// that by itself, once.
func takesNoWrites(err error) bool {
	return slices.ContainsFunc(noWrites, func(prefix string) bool { return redis.HasErrorPrefix(err, prefix) })
}

// noteReadOnly notes that Redis accepts no writes, if an answer says so, and tries a write
// until one is accepted. For a cluster it does nothing: an answer of one server says nothing
// about the others.
func (c *Client) noteReadOnly(cmds []redis.Cmder) {
	if c.cluster || c.readOnly.Load() {
		return
	}
	for _, cmd := range cmds {
		if err := cmd.Err(); takesNoWrites(err) && c.readOnly.CompareAndSwap(false, true) {
			c.log.Warn("redis accepts no writes", "error", err.Error())
			go c.tryWrites()
			return
		}
	}
}

// tryEvery is the pause between two writes that are tried under tryKey.
const (
	tryEvery = 200 * time.Millisecond
	tryKey   = "writable"
)

func (c *Client) tryWrites() {
	for ; !c.closed.Load(); time.Sleep(tryEvery) {
		ctx, cancel := context.WithTimeout(background, c.config.Timeout)
		err := c.Redis.Set(ctx, tryKey, "", tryEvery).Err()
		cancel()
		if err == nil {
			c.readOnly.Store(false)
			c.log.Info("redis accepts writes again")
			return
		}
	}
}

// notAcknowledged is the error of a wait for replicas, such as while they synchronize.
type notAcknowledged struct{ have, want int }

func (e notAcknowledged) Error() string {
	return fmt.Sprintf("%d of %d replicas have acknowledged", e.have, e.want)
}

// AwaitReplicas waits until n replicas of each master have acknowledged all earlier writes, also of
// other clients. It gives up after two time-outs.
func (c *Client) AwaitReplicas(n int) error {
	until := time.Now().Add(2 * c.config.Timeout)
	cluster, is := c.Redis.(*redis.ClusterClient)
	if !is {
		return c.awaitReplicas(c.Redis, tryKey, n, until)
	}
	return cluster.ForEachMaster(background, func(ctx context.Context, master *redis.Client) error {
		for i := 0; ; i++ { // one of these keys is in a slot of the master
			key := tryKey + ":" + strconv.Itoa(i)
			if of, err := cluster.MasterForKey(ctx, key); err != nil || of == master {
				return c.awaitReplicas(master, key, n, until)
			}
		}
	})
}

// awaitReplicas writes a key, because WAIT goes by the last write of its own connection.
func (c *Client) awaitReplicas(master redis.UniversalClient, key string, n int, until time.Time) error {
	for {
		ctx, cancel := context.WithTimeout(background, c.config.Timeout)
		pipe := master.Pipeline()
		pipe.Set(ctx, key, "", tryEvery)
		wait := pipe.Do(ctx, "WAIT", n, (c.config.Timeout / 2).Milliseconds())
		_, err := pipe.Exec(ctx)
		cancel()
		acknowledged, _ := wait.Int()
		switch {
		case err == nil && acknowledged >= n:
			return nil
		case time.Now().Before(until):
		case err != nil:
			return err
		default:
			return notAcknowledged{acknowledged, n}
		}
	}
}
