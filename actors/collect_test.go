package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// missing is the refusal of a product whose line does not exist.
func missing(product int) error { return commerce.NotFound("CartLine", testID(product).String()) }

// adds are so many adds of one product.
func adds(n int) (all []cartCommand) {
	for range n {
		all = append(all, add(1))
	}
	return all
}

// The last change has the record's version, the others one of their own.
func TestEachCommandOfAVisitIsAnsweredWithItsOwnState(t *testing.T) {
	s := newScene(t)
	stamp, indexes := engine.Stamp{}, map[int]bool{}
	for i, c := range s.together(fate{}, adds(maxVisited)...) {
		reply := s.wantError(c, nil)
		if got := quantity(reply.Cart, 1); got != i+1 {
			t.Errorf("add %d was answered with a quantity of %d", i+1, got)
		}
		if last := i == maxVisited-1; (reply.CommitIndex == 0) != last {
			t.Errorf("add %d has the commit index %d; 0 is for the last one only", i+1, reply.CommitIndex)
		}
		if i > 0 && reply.Stamp != stamp {
			t.Errorf("add %d has the stamp %v; want %v, for there was one visit", i+1, reply.Stamp, stamp)
		}
		stamp, indexes[reply.CommitIndex] = reply.Stamp, true
	}
	if len(indexes) != maxVisited || s.storage.record(s.key).Stamp != stamp {
		t.Errorf("%d commit indexes, the record has the stamp %v; want %d, %v", len(indexes), s.storage.record(s.key).Stamp, maxVisited, stamp)
	}
	if got := s.storage.commits(nodeWriter); got != 3 {
		t.Errorf("%d commits for a creation, an add and the adds collected after it; want 3", got)
	}
}

// The work of one script is bounded.
func TestAVisitAnswersABoundedNumberOfRequests(t *testing.T) {
	s := newScene(t)
	for _, c := range s.together(fate{}, adds(2*maxVisited+1)...) {
		s.wantError(c, nil)
	}
	s.want(1, 2*maxVisited+1)
	if got := s.storage.commits(nodeWriter); got != 5 {
		t.Errorf("%d commits for a creation, an add and %d more adds; want 5", got, 2*maxVisited+1)
	}
}

func TestAnAddAndTheRemovalOfItsLineInOneVisit(t *testing.T) {
	for _, f := range []fate{{}, overtake, {fault: requestLost}, {fault: replyLost}} {
		t.Run(f.fault.String(), func(t *testing.T) {
			s := newScene(t)
			calls := s.together(f, add(1), remove(1), remove(1), addMany(1, 3))
			for i, want := range []int{1, 0, 0, 3} {
				err := error(nil)
				if i == 2 {
					err = missing(1)
				}
				if got := quantity(s.wantError(calls[i], err).Cart, 1); got != want {
					t.Errorf("command %d is answered with %d; want %d", i+1, got, want)
				}
			}
			s.want(1, 3)
			if got := len(s.storage.record(s.key).State.Lines); got != 2+s.storage.commits(foreignWriter) {
				t.Errorf("%d lines", got)
			}
		})
	}
}

// A refusal by uncommitted state would be wrong if the visit failed.
func TestARefusalOfUncommittedStateWaitsForTheVisit(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	calls, h := s.whileHalted(s.request(remove(1)), s.request(setQuantity(1, 5)))
	if got := s.pending(); got != 2 {
		t.Errorf("%d commands wait for the visit; want the removal and the refusal that rests on it", got)
	}
	h.let(fate{})
	s.wantError(calls[0], nil)
	s.wantError(calls[1], missing(1))
}

func TestARefusalOfUncommittedStateIsJudgedAgainAfterAConflict(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	s.shop.Policy.MaxLines = 3
	// The fourth line is one too many, until another node removes the first.
	for _, c := range s.together(fate{fault: conflict, foreign: remove(1)}, add(3), add(4)) {
		s.wantError(c, nil)
	}
	s.want(1, 0)
	s.want(4, 1)
}

func TestAfterAConflictTheOldOrderHolds(t *testing.T) {
	s := newScene(t)
	first, h := s.halting(s.request(add(1)))
	calls := []*call{first}
	for range 5 {
		calls = append(calls, s.start(s.request(add(1))))
	}
	h.let(overtake)
	for i, c := range calls {
		if got := quantity(s.wantError(c, nil).Cart, 1); got != i+1 {
			t.Errorf("add %d was answered with a quantity of %d", i+1, got)
		}
	}
}

// A command that exceeds a limit of the cart is refused alone. The others in its visit are
// done.
func TestOnlyTheCommandBeyondALimitIsRefused(t *testing.T) {
	s := newScene(t)
	s.shop.Policy.MaxLines = 3
	calls := s.together(fate{}, add(0), add(1), add(2), addMany(1, 4), remove(0), add(3))
	for i, want := range []error{nil, nil, commerce.LineLimitReached, nil, nil, nil} {
		reply := s.wantError(calls[i], want)
		if want != nil && len(reply.Cart.Lines) != 3 {
			t.Errorf("the refused add is answered with %d lines, want 3", len(reply.Cart.Lines))
		}
	}
	for product, want := range []int{0, 5, 0, 1} {
		s.want(product, want)
	}
}
