package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// whileCommitting holds a first commit, has the actor collect commands meanwhile,
// and lets it go. It returns the calls in the order in which they were collected.
func (s *scene) whileCommitting(commands ...cartCommand) []*call {
	s.Helper()
	h := s.store.hold()
	first := s.start(s.admit(add(15)))
	commit := await(s, "the first commit", h.arrived)
	var calls []*call
	for _, cmd := range commands {
		calls = append(calls, s.start(s.admit(cmd)))
	}
	h.release(commit, fate{})
	s.wantError(first, nil)
	return calls
}

func TestAnActorCollectsWhileItsCommitIsInFlight(t *testing.T) {
	s := newScene(t)
	const adds = 50
	var commands []cartCommand
	for range adds {
		commands = append(commands, add(1))
	}
	for _, c := range s.whileCommitting(commands...) {
		s.wantError(c, nil)
	}
	s.want(1, adds)
	if got := s.store.commits(nodeWriter); got != 3 {
		t.Errorf("%d commits for a creation, an add and %d adds collected behind it; want 3", got, adds)
	}
}

func TestEachCommandIsAnsweredWithItsOwnState(t *testing.T) {
	s := newScene(t)
	const adds = 20
	var commands []cartCommand
	for range adds {
		commands = append(commands, add(1))
	}
	stamp, places := engine.Stamp{}, map[int]bool{}
	for i, c := range s.whileCommitting(commands...) {
		reply := s.wantError(c, nil)
		if got := quantity(reply.Cart, 1); got != i+1 {
			t.Errorf("add %d was answered with a quantity of %d", i+1, got)
		}
		if last := i == adds-1; (reply.Place == 0) != last {
			t.Errorf("add %d has the place %d; 0 is for the last one only", i+1, reply.Place)
		}
		if i > 0 && reply.Stamp != stamp {
			t.Errorf("add %d has the stamp %v; want %v, for there was one commit", i+1, reply.Stamp, stamp)
		}
		stamp, places[reply.Place] = reply.Stamp, true
	}
	if len(places) != adds {
		t.Errorf("%d places for %d commands", len(places), adds)
	}
	if record := s.store.record(s.key); record.Stamp != stamp {
		t.Errorf("the record has the stamp %v; want %v", record.Stamp, stamp)
	}
}

func TestOnlyTheLastSuccessfulCommandOfACommitHasThePlaceZero(t *testing.T) {
	s := newScene(t)
	calls := s.whileCommitting(add(1), add(2), remove(9))
	if got := s.wantError(calls[0], nil).Place; got == 0 {
		t.Error("the first command has the place 0")
	}
	if got := s.wantError(calls[1], nil).Place; got != 0 {
		t.Errorf("the last command that changed something has the place %d; want 0", got)
	}
	s.wantError(calls[2], commerce.NotFound("CartLine", testID(9).String()))
}

// A refusal that rests on what is not committed would be a lie if the commit failed.
func TestARefusalOfUncommittedStateWaitsForTheCommit(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	h := s.store.hold()
	first := s.start(s.admit(add(2)))
	one := await(s, "the first commit", h.arrived)
	removed, changed := s.start(s.admit(remove(1))), s.start(s.admit(setQuantity(1, 5)))
	next := s.store.hold()
	h.release(one, fate{})
	two := await(s, "the second commit", next.arrived)
	if got := s.pending(); got != 2 {
		t.Errorf("%d commands wait for the commit; want the removal and the refusal that rests on it", got)
	}
	next.release(two, fate{})
	s.wantError(first, nil)
	s.wantError(removed, nil)
	s.wantError(changed, commerce.NotFound("CartLine", testID(1).String()))
}

func TestARefusalOfUncommittedStateIsJudgedAgainAfterAConflict(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	s.shop.Policy.MaxLines = 3
	h := s.store.hold()
	first := s.start(s.admit(add(2)))
	one := await(s, "the first commit", h.arrived)
	third, fourth := s.start(s.admit(add(3))), s.start(s.admit(add(4)))
	// The fourth line is one too many, until another node removes the first.
	s.store.will(fate{fault: conflict, foreign: remove(1)})
	h.release(one, fate{})
	s.wantError(first, nil)
	s.wantError(third, nil)
	s.wantError(fourth, nil)
	s.want(1, 0)
	s.want(4, 1)
}

func TestAfterAConflictTheOldOrderHolds(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	calls := []*call{s.start(s.admit(add(1)))}
	commit := await(s, "the commit", h.arrived)
	for range 5 {
		calls = append(calls, s.start(s.admit(add(1))))
	}
	h.release(commit, fate{fault: conflict, foreign: add(2)})
	for i, c := range calls {
		if got := quantity(s.wantError(c, nil).Cart, 1); got != i+1 {
			t.Errorf("add %d was answered with a quantity of %d", i+1, got)
		}
	}
}

func TestARefusalOfCommittedStateIsAnsweredAtOnce(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	one := await(s, "the first commit", h.arrived)
	refused, added := s.start(s.admit(remove(9))), s.start(s.admit(add(2)))
	next := s.store.hold()
	h.release(one, fate{})
	two := await(s, "the second commit", next.arrived)
	s.wantError(refused, commerce.NotFound("CartLine", testID(9).String()))
	next.release(two, fate{})
	s.wantError(first, nil)
	s.wantError(added, nil)
}

// Nothing on a request's path may grow without bound, a commit script neither.
func TestACommitCarriesABoundedNumberOfEffects(t *testing.T) {
	s := newScene(t)
	const guests = 2*maxEffects + 1
	var commands []cartCommand
	for i := range guests {
		email := string(rune('a'+i)) + "@example.test"
		commands = append(commands, commerce.PatchCart{Email: &email})
	}
	for _, c := range s.whileCommitting(commands...) {
		s.wantError(c, nil)
	}
	if got := s.store.commits(nodeWriter); got != 5 {
		t.Errorf("%d commits for a creation, an add and %d guests, %d a commit; want 5", got, guests, maxEffects)
	}
}
