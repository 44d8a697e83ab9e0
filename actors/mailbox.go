package actors

import (
	"runtime"

	"github.com/asynkron/protoactor-go/actor"
)

// mailbox works like protoactor's own, but a mailboxLoop runs it. System messages come first. While
// the mailbox is suspended, only they are handled. One message is handled at a time. It allocates
// nothing once its queues have grown.
type mailbox struct {
	loop    *mailboxLoop
	invoker actor.MessageInvoker

	system, user fifo
	suspended    bool
	// scheduled is true if the mailbox is ready, or a goroutine runs it.
	scheduled bool
}

var _ actor.Mailbox = (*mailbox)(nil)

// throughput is the number of messages after which an actor lets others run.
const throughput = 300

// RegisterHandlers sets the actor; the mailboxLoop replaces the dispatcher.
func (b *mailbox) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	b.invoker = invoker
}

// Start does nothing.
func (*mailbox) Start() {}

// PostUserMessage queues a message for Receive.
func (b *mailbox) PostUserMessage(message any) { b.post(&b.user, message) }

// PostSystemMessage queues a message of protoactor.
func (b *mailbox) PostSystemMessage(message any) { b.post(&b.system, message) }

// UserMessageCount is the number of messages that wait for Receive.
func (b *mailbox) UserMessageCount() int {
	b.loop.mu.Lock()
	defer b.loop.mu.Unlock()
	return b.user.len()
}

func (b *mailbox) post(queue *fifo, message any) {
	b.loop.mu.Lock()
	defer b.loop.mu.Unlock()
	queue.push(message)
	if !b.scheduled {
		b.scheduled = true
		b.loop.ready = append(b.loop.ready, b)
	}
}

// run handles all messages.
func (b *mailbox) run() {
	for !b.drained() {
	}
}

// drained handles all messages and returns true. After a panic, which it escalates to protoactor,
// it returns false.
func (b *mailbox) drained() bool {
	var message any
	defer func() {
		if reason := recover(); reason != nil {
			b.invoker.EscalateFailure(reason, message)
		}
	}()
	for handled := 1; ; handled++ {
		var system bool
		if message, system = b.next(); message == nil {
			return true
		}
		if system {
			b.invoker.InvokeSystemMessage(message)
		} else {
			b.invoker.InvokeUserMessage(message)
		}
		if handled%throughput == 0 {
			runtime.Gosched()
		}
	}
}

// next takes the next message out of the mailbox. Without one, it returns nil and the mailbox is
// idle.
func (b *mailbox) next() (message any, system bool) {
	b.loop.mu.Lock()
	defer b.loop.mu.Unlock()
	for b.system.len() > 0 {
		switch message := b.system.pop(); message.(type) {
		case *actor.SuspendMailbox:
			b.suspended = true
		case *actor.ResumeMailbox:
			b.suspended = false
		default:
			return message, true
		}
	}
	if !b.suspended && b.user.len() > 0 {
		return b.user.pop(), false
	}
	b.scheduled = false
	return nil, false
}

// fifo is a queue that reuses its memory.
type fifo struct {
	items []any
	first int
}

func (q *fifo) len() int { return len(q.items) - q.first }

func (q *fifo) push(item any) {
	if len(q.items) == cap(q.items) && q.first > len(q.items)/2 {
		kept := copy(q.items, q.items[q.first:])
		clear(q.items[kept:])
		q.items, q.first = q.items[:kept], 0
	}
	q.items = append(q.items, item)
}

func (q *fifo) pop() any {
	item := q.items[q.first]
	q.items[q.first] = nil
	if q.first++; q.first == len(q.items) {
		q.items, q.first = q.items[:0], 0
	}
	return item
}
