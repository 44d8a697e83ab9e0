package persistence

import (
	"testing"
	"time"
)

// trip is how long an answer of Redis took.
const trip = 3 * time.Millisecond

// heard makes a clock hear Redis so often, and returns its last reading.
func heard(c *clock, times int) *reading {
	for range times {
		c.set(noon, time.Now().Add(-trip))
	}
	return c.last.Load()
}

// aged is a clock whose last reading is a while ago.
func aged(r reading, age time.Duration) *clock {
	c := new(clock)
	r.here, r.began = r.here.Add(-age), r.began.Add(-age)
	c.last.Store(&r)
	return c
}

func TestANodeIsBusyOnceItHasHeardOftenEnough(t *testing.T) {
	c := new(clock)
	if got, _ := c.busyAt(time.Now()); !got.IsZero() {
		t.Errorf("before any answer: busy at %v", got)
	}
	now := time.Now()
	c = aged(reading{redis: noon, here: now, began: now, heard: busyAnswers - 2}, 0)
	last := heard(c, 1)
	if got, _ := c.busyAt(last.here); !got.IsZero() {
		t.Errorf("after %d answers: busy at %v", busyAnswers-1, got)
	}
	last = heard(c, 1)
	for after, want := range map[time.Duration]time.Time{
		-time.Second:   noon, // a request that began before the answer came
		0:              noon,
		clockTrust:     noon.Add(clockTrust),
		clockTrust + 1: {},
	} {
		got, latest := c.busyAt(last.here.Add(after))
		if !got.Equal(want) {
			t.Errorf("%v after the last answer: busy at %v, want %v", after, got, want)
		}
		if after >= 0 && !got.IsZero() && (latest.Sub(got) < trip || latest.Sub(got) > trip+time.Minute) {
			t.Errorf("%v after the last answer: busy at %v to %v, want it a trip later", after, got, latest)
		}
	}
}

// Busy is a node by the window that runs or by the one just before it.
func TestANodeStaysBusyForAsLongAsAnswersCome(t *testing.T) {
	for _, c := range []struct {
		name  string
		heard int
		busy  bool // in the window before
		age   time.Duration
		want  bool
	}{
		{"often in the last window", busyAnswers, false, busyWindow, true},
		{"too seldom in the last window", busyAnswers - 1, false, busyWindow, false},
		{"too seldom, though often in the one before", busyAnswers - 1, true, busyWindow, false},
		{"too seldom so far, often in the last window", 1, true, busyWindow / 2, true},
		{"not at all for a window", busyAnswers, true, 2 * busyWindow, false},
	} {
		now := time.Now()
		clock := aged(reading{redis: noon, here: now, began: now, heard: c.heard, busy: c.busy}, c.age)
		clock.set(noon.Add(time.Minute), now)
		last := clock.last.Load()
		if got, _ := clock.busyAt(last.here); !got.IsZero() != c.want {
			t.Errorf("%s: busy at %v, busy: want %v", c.name, got, c.want)
		}
	}
}

// Answers that many goroutines hear at once are all counted.
func TestAClockCountsEveryAnswer(t *testing.T) {
	c, done := new(clock), make(chan bool)
	first := heard(c, 1)
	for range 4 {
		go func() { heard(c, 50); done <- true }()
	}
	for range 4 {
		<-done
	}
	if last := c.last.Load(); last.began.Equal(first.began) && last.heard != 201 {
		t.Errorf("heard %d answers, want 201", last.heard)
	}
}
