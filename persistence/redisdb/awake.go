package redisdb

import (
	"io"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// awake lets a lone request poll for Redis's answer for a short time instead of sleeping.
// Waking a thread, or an idle processor, takes longer than a nearby Redis takes to answer. If
// several requests wait, they sleep and leave the processor to others.
type awake struct {
	// waiting counts the requests that are queued for Redis or sent to it.
	waiting atomic.Int32
	// missed counts the polls in a row that ended without an answer. sleepy counts the next
	// waits that do not poll; it begins at 2 to the power of missed.
	missed, sleepy atomic.Int32
}

const (
	// awakeFor bounds one poll: a few times the answer time of a local Redis.
	awakeFor = 200 * time.Microsecond
	// maxMissed bounds the pause between polls: 2 to the power of maxMissed waits.
	maxMissed = 8
)

// worthwhile reports whether to poll: the request is alone, Redis has a processor of its own,
// and the last polls were answered.
func (a *awake) worthwhile() bool {
	if a.waiting.Load() != 1 || runtime.GOMAXPROCS(0) < 2 {
		return false
	}
	if a.sleepy.Load() > 0 {
		a.sleepy.Add(-1)
		return false
	}
	return true
}

// read polls the socket, then sleeps until something arrives.
func (a *awake) read(raw syscall.RawConn, b []byte) (n int, err error) {
	until, vain := time.Now().Add(awakeFor), false
	failed := raw.Read(func(fd uintptr) bool {
		for {
			n, err = syscall.Read(int(fd), b)
			if err == syscall.EINTR {
				continue
			}
			if err != syscall.EAGAIN {
				return true
			}
			if vain || a.waiting.Load() != 1 || time.Now().After(until) {
				vain = true
				return false
			}
		}
	})
	if vain {
		missed := min(a.missed.Load()+1, maxMissed)
		a.missed.Store(missed)
		a.sleepy.Store(1 << missed)
	} else {
		a.missed.Store(0)
	}
	switch {
	case failed != nil:
		return 0, failed
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}
