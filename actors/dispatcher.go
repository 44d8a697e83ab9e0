package actors

import (
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// dispatcher runs actors on the goroutine that has just sent to them. An actor never waits, and no
// other goroutine has to be woken for it. Each Spawn, Send and Stop is followed by run, outside
// every lock.
type dispatcher struct {
	mu    sync.Mutex
	ready []func() // mailboxes with messages that no goroutine runs
}

var _ actor.Dispatcher = (*dispatcher)(nil)

// Schedule is part of actor.Dispatcher.
func (d *dispatcher) Schedule(mailbox func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ready = append(d.ready, mailbox)
}

// Throughput is the number of messages after which an actor lets others run.
func (*dispatcher) Throughput() int { return 300 }

// run runs every actor with messages, unless another goroutine runs it.
func (d *dispatcher) run() (ran bool) {
	for mailbox := d.pop(); mailbox != nil; mailbox = d.pop() {
		mailbox()
		ran = true
	}
	return ran
}

// pop returns a scheduled mailbox; nil if there is none.
func (d *dispatcher) pop() func() {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := len(d.ready) - 1
	if last < 0 {
		return nil
	}
	mailbox := d.ready[last]
	d.ready[last] = nil
	d.ready = d.ready[:last]
	return mailbox
}
