package persistence

import (
	"sync"
	"time"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

// faults are the keys that were lately found to hold what cannot be read. Each is logged once a
// faultEvery, and no more than mostFaults are remembered.
type faults struct {
	mu     sync.Mutex
	logged map[string]time.Time
}

const (
	faultEvery = time.Minute
	mostFaults = 1000
)

// broken logs that a key holds what cannot be read: a value of another type, or damaged bytes.
func (d *DB) broken(key string) {
	if d.faults.fresh(key) {
		d.log.Error("a key in Redis cannot be read", "key", key)
	}
}

// brokenReply logs the key of a script that failed because of what it holds, or of what it leads to.
func (d *DB) brokenReply(err error, key string) {
	if err != nil && err != engine.ErrUnavailable && redisdb.IsReply(err) {
		d.broken(key)
	}
}

// brokenKey is the error of a key that holds what cannot be read.
type brokenKey string

func (k brokenKey) Error() string { return "cannot be read: " + string(k) }

// brokenBy logs the key that an error names, else the given one.
func (d *DB) brokenBy(err error, key string) {
	if named, ok := err.(brokenKey); ok {
		key = string(named)
	}
	d.broken(key)
}

// blame logs which one of the keys of every call of the limiter has the wrong type, after a script
// failed; where neither has, it is the log that cannot be read.
func (d *DB) blame(log, head string) {
	if !d.faults.fresh("types of " + log) {
		return
	}
	key := log
	if head != "" {
		is, err := d.main.Run(d.soon(), &redisdb.Call{Keys: []string{head}, Args: []any{"TYPE", head}})
		if err == nil && is != "string" && is != "none" {
			key = head
		}
	}
	d.broken(key)
}

// fresh reports whether a fault was not noted lately, and notes it.
func (f *faults) fresh(key string) bool {
	now := time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	if last, known := f.logged[key]; known && now.Sub(last) < faultEvery {
		return false
	}
	if f.logged == nil || len(f.logged) >= mostFaults {
		f.logged = map[string]time.Time{}
	}
	f.logged[key] = now
	return true
}
