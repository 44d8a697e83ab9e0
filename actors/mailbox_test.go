package actors

import (
	"sync"
	"testing"
)

// Each sender runs the actor, one at a time, and every message is handled.
func TestManySendersShareAnActor(t *testing.T) {
	const senders, each = 8, 2000
	box, p := &mailbox{}, &tallying{last: map[int]int{}}
	box.RegisterHandlers(p, nil)
	var all sync.WaitGroup
	for s := range senders {
		all.Go(func() {
			for n := range each {
				box.PostUserMessage([2]int{s, n})
				box.run()
			}
		})
	}
	all.Wait()
	if p.heard != senders*each || p.disorder > 0 {
		t.Errorf("%d messages, %d of them out of order; want %d, 0", p.heard, p.disorder, senders*each)
	}
}

// tallying counts the messages of each sender; the race detector sees two at a time.
type tallying struct {
	last            map[int]int
	heard, disorder int
}

func (*tallying) InvokeSystemMessage(any)  {}
func (*tallying) EscalateFailure(_, _ any) {}

func (p *tallying) InvokeUserMessage(m any) {
	message := m.([2]int)
	if p.heard++; message[1] != p.last[message[0]] {
		p.disorder++
	}
	p.last[message[0]] = message[1] + 1
}
