package main

import (
	"context"
	"log/slog"
	"strings"
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
