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
	h := s.store.hold()
	calls := []*call{s.start(s.admit(add(0)))}
	commit := await(s, "the commit", h.arrived)
	for n := 1; n < mailbox; n++ {
		calls = append(calls, s.start(s.admit(add(n))))
	}
	// Its deadline is far away, and the commit is held: the answer is at once or never.
	if _, err := s.node.Change(s.admit(add(9))); err != engine.ErrUnavailable {
		t.Errorf("command %d: %v; want %v", mailbox+1, err, engine.ErrUnavailable)
	}
	h.release(commit, fate{})
	for _, c := range calls {
		s.wantError(c, nil)
	}
	s.do(add(10))
	s.want(9, 0)
}

// Spec: Limits. A presumed request that finds it full is counted before it is refused: its
// 503 has the request limit's headers, and beyond the limit it is 429.
func TestAFullMailboxHasAPresumedRequestCountedFirst(t *testing.T) {
	s := newScene(t, func(c *Config) { c.Mailbox = 1 })
	h := s.store.hold()
	first := s.start(s.admit(add(0)))
	commit := await(s, "the commit", h.arrived)
	if _, err := s.node.Change(s.presume(add(1))); err != engine.ErrPresumed {
		t.Errorf("%v; want %v", err, engine.ErrPresumed)
	}
	h.release(commit, fate{})
	s.wantError(first, nil)
}

// Who has the answer has the place in the mailbox back.
func TestAClientAloneNeverFillsTheMailbox(t *testing.T) {
	s := newScene(t, func(c *Config) { c.Mailbox = 1 })
	for n := range 500 {
		if _, err := s.node.Change(s.admit(add(1))); err != nil {
			t.Fatalf("command %d: %v", n, err)
		}
	}
}

func TestAPlaceInTheMailboxIsFreeBeforeTheAnswerIsTaken(t *testing.T) {
	s := newScene(t)
	m := &machine[*commerce.Cart]{entry: &entry[*commerce.Cart]{}}
	m.entry.pending.Store(1)
	w := &waiter[*commerce.Cart]{woken: make(chan wakeup)} // nobody takes it yet
	go m.finish(&request[*commerce.Cart]{waiter: w}, answer[*commerce.Cart]{})
	s.eventually("the place is free", func() bool { return m.entry.pending.Load() == 0 })
	await(s, "the answer", w.woken)
}

// sweepAt passivates as the directory would at a later time.
func (s *scene) sweepAt(later time.Duration) {
	d := s.node.directory
	for i := range d.shards {
		d.sweep(&d.shards[i], time.Now().Add(later))
	}
}

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
	if loads := s.loading(func() { s.do(add(1)) }); loads != 0 {
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
	node := NewCarts(s.store, Config{Mailbox: 1, Resident: 1, Idle: time.Millisecond, Writer: 2, Logger: config(2).Logger})
	req, err := admit(node, s.store, s.key, add(1), patience)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := node.Change(req); err != nil {
		t.Fatal(err)
	}
	s.eventually("the node holds nothing", func() bool { carts, actors := node.Resident(); return carts+actors == 0 })
	node.Close()
	s.eventually("its goroutines have ended", func() bool { return runtime.NumGoroutine() <= before })
}

// Whoever guesses ids must not fill the memory.
func TestAnUnknownCartTakesNoMemory(t *testing.T) {
	s := newScene(t)
	s.key.ID = testID(0xcb)
	for _, cmd := range []cartCommand{nil, add(1)} {
		req, serve := s.admit(cmd), s.node.Change
		if cmd == nil {
			serve = s.node.Read
		}
		if _, err := serve(req); !sameError(err, commerce.NotFound("Cart", s.key.ID.String())) {
			t.Errorf("answered %v; want a 404", err)
		}
	}
	s.wantResident(1, 1)
}

// protoactor drops what is queued behind a Stop without a word.
func TestAnActorWithPendingRequestsIsNeverStopped(t *testing.T) {
	s := newScene(t, func(c *Config) { c.Resident = 1 })
	h := s.store.hold()
	under := s.start(s.admit(add(1)))
	commit := await(s, "the commit", h.arrived)
	behind := s.start(s.admit(add(2)))
	s.sweepAt(1000 * time.Hour)
	s.create(testID(0xcb)) // there is room for neither: the new cart leaves, which is idle
	s.wantResident(1, 1)
	h.release(commit, fate{})
	s.wantError(under, nil)
	s.wantError(behind, nil)
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
				req, err := admit(s.node, s.store, s.key, add(1), patience)
				if err != nil {
					return err
				}
				if _, err := s.node.Change(req); err != nil {
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
	broken := s.admit((*commerce.AddLine)(nil))
	_, err := s.node.Change(broken)
	if err == nil || err == engine.ErrUnavailable || err == engine.ErrUnknownOutcome {
		t.Errorf("answered %v; want an error of its own, for nothing is known to be well", err)
	}
	if holds(s.node, s.key) {
		t.Error("the node still holds what the panic left behind")
	}
	s.do(add(1))
	s.want(1, 2)
	if got := s.pending(); got != 0 {
		t.Errorf("%d requests are pending; want 0", got)
	}
}

func TestAPanicAnswersEverybodyWhoWaits(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	commit := await(s, "the commit", h.arrived)
	var waiting []*call
	for _, cmd := range []cartCommand{add(2), nil, add(3)} {
		req := s.admit(cmd)
		if cmd == nil {
			req.CartCommand = cartCommand((*commerce.AddLine)(nil))
		}
		waiting = append(waiting, s.start(req))
	}
	h.release(commit, fate{})
	s.wantError(first, nil)
	for i, c := range waiting {
		if _, err := s.wait(c); err == nil || err == engine.ErrUnavailable {
			t.Errorf("command %d was answered %v; want an error", i, err)
		}
	}
	s.do(add(4))
	for product, want := range []int{0, 1, 0, 0, 1} {
		s.want(product, want)
	}
}

func TestRequestsThatGaveUpLeaveNothingBehind(t *testing.T) {
	s := newScene(t)
	before := runtime.NumGoroutine()
	h := s.store.hold()
	first := s.start(s.admit(add(0)))
	commit := await(s, "the commit", h.arrived)
	const clients = 300
	var all []func() error
	for range clients {
		req := within(soon, s.admit(add(1)))
		all = append(all, func() error { _, err := s.node.Change(req); return err })
	}
	for _, err := range atOnce(s, all) {
		if err != engine.ErrUnavailable {
			t.Errorf("answered %v; want %v", err, engine.ErrUnavailable)
		}
	}
	h.release(commit, fate{})
	s.wantError(first, nil)
	s.idle()
	s.want(1, 0)
	s.eventually("the goroutines have ended", func() bool { return runtime.NumGoroutine() <= before+2 })
	s.sweepAt(1000 * time.Hour)
	s.wantResident(0, 0)
}
