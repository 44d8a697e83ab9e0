package persistence

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// noWrites are the answers of a Redis that is there but takes no writes: out of memory, a
// replica, a file that cannot be written, too few replicas.
var noWrites = []string{"OOM", "READONLY", "MISCONF", "NOREPLICAS"}

func takesNoWrites(err error) bool {
	return slices.ContainsFunc(noWrites, func(prefix string) bool { return redis.HasErrorPrefix(err, prefix) })
}

// barredBy notes that Redis takes no writes, if an answer says so, and looks until it does
// again. What one server of a cluster says is not said of the others.
func (l *link) barredBy(cmds []redis.Cmder) {
	if l.cluster || l.barred.Load() {
		return
	}
	for _, cmd := range cmds {
		if err := cmd.Err(); takesNoWrites(err) && l.barred.CompareAndSwap(false, true) {
			l.log.Warn("redis takes no writes", "error", err.Error())
			go l.tryWrites()
			return
		}
	}
}

// told reports whether a link tells of an error by itself, once: that Redis takes no
// writes, or that a server of a cluster is silent.
func (d *DB) told(err error) bool {
	if d.main.cluster {
		return !isReply(err) && !errors.Is(err, errCorrupt)
	}
	return takesNoWrites(err)
}

// tryEvery is how often a Redis that took no writes is asked to take one, under tryKey.
const (
	tryEvery = 200 * time.Millisecond
	tryKey   = "writable"
)

func (l *link) tryWrites() {
	for ; !l.closed.Load(); time.Sleep(tryEvery) {
		ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
		err := l.client.Set(ctx, tryKey, "", tryEvery).Err()
		cancel()
		if err == nil {
			l.barred.Store(false)
			l.log.Info("redis takes writes again")
			return
		}
	}
}
