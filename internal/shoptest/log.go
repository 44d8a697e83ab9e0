package shoptest

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

// Log keeps what was logged.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// Logger writes to the log.
func (l *Log) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// Count is how often a part of a line was logged.
func (l *Log) Count(part string) int { return strings.Count(l.String(), part) }

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
