package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// While the reply of a visit is lost, other requests use up the limit, the head changes or time
// passes.
func TestALostReplyIsAppliedOnceAndAnsweredOnce(t *testing.T) {
	for _, c := range []struct {
		rule string
		then func(s *scene)
	}{
		{"nothing else", func(*scene) {}},
		{"the head moves", func(s *scene) { s.storage.set(func() { s.storage.head = "another" }) }},
		{"300 ms pass", func(s *scene) { time.Sleep(300 * time.Millisecond) }},
		{"the store's clock leaps", func(s *scene) { s.storage.skip(time.Hour) }},
		{"another node overtakes", func(s *scene) { s.storage.write(s.key, add(2), anonymous) }},
	} {
		for _, full := range []bool{false, true} {
			for _, lost := range []fault{replyLost, requestLost} {
				if full && lost == requestLost { // nothing was done, and 429 is true
					continue
				}
				t.Run(c.rule+", after a "+lost.String(), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						s := newScene(t)
						s.storage.limit = 10
						call, h := s.halting(within(5*time.Second, s.request(add(1))))
						resend := s.storage.halt()
						h.let(fate{fault: lost})
						v := await(s, "the second sending", resend.arrived)
						c.then(s)
						if full {
							s.storage.set(func() { s.storage.counted = s.storage.limit })
						}
						resend.release(v, fate{})
						if reply := s.wantError(call, nil); quantity(reply.Cart, 1) != 1 || reply.Facts == nil || !reply.Facts.Budget.Granted {
							t.Errorf("answered with %d, %+v; want 1", quantity(reply.Cart, 1), reply.Facts)
						}
						s.want(1, 1)
						if got := s.storage.commits(nodeWriter); got != 2 {
							t.Errorf("%d commits of the node; want the creation and the add", got)
						}
						if want := 2; !full && s.storage.counted != want {
							t.Errorf("%d requests are counted; want %d", s.storage.counted, want)
						}
					})
				})
			}
		}
	}
}

// An earlier sending may still arrive. Until its outcome is known, none of its commands is over the
// limit.
func TestAVisitThatMayStillArriveIsNotOverTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.storage.set(func() { s.storage.limit = s.storage.counted })
		s.storage.will(fate{fault: delayed, after: 2}, fate{}) // the second one finds no room
		began := time.Now()
		c := s.start(within(5*time.Second, s.request(add(1))))
		time.Sleep(time.Millisecond)
		s.storage.set(func() { s.storage.limit++ }) // and the first one does
		s.wantError(c, nil)
		s.want(1, 1)

		s.storage.will(fate{fault: requestLost})
		s.wantChange(within(5*time.Second, s.request(add(1))), commerce.TooManyAttempts)
		if took := time.Since(began); took < engine.Drift { // no sending can arrive any more
			t.Errorf("refused after %v; want %v at least", took, engine.Drift)
		}
		s.want(1, 1)
	})
}

// Visits reach a slow store 400 ms after their judgement.
func TestVisitsThatWaitedLongGoThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.signIn()
		var calls []*call
		h := s.storage.halt()
		calls = append(calls, s.start(s.request(add(1))))
		sendings := 0
		for sent := true; sent; sendings++ {
			v := await(s, "the visit", h.arrived)
			if sendings < 2 { // others come while it is on its way
				calls = append(calls, s.start(s.request(add(1))), s.start(s.by(s.request(remove(9)))))
			}
			this := halted{h, v}
			h = s.storage.halt()
			time.Sleep(400 * time.Millisecond)
			this.let(fate{})
			synctest.Wait()
			sent = len(h.arrived) > 0
		}
		for i, c := range calls {
			want := error(nil)
			if i > 0 && i%2 == 0 {
				want = missing(9)
			}
			s.wantError(c, want)
		}
		s.want(1, 3)
		if sendings > 6 {
			t.Errorf("%d sendings; want 6 at most: too late and done, for three groups", sendings)
		}
	})
}

// A sending that was short of stock counts its request, and the visit is sent again to be granted
// what is left. If that comes too late, or meets another head, the request stays counted.
func TestARequestIsCountedOnceAlsoIfItsSecondSendingIsRefused(t *testing.T) {
	for _, kind := range []engine.OutcomeKind{engine.TooLate, engine.OtherHead} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			h := s.storage.halt()
			call := s.start(s.request(add(1)))
			v := await(s, "the visit", h.arrived)
			s.storage.set(func() { s.storage.counted++ })
			v.Done(engine.Outcome[*commerce.Cart]{Ending: engine.Ending{Kind: kind, Counted: true, Budget: engine.Budget{Granted: true, Limit: unlimited}}})
			s.wantError(call, nil)
			if s.storage.counted != 2 {
				t.Errorf("%v: %d requests are counted; want 2, the creation and the add", kind, s.storage.counted)
			}
		})
	}
}
