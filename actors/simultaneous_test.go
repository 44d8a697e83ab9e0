package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Spec: Line behaviour 2. The first add of 60 makes the line; the second one exceeds the maximum of
// 100. It is clamped if the first was not answered when it began, else refused.
func TestSimultaneousAdds(t *testing.T) {
	const half = 60
	sixty := func(s *scene) *engine.Request { return s.request(addMany(1, half)) }
	elsewhere := func(s *scene, ago time.Duration) {
		s.store.write(s.key, addMany(1, half), anonymous)
		time.Sleep(ago)
	}
	for _, c := range []struct {
		rule string
		// run returns the second add, after it has begun and the first has been answered.
		second  func(s *scene) *engine.Request
		clamped bool
	}{
		{"began while it was not answered, comes after the answer", func(s *scene) *engine.Request {
			second := sixty(s)
			time.Sleep(time.Millisecond)
			s.wantChange(sixty(s), nil)
			return second
		}, true},
		{"began while it was not answered, comes after other commits", func(s *scene) *engine.Request {
			second := sixty(s)
			time.Sleep(time.Second)
			s.wantChange(sixty(s), nil)
			for n := range 10 {
				s.do(add(2 + n))
			}
			return second
		}, true},
		{"began while the first was on its way", func(s *scene) *engine.Request {
			first, h := s.halting(sixty(s))
			time.Sleep(time.Second)
			second := sixty(s)
			time.Sleep(time.Second)
			h.let(fate{})
			s.wantError(first, nil)
			return second
		}, true},
		{"began after the answer", func(s *scene) *engine.Request {
			s.wantChange(sixty(s), nil)
			time.Sleep(time.Millisecond)
			return sixty(s)
		}, false},
		{"began at the moment of the answer", func(s *scene) *engine.Request {
			s.wantChange(sixty(s), nil)
			return sixty(s)
		}, false},
		{"began after the answer, and the reply was lost", func(s *scene) *engine.Request {
			s.store.will(fate{fault: replyLost})
			s.wantChange(sixty(s), nil)
			time.Sleep(time.Millisecond)
			return sixty(s)
		}, false},
		{"began after the answer, and meets a conflict", func(s *scene) *engine.Request {
			s.wantChange(sixty(s), nil)
			time.Sleep(time.Millisecond)
			s.store.will(fate{fault: conflict, foreign: add(2)})
			return sixty(s)
		}, false},
		{"another node's line, made 240 ms earlier than it came", func(s *scene) *engine.Request {
			elsewhere(s, 240*time.Millisecond)
			return sixty(s)
		}, true},
		{"another node's line, made 260 ms earlier than it came", func(s *scene) *engine.Request {
			elsewhere(s, 260*time.Millisecond)
			return sixty(s)
		}, false},
		{"another node's line, made after it came", func(s *scene) *engine.Request {
			second := sixty(s)
			time.Sleep(time.Second)
			elsewhere(s, 0)
			return second
		}, true},
		{"another node's new line, which a read has shown", func(s *scene) *engine.Request {
			s.sweepAt(1000 * time.Hour)
			elsewhere(s, 10*time.Millisecond)
			if _, err := s.node.read(s.key.ID, patience); err != nil {
				s.Error(err)
			}
			return sixty(s)
		}, false},
		{"another node's new line, which the actor loads", func(s *scene) *engine.Request {
			s.sweepAt(1000 * time.Hour)
			elsewhere(s, 10*time.Millisecond)
			return sixty(s)
		}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				s.shop.Policy.MaxQuantityPerLine = 100 * commerce.One
				second := c.second(s)
				want, err := 100, error(nil)
				if !c.clamped {
					want, err = half, commerce.QuantityAboveMaximum
				}
				s.wantChange(second, err)
				s.want(1, want)
			})
		})
	}
}

// Both are in the mailbox while the line does not exist yet: in one visit, and in the next one.
func TestSimultaneousAddsInTheMailbox(t *testing.T) {
	for _, f := range []fate{{}, overtake, {fault: requestLost}, {fault: replyLost}, {fault: newHead}, {fault: clockJump}} {
		t.Run(f.fault.String(), func(t *testing.T) {
			s := newScene(t)
			s.shop.Policy.MaxQuantityPerLine = 100 * commerce.One
			calls, h := s.whileHalted(s.request(addMany(1, 60)), s.request(addMany(1, 60)))
			next := s.start(s.request(addMany(1, 60)))
			h.let(f)
			for _, c := range append(calls, next) {
				s.wantError(c, nil)
			}
			s.want(1, 100)
			s.wantChange(s.request(add(1)), commerce.QuantityAboveMaximum)
		})
	}
}
