package actors

import "sync"

// mailboxLoop runs actors on the goroutine that has just sent to them. An actor never waits, and no
// other goroutine has to be woken for it. Each Send and Stop is followed by run, outside every
// lock.
type mailboxLoop struct {
	mu    sync.Mutex // guards the mailboxes' own fields, too
	ready []*mailbox
}

// run runs every ready actor, unless another goroutine has taken it.
func (r *mailboxLoop) run() (ran bool) {
	for b := r.take(); b != nil; b = r.take() {
		b.run()
		ran = true
	}
	return ran
}

// take returns a mailbox that is ready and that no goroutine runs; nil if there is none.
func (r *mailboxLoop) take() *mailbox {
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
