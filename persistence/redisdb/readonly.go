package redisdb

import (
	"context"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// noWrites are the answers of a Redis that is there but takes no writes: out of memory, a
// replica, a file that cannot be written, too few replicas.
var noWrites = []string{"OOM", "READONLY", "MISCONF", "NOREPLICAS"}

// TakesNoWrites reports whether an answer says that Redis takes no writes. The client logs
// that by itself, once.
func TakesNoWrites(err error) bool {
	return slices.ContainsFunc(noWrites, func(prefix string) bool { return redis.HasErrorPrefix(err, prefix) })
}

// noteReadOnly notes that Redis takes no writes, if an answer says so, and looks until it does
// again. What one server of a cluster says is not said of the others.
func (c *Client) noteReadOnly(cmds []redis.Cmder) {
	if c.cluster || c.readOnly.Load() {
		return
	}
	for _, cmd := range cmds {
		if err := cmd.Err(); TakesNoWrites(err) && c.readOnly.CompareAndSwap(false, true) {
			c.log.Warn("redis takes no writes", "error", err.Error())
			go c.tryWrites()
			return
		}
	}
}

// tryEvery is how often a Redis that took no writes is asked to take one, under tryKey.
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
			c.log.Info("redis takes writes again")
			return
		}
	}
}
