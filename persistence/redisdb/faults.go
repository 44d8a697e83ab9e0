package redisdb

import (
	"errors"
	"sync"
	"time"

	"cartd/engine"
)

// ErrCorrupt is the error of a value that cannot be read, ErrReply of a script's reply.
var (
	ErrCorrupt = errors.New("the record in Redis cannot be read")
	ErrReply   = errors.New("a script's reply cannot be read")
)

// faults are the keys that were lately found to hold what cannot be read. Each is logged once a
// faultEvery, and no more than maxFaults are remembered.
type faults struct {
	mu     sync.Mutex
	logged map[string]time.Time
}

const (
	faultEvery = time.Minute
	maxFaults  = 1000
)

// Broken logs that a key holds what cannot be read: a value of another type, or damaged bytes.
func (c *Client) Broken(key string) {
	if c.faults.fresh(key) {
		c.log.Error("a key in Redis cannot be read", "key", key)
	}
}

// BrokenReply logs the key of a script that failed because of what it holds, or of what it leads to.
func (c *Client) BrokenReply(err error, key string) {
	if err != nil && err != engine.ErrUnavailable && IsReply(err) {
		c.Broken(key)
	}
}

// BrokenKey is the error of a key that holds what cannot be read.
type BrokenKey string

func (k BrokenKey) Error() string { return "cannot be read: " + string(k) }

// BrokenBy logs the key that an error names, else the given one.
func (c *Client) BrokenBy(err error, key string) {
	if named, ok := err.(BrokenKey); ok {
		key = string(named)
	}
	c.Broken(key)
}

// Blame logs which one of the keys of every call of the limiter has the wrong type, after a script
// failed; where neither has, it is the log that cannot be read.
func (c *Client) Blame(log, head string) {
	if !c.faults.fresh("types of " + log) {
		return
	}
	key := log
	if head != "" {
		is, err := c.Run(c.Soon(), &Call{Keys: []string{head}, Args: []any{"TYPE", head}})
		if err == nil && is != "string" && is != "none" {
			key = head
		}
	}
	c.Broken(key)
}

// fresh reports whether a fault was not noted lately, and notes it.
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
