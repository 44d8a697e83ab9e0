package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// A fault of every request does not fill the disk, and the log counts the lines left out.
func TestRepeatedFaultsAreLimited(t *testing.T) {
	var out strings.Builder
	h := newLogger("json", slog.LevelInfo, &out, nil).Handler()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	log := func(level slog.Level, message string) {
		if err := h.Handle(context.Background(), slog.NewRecord(at, level, message, 0)); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 * maxPerSecond {
		log(slog.LevelError, "admission")
		log(slog.LevelInfo, "request")
	}
	log(slog.LevelWarn, "redis is unreachable")
	wantLines(t, out.String(), map[string]int{"admission": maxPerSecond, "request": 10 * maxPerSecond, "redis is unreachable": 1, "left_out": 0})
	at = at.Add(time.Second)
	log(slog.LevelError, "admission")
	log(slog.LevelError, "admission")
	wantLines(t, out.String(), map[string]int{"admission": maxPerSecond + 2, `"left_out":900}`: 1, "left_out": 1})
}

// The lines of a start are written after the start, in order.
func TestTheLinesOfAStartAreWrittenAfterIt(t *testing.T) {
	var out strings.Builder
	lines := &startLog{to: &out}
	log := newLogger("text", slog.LevelInfo, lines, nil)
	log.Warn("one")
	log.Warn("two")
	if out.Len() > 0 {
		t.Errorf("written before its release: %s", out.String())
	}
	lines.release()
	log.Warn("three")
	if first, last, _ := strings.Cut(out.String(), "msg=two"); !strings.Contains(first, "msg=one") || !strings.Contains(last, "msg=three") ||
		strings.Count(out.String(), "\n") != 3 {
		t.Errorf("the log is\n%s\nwant: one, two, three", out.String())
	}
}

func wantLines(t *testing.T, log string, want map[string]int) {
	t.Helper()
	for text, n := range want {
		if got := strings.Count(log, text); got != n {
			t.Errorf("%d lines with %s, want %d", got, text, n)
		}
	}
}

// gate is a standard error that takes nothing until it is opened.
type gate struct {
	open chan struct{}
	// came is closed by the first Write; nil if no test waits for it.
	came chan struct{}
	once sync.Once
	mu   sync.Mutex
	text bytes.Buffer
	err  error
}

func (g *gate) Write(p []byte) (int, error) {
	if g.came != nil {
		g.once.Do(func() { close(g.came) })
	}
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err != nil {
		return 0, g.err
	}
	return g.text.Write(p)
}

// A standard error that is not read does not stop the node. Lines beyond the buffer are dropped, and a line
// with their number follows once there is room.
func TestTheLogWaitsForNobody(t *testing.T) {
	t.Parallel()
	g := &gate{open: make(chan struct{}), came: make(chan struct{})}
	w := &logWriter{to: g}
	log := newLogger("json", slog.LevelInfo, w, w.unreported)
	log.Info("begun")
	<-g.came // otherwise the writer could take a full buffer, and the log would tell of lost lines twice
	const sent = 4 * logBuffer / 1000
	for i := range sent {
		log.Info("request", "n", i, "text", strings.Repeat("x", 1000))
	}
	dropped := int(w.dropped.Load())
	if dropped < sent/4 || dropped > sent-logBuffer/1200 {
		t.Errorf("%d of %d lines are dropped", dropped, sent)
	}
	began := time.Now()
	w.flush(20 * time.Millisecond)
	if took := time.Since(began); took < 20*time.Millisecond {
		t.Errorf("the end waits for %v only", took)
	}
	close(g.open)
	w.flush(time.Minute)
	log.Info("after")
	w.flush(time.Minute)
	wantLines(t, g.text.String(), map[string]int{`"msg":"request"`: sent - dropped, "are lost": 1, `"msg":"after"`: 1})
	for line := range strings.Lines(g.text.String()) {
		if strings.Contains(line, "are lost") && !strings.Contains(line, `"left_out":`+slog.IntValue(dropped).String()+"}") {
			t.Errorf("%d lines are dropped, and the log says %s", dropped, line)
		}
	}
	if w.waiting != nil {
		t.Error("the buffer stays")
	}
}

// Lines of a standard error that is closed are counted, too.
func TestLinesThatAClosedPipeRefusesAreCounted(t *testing.T) {
	t.Parallel()
	g := &gate{open: make(chan struct{}), err: errors.New("broken pipe")}
	w := &logWriter{to: g}
	log := newLogger("text", slog.LevelInfo, w, w.unreported)
	for range 3 {
		log.Info("request")
	}
	close(g.open)
	w.flush(time.Minute)
	if got := w.dropped.Load(); got != 3 {
		t.Errorf("%d lines are counted, want 3", got)
	}
}
