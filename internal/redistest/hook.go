package redistest

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// Hook runs between a client and its commands, which are sent by next. A pipeline counts as one
// command: its first.
type Hook func(cmd redis.Cmder, next func() error) error

func (h Hook) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h Hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := h(cmd, func() error { return next(ctx, cmd) })
		if err != nil && cmd.Err() == nil {
			cmd.SetErr(err)
		}
		return err
	}
}

func (h Hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := h(cmds[0], func() error { return next(ctx, cmds) })
		var reply redis.Error
		if err != nil && !errors.As(err, &reply) {
			for _, cmd := range cmds {
				cmd.SetErr(err)
			}
		}
		return err
	}
}

// Ahead makes a Hook that calls f ahead of the nth command of any goroutine. came waits for f to
// return; it returns false if no nth command was sent.
func Ahead(n int64, f func()) (hook Hook, came func() bool) {
	var left atomic.Int64
	left.Store(n)
	returned := make(chan struct{})
	hook = func(_ redis.Cmder, next func() error) error {
		if left.Add(-1) == 0 {
			f()
			close(returned)
		}
		return next()
	}
	return hook, func() bool {
		if left.Load() > 0 {
			return false
		}
		<-returned
		return true
	}
}
