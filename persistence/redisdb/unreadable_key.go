package redisdb

import (
	"errors"
	"regexp"
	"sync"
	"time"

	"cartd/internal/outage"
)

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
