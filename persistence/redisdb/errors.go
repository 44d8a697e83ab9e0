package redisdb

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
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

// isDial reports whether an attempt ended with nothing sent.
func isDial(err error) bool {
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
	if isDial(err) {
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

// MayPass reports whether a start with this error may succeed later without a change of the
// configuration: Redis makes no connection, breaks one, does not answer, loads its file, waits for
// its replicas or is a part of a cluster that is not complete. Every other answer of Redis, and a certificate that is not
// valid, stays as it is.
func MayPass(err error) bool {
	if errors.Is(err, redis.Nil) { // a sentinel does not know the master's name
		return false
	}
	if word := replyWord(err); word != "" {
		return word == "LOADING" || word == "CLUSTERDOWN" || word == "MASTERDOWN"
	}
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	if errors.As(err, &certificate) || errors.As(err, &alert) || errors.As(err, &record) {
		return false
	}
	var network *net.OpError
	var name *net.DNSError
	return isDial(err) || errors.As(err, new(notAcknowledged)) || errors.Is(err, errNotSent) || errors.Is(err, errNoAnswer) ||
		errors.As(err, &network) || errors.As(err, &name) ||
		errors.Is(err, io.EOF) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		strings.Contains(err.Error(), "sentinels specified in configuration are unreachable")
}

// replyWord is the first word of the answer of Redis in an error, such as LOADING; empty if the
// error has none.
func replyWord(err error) string {
	var text string
	var refused dialFault
	var reply redis.Error
	switch {
	case errors.As(err, &refused):
		text = string(refused)
	case errors.As(err, &reply):
		text = reply.Error()
	}
	word, _, _ := strings.Cut(text, " ")
	if word == "" || text == io.EOF.Error() || // the connection broke
		strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return word
}

// ended reports whether ctx has ended. A connection's time-out ends with ctx, and may be
// noticed earlier.
func ended(ctx context.Context) bool {
	end, bounded := ctx.Deadline()
	return ctx.Err() != nil || bounded && !time.Now().Before(end)
}
