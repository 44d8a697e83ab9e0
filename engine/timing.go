package engine

import (
	"slices"
	"sync"
	"time"
)

// Phase is one part of the time that a request took.
type Phase struct {
	Name         string
	Began, Ended time.Time
}

// The phases that the engine and the actors note. A visit is a trip to Redis for the admission or
// the record.
const (
	PhaseJudge = "judge"
	PhaseVisit = "visit"
)

// Timing notes the phases of one request. A nil Timing notes nothing and costs nothing.
type Timing struct {
	mu     sync.Mutex
	phases []Phase
}

// Begin is the beginning of a phase.
func (t *Timing) Begin() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

// End notes a phase that ends now. The request's caller may have left.
func (t *Timing) End(name string, began time.Time) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phases = append(t.phases, Phase{name, began, time.Now()})
}

// Phases returns the phases noted so far, in the order of their ends.
func (t *Timing) Phases() []Phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.phases)
}
