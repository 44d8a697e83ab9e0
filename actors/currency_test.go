package actors

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// An actor may answer from memory only what the store held after the request began.
func TestWhatIsInMemoryIsCurrent(t *testing.T) {
	at := func(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }
	stamp := func(counter, writer, sequence uint64) engine.Stamp {
		return engine.Stamp{Counter: counter, Writer: writer, Sequence: sequence}
	}
	other, mine := stamp(4, 9, 70), func(n uint64) engine.Stamp { return stamp(4+n, 1, 20+n) }
	// Memory took over the other node's record and committed twice since.
	chain := memory[*commerce.Cart]{
		record: &engine.CartRecord{Stamp: mine(2)}, asOf: at(200),
		base: other, first: mine(1).Sequence, acked: at(300),
	}
	adopted := memory[*commerce.Cart]{}
	adopted.adopt(&engine.CartRecord{Stamp: mine(2)}, at(200))
	published := memory[*commerce.Cart]{}
	published.adopt(&engine.CartRecord{Stamp: mine(2)}, time.Time{})

	for _, c := range []struct {
		rule   string
		memory memory[*commerce.Cart]
		seen   engine.Stamp
		began  int
		want   bool
	}{
		{"nothing is known", memory[*commerce.Cart]{}, engine.Stamp{}, 0, false},
		{"the same stamp", published, mine(2), 400, true},
		{"the same counter of another writer", published, stamp(6, 9, 71), 400, false},
		{"a smaller counter in the store proves nothing", adopted, mine(1), 400, false},
		{"a greater counter in the store", adopted, stamp(7, 9, 72), 400, false},
		{"no record in the store", adopted, engine.Stamp{}, 400, false},
		{"known since after the request began", adopted, stamp(7, 9, 72), 200, true},
		{"known since before the request began", adopted, stamp(7, 9, 72), 201, false},
		{"what a stopped actor left is of no known time", published, mine(1), 0, false},
		{"replaced by own commits since the request began", chain, other, 300, true},
		{"replaced by the second of them", chain, mine(1), 300, true},
		{"replaced by own commits before the request began", chain, mine(1), 301, false},
		{"replaced, but by what", chain, stamp(3, 9, 69), 300, false},
		{"an own commit from before the chain", chain, mine(0), 300, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := &request[*commerce.Cart]{seen: engine.Sighting[*commerce.Cart]{Stamp: c.seen}, began: at(c.began), Request: &engine.Request{Deadline: at(9999)}}
			if got := c.memory.current(r); got != c.want {
				t.Errorf("%v in memory, %v seen by a request of %d ms: current %v; want %v",
					c.memory.record.Stamp, c.seen, c.began, got, c.want)
			}
		})
	}
}

// loading counts the loads that an action takes.
func (s *scene) loading(action func()) int {
	before, _ := s.store.counts()
	action()
	after, _ := s.store.counts()
	return after - before
}

func TestARequestAdmittedBeforeOwnCommitsNeedsNoLoad(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	early := s.admit(add(2))
	s.do(add(3))
	s.do(add(4))
	if loads := s.loading(func() {
		if _, err := s.node.Change(early); err != nil {
			t.Error(err)
		}
	}); loads != 0 {
		t.Errorf("%d loads; want 0", loads)
	}
	s.want(2, 1)
	s.want(4, 1)
}

func TestAChangeByAnotherNodeIsLoaded(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	s.store.write(s.key, add(1), nobody)
	var reply engine.Reply
	if loads := s.loading(func() { reply = s.do(add(1)) }); loads != 1 {
		t.Errorf("%d loads; want 1", loads)
	}
	if got := quantity(reply.Cart, 1); got != 3 {
		t.Errorf("answered with a quantity of %d; want 3", got)
	}
}

