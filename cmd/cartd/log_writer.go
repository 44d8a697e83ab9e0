package main

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// logBuffer is the maximum of bytes of log lines that wait for standard error.
const logBuffer = 1 << 20

var errLogFull = errors.New("standard error takes no lines")

// logWriter writes log lines in the background, so that no request waits for standard error: a pipe that
// nobody reads blocks for ever. Lines that do not fit into its buffer are dropped and counted.
type logWriter struct {
	to      io.Writer
	mu      sync.Mutex
	waiting []byte
	// busy is true while a batch is being written. idle is closed at its end; nil if nobody waits for it.
	busy bool
	idle chan struct{}
	// dropped counts the lines that were lost, told those of them that the log has told.
	dropped, told atomic.Uint64
}

// Write takes a line, or drops it.
func (w *logWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting)+len(line) > logBuffer {
		w.dropped.Add(lines(line))
		return 0, errLogFull
	}
	w.waiting = append(w.waiting, line...)
	if !w.busy {
		w.busy = true
		go w.writeAll()
	}
	return len(line), nil
}

// writeAll writes what waits, and what comes meanwhile.
func (w *logWriter) writeAll() {
	var batch []byte
	for {
		w.mu.Lock()
		batch, w.waiting = w.waiting, batch[:0]
		if len(batch) == 0 {
			w.busy, w.waiting = false, nil
			if w.idle != nil {
				close(w.idle)
				w.idle = nil
			}
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
		if n, err := w.to.Write(batch); err != nil { // a closed pipe, a full disk
			w.dropped.Add(lines(batch[min(n, len(batch)):]))
		}
	}
}

// untold returns how many lines were lost since its last call, once there is room for a line about them.
func (w *logWriter) untold() uint64 {
	if w.dropped.Load() == w.told.Load() {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) > logBuffer/2 {
		return 0
	}
	now := w.dropped.Load()
	return now - w.told.Swap(now)
}

func lines(text []byte) uint64 { return uint64(bytes.Count(text, []byte{'\n'})) }

// flush waits until all lines are written, at most so long.
func (w *logWriter) flush(within time.Duration) {
	w.mu.Lock()
	if !w.busy {
		w.mu.Unlock()
		return
	}
	if w.idle == nil {
		w.idle = make(chan struct{})
	}
	idle := w.idle
	w.mu.Unlock()
	select {
	case <-idle:
	case <-time.After(within):
	}
}
