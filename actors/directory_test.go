package actors

import (
	"runtime"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

func TestAFullMailboxRefusesAtOnce(t *testing.T) {
	const mailbox = 4
	s := newScene(t, func(c *Config) { c.Mailbox = mailbox })
	first, h := s.halting(s.request(add(0)))
	calls := []*call{first}
	for n := 1; n < mailbox; n++ {
		calls = append(calls, s.start(s.request(add(n))))
	}
	// Its deadline is far away, and the visit is halted: the answer is at once or never.
	s.wantChange(s.request(add(9)), engine.MailboxFull)
	h.let(fate{})
	for _, c := range calls {
		s.wantError(c, nil)
	}
	s.do(add(10))
	s.want(9, 0)
}

func TestTheMailboxHasRoomWhenTheAnswerIsSent(t *testing.T) {
	s := newScene(t)
	m := &recordActor[*commerce.Cart]{entry: &entry[*commerce.Cart]{}}
	m.entry.pending.Store(1)
	c := newCaller[*commerce.Cart]().(*caller[*commerce.Cart])
	c.Answer()
	c.Answer() // there is no room for another one
	go m.finish(&request[*commerce.Cart]{caller: c}, answer[*commerce.Cart]{})
	s.eventually("nothing is pending", func() bool { return m.entry.pending.Load() == 0 })
	for range 3 {
		s.eventually("the answer", c.Answered)
	}
}

// sweepAt passivates idle carts as at a later time.
func (s *scene) sweepAt(later time.Duration) { sweepAll(s.node.directory, later) }

func (s *scene) wantResident(carts, actors int) {
	s.Helper()
	if c, a := s.node.Resident(); c != carts || a != actors {
		s.Errorf("%d carts in memory, %d of them with an actor; want %d, %d", c, a, carts, actors)
	}
}

func TestAnIdleActorStopsAndItsRecordLeavesLater(t *testing.T) {
	const idle = time.Hour
	s := newScene(t, func(c *Config) { c.Idle = idle })
	s.do(add(1))
	s.sweepAt(idle / 2)
	s.wantResident(1, 1)
	s.sweepAt(2 * idle)
	s.wantResident(1, 0)
	s.do(add(1))
	if loads, _, _ := s.storage.counts(); loads != 0 {
		t.Errorf("%d loads after its actor stopped; want 0, for the record is in memory", loads)
	}
	s.wantResident(1, 1)
	s.sweepAt((stays + 3) * idle)
	s.wantResident(0, 0)
	s.do(add(1))
	s.wantResident(1, 1)
	s.want(1, 3)
}

func TestTheDirectoryPassivatesByItselfUntilItIsClosed(t *testing.T) {
	s := newScene(t)
	before := runtime.NumGoroutine()
	c := config(2)
	c.Mailbox, c.Resident, c.Idle = 1, 1, time.Millisecond
	node := &testNode{Carts: NewCarts(s.storage, c), storage: s.storage}
	node.engine = engine.New(node, node.Carts, nil, nil, nil, nil, nil)
	node.learn(nil)
	if _, err := node.change(node.request(s.key.ID, add(1), nil)); err != nil {
		t.Fatal(err)
	}
	s.eventually("the node holds nothing", func() bool { carts, actors := node.Resident(); return carts+actors == 0 })
	node.Close()
	s.eventually("its goroutines have ended", func() bool { return runtime.NumGoroutine() <= before })
}

// Guessed ids do not fill the memory: a read keeps nothing, a write only an idle actor.
func TestAnUnknownCartTakesNoMemory(t *testing.T) {
	s := newScene(t)
	s.key.ID = testID(0xcb)
	if _, err := s.node.read(s.key.ID, patience); !sameError(err, s.missingCart()) {
		t.Errorf("answered %v; want a 404", err)
	}
	s.wantResident(1, 1)
	s.wantChange(s.request(add(1)), s.missingCart())
	s.sweepAt(2 * time.Hour)
	s.wantResident(1, 0)
}

// protoactor silently drops messages queued after a Stop.
func TestAnActorWithPendingRequestsIsNeverStopped(t *testing.T) {
	s := newScene(t, func(c *Config) { c.Resident = 1 })
	under, h := s.halting(s.request(add(1)))
	queued := s.start(s.request(add(2)))
	s.sweepAt(1000 * time.Hour)
	s.create(testID(0xcb)) // there is room for neither: the new cart leaves, which is idle
	s.wantResident(1, 1)
	h.let(fate{})
	s.wantError(under, nil)
	s.wantError(queued, nil)
	s.want(2, 1)
}

func TestStoppingAndServingDoNotRace(t *testing.T) {
	s := newScene(t, func(c *Config) { c.Resident = 1 })
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				s.sweepAt(5 * time.Hour)
				runtime.Gosched()
			}
		}
	}()
	const clients, each = 8, 50
	var all []func() error
	for range clients {
		all = append(all, func() error {
			for range each {
				if _, err := s.node.change(s.request(add(1))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, err := range atOnce(s, all) {
		if err != nil {
			t.Error(err)
		}
	}
	close(stop)
	await(s, "the end of the sweeps", stopped)
	s.want(1, clients*each)
}

func TestAPanicIsAnErrorAndTheActorGoesOn(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	_, err := s.node.change(s.request((*commerce.AddLine)(nil)))
	if err == nil || err == engine.ErrUnavailable || err == engine.ErrUnknownOutcome {
		t.Errorf("answered %v; want an error of its own, for nothing is known to be well", err)
	}
	if s.node.Known(s.key) != nil {
		t.Error("the node still has the state after the panic")
	}
	s.do(add(1))
	s.want(1, 2)
	if got := s.pending(); got != 0 {
		t.Errorf("%d requests are pending; want 0", got)
	}
}

// After a panic the outcome of a sent visit stays unknown: its commands are 504.
func TestAPanicAnswersSentCommandsWith504(t *testing.T) {
	s := newScene(t)
	sent, h := s.halting(s.request(add(1)))
	d := s.node.directory
	shard := d.shard(s.key)
	shard.mu.Lock()
	box := shard.entries[s.key].box
	shard.mu.Unlock()
	box.PostUserMessage((*visitBatch[*commerce.Cart])(nil)) // its outcome is read
	box.run()
	s.wantError(sent, engine.ErrUnknownOutcome)
	s.do(add(2))
	h.let(fate{})
	s.do(add(3))
	s.want(1, 0)
	s.want(3, 1)
}

func TestRequestsThatGaveUpAreFreed(t *testing.T) {
	s := newScene(t)
	before := runtime.NumGoroutine()
	first, h := s.halting(s.request(add(0)))
	const clients = 300
	var all []func() error
	for range clients {
		r := within(soon, s.request(add(1)))
		all = append(all, func() error { _, err := s.node.change(r); return err })
	}
	for _, err := range atOnce(s, all) {
		if err != engine.ErrUnavailable {
			t.Errorf("answered %v; want %v", err, engine.ErrUnavailable)
		}
	}
	h.let(fate{})
	s.wantError(first, nil)
	s.idle()
	s.want(1, 0)
	s.eventually("the goroutines have ended", func() bool { return runtime.NumGoroutine() <= before+2 })
	s.sweepAt(1000 * time.Hour)
	s.wantResident(0, 0)
}
