package redisdb

import (
	"io"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// awake lets a request that is alone wait for Redis without going to sleep, for a
// while: to wake a thread again, and a processor that has gone idle, takes longer than
// a Redis nearby does. Where others wait too, the processor is left to them.
type awake struct {
	// waiting counts what is queued for Redis or on its way there.
	waiting atomic.Int32
	// missed counts waits in a row that were in vain; because of them so many of the
	// next ones sleep at once.
	missed, sleepy atomic.Int32
}

const (
	// awakeFor is the longest wait, a few times what a local Redis takes.
	awakeFor = 200 * time.Microsecond
	// maxMissed bounds how rarely it is tried again: once in so many doublings.
	maxMissed = 8
)

// worthwhile reports whether to wait awake: with a processor to spare for Redis, unless
// Redis took longer the last times.
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

// read is a read of the socket that does not sleep at first.
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
