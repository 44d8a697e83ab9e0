package actors

import (
	"runtime"

	"github.com/asynkron/protoactor-go/actor"
)

// mailbox is an actor's, as protoactor's own, but scheduled by a mailboxLoop: system
// messages come first, nothing else is handled while it is suspended, one message at a
// time. It allocates nothing once its queues have grown.
type mailbox struct {
	loop    *mailboxLoop
	invoker actor.MessageInvoker

	system, user fifo
	suspended    bool
	// scheduled: it is ready, or a goroutine runs it.
	scheduled bool
}

var _ actor.Mailbox = (*mailbox)(nil)

// throughput is after how many messages an actor lets others run.
const throughput = 300

// RegisterHandlers takes the actor over; the mailboxLoop stands for any dispatcher.
func (b *mailbox) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	b.invoker = invoker
}

// Start has nothing to do.
func (*mailbox) Start() {}

// PostUserMessage queues a message for Receive.
func (b *mailbox) PostUserMessage(message any) { b.post(&b.user, message) }

// PostSystemMessage queues one of protoactor's own.
func (b *mailbox) PostSystemMessage(message any) { b.post(&b.system, message) }

// UserMessageCount is how many messages wait for Receive.
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

// run handles messages until none is left.
func (b *mailbox) run() {
	for !b.drained() {
	}
}

// drained is run until a panic, which is protoactor's to deal with: false.
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

// next takes the next message; nil: there is none, and the mailbox is idle.
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

// fifo is a queue that uses its memory again.
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
