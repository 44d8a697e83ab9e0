package actors

import (
	"bytes"
	"cartd/engine"
	"log/slog"
	"testing"
	"time"
)

func TestA503IsNeverFollowedByItsEffect(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	commit := await(s, "the commit", h.arrived)
	late := s.start(within(soon, s.admit(add(2))))
	s.wantError(late, engine.ErrUnavailable)
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
	short, long := s.start(within(soon, s.admit(add(2)))), s.start(s.admit(add(3)))
	next := s.store.holdUnsent()
	h.release(one, fate{})
	two := await(s, "the second commit", next.arrived)
	s.wantError(short, engine.ErrUnavailable)
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
	inTime(t, func(s *scene, deadline time.Duration) bool {
		h := s.store.hold()
		first := s.start(s.admit(add(1)))
		one := await(s, "the first commit", h.arrived)
		next := s.store.hold()
		short, long := s.start(within(deadline, s.admit(add(2)))), s.start(s.admit(add(3)))
		h.release(one, fate{})
		two := await(s, "the second commit", next.arrived)
		_, err := s.wait(short) // while the commit is held
		next.release(two, fate{fault: replyLostBeforeCommit})
		s.wantError(first, nil)
		s.wantError(long, nil)
		if err == engine.ErrUnavailable {
			return false
		}
		s.wantError(short, engine.ErrUnknownOutcome)
		s.want(2, 1)
		s.want(3, 1)
		return true
	})
}

// The sendings go on for the command whose deadline comes last.
func TestACommitIsSentAgainAfterTheFirstOfItsDeadlines(t *testing.T) {
	inTime(t, func(s *scene, deadline time.Duration) bool {
		h := s.store.hold()
		first := s.start(s.admit(add(1)))
		one := await(s, "the first commit", h.arrived)
		short, long := s.start(within(deadline, s.admit(add(2)))), s.start(s.admit(add(3)))
		s.store.always(fate{fault: replyLostBeforeCommit})
		h.release(one, fate{})
		s.wantError(first, nil)
		_, err := s.wait(short)
		_, before := s.store.counts()
		s.eventually("another sending", func() bool { _, now := s.store.counts(); return now > before })
		s.store.always(fate{})
		s.wantError(long, nil)
		if err == engine.ErrUnavailable {
			return false
		}
		s.wantError(short, engine.ErrUnknownOutcome)
		s.want(2, 1)
		s.want(3, 1)
		return true
	})
}

// What was collected behind a commit that is given up was never sent: it is
// applied to what a load brings.
func TestACommitIsGivenUpAtItsLastDeadline(t *testing.T) {
	inTime(t, func(s *scene, deadline time.Duration) bool {
		h := s.store.hold()
		first := s.start(within(deadline, s.admit(add(1))))
		one := await(s, "the first commit", h.arrived)
		behind := s.start(s.admit(add(2)))
		_, err := s.wait(first)
		h.release(one, fate{fault: replyLostBeforeCommit})
		s.wantError(behind, nil)
		if err == engine.ErrUnavailable {
			return false
		}
		s.wantError(first, engine.ErrUnknownOutcome)
		s.want(1, 0)
		s.want(2, 1)
		if loads, _ := s.store.counts(); loads == 0 {
			t.Error("the actor did not load; what it had in memory was worthless")
		}
		return true
	})
}

// Nothing is known of the record then, and there is nobody left to look it up for.
func TestOnlyCommandsThatGaveUpAreBehindACommitThatIsGivenUp(t *testing.T) {
	inTime(t, func(s *scene, deadline time.Duration) bool {
		var log bytes.Buffer
		s.node.directory.env.log = slog.New(slog.NewTextHandler(&log, nil))
		h := s.store.hold()
		first := s.start(within(deadline, s.admit(add(1))))
		one := await(s, "the first commit", h.arrived)
		behind := s.start(within(deadline, s.admit(add(2))))
		_, err := s.wait(first)
		s.wantError(behind, engine.ErrUnavailable)
		h.release(one, fate{fault: replyLostBeforeCommit})
		s.idle()
		if log.Len() > 0 {
			t.Errorf("the actor logs %s", log.String())
		}
		s.do(add(3))
		s.want(2, 0)
		return err == engine.ErrUnknownOutcome
	})
}

func TestACommitThatStaysUnknownIs504(t *testing.T) {
	inTime(t, func(s *scene, deadline time.Duration) bool {
		s.store.always(fate{fault: replyLostAfterCommit})
		_, err := s.node.Change(within(deadline, s.admit(add(1))))
		s.store.always(fate{})
		s.idle()
		if err == engine.ErrUnavailable {
			s.want(1, 0)
			return false
		}
		if err != engine.ErrUnknownOutcome {
			t.Errorf("answered %v; want %v", err, engine.ErrUnknownOutcome)
		}
		s.do(add(1))
		s.want(1, 2) // both: the first was applied, though nobody could tell
		return true
	})
}

// A commit that travels on after its 504 meets what was committed meanwhile.
func TestACommitThatArrivesAfterIts504IsNotAppliedToAnotherState(t *testing.T) {
	inTime(t, func(s *scene, deadline time.Duration) bool {
		s.store.always(fate{fault: lateSuccess, after: 1000})
		_, err := s.node.Change(within(deadline, s.admit(add(1))))
		s.idle() // what is under way at the deadline may be sent once more
		s.store.always(fate{})
		if err == engine.ErrUnavailable {
			return false
		}
		if err != engine.ErrUnknownOutcome {
			t.Errorf("answered %v; want %v", err, engine.ErrUnknownOutcome)
		}
		s.do(add(2))
		s.store.calm()
		s.do(add(3))
		s.want(1, 0)
		s.want(2, 1)
		s.want(3, 1)
		return true
	})
}

// inTime runs a test whose short deadline has to pass after its command was sent,
// with longer and longer ones until the machine is fast enough. False: it was not.
func inTime(t *testing.T, run func(s *scene, deadline time.Duration) bool) {
	t.Helper()
	for deadline := soon; !run(newScene(t), deadline); deadline *= 4 {
		if deadline > patience {
			t.Fatalf("no command was sent within %v", deadline)
		}
	}
}
