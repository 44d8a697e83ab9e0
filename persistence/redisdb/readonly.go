package redisdb

import (
	"context"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

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
