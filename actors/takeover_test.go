package actors

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// behindAnAnswer is a cart to which another node has added a line, and a presumed add to the
// same line that came so long after that node's answer; together they are above the maximum.
func behindAnAnswer(t *testing.T, later time.Duration) (*scene, *engine.Request) {
	t.Helper()
	s := newScene(t)
	s.shop.Policy.MaxQuantityPerLine = 10 * commerce.One
	s.do(add(2))
	s.store.write(s.key, addMany(1, 8), nobody)
	req := s.presume(addMany(1, 8))
	req.Latest = s.store.record(s.key).State.UpdatedAt.Add(later)
	return s, req
}

// Spec: Line behaviour 2. However often the node takes over what another wrote while an
// add is on its way to the actor, the add is no loser of a line that was answered before.
func TestAPresumedAddIsNoLoserOfALineBehindSeveralTakeovers(t *testing.T) {
	for takeovers := 1; takeovers <= 2*mostTakeovers; takeovers++ {
		s, req := behindAnAnswer(t, time.Millisecond)
		s.store.skip(time.Second)
		for range takeovers {
			s.store.write(s.key, add(3), nobody)
			s.do(add(2)) // takes it over
		}
		if c := s.start(req); !sameError(s.ended(c), engine.ErrPresumed) {
			t.Errorf("behind %d takeovers: %v; want %v", takeovers, c.err, engine.ErrPresumed)
		}
		s.want(1, 8)
	}
}

// Nor where the line is the latest that was taken over, and the node took it over again.
func TestAPresumedAddIsNoLoserOfALineTakenOverTwice(t *testing.T) {
	s, req := behindAnAnswer(t, time.Millisecond)
	s.store.skip(time.Second)
	s.store.write(s.key, add(3), nobody)
	s.do(add(2))
	s.do(add(2)) // an own commit, and
	s.store.write(s.key, add(3), nobody)
	s.do(add(2)) // the next of the other node right behind it
	s.wantError(s.start(req), engine.ErrPresumed)
}

// Nor where no actor ran yet, and a read brought the line to the node.
func TestAPresumedAddIsNoLoserOfALineThatAReadHasBrought(t *testing.T) {
	s := newScene(t)
	s.shop.Policy.MaxQuantityPerLine = 10 * commerce.One
	s.node = NewCarts(s.store, config(nodeWriter+1))
	t.Cleanup(s.node.Close)
	s.readWhole()
	s.store.write(s.key, addMany(1, 8), nobody)
	req := s.presume(addMany(1, 8))
	req.Latest = s.store.record(s.key).State.UpdatedAt.Add(time.Second)
	s.readWhole() // admitted before the node held the cart
	s.wantError(s.start(req), engine.ErrPresumed)
	s.want(1, 8)
}

// Nor where the cart was written by a clock that was ahead, and has its time since.
func TestAPresumedAddIsNoLoserOfALineBehindAClockThatWasAhead(t *testing.T) {
	s := newScene(t)
	s.shop.Policy.MaxQuantityPerLine = 10 * commerce.One
	s.store.skip(time.Hour)
	s.do(add(2))
	s.store.skip(-time.Hour)
	s.store.write(s.key, addMany(1, 8), nobody)
	req := s.presume(addMany(1, 8))
	req.Latest = s.store.record(s.key).State.UpdatedAt.Add(time.Second - time.Hour)
	s.wantError(s.start(req), engine.ErrPresumed)
	s.want(1, 8)
}

// A line of another node that came behind the add makes the add a loser all the same.
func TestAPresumedAddIsALoserOfALaterLineBehindSeveralTakeovers(t *testing.T) {
	s := newScene(t)
	s.shop.Policy.MaxQuantityPerLine = 10 * commerce.One
	s.do(add(2))
	s.store.write(s.key, add(3), nobody)
	s.do(add(2))
	req := s.presume(addMany(1, 8))
	s.store.skip(time.Second)
	s.store.write(s.key, addMany(1, 8), nobody)
	s.do(add(2))
	s.do(add(2))
	if reply, err := s.wait(s.start(req)); err != nil || quantity(reply.Cart, 1) != 10 {
		t.Errorf("%d, %v; want 10", quantity(reply.Cart, 1), err)
	}
}

// readWhole is a read whose admission brings the record.
func (s *scene) readWhole() {
	s.Helper()
	admission, err := s.store.admit(s.key, nil, false)
	if err != nil {
		s.Fatal(err)
	}
	began := time.Now()
	req := &engine.Request{Guards: &engine.Guards{}, Facts: admission, CartID: s.key.ID, Began: began, Deadline: began.Add(patience)}
	if _, err := s.node.Read(req); err != nil {
		s.Fatal(err)
	}
}

// ended returns how a call ended.
func (s *scene) ended(c *call) error {
	s.Helper()
	_, err := s.wait(c)
	return err
}
