package actors

import "sync"

// runner has actors run by whoever has just sent them something, on that goroutine:
// an actor never waits, and nobody has to be woken for it. Every Send and Stop is
// followed by run, outside every lock.
type runner struct {
	mu    sync.Mutex
	ready []func()
}

// throughput is after how many messages an actor lets others run.
const throughput = 300

// Schedule notes that an actor has something to do. Together with Throughput it makes
// the runner a dispatcher of protoactor's.
func (r *runner) Schedule(fn func()) {
	r.mu.Lock()
	r.ready = append(r.ready, fn)
	r.mu.Unlock()
}

// Throughput is how many messages an actor handles in a row.
func (*runner) Throughput() int { return throughput }

// run lets every actor run that is ready, unless somebody else has taken it.
func (r *runner) run() {
	for {
		r.mu.Lock()
		n := len(r.ready)
		if n == 0 {
			r.mu.Unlock()
			return
		}
		fn := r.ready[n-1]
		r.ready[n-1] = nil
		r.ready = r.ready[:n-1]
		r.mu.Unlock()
		fn()
	}
}
