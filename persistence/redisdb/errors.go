package redisdb

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// ErrDial marks an attempt that certainly sent nothing.
var ErrDial = errors.New("cannot connect")

// dialFault is an ErrDial with the text of its cause. Redis refused the connection, not the
// operations that wait for it. It wraps nothing, because go-redis unwraps the error of a new
// connection.
type dialFault string

func (f dialFault) Error() string      { return ErrDial.Error() + ": " + string(f) }
func (dialFault) Is(target error) bool { return target == ErrDial }

// IsReply reports whether an error is an answer of Redis.
func IsReply(err error) bool {
	var reply redis.Error
	return err == nil || errors.As(err, &reply)
}

// IsDial reports whether an attempt ended with nothing sent.
func IsDial(err error) bool {
	var op *net.OpError // clusters and sentinels dial by themselves
	return errors.Is(err, ErrDial) || errors.Is(err, redis.ErrPoolTimeout) || errors.As(err, &op) && op.Op == "dial"
}

// CertainRefusals are the beginnings of replies after which a sending certainly had no effect.
var CertainRefusals = []string{
	"NOSCRIPT", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY",
	"MASTERDOWN", "OOM", "MISCONF", "NOREPLICAS", "BUSY", "NOAUTH", "WRONGPASS",
}

// CertainlyRefused reports whether a command with this error certainly had no effect. After
// every other error its outcome is unknown.
func CertainlyRefused(err error) bool {
	if IsDial(err) {
		return true
	}
	text := err.Error()
	for _, prefix := range CertainRefusals {
		if strings.HasPrefix(text, prefix) && IsReply(err) {
			return true
		}
	}
	return false
}

// isRedirection reports whether a server redirected a command to another one.
func isRedirection(err error) bool {
	return redis.HasErrorPrefix(err, "MOVED") || redis.HasErrorPrefix(err, "ASK")
}

// ended reports whether ctx has ended. A connection's time-out ends with ctx, and may be
// noticed earlier.
func ended(ctx context.Context) bool {
	end, bounded := ctx.Deadline()
	return ctx.Err() != nil || bounded && !time.Now().Before(end)
}
