package bench

import (
	"math"
	"time"
)

// sketch is a distribution of latencies for the curves over time: eight steps for each doubling from a
// microsecond to ten minutes, so that a value is exact to 5 %. A run has one for each connection and
// slice of time, where a histogram of three digits would take a hundred times the memory.
type sketch [sketchSize]uint32

const (
	sketchSteps = 8
	sketchSize  = 30*sketchSteps + 1
)

func (c *sketch) add(d time.Duration) {
	step := math.Log2(max(1, float64(d)/microsecond)) * sketchSteps
	c[min(int(step), sketchSize-1)]++
}

func (c *sketch) merge(other *sketch) {
	for i, n := range other {
		c[i] += n
	}
}

// percentile is the middle of the step that holds the percentile, 0 if the distribution is empty.
func (c *sketch) percentile(p float64) time.Duration {
	var all uint64
	for _, n := range c {
		all += uint64(n)
	}
	rank := max(1, uint64(math.Ceil(float64(all)*p/100)))
	for i, n := range c {
		if rank <= uint64(n) {
			return time.Duration(math.Exp2((float64(i)+0.5)/sketchSteps) * microsecond)
		}
		rank -= uint64(n)
	}
	return 0
}
