package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"cartd/internal/commandline"
)

// newLogger returns the process's only logger. Texts that shoppers wrote cannot change the terminal
// that shows them. unreported is how many lines were lost on their way since its last call; nil if none can be.
func newLogger(format string, level slog.Leveler, w io.Writer, unreported func() uint64) *slog.Logger {
	w = commandline.PrintableLines{To: w}
	options := &slog.HandlerOptions{Level: level}
	var h slog.Handler = slog.NewJSONHandler(w, options)
	if format == "text" {
		h = slog.NewTextHandler(w, options)
	}
	return slog.New(&limitedHandler{Handler: h, seconds: map[string]*second{}, unreported: unreported})
}

// startLog collects log lines until release. A start that fails discards them, so that only its
// error is printed.
type startLog struct {
	mu       sync.Mutex
	to       io.Writer
	kept     bytes.Buffer
	released bool
}

func (h *startLog) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.released {
		return h.to.Write(line)
	}
	return h.kept.Write(line)
}

// release writes the collected lines; later lines are written at once.
func (h *startLog) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, _ = h.kept.WriteTo(h.to) // there is no other place to report an error of standard error
	h.released = true
}

// maxPerSecond is the maximum number of warnings and errors with one message in a second. The first
// line of a later second has the number of those left out.
const maxPerSecond = 100

// limitedHandler writes at most maxPerSecond lines of one warning or error: a fault of every
// request would fill the disk. Loggers with attributes of their own (With) would bypass it; there
// are none.
type limitedHandler struct {
	slog.Handler
	mu         sync.Mutex
	seconds    map[string]*second // by message; the program has a few dozen
	unreported func() uint64      // of newLogger
}

// second counts the lines of one message.
type second struct {
	start            time.Time
	written, leftOut int
}

func (s *limitedHandler) Handle(ctx context.Context, line slog.Record) error {
	if s.unreported != nil {
		if n := s.unreported(); n > 0 {
			gap := slog.NewRecord(line.Time, slog.LevelWarn, "lines of the log are lost: standard error did not take them", 0)
			gap.AddAttrs(slog.Uint64("left_out", n))
			_ = s.Handler.Handle(ctx, gap)
		}
	}
	if line.Level >= slog.LevelWarn {
		write, leftOut := s.count(line)
		if !write {
			return nil
		}
		if leftOut > 0 {
			line.AddAttrs(slog.Int("left_out", leftOut))
		}
	}
	return s.Handler.Handle(ctx, line)
}

func (s *limitedHandler) count(line slog.Record) (write bool, leftOut int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.seconds[line.Message]
	if at == nil {
		at = &second{}
		s.seconds[line.Message] = at
	}
	if line.Time.Sub(at.start) >= time.Second {
		leftOut = at.leftOut
		*at = second{start: line.Time}
	}
	if at.written == maxPerSecond {
		at.leftOut++
		return false, 0
	}
	at.written++
	return true, leftOut
}

// logBuffer is the maximum of bytes of log lines that wait for standard error.
const logBuffer = 1 << 20

var errLogFull = errors.New("standard error takes no lines")

// logWriter writes log lines in the background, so that no request waits for standard error: a pipe
// without a reader blocks for ever. Lines that do not fit into its buffer are dropped and counted.
type logWriter struct {
	to      io.Writer
	mu      sync.Mutex
	waiting []byte
	// busy is true while a batch is being written. idle is closed at its end; it is nil without a waiting caller.
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

// unreported returns how many lines were lost since its last call, once there is room for a line about them.
func (w *logWriter) unreported() uint64 {
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
