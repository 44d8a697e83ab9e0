package bench

import (
	"math"
	"testing"
	"time"
)

func TestSketchPercentilesAreExactToFivePercent(t *testing.T) {
	for _, d := range []time.Duration{time.Microsecond, 7 * time.Microsecond, 333 * time.Microsecond, 19 * time.Millisecond, 2 * time.Second, 10 * time.Minute} {
		var c, other sketch
		for range 98 {
			c.add(d)
		}
		other.add(500 * d)
		other.add(500 * d)
		c.merge(&other)
		if got := c.percentile(50); math.Abs(float64(got)/float64(d)-1) > 0.05 {
			t.Errorf("p50 of 98 × %v: %v", d, got)
		}
		if got, want := c.percentile(99), min(500*d, 1<<30*time.Microsecond); math.Abs(float64(got)/float64(want)-1) > 0.05 {
			t.Errorf("p99 of 98 × %v and 2 × %v: %v", d, 500*d, got)
		}
	}
	var none sketch
	if got := none.percentile(99); got != 0 {
		t.Errorf("p99 of nothing: %v", got)
	}
}
