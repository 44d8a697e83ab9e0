package actors

import (
	"testing"
	"testing/synctest"

	"cartd/engine"
)

// apartScene is a scene whose limiter counts before the commit is sent.
func apartScene(t *testing.T) *scene {
	s := newScene(t)
	s.store.apart = true
	return s
}

func (s *scene) presumeAll(n int) []*engine.Request {
	var all []*engine.Request
	for range n {
		all = append(all, s.presume(add(1)))
	}
	return all
}

func TestRequestsCountedBeforeTheirCommitAreToldWhatTheyLeft(t *testing.T) {
	s := apartScene(t)
	s.store.leave(10)
	for i, c := range s.behind(s.presumeAll(5)...) {
		if reply := s.wantError(c, nil); reply.Budget != remaining(10, 9-i) || quantity(reply.Cart, 1) != i+1 {
			t.Errorf("add %d: %+v with %d; want %d remaining", i+1, reply.Budget, quantity(reply.Cart, 1), 9-i)
		}
	}
	s.wantCounted(5)
}

// Whatever becomes of the first sending, the limiter is asked once.
func TestWhatWasCountedBeforeItsCommitIsNotCountedAgain(t *testing.T) {
	for _, f := range []fate{
		{fault: conflict, foreign: add(2)}, {fault: replyLostBeforeCommit}, {fault: replyLostAfterCommit},
	} {
		t.Run(f.fault.String(), func(t *testing.T) {
			s := apartScene(t)
			s.store.leave(5)
			s.store.will(f, f)
			if reply, err := s.node.Change(s.presume(add(1))); err != nil || quantity(reply.Cart, 1) != 1 || reply.Budget != remaining(5, 4) {
				t.Errorf("%+v, %v; want one of product 1, and four more", reply, err)
			}
			s.wantCounted(1)
			s.want(1, 1)
		})
	}
}

// What the limit said is told whatever becomes of the commit.
func TestACountedRequestIsToldItsBudgetWithEveryEnd(t *testing.T) {
	for f, want := range map[fault]error{refusal: engine.ErrUnavailable, replyLostBeforeCommit: engine.ErrUnknownOutcome} {
		t.Run(f.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := apartScene(t)
				s.store.leave(5)
				s.store.always(fate{fault: f})
				if reply, err := s.node.Change(within(soon, s.presume(add(1)))); err != want || reply.Budget != remaining(5, 4) {
					t.Errorf("%+v, %v; want %v, and four more", reply.Budget, err, want)
				}
				s.wantCounted(1)
			})
		})
	}
}

// Those beyond are not counted, and whether the limit is another one an admission tells.
func TestRequestsBeyondALimitOfItsOwnAreAdmittedInFull(t *testing.T) {
	s := apartScene(t)
	s.store.leave(2)
	for i, c := range s.behind(s.presumeAll(5)...) {
		if i >= 2 {
			if reply := s.wantError(c, engine.ErrPresumed); reply.Budget != (engine.Budget{}) {
				t.Errorf("add %d: %+v; want nothing counted", i+1, reply.Budget)
			}
			continue
		}
		if reply := s.wantError(c, nil); reply.Budget != remaining(2, 1-i) || quantity(reply.Cart, 1) != i+1 {
			t.Errorf("add %d: %+v with %d", i+1, reply.Budget, quantity(reply.Cart, 1))
		}
	}
	s.wantCounted(2)
	s.want(1, 2)
}

// What an admission has to answer after all is told that it was counted.
func TestARefusalBehindTheCountIsAdmittedWithoutBeingCountedAgain(t *testing.T) {
	s := apartScene(t)
	s.do(add(1))
	s.store.leave(5)
	s.store.will(fate{fault: conflict, foreign: remove(1)})
	reply, err := s.node.Change(s.presume(setQuantity(1, 3)))
	if err != engine.ErrPresumed || reply.Budget != remaining(5, 4) {
		t.Errorf("%+v, %v; want it counted and for an admission", reply, err)
	}
	req := s.presume(add(1))
	s.store.supersede()
	if reply, err := s.node.Change(req); err != engine.ErrPresumed || reply.Budget != remaining(5, 3) {
		t.Errorf("of another store: %+v, %v", reply, err)
	}
	s.wantCounted(2)
}
