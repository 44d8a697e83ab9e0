package redisdb

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/outage"
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

// ErrCorrupt is the error of a value that cannot be read. ErrReply is that of a script's reply.
var (
	ErrCorrupt = errors.New("the record in Redis cannot be read")
	ErrReply   = errors.New("a script's reply cannot be read")
)

// faults are the keys whose values could not be read lately. Each is logged once a faultEvery;
// at most maxFaults are remembered.
type faults struct {
	mu     sync.Mutex
	logged map[string]time.Time
}

const (
	faultEvery = time.Minute
	maxFaults  = 1000
)

// BrokenKey is the error of a key whose value cannot be read: its type is wrong or its bytes are
// damaged.
type BrokenKey string

func (k BrokenKey) Error() string { return "cannot be read: " + string(k) }

// Unreadable returns ErrUnavailable for an error of a read, nil for none. It logs the key if its value
// caused the error: the key that the error names, else the given one, which was read or which a
// script began with.
func (c *Client) Unreadable(err error, key string) error {
	if err == nil {
		return nil
	}
	var named BrokenKey
	switch {
	case errors.As(err, &named):
		key = string(named)
	case errors.Is(err, ErrCorrupt), errors.Is(err, ErrReply):
	case !IsReply(err) || CertainlyRefused(err):
		return outage.ErrUnavailable
	}
	c.logBroken(key)
	return outage.ErrUnavailable
}

func (c *Client) logBroken(key string) {
	if c.faults.fresh(key) {
		c.log.Error("a key in Redis cannot be read", "key", loggedKey(key))
	}
}

// cartKey matches the keys of a cart and of its hold. A cart's id is the visitor's secret: the log
// shows enough of it to find the key, too little to use the cart.
var cartKey = regexp.MustCompile(`^(\{[^}]*\}:(?:cart|hold):.{8}).+`)

func loggedKey(key string) string { return cartKey.ReplaceAllString(key, "$1…") }

// LogWrongType logs which key of a failed call of the limiter has the wrong type: the store's
// head or the log. The log is meant if the head is right.
func (c *Client) LogWrongType(log, head string) {
	if !c.faults.fresh("types of " + log) {
		return
	}
	key := log
	if head != "" {
		is, err := c.Run(c.Soon(), KeyCall("TYPE", head))
		if err == nil && is != "string" && is != "none" {
			key = head
		}
	}
	c.logBroken(key)
}

// fresh notes a fault, and reports whether it was not noted lately.
func (f *faults) fresh(key string) bool {
	now := time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	if last, known := f.logged[key]; known && now.Sub(last) < faultEvery {
		return false
	}
	if f.logged == nil || len(f.logged) >= maxFaults {
		f.logged = map[string]time.Time{}
	}
	f.logged[key] = now
	return true
}
