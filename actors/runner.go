package actors

import "sync"

// runner has actors run by whoever has just sent them something, on that goroutine:
// an actor never waits, and nobody has to be woken for it. Every Send and Stop is
// followed by run, outside every lock.
type runner struct {
	mu    sync.Mutex // guards the mailboxes' own fields, too
	ready []*mailbox
}

// run lets every actor run that is ready, unless somebody else has taken it.
func (r *runner) run() (ran bool) {
	for b := r.take(); b != nil; b = r.take() {
		b.run()
		ran = true
	}
	return ran
}

// take returns a mailbox that nobody works off; nil: there is none.
func (r *runner) take() *mailbox {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.ready) - 1
	if last < 0 {
		return nil
	}
	b := r.ready[last]
	r.ready[last] = nil
	r.ready = r.ready[:last]
	return b
}
