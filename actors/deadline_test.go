package actors

import (
	"bytes"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"cartd/engine"
)

func TestA503IsNeverFollowedByItsEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		first, h := s.halting(s.request(add(1)))
		late := s.start(within(soon, s.request(add(2))))
		s.wantError(late, engine.ErrUnavailable)
		h.let(fate{})
		s.wantError(first, nil)
		s.do(add(3))
		s.idle()
		s.want(2, 0)
	})
}

// A judged command that gives up ahead of the sending is left out; the rest is judged again.
func TestACommandThatGivesUpIsLeftOutOfItsVisit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		first, h := s.halting(s.request(add(1)))
		short, long := s.start(within(soon, s.request(add(2)))), s.start(s.request(add(3)))
		next := s.storage.haltUnsent()
		h.let(fate{})
		v := await(s, "the second visit", next.arrived)
		s.wantError(short, engine.ErrUnavailable)
		next.release(v, fate{})
		s.wantError(first, nil)
		if reply := s.wantError(long, nil); quantity(reply.Cart, 2) != 0 {
			t.Error("the command after the one that gave up was answered with its product")
		}
		s.want(2, 0)
		s.want(3, 1)
	})
}

// A command that was sent may have been done, so it is 504 at its deadline. The visit is sent again
// until the last deadline of its commands.
func TestASentCommandIs504AtItsOwnDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		calls, h := s.whileHalted(within(time.Second, s.request(add(2))), s.request(add(3)))
		s.storage.always(fate{fault: requestLost})
		h.let(fate{fault: requestLost})
		s.wantError(calls[0], engine.ErrUnknownOutcome)
		_, before, _ := s.storage.counts()
		time.Sleep(time.Second)
		if _, now, _ := s.storage.counts(); now == before {
			t.Error("the visit is not sent again")
		}
		s.storage.always(fate{fault: clockJump}) // no sending of it can arrive any more
		s.wantError(calls[1], nil)
		s.want(2, 0) // it was too late to judge it again
		s.want(3, 1)
	})
}

// A refusal and a replay change nothing, for every outcome of their visit: alone, beside a change
// that is sent, and after an earlier visit of theirs that would have made a change and was not
// done.
func TestACheckedCommandIsNever504(t *testing.T) {
	one := func(r *engine.Request) []*engine.Request { return []*engine.Request{r} }
	for _, c := range []struct {
		rule     string
		requests func(s *scene) []*engine.Request
		fates    []fate // then all is lost
	}{
		{"a refusal, no reply", func(s *scene) []*engine.Request { return one(s.request(remove(9))) }, []fate{{fault: replyLost}}},
		{"beside a change", func(s *scene) []*engine.Request {
			return []*engine.Request{s.request(remove(9)), s.request(add(2)), s.request(remove(8))}
		}, nil},
		{"broken after an unknown outcome", func(s *scene) []*engine.Request { return one(s.request(remove(9))) },
			[]fate{{fault: requestLost}, {fault: broken}}},
		{"refused after an unknown outcome", func(s *scene) []*engine.Request { return one(s.request(remove(9))) },
			[]fate{{fault: requestLost}, {fault: refusal}}},
		{"a change that has become a refusal", func(s *scene) []*engine.Request { return one(s.request(setQuantity(1, 5))) },
			[]fate{{fault: conflict, foreign: remove(1)}}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				s.doWithKey(add(1), key, false)
				late, h := s.halting(within(time.Second, s.request(remove(9))))
				s.wantError(late, engine.ErrUnavailable) // while its visit is on its way
				h.let(fate{})
				first, h := s.halting(s.request(add(15)))
				requests := c.requests(s)
				var calls []*call
				for _, r := range requests {
					calls = append(calls, s.start(within(time.Second, r)))
				}
				s.storage.will(c.fates...)
				s.storage.always(fate{fault: requestLost})
				h.let(fate{})
				s.wantError(first, nil)
				for i, call := range calls {
					if _, err := s.wait(call); err == engine.ErrUnknownOutcome && requests[i].Command != cartCommand(add(2)) || err == nil {
						t.Errorf("command %d is answered %v", i+1, err)
					}
				}
				s.heal()
			})
		})
	}
}

// Requests collected during a visit that is given up were never sent. They are judged by a fresh
// load. Nothing is loaded if all of them have passed their deadline.
func TestAVisitIsGivenUpAtItsLastDeadline(t *testing.T) {
	for _, waits := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			var log bytes.Buffer
			s.node.directory.env.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
			first, h := s.halting(within(time.Second, s.request(add(1))))
			queued := s.request(add(2))
			if !waits {
				queued = within(time.Second, queued)
			}
			second := s.start(queued)
			s.wantError(first, engine.ErrUnknownOutcome)
			synctest.Wait()
			h.let(fate{fault: requestLost})
			want, loads := error(nil), 1
			if !waits {
				want, loads = engine.ErrUnavailable, 0
			}
			s.wantError(second, want)
			s.idle()
			if got, _, _ := s.storage.counts(); got != loads || log.Len() > 0 {
				t.Errorf("%d loads, want %d; the actor logs %q", got, loads, log.String())
			}
			s.do(add(3))
			s.want(1, 0)
			s.want(2, loads)
		})
	}
}

// A visit with an unknown outcome is 504. If it was done, it stands. If it arrives late, it
// conflicts with later writes.
func TestAVisitThatStaysUnknownIs504(t *testing.T) {
	for _, c := range []struct {
		fault fault
		want  int
	}{{replyLost, 1}, {requestLost, 0}, {delayed, 0}} {
		t.Run(c.fault.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				s.storage.always(fate{fault: c.fault, after: 1000})
				s.wantChange(within(time.Second, s.request(add(1))), engine.ErrUnknownOutcome)
				s.heal()
				s.do(add(2))
				s.storage.calm()
				s.do(add(3))
				for product, want := range []int{0, c.want, 1, 1} {
					s.want(product, want)
				}
			})
		})
	}
}

// A visit answered at its deadline is not sent again, for every end of its last sending.
func TestNothingIsSentAfterItsDeadline(t *testing.T) {
	for _, f := range []fate{overtake, {fault: clockJump}, {fault: newHead}} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			c, h := s.halting(within(time.Second, s.request(add(1))))
			time.Sleep(2 * time.Second)
			s.wantError(c, engine.ErrUnknownOutcome)
			_, before, _ := s.storage.counts()
			h.let(f)
			synctest.Wait()
			if _, now, _ := s.storage.counts(); now != before {
				t.Errorf("%v: sent %d times more after its deadline", f.fault, now-before)
			}
			s.idle()
			s.want(1, 0)
		})
	}
}

// A conflict shows that nothing was done, so without time for another trip the answer is 503.
func TestAConflictNearTheDeadlineIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		c, h := s.halting(within(time.Second, s.request(add(1))))
		time.Sleep(800 * time.Millisecond) // a trip
		h.let(overtake)
		s.wantError(c, engine.ErrUnavailable)
		s.want(1, 0)
	})
}
