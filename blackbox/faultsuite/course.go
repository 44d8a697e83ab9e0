package faultsuite

import (
	"math/rand/v2"
	"sync"
	"time"

	"cartd/blackbox/faultsuite/cluster"
)

// course spreads the things that a run does over its faults.
type course struct {
	storm *Storm // causes the faults
	table []Fault
	pause time.Duration // between two faults
	// The run does this number of things, and has this number of faults.
	things, faultsPlanned int

	calm   chan struct{} // closed at calmAt, when the faults are over and all must come to an end
	calmAt time.Time

	counting *sync.Mutex
	begun    int // things
	faults   int // so far
}

// calmRetries is the time of the repetitions of a request after the last fault.
const calmRetries = 20 * time.Second

func newCourse(c *cluster.Cluster, seed uint64, things, faults int, table []Fault, pause time.Duration) course {
	return course{
		storm: &Storm{began: time.Now(), cluster: c, dice: rand.New(rand.NewPCG(seed, 0))}, table: table, pause: pause, things: things, faultsPlanned: faults,
		calm: make(chan struct{}), counting: new(sync.Mutex),
	}
}

// disturb causes one fault after another. Then all is calm.
func (c *course) disturb() {
	for cards := (&deck{table: c.table}); c.faults < c.faultsPlanned; {
		c.storm.pause(c.pause)
		c.storm.cause(cards.deal(c.storm.dice, true))
		c.counting.Lock()
		c.faults++
		c.counting.Unlock()
	}
	c.calmAt = time.Now()
	close(c.calm)
}

// begin waits until the next thing may be done: they are spread over the faults. It returns false if there is none.
func (c *course) begin() bool {
	for ; ; <-time.After(5 * ms) {
		c.counting.Lock()
		over := c.begun == c.things
		may := c.faults == c.faultsPlanned || c.begun < c.things*(c.faults+1)/(c.faultsPlanned+1)
		if !over && may {
			c.begun++
		}
		c.counting.Unlock()
		if over || may {
			return !over
		}
	}
}

// tooLate reports whether the repetitions of a request that was first sent then must end.
func (c *course) tooLate(first time.Time) bool {
	if !closed(c.calm) {
		return false
	}
	if first.Before(c.calmAt) {
		first = c.calmAt
	}
	return time.Since(first) > calmRetries
}
