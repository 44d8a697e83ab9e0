package actors

import (
	"runtime"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// mailbox holds the messages of one actor. A goroutine that posts a message then calls run, outside every
// lock, and handles the messages itself unless another goroutine is handling them already. An actor never
// waits, so no goroutine has to be woken for it.
type mailbox struct {
	invoker actor.MessageInvoker
	// ending runs the actor after protoactor's last message.
	ending *endings

	mu      sync.Mutex
	system  []any // protoactor's messages, ahead of the others
	user    []any
	running bool // a goroutine handles messages
	// started is true after protoactor's first message: a caller's message follows that one.
	started   bool
	suspended bool // by protoactor: only its messages are handled
}

var _ actor.Mailbox = (*mailbox)(nil)

// RegisterHandlers, Start, PostUserMessage, PostSystemMessage and UserMessageCount are part of
// actor.Mailbox. protoactor's dispatcher is not used.
func (m *mailbox) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	m.invoker = invoker
}

func (m *mailbox) Start() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.started = true
}

func (m *mailbox) PostUserMessage(message any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.user = append(m.user, message)
}

func (m *mailbox) PostSystemMessage(message any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.system = append(m.system, message)
	if m.started {
		m.ending.add(m)
	}
}

func (m *mailbox) UserMessageCount() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.user)
}

// maxTurn is the number of messages after which a goroutine that runs an actor lets others run.
const maxTurn = 300

// run handles the messages, unless another goroutine does. That goroutine sees the messages that are
// posted meanwhile.
func (m *mailbox) run() (ran bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running {
		return false
	}
	m.running = true
	for n := 1; m.hasNext(); n++ {
		m.handleNext()
		if ran = true; n%maxTurn == 0 {
			m.mu.Unlock()
			runtime.Gosched()
			m.mu.Lock()
		}
	}
	m.running = false
	return ran
}

func (m *mailbox) hasNext() bool { return len(m.system) > 0 || len(m.user) > 0 && !m.suspended }

// handleNext handles one message. The lock is held, but not while the actor works.
func (m *mailbox) handleNext() {
	var message any
	isSystem := len(m.system) > 0
	if isSystem {
		message, m.system = shift(m.system)
	} else {
		message, m.user = shift(m.user)
	}
	switch message.(type) {
	case *actor.SuspendMailbox:
		m.suspended = true
		return
	case *actor.ResumeMailbox:
		m.suspended = false
		return
	}
	m.mu.Unlock()
	defer m.mu.Lock()
	defer func() {
		if cause := recover(); cause != nil {
			m.invoker.EscalateFailure(cause, message)
		}
	}()
	if isSystem {
		m.invoker.InvokeSystemMessage(message)
	} else {
		m.invoker.InvokeUserMessage(message)
	}
}

// shift takes the first message out of a queue. An empty queue begins anew, so that an idle actor
// keeps room for one message.
func shift(queue []any) (first any, rest []any) {
	first, queue[0] = queue[0], nil
	if len(queue) > 1 {
		return first, queue[1:]
	}
	return first, queue[:0]
}

// endings are the actors of a shard that protoactor has told to end, inside the directory's lock. run
// follows outside it.
type endings struct {
	mu      sync.Mutex
	mailbox []*mailbox
}

func (e *endings) add(m *mailbox) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.mailbox = append(e.mailbox, m)
}

func (e *endings) run() {
	e.mu.Lock()
	ending := e.mailbox
	e.mailbox = nil
	e.mu.Unlock()
	for _, m := range ending {
		m.run()
	}
}
