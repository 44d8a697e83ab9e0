package actors

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// player is an actor that notes the messages that it handles. The functions in does run while their
// message is handled.
type player struct {
	box   actor.Mailbox
	heard []string
	does  map[string]func()
}

func (p *player) InvokeSystemMessage(m any) { p.hear("system", m) }
func (p *player) InvokeUserMessage(m any)   { p.hear("user", m) }

func (p *player) EscalateFailure(reason, m any) {
	p.heard = append(p.heard, fmt.Sprintf("failed %v %v", m, reason))
	p.box.PostSystemMessage(&actor.SuspendMailbox{})
}

func (p *player) hear(kind string, m any) {
	p.heard = append(p.heard, fmt.Sprint(kind, " ", m))
	if does := p.does[fmt.Sprint(m)]; does != nil {
		does()
	}
}

// later is a dispatcher that runs a mailbox on demand.
type later struct{ ready []func() }

func (l *later) Schedule(run func()) { l.ready = append(l.ready, run) }
func (*later) Throughput() int       { return throughput }

func (l *later) run() {
	for len(l.ready) > 0 {
		run := l.ready[0]
		l.ready = l.ready[1:]
		run()
	}
}

// eachMailbox plays a scene with protoactor's mailbox and with ours.
func eachMailbox(t *testing.T, play func(p *player, run func()), want ...string) {
	t.Helper()
	theirs, ours := &later{}, &mailboxLoop{}
	for _, c := range []struct {
		name string
		box  actor.Mailbox
		run  func()
	}{{"protoactor's", actor.Unbounded()(), theirs.run}, {"ours", &mailbox{loop: ours}, func() { ours.run() }}} {
		p := &player{box: c.box, does: map[string]func(){}}
		c.box.RegisterHandlers(p, theirs)
		c.box.Start()
		play(p, c.run)
		c.run()
		if !slices.Equal(p.heard, want) {
			t.Errorf("%s mailbox: %q; want %q", c.name, p.heard, want)
		}
		if n := c.box.UserMessageCount(); n != 0 {
			t.Errorf("%s mailbox: %d messages are left", c.name, n)
		}
	}
}

func TestSystemMessagesComeFirst(t *testing.T) {
	eachMailbox(t, func(p *player, _ func()) {
		p.does["b"] = func() { p.box.PostUserMessage("d"); p.box.PostSystemMessage("2") }
		p.box.PostUserMessage("a")
		p.box.PostUserMessage("b")
		p.box.PostUserMessage("c")
		p.box.PostSystemMessage("1")
	}, "system 1", "user a", "user b", "system 2", "user c", "user d")
}

func TestASuspendedMailboxHandlesOnlySystemMessages(t *testing.T) {
	eachMailbox(t, func(p *player, run func()) {
		p.box.PostSystemMessage(&actor.SuspendMailbox{})
		p.box.PostUserMessage("a")
		run()
		p.box.PostUserMessage("b")
		p.box.PostSystemMessage("1")
		run()
		p.hear("now", p.box.UserMessageCount())
		p.box.PostSystemMessage(&actor.ResumeMailbox{})
	}, "system 1", "now 2", "user a", "user b")
}

func TestAPanicIsEscalatedToProtoactor(t *testing.T) {
	eachMailbox(t, func(p *player, run func()) {
		p.does["a"] = func() { panic("at work") }
		p.box.PostUserMessage("a")
		p.box.PostUserMessage("b")
		run()
		p.box.PostSystemMessage("1")
		p.box.PostSystemMessage(&actor.ResumeMailbox{})
	}, "user a", "failed a at work", "system 1", "user b")
}

// An actor that never rests: its queue wraps around in the memory that it has.
func TestALongQueueIsHandledInOrder(t *testing.T) {
	const first, all = 50, 5000
	next, want := first, []string(nil)
	for n := range all {
		want = append(want, fmt.Sprint("user ", n))
	}
	box := &mailbox{loop: &mailboxLoop{}}
	p := &player{box: box, does: map[string]func(){}}
	for n := range first {
		box.PostUserMessage(n)
	}
	for n := range all - first {
		p.does[fmt.Sprint(n)] = func() { box.PostUserMessage(next); next++ }
	}
	box.RegisterHandlers(p, nil)
	box.loop.run()
	if !slices.Equal(p.heard, want) {
		t.Errorf("%d messages: %q…; want %d in order", len(p.heard), p.heard[:min(len(p.heard), 9)], all)
	}
	if room := cap(box.user.items); room > 4*first {
		t.Errorf("room for %d messages; want about %d, for no more waited at a time", room, first)
	}
}

// Each sender runs the actor, one at a time, and every message is handled.
func TestManySendersShareAnActor(t *testing.T) {
	const senders, each = 8, 2000
	box := &mailbox{loop: &mailboxLoop{}}
	p := &tallying{last: map[int]int{}}
	box.RegisterHandlers(p, nil)
	var all sync.WaitGroup
	for s := range senders {
		all.Go(func() {
			for n := range each {
				box.PostUserMessage([2]int{s, n})
				box.loop.run()
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

// The alarm stays set for one caller's deadline and must not end the wait of the next caller.
func TestAWaiterIsUsedAgain(t *testing.T) {
	w := newWaiter[int]().(*waiter[int])
	const far = patience
	for _, deadline := range []time.Duration{far, soon, 2 * soon, far} {
		at := time.Now().Add(deadline)
		if deadline == far {
			go func() { w.woken <- answered }()
		}
		why, reusable := w.wait(at)
		if want := wakeup(deadline == far); why != want || reusable != bool(want) {
			t.Errorf("a deadline of %v: answered %v, reusable %v; want %v", deadline, why, reusable, want)
		}
		if why == late && time.Now().Before(at) {
			t.Errorf("a deadline of %v passed too early", deadline)
		}
	}
	w.begin(time.Now()) // its answer comes with the alarm
	w.woken <- answered
	await(&scene{TB: t}, "an alarm", w.woken)
	await(&scene{TB: t}, "the other one", w.woken)
	if w.end() {
		t.Error("reusable, though both came")
	}
}
