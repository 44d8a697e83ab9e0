package actors

import (
	"testing"

	"cartd/commerce"
)

func TestA503IsNeverFollowedByItsEffect(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	commit := await(s, "the commit", h.arrived)
	late := s.start(shortly(s.admit(add(2))))
	s.wantError(late, commerce.ErrUnavailable)
	h.release(commit, fate{})
	s.wantError(first, nil)
	s.do(add(3))
	s.idle()
	s.want(2, 0)
}

// Taken, but not sent yet: the command is left out, and the rest is applied again.
func TestACommandThatGivesUpBeforeItsCommitLeavesIsLeftOut(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	one := await(s, "the first commit", h.arrived)
	short, long := s.start(shortly(s.admit(add(2)))), s.start(s.admit(add(3)))
	next := s.store.holdUnsent()
	h.release(one, fate{})
	two := await(s, "the second commit", next.arrived)
	s.wantError(short, commerce.ErrUnavailable)
	next.release(two, fate{})
	s.wantError(first, nil)
	reply := s.wantError(long, nil)
	if got := quantity(reply.Cart, 2); got != 0 {
		t.Errorf("the command after the one that gave up was answered with %d of its product", got)
	}
	s.want(2, 0)
	s.want(3, 1)
}

// Once sent, nobody can say that nothing was done.
func TestASentCommandIs504AtItsOwnDeadline(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	one := await(s, "the first commit", h.arrived)
	next := s.store.hold()
	short, long := s.start(shortly(s.admit(add(2)))), s.start(s.admit(add(3)))
	h.release(one, fate{})
	s.wantError(first, nil)
	select {
	case two := <-next.arrived:
		s.wantError(short, commerce.ErrUnknownOutcome)
		next.release(two, fate{fault: replyLostBeforeCommit}) // and is sent again
		s.wantError(long, nil)
		s.want(2, 1)
	case <-short.done: // this machine was too slow to send it in time
		t.Skipf("not sent before its deadline: %v", short.err)
	}
	s.want(3, 1)
}

func TestACommitIsSentAgainUntilItsLastDeadline(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(shortly(s.admit(add(1))))
	one := await(s, "the first commit", h.arrived)
	s.wantError(first, commerce.ErrUnknownOutcome)
	behind := s.start(s.admit(add(2)))
	h.release(one, fate{fault: replyLostBeforeCommit})
	// The first commit's only deadline has passed: it is given up, and what was
	// collected behind it is applied to what a load brings.
	s.wantError(behind, nil)
	s.want(1, 0)
	s.want(2, 1)
	if loads, _ := s.store.counts(); loads == 0 {
		t.Error("the actor did not load; what it had in memory was worthless")
	}
}

// The sendings go on for the command whose deadline comes last.
func TestACommitIsSentAgainAfterTheFirstOfItsDeadlines(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	one := await(s, "the first commit", h.arrived)
	short, long := s.start(shortly(s.admit(add(2)))), s.start(s.admit(add(3)))
	s.store.always(fate{fault: replyLostBeforeCommit})
	h.release(one, fate{})
	s.wantError(first, nil)
	if _, err := s.wait(short); err == commerce.ErrUnavailable {
		t.Skip("not sent before its deadline: this machine was too slow")
	}
	s.wantError(short, commerce.ErrUnknownOutcome)
	_, before := s.store.counts()
	s.eventually("another sending", func() bool { _, now := s.store.counts(); return now > before })
	s.store.always(fate{})
	s.wantError(long, nil)
	s.want(2, 1)
	s.want(3, 1)
}

func TestACommitThatStaysUnknownIs504(t *testing.T) {
	s := newScene(t)
	s.store.always(fate{fault: replyLostAfterCommit})
	if _, err := s.node.Change(shortly(s.admit(add(1)))); err != commerce.ErrUnknownOutcome {
		t.Errorf("answered %v; want %v", err, commerce.ErrUnknownOutcome)
	}
	s.store.always(fate{})
	s.idle()
	s.do(add(1))
	s.want(1, 2) // both: the first was applied, though nobody could tell
}

// A commit that travels on after its 504 meets what was committed meanwhile.
func TestACommitThatArrivesAfterIts504IsAppliedOnceAtMost(t *testing.T) {
	s := newScene(t)
	s.store.always(fate{fault: lateSuccess, after: 100})
	if _, err := s.node.Change(shortly(s.admit(add(1)))); err != commerce.ErrUnknownOutcome {
		t.Errorf("answered %v; want %v", err, commerce.ErrUnknownOutcome)
	}
	s.store.always(fate{})
	s.idle()
	s.do(add(2))
	s.store.calm()
	s.do(add(3))
	s.want(1, 0)
	s.want(2, 1)
	s.want(3, 1)
}
