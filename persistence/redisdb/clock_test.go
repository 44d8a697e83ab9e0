package redisdb

import (
	"testing"
	"time"
)

// A jump of a master's clock is shown for a minute, and no longer. The time on the way is no difference.
func TestTheClockOfAMasterIsCompared(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	var c Client
	for _, step := range []struct {
		after, ahead, way, want time.Duration
	}{
		{0, 0, time.Second, 0},
		{0, 400 * time.Millisecond, time.Second, 0}, // on the way
		{time.Second, -time.Hour, 0, -time.Hour},
		{time.Second, 31 * 24 * time.Hour, 0, 31 * 24 * time.Hour},
		{time.Second, 0, 0, 31 * 24 * time.Hour},
		{58 * time.Second, 2 * time.Second, 0, 31 * 24 * time.Hour},
		{2 * time.Second, 3 * time.Second, 2 * time.Second, 2 * time.Second},
		{63 * time.Second, 0, 0, 0},
	} {
		now = now.Add(step.after)
		c.clock.hear(now.Add(step.ahead+step.way/2), now, now.Add(step.way))
		if got := c.ClockAhead(); got != step.want {
			t.Errorf("%+v: %v", step, got)
		}
	}
}
