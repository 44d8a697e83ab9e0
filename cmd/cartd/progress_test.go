package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// hurry makes progress appear at once.
func hurry(t *testing.T) {
	t.Helper()
	quiet, line := quietFor, lineEvery
	quietFor, lineEvery = time.Millisecond, time.Millisecond
	t.Cleanup(func() { quietFor, lineEvery = quiet, line })
}

// lineWriter passes every write to the test.
type lineWriter chan string

func (w lineWriter) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

func TestLongWorkShowsItsProgressInLines(t *testing.T) {
	t.Parallel()
	hurry(t)
	w := make(lineWriter)
	p := startProgress(w)
	p.report("%d of %d", 1, 2)
	for line := range w {
		if line == "1 of 2\n" {
			break
		}
	}
	p.report("%d of %d", 2, 2)
	for line := range w {
		if line == "2 of 2\n" {
			break
		}
		if line != "1 of 2\n" {
			t.Fatalf("progress said %q", line)
		}
	}
	go func() {
		for range w {
		}
	}()
	p.done()
	close(w) // a later write would panic
}

func TestShortWorkShowsNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := startProgress(&out)
	p.report("working")
	p.done()
	if out.Len() != 0 {
		t.Errorf("progress said %q", out.String())
	}
}

func TestATerminalsLineIsRemovedAtTheEnd(t *testing.T) {
	t.Parallel()
	hurry(t)
	every := terminalEvery
	terminalEvery = time.Millisecond
	t.Cleanup(func() { terminalEvery = every })
	w := make(lineWriter)
	p := &progress{w: w, terminal: true, stop: make(chan struct{}), stopped: make(chan struct{})}
	p.report("working")
	go p.show()
	var out strings.Builder
	out.WriteString(<-w)
	ended := make(chan struct{})
	go func() { p.done(); close(ended) }()
	for running := true; running; {
		select {
		case text := <-w:
			out.WriteString(text)
		case <-ended:
			running = false
		}
	}
	const clear = "\r\x1b[K"
	if text := out.String(); !strings.HasPrefix(text, clear+"working") || !strings.HasSuffix(text, "working"+clear) || strings.Contains(text, "\n") {
		t.Errorf("a terminal shows %q", text)
	}
}
