package main

import (
	"bytes"
	"context"
	"io"
	"log"
	"log/slog"
	"sync"
	"time"
)

// newLogger makes the process's only logger. Go's standard one, to which net/http prints
// bytes of webhooks' receivers, writes nothing from then on: webhooks/conn.go reports those.
func newLogger(format string, w io.Writer) *slog.Logger {
	log.SetOutput(io.Discard)
	var h slog.Handler = slog.NewJSONHandler(w, nil)
	if format == "text" {
		h = slog.NewTextHandler(w, nil)
	}
	return slog.New(&sparing{Handler: h, seconds: map[string]*second{}})
}

// heldBack keeps what is logged until it is released: of a start that fails, one line
// says why, and no other is beside it.
type heldBack struct {
	mu       sync.Mutex
	to       io.Writer
	kept     bytes.Buffer
	released bool
}

func (h *heldBack) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.released {
		return h.to.Write(line)
	}
	return h.kept.Write(line)
}

// release writes what was kept, and from then on everything at once.
func (h *heldBack) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, _ = h.kept.WriteTo(h.to) // standard error: nobody could be told
	h.released = true
}

// mostASecond is how many warnings and errors of one message are written in a second. The
// first of a later second says how many were left out.
const mostASecond = 100

// sparing is a handler that writes no more of one warning or error than anybody reads: a
// fault that every request meets would fill the disk. Loggers with attributes of their own
// (With) would go past it; there are none.
type sparing struct {
	slog.Handler
	mu      sync.Mutex
	seconds map[string]*second // by message, of which the program has a few dozen
}

// second counts the lines of one message.
type second struct {
	start            time.Time
	written, leftOut int
}

func (s *sparing) Handle(ctx context.Context, line slog.Record) error {
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

func (s *sparing) count(line slog.Record) (write bool, leftOut int) {
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
	if at.written == mostASecond {
		at.leftOut++
		return false, 0
	}
	at.written++
	return true, leftOut
}
