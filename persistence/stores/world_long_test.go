//go:build long

package stores

import (
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
)

// breakdown fails all commands from the nth on, which do not reach Redis. If lost is true, the
// nth reaches Redis and only its reply is lost.
func breakdown(n int64, lost bool) redistest.Hook {
	var left atomic.Int64
	left.Store(n)
	return func(cmd redis.Cmder, next func() error) error {
		n := left.Add(-1)
		if n > 0 {
			return next()
		}
		if n == 0 && lost {
			_ = next()
			cmd.SetErr(errBroken)
		}
		return errBroken
	}
}

func impatient(c *redisdb.Config) { c.Timeout = silence }
