package actors

import "sync"

// mailboxLoop runs actors on the goroutine that has just sent to them. An actor never waits, and no
// other goroutine has to be woken for it. Each Send and Stop is followed by run, outside every
// lock.
type mailboxLoop struct {
	mu    sync.Mutex // guards the mailboxes' own fields, too
	ready []*mailbox
}

// run runs every ready actor, unless another goroutine runs it.
func (r *mailboxLoop) run() (ran bool) {
	for b := r.pop(); b != nil; b = r.pop() {
		b.run()
		ran = true
	}
	return ran
}

// pop returns a mailbox that is ready and that no goroutine runs; nil if there is none.
func (r *mailboxLoop) pop() *mailbox {
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
