package process

import (
	"encoding/json"
	"strings"
	"sync"
)

// Log is the output of a process.
type Log struct {
	mu    sync.Mutex
	text  strings.Builder
	wrote chan struct{} // closed and replaced at each write
}

func newLog() *Log { return &Log{wrote: make(chan struct{})} }

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.wrote)
	l.wrote = make(chan struct{})
	return l.text.Write(p)
}

// grown is closed at the next write.
func (l *Log) grown() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wrote
}

// String is the output so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Lines are the complete lines that are not blank.
func (l *Log) Lines() (lines []string) {
	for line := range strings.Lines(l.String()) {
		if strings.TrimSpace(line) != "" && strings.HasSuffix(line, "\n") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// Address is the address in the first line with this message, "" if there is none.
func (l *Log) Address(message string) string {
	for _, line := range l.Lines() {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == message && entry.Addr != "" {
			return entry.Addr
		}
	}
	return ""
}
