package actors

import (
	"cartd/engine"
	"testing"
	"testing/synctest"
	"time"
)

// Whatever is in a commit's way, it is sent again at once: during a pause another node
// that writes without one would always commit, and a request here would never be done.
func TestAConflictIsNotWaitedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		const others = 40
		for n := range others {
			s.store.will(fate{fault: conflict, foreign: add(2 + n%8)})
		}
		began := time.Now() // of the bubble's clock, which stands still while anybody works
		s.do(add(1))
		if took := time.Since(began); took != 0 {
			t.Errorf("the add waited for %v behind %d conflicts, want not at all", took, others)
		}
		s.want(1, 1)
		s.want(2, others/8)
	})
}

// A record remembers a writer for ten minutes. A commit whose outcome is not known, and
// which may be forgotten by now, is not done once more.
func TestWhatMayBeForgottenIsNotDoneAgain(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	c := s.start(s.admit(add(1)))
	commit := await(s, "the commit", h.arrived)
	s.store.apply(commit) // done; its reply will be lost
	s.store.write(s.key, add(2), nobody)
	s.store.skip(engine.WriterMemory) // the store's clock, or the node's sleep
	s.store.write(s.key, add(2), nobody)
	h.release(commit, fate{fault: replyLostBeforeCommit})
	s.wantError(c, engine.ErrUnknownOutcome)
	s.want(1, 1)
	s.do(add(1))
	s.want(1, 2)
}

// What was answered at its deadline is not sent any more, however a sending under way ends.
func TestNothingIsSentBehindItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		h := s.store.hold()
		c := s.start(within(time.Second, s.admit(add(1))))
		commit := await(s, "the commit", h.arrived)
		time.Sleep(2 * time.Second)
		s.wantError(c, engine.ErrUnknownOutcome)
		sendings := s.store.sendings
		h.release(commit, fate{fault: conflict, foreign: add(2)})
		synctest.Wait()
		if more := s.store.sendings - sendings; more != 0 {
			t.Errorf("sent %d times more behind its deadline", more)
		}
		s.idle()
		s.want(1, 0)
	})
}

// Where a conflict leaves no time for another trip, it is known that nothing was done.
func TestAConflictShortBeforeTheDeadlineIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		h := s.store.hold()
		c := s.start(within(time.Second, s.admit(add(1))))
		commit := await(s, "the commit", h.arrived)
		time.Sleep(800 * time.Millisecond) // a trip
		h.release(commit, fate{fault: conflict, foreign: add(2)})
		s.wantError(c, engine.ErrUnavailable)
		s.want(1, 0)
	})
}

// skip sets the store's clock forward.
func (s *fakeStore) skip(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.operations += int(d / time.Millisecond)
}
