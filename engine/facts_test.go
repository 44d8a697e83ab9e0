package engine

import (
	"testing"
	"testing/synctest"
	"time"
)

// docs/design.md#one-visit-one-loop, One clock. Redis's time is the newest one received plus the
// duration since. It goes back only with Redis's own clock.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Clock
		if now, ok := c.Now(); ok || !now.IsZero() {
			t.Errorf("without an answer of Redis: %v, %v", now, ok)
		}
		for _, step := range []struct {
			rule  string
			later time.Duration // since the previous step
			redis time.Duration // after noon
			trip  time.Duration // between command and answer
			want  time.Duration
		}{
			{"the first time", 0, 0, 0, 0},
			{"later than measured", time.Second, 1010 * time.Millisecond, 0, 1010 * time.Millisecond},
			{"as measured", time.Second, 2010 * time.Millisecond, 0, 2010 * time.Millisecond},
			{"a little earlier", time.Second, 2761 * time.Millisecond, 0, 3010 * time.Millisecond},
			{"a slow answer", time.Second, 3010 * time.Millisecond, time.Second, 4010 * time.Millisecond},
			{"set back", time.Second, 4760 * time.Millisecond, 0, 4760 * time.Millisecond},
			{"set back by hours", time.Second, -time.Hour, 0, -time.Hour},
			{"set forward by hours", time.Second, time.Hour, 0, time.Hour},
		} {
			time.Sleep(step.later)
			c.Hear(noon.Add(step.redis), time.Now().Add(-step.trip))
			if now, ok := c.Now(); !ok || !now.Equal(noon.Add(step.want)) {
				t.Errorf("%s: %v, %v; want %v", step.rule, now, ok, noon.Add(step.want))
			}
		}
		asked := time.Now()
		time.Sleep(time.Minute)
		if then, ok := c.At(asked); !ok || !then.Equal(noon.Add(time.Hour)) {
			t.Errorf("a minute ago: %v, %v", then, ok)
		}
		if now, _ := c.Now(); !now.Equal(noon.Add(time.Hour + time.Minute)) {
			t.Errorf("a minute later: %v", now)
		}
	})
}

// Goroutines hear answers in any order; the time that one of them reads never goes back.
func TestClockNeverGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Clock
		for worker := range 8 {
			go func() {
				last := noon
				for i := range 2000 {
					c.Hear(noon.Add(time.Duration((i*7+worker*13)%100)*time.Millisecond), time.Now())
					now, _ := c.Now()
					if now.Before(last) {
						t.Errorf("%v after %v", now, last)
						return
					}
					last = now
				}
			}()
		}
		synctest.Wait()
		if now, _ := c.Now(); !now.Equal(noon.Add(99 * time.Millisecond)) {
			t.Errorf("%v; want the newest one received", now)
		}
	})
}