// Memory has the greater counter, and the store is right: it lost a tail.
func TestANodeReloadsWhatTheStoreHasRolledBack(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	s.do(add(2))
	s.do(add(3))
	s.store.restoreBackup(s.key)
	s.store.restoreBackup(s.key)
	reply := s.do(add(4))
	for product, want := range []int{0, 1, 0, 0, 1} {
		if got := quantity(reply.Cart, product); got != want {
			t.Errorf("answered with %d of product %d; want %d", got, product, want)
		}
		s.want(product, want)
	}
}

func TestAReadShowsWhatTheStoreHasRolledBackTo(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	s.do(add(2))
	s.store.restoreBackup(s.key)
	reply, err := s.node.Read(s.admit(nil))
	if err != nil || quantity(reply.Cart, 1) != 1 || quantity(reply.Cart, 2) != 0 {
		t.Errorf("read %+v, %v; want the cart without product 2", reply.Cart, err)
	}
	if want := s.store.record(s.key).Stamp; reply.Stamp != want {
		t.Errorf("read at %v; want %v", reply.Stamp, want)
	}
}

// A commit is the store's state when it is applied, not when its reply comes.
func TestALateReplyDoesNotHideWhatAnotherNodeCommittedMeanwhile(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	commit := await(s, "the commit", h.arrived)
	reply := s.store.apply(commit)
	s.store.write(s.key, add(2), nobody)
	read := s.start(s.admit(nil))
	commit.Done(reply)
	s.wantError(first, nil)
	if got := s.wantError(read, nil).Cart; quantity(got, 1) != 1 || quantity(got, 2) != 1 {
		t.Errorf("read %+v; want the other node's line too", got)
	}
}

// A read is answered from its own sighting, and leaves a newer state alone.
func TestAnOlderReadDoesNotReplaceWhatAnActorHolds(t *testing.T) {
	s := newScene(t)
	cold := NewCarts(s.store, config(2))
	t.Cleanup(cold.Close)
	read, err := admit(cold, s.store, s.key, nil, patience)
	if err != nil || read.Cart.Record == nil {
		t.Fatalf("admission %+v, %v; want the whole record", read.Cart, err)
	}
	s.node = cold
	s.do(add(1))
	if reply, err := cold.Read(read); err != nil || reply.Stamp != read.Cart.Stamp {
		t.Errorf("read at %v, %v; want %v", reply.Stamp, err, read.Cart.Stamp)
	}
	if got, want := cold.directory.published(s.key).Stamp, s.store.record(s.key).Stamp; got != want {
		t.Errorf("the node shows %v; want %v", got, want)
	}
}

// Another history may have come as far as ours: the counters are the same then.
func TestANodeReloadsAnotherHistoryOfTheSameLength(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	s.store.restoreBackup(s.key)
	s.store.write(s.key, add(2), nobody)
	s.do(add(3))
	s.want(1, 0)
	s.want(2, 1)
	s.want(3, 1)
}

func TestANodeForgetsARecordThatTheStoreHasLost(t *testing.T) {
	missing := commerce.NotFound("Cart", cartID.String())
	for _, c := range []struct {
		when string
		lose func(s *scene) *engine.Request
	}{
		{"before the admission", func(s *scene) *engine.Request {
			s.store.lose(s.key)
			return s.admit(add(2))
		}},
		{"after the admission", func(s *scene) *engine.Request {
			req := s.admit(add(2))
			s.store.lose(s.key)
			return req
		}},
		{"and it never was in memory", func(s *scene) *engine.Request {
			s.key.ID = testID(0xcb)
			return s.admit(add(2))
		}},
	} {
		t.Run(c.when, func(t *testing.T) {
			s := newScene(t)
			s.do(add(1))
			req := c.lose(s)
			want := *missing
			if s.key.ID != cartID {
				want = *commerce.NotFound("Cart", s.key.ID.String())
			}
			if _, err := s.node.Change(req); !sameError(err, &want) {
				t.Errorf("answered %v; want %v", err, &want)
			}
			if holds(s.node, s.key) {
				t.Error("the node still holds the cart")
			}
			if record := s.store.record(s.key); !record.Stamp.Zero() {
				t.Errorf("the cart is back, as %v: a missing record is never new", record.Stamp)
			}
			if _, err := s.node.Change(s.admit(add(2))); !sameError(err, &want) {
				t.Errorf("the next one was answered %v; want %v", err, &want)
			}
		})
	}
}

