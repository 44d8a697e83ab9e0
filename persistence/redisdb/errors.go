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

// dialFault is an ErrDial with its cause, of which only the text is kept: what Redis refused is
// the connection, not what waits for it. It wraps nothing, for go-redis unwraps what a new
// connection fails with.
type dialFault string

func (f dialFault) Error() string      { return ErrDial.Error() + ": " + string(f) }
func (dialFault) Is(target error) bool { return target == ErrDial }

// IsReply reports whether an error is Redis's answer rather than the lack of one.
func IsReply(err error) bool {
	var reply redis.Error
	return err == nil || errors.As(err, &reply)
}

// IsDial reports whether an attempt ended before anything was sent.
func IsDial(err error) bool {
	var op *net.OpError // clusters and sentinels dial by themselves
	return errors.Is(err, ErrDial) || errors.Is(err, redis.ErrPoolTimeout) || errors.As(err, &op) && op.Op == "dial"
}

// CertainRefusals begin the replies after which a sending had no effect for certain.
var CertainRefusals = []string{
	"NOSCRIPT", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY",
	"MASTERDOWN", "OOM", "MISCONF", "NOREPLICAS", "BUSY", "NOAUTH", "WRONGPASS",
}

// CertainlyRefused reports whether a command that failed so had no effect for certain. After
// every other error its outcome is not known.
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

// isRedirection reports whether a server has sent a command elsewhere.
func isRedirection(err error) bool {
	return redis.HasErrorPrefix(err, "MOVED") || redis.HasErrorPrefix(err, "ASK")
}

// ended reports whether ctx has ended: a connection's time ends with it, and may say so
// before ctx does.
func ended(ctx context.Context) bool {
	end, bounded := ctx.Deadline()
	return ctx.Err() != nil || bounded && !time.Now().Before(end)
}
