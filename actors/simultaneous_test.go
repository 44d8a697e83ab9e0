package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Spec: Line behaviour 2; docs/decisions.md#line-behaviour. The first add of 60 makes the line; the
// second one exceeds the maximum of 100. It is clamped if it is the later of two simultaneous adds, else
// refused. The clocks are fake.
func TestSimultaneousAdds(t *testing.T) {
	const half = 60
	sixty := func(s *scene) *engine.Request { return s.request(addMany(1, half)) }
	here := func(s *scene) { s.wantChange(sixty(s), nil) }
	elsewhere := func(s *scene) { s.storage.write(s.key, addMany(1, half), anonymous) }
	for _, c := range []struct {
		rule string
		// second makes the line, and returns the second add after it has come.
		second  func(s *scene) *engine.Request
		clamped bool
	}{
		{"comes while the line is not made", func(s *scene) *engine.Request {
			second := sixty(s)
			time.Sleep(time.Second)
			here(s)
			return second
		}, true},
		{"comes while another node's line is not made", func(s *scene) *engine.Request {
			second := sixty(s)
			time.Sleep(time.Second)
			elsewhere(s)
			return second
		}, true},
		{"comes while the line is not made, and has to be judged again", func(s *scene) *engine.Request {
			second := sixty(s)
			time.Sleep(time.Second)
			s.storage.will(fate{fault: conflict, foreign: addMany(1, half)})
			return second
		}, true},
		{"comes 11 ms after the line, and has to be judged again", func(s *scene) *engine.Request {
			here(s)
			time.Sleep(11 * time.Millisecond)
			s.storage.will(fate{fault: conflict, foreign: add(2)})
			return sixty(s)
		}, false},
		{"on the connection that has carried the answer", func(s *scene) *engine.Request {
			here(s)
			return s.informed(sixty(s))
		}, false},
		{"on a connection that has carried an earlier answer", func(s *scene) *engine.Request {
			second := s.informed(sixty(s))
			here(s)
			return second
		}, true},
		{"on the connection, and the line was made anew by another node", func(s *scene) *engine.Request {
			here(s)
			second := s.informed(sixty(s))
			s.storage.write(s.key, remove(1), anonymous)
			elsewhere(s)
			return second
		}, true},
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
			s.wantChange(s.informed(s.request(add(1))), commerce.QuantityAboveMaximum)
		})
	}
}