func TestAReadOfWhatIsInMemoryDoesNotVisitTheActor(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	h := s.store.hold()
	under := s.start(s.admit(add(2)))
	commit := await(s, "the commit", h.arrived)
	// The actor is busy, and would answer nothing before the commit is released.
	reply, err := s.node.Read(s.admit(nil))
	if err != nil || quantity(reply.Cart, 1) != 1 || quantity(reply.Cart, 2) != 0 {
		t.Errorf("read %+v, %v; want the committed state", reply.Cart, err)
	}
	if want := s.store.record(s.key).Stamp; reply.Stamp != want || reply.Place != 0 {
		t.Errorf("read at %v, place %d; want %v, 0", reply.Stamp, reply.Place, want)
	}
	h.release(commit, fate{})
	s.wantError(under, nil)
}

func TestAReadOfAColdCartStartsNoActor(t *testing.T) {
	s := newScene(t)
	cold := NewCarts(s.store, config(2))
	t.Cleanup(cold.Close)
	for _, whole := range []bool{true, false} {
		req, err := admit(cold, s.store, s.key, nil, patience)
		if err != nil {
			t.Fatal(err)
		}
		if (req.Cart.Record != nil) != whole {
			t.Fatalf("the admission read the whole record: %v; want %v", !whole, whole)
		}
		var reply engine.Reply
		if loads := s.loading(func() { reply, err = cold.Read(req) }); err != nil || loads != 0 {
			t.Errorf("Read: %v after %d loads; want an answer after none", err, loads)
		}
		if reply.Cart == nil || reply.Cart.ID != cartID {
			t.Errorf("read %+v", reply.Cart)
		}
		if carts, actors := cold.Resident(); carts != 1 || actors != 0 {
			t.Errorf("%d carts in memory, %d actors; want 1, 0", carts, actors)
		}
	}
}

func TestAReadOfWhatAnotherNodeChangedIsLoaded(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	s.store.write(s.key, add(2), nobody)
	var reply engine.Reply
	var err error
	if loads := s.loading(func() { reply, err = s.node.Read(s.admit(nil)) }); loads != 1 || err != nil {
		t.Errorf("Read: %v after %d loads; want 1", err, loads)
	}
	if quantity(reply.Cart, 2) != 1 {
		t.Errorf("read %+v; want the other node's line", reply.Cart)
	}
	if loads := s.loading(func() { reply, err = s.node.Read(s.admit(nil)) }); loads != 0 || err != nil {
		t.Errorf("the next Read: %v after %d loads; want 0", err, loads)
	}
}

// Requests are collected in another order than they were admitted in: an older
// sighting of one must not be what a younger one is judged by.
func TestAnOlderSightingDoesNotJudgeAYoungerRequest(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	late := NewCarts(s.store, config(2))
	t.Cleanup(late.Close)
	older, err := admit(late, s.store, s.key, add(3), patience) // the whole record, without product 2
	if err != nil {
		t.Fatal(err)
	}
	s.store.write(s.key, add(2), nobody)
	read, err := admit(late, s.store, s.key, nil, patience)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := late.Read(read); err != nil { // the second node holds product 2 now
		t.Fatal(err)
	}
	s.node = late
	h := s.store.hold()
	first := s.start(s.admit(add(4)))
	commit := await(s, "the commit", h.arrived)
	younger := s.start(s.admit(setQuantity(2, 7)))
	last := s.start(older)
	h.release(commit, fate{fault: refusal})
	s.wantError(first, engine.ErrUnavailable)
	s.wantError(younger, nil)
	s.wantError(last, nil)
	s.want(2, 7)
	s.want(3, 1)
}
