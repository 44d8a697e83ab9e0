package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress shows the state of long work: on a terminal in one line that is overwritten, else in a
// new line every few seconds. Short work shows nothing.
type progress struct {
	w             io.Writer
	terminal      bool
	mu            sync.Mutex
	state         string
	stop, stopped chan struct{}
}

// quietFor is the time without output; then the state is shown every terminalEvery or lineEvery.
// They are variables for the tests.
var (
	quietFor      = time.Second
	terminalEvery = 100 * time.Millisecond
	lineEvery     = 5 * time.Second
)

// startProgress shows the reported state on w until done.
func startProgress(w io.Writer) *progress {
	p := &progress{w: w, terminal: isTerminal(w), stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.show()
	return p
}

// report sets the state of the work.
func (p *progress) report(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = fmt.Sprintf(format, args...)
}

// done ends the output.
func (p *progress) done() {
	close(p.stop)
	<-p.stopped
}

func (p *progress) show() {
	defer close(p.stopped)
	every, format, end := lineEvery, "%s\n", ""
	if p.terminal {
		every, format, end = terminalEvery, "\r\x1b[K%s", "\r\x1b[K"
	}
	next := time.NewTimer(quietFor)
	defer next.Stop()
	for shown := false; ; shown = true {
		select {
		case <-p.stop:
			if shown {
				fmt.Fprint(p.w, end)
			}
			return
		case <-next.C:
			fmt.Fprintf(p.w, format, p.now())
			next.Reset(every)
		}
	}
}

func (p *progress) now() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}
