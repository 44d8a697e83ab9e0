package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress shows how far long work is: on a terminal in one line that renews
// itself, else in a line now and then. Short work shows nothing.
type progress struct {
	w        io.Writer
	terminal bool
	began    time.Time
	shown    time.Time
}

const (
	quietFor      = time.Second // before anything is shown
	terminalEvery = 100 * time.Millisecond
	lineEvery     = 5 * time.Second
)

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, began: time.Now()}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// say shows a state of the work, if it is time.
func (p *progress) say(format string, args ...any) {
	now, every := time.Now(), lineEvery
	if p.terminal {
		every = terminalEvery
	}
	if now.Sub(p.began) < quietFor || now.Sub(p.shown) < every {
		return
	}
	p.shown = now
	if p.terminal {
		format = "\r\x1b[K" + format
	} else {
		format += "\n"
	}
	fmt.Fprintf(p.w, format, args...)
}

// done ends the line of a terminal.
func (p *progress) done() {
	if p.terminal && !p.shown.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = time.Time{}
}

func (p *progress) customers(done, all int) {
	p.say("customers: %d of %d (%d %%)", done, all, 100*done/max(all, 1))
}

func (p *progress) read(name string, bytes int64) { p.say("%s: %d MiB read", name, bytes>>20) }
