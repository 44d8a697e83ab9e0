package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// Another node changes the store, and this node judges by old facts. Its visit returns the current
// facts, and the answer rests on them.
func TestARefusalRestsOnComparedFacts(t *testing.T) {
	for _, c := range []struct {
		rule string
		// first runs with the node's knowledge, meanwhile without it.
		first, meanwhile func(s *scene)
		request          func(s *scene) *engine.Request
		want             error
		replayed         bool
	}{{
		rule:      "a line that is there by now",
		meanwhile: func(s *scene) { s.storage.write(s.key, add(1), anonymous) },
		request:   func(s *scene) *engine.Request { return s.request(setQuantity(1, 5)) },
	}, {
		rule:      "a line that is gone by now",
		first:     func(s *scene) { s.do(add(1)) },
		meanwhile: func(s *scene) { s.storage.write(s.key, remove(1), anonymous) },
		request:   func(s *scene) *engine.Request { return s.request(setQuantity(1, 5)) },
		want:      missing(1),
	}, {
		rule:  "a cart that is there by now",
		first: func(s *scene) { s.key.ID = testID(0xcc); s.wantChange(s.request(add(1)), s.missingCart()) },
		meanwhile: func(s *scene) {
			s.storage.set(func() { s.storage.replaceForeign(s.key, commerce.NewCart(s.key.ID, noon)) })
		},
		request: func(s *scene) *engine.Request { return s.request(add(1)) },
	}, {
		rule:      "a version that stands there by now",
		meanwhile: func(s *scene) { s.storage.write(s.key, add(1), anonymous) },
		request: func(s *scene) *engine.Request { // of the version to come
			return s.matching(add(2), engine.Stamp{Counter: 2, Writer: foreignWriter, Sequence: 1}.Version(0))
		},
	}, {
		rule:      "a version that is gone by now",
		meanwhile: func(s *scene) { s.storage.write(s.key, add(1), anonymous) },
		request:   func(s *scene) *engine.Request { return s.matching(add(2), s.node.residentVersion(s.key)) },
		want:      commerce.CartChanged,
	}, {
		rule:      "a cart of an account by now",
		meanwhile: func(s *scene) { s.storage.write(s.key, bind(), account) },
		request:   func(s *scene) *engine.Request { return s.request(add(1)) },
		want:      commerce.CartOwned,
	}, {
		rule:      "an account's cart, a token that resolves by now",
		first:     func(s *scene) { s.bound(); s.node.learn(&token) },
		meanwhile: func(s *scene) { s.storage.set(func() { s.storage.signIn(token, account.CustomerID, 1) }) },
		request:   func(s *scene) *engine.Request { return s.by(s.request(add(1))) },
	}, {
		rule:      "an account's cart, a token that has ended",
		first:     func(s *scene) { s.bound(); s.signIn() },
		meanwhile: func(s *scene) { s.storage.set(func() { delete(s.storage.tokens, token) }) },
		request:   func(s *scene) *engine.Request { return s.by(s.request(add(1))) },
		want:      commerce.CartOwned,
	}, {
		rule:      "an account's cart, all sessions of which have ended",
		first:     func(s *scene) { s.bound(); s.signIn() },
		meanwhile: func(s *scene) { s.storage.set(func() { s.storage.numbers[account.CustomerID.String()] = "2" }) },
		request:   func(s *scene) *engine.Request { return s.by(s.request(remove(1))) },
		want:      commerce.CartOwned,
	}, {
		rule: "an account's cart, a token renewed since",
		first: func(s *scene) {
			s.bound()
			s.signIn()
			s.storage.set(func() { delete(s.storage.tokens, token) })
			s.node.learn(&token)
		},
		meanwhile: func(s *scene) { s.storage.set(func() { s.storage.signIn(token, account.CustomerID, 2) }) },
		request:   func(s *scene) *engine.Request { return s.by(s.request(add(1))) },
	}, {
		rule:      "a key that another request has by now",
		meanwhile: func(s *scene) { s.storage.writeWithKey(s.key, add(1), anonymous, idempotencyKey(1, 2)) },
		request:   func(s *scene) *engine.Request { return s.withKey(add(1), key) },
		want:      commerce.IdempotencyKeyReused,
	}, {
		rule:      "a key that another request has had",
		first:     func(s *scene) { s.doWithKey(add(1), idempotencyKey(1, 2), false) },
		meanwhile: func(s *scene) { s.storage.set(func() { delete(s.storage.entries, key.Name) }) },
		request: func(s *scene) *engine.Request {
			r := s.withKey(setQuantity(1, 5), key)
			r.Entry = &engine.IdempotencyEntry{Request: [16]byte{2}, Text: "as it was"}
			return r
		},
	}, {
		rule:      "a request that was done by now",
		meanwhile: func(s *scene) { s.storage.writeWithKey(s.key, remove(1), anonymous, key) },
		first:     func(s *scene) { s.do(add(1)) },
		request:   func(s *scene) *engine.Request { return s.withKey(remove(1), key) },
		replayed:  true,
	}, {
		rule:  "a replay whose cart is an account's by now",
		first: func(s *scene) { s.doWithKey(add(1), key, false) },
		meanwhile: func(s *scene) {
			s.storage.write(s.key, bind(), account)
		},
		request: func(s *scene) *engine.Request { return s.withKey(add(1), key) },
		want:    commerce.CartOwned,
	}} {
		for _, meanwhile := range []string{"ahead of the request", "while its visit is on its way", "after a lost request"} {
			t.Run(c.rule+", "+meanwhile, func(t *testing.T) {
				s := newScene(t)
				if c.first != nil {
					c.first(s)
				}
				var reply engine.Reply
				if meanwhile == "ahead of the request" {
					c.meanwhile(s)
					reply = s.wantChange(c.request(s), c.want)
				} else {
					call, h := s.halting(c.request(s))
					if meanwhile == "after a lost request" {
						second := s.storage.halt()
						h.let(fate{fault: requestLost})
						h = halted{second, await(s, "the second sending", second.arrived)}
					}
					c.meanwhile(s)
					h.let(fate{})
					reply = s.wantError(call, c.want)
				}
				if reply.Replayed != c.replayed {
					t.Errorf("replayed %v; want %v", reply.Replayed, c.replayed)
				}
			})
		}
	}
}

// Facts from one visit and a record from another one prove nothing together.
func TestARefusalRestsOnFactsOfOneRecord(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	s.signIn()
	r := s.by(s.withKey(remove(1), key))
	s.storage.set(func() { s.storage.signIn(token, account.CustomerID, 2) })
	c, h := s.halting(r)
	second := s.storage.halt()
	h.let(fate{}) // has another token
	v := await(s, "the second visit", second.arrived)
	s.storage.writeWithKey(s.key, remove(1), anonymous, key)
	second.release(v, fate{})
	if reply := s.wantError(c, nil); !reply.Replayed {
		t.Error("it is no replay")
	}
}

func (s *scene) missingCart() error { return commerce.NotFound("Cart", s.key.ID.String()) }

// bound ties the cart to the account, and the node knows it.
func (s *scene) bound() {
	s.storage.write(s.key, bind(), account)
	s.wantChange(s.request(add(1)), commerce.CartOwned)
}

func (n *testNode) residentVersion(key engine.RecordKey) engine.Version {
	known := n.Known(key)
	if known == nil {
		return engine.Stamp{}.Version(0)
	}
	return known.Stamp.Version(0)
}

// A request, refused or not, is counted once, for every outcome of its visits.
func TestARequestIsCountedOnce(t *testing.T) {
	for _, c := range []struct {
		rule  string
		fates []fate
		cmd   cartCommand
		want  error
	}{
		{"a change", nil, add(1), nil},
		{"a refusal", nil, remove(1), missing(1)},
		{"another record", []fate{overtake}, add(1), nil},
		{"another entry", []fate{{fault: conflict, foreign: add(1), key: idempotencyKey(1, 2)}}, add(1), commerce.IdempotencyKeyReused},
		{"another head", []fate{{fault: newHead}}, add(1), nil},
		{"too late", []fate{{fault: clockJump}}, remove(1), missing(1)},
		{"a lost reply", []fate{{fault: replyLost}}, add(1), nil},
		{"a lost reply, then overtaken", []fate{{fault: replyLost}, overtake}, add(1), nil},
		{"a lost request", []fate{{fault: requestLost}, {fault: newHead}}, add(1), nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.storage.limit = 10
			s.storage.will(c.fates...)
			reply := s.wantChange(s.withKey(c.cmd, key), c.want)
			if s.storage.counted != 2 || reply.Facts.Budget.Remaining != 8 {
				t.Errorf("%d requests are counted, %d remain; want the creation and this one, 8", s.storage.counted, reply.Facts.Budget.Remaining)
			}
		})
	}
}

// A token that is new to the node is read after the visit that has counted the request.
func TestARequestWithANewTokenIsCountedOnce(t *testing.T) {
	s := newScene(t)
	s.bound()
	s.node.learn(&token) // nothing
	s.storage.set(func() { s.storage.signIn(token, account.CustomerID, 1) })
	counted := s.storage.counted
	s.wantChange(s.by(s.request(add(1))), nil)
	if got := s.storage.counted - counted; got != 1 {
		t.Errorf("the request is counted %d times; want once", got)
	}
}

// Only the script knows the limit. Of a visit that exceeds it, the first requests are served.
func TestRequestsBeyondTheLimitAreRefusedAndDoNothing(t *testing.T) {
	for _, f := range []fate{{}, {fault: conflict, foreign: add(9)}, {fault: clockJump}, {fault: requestLost}} {
		t.Run(f.fault.String(), func(t *testing.T) {
			s := newScene(t)
			var requests []*engine.Request
			for i := range 6 {
				requests = append(requests, s.request(add(i)))
			}
			calls, h := s.whileHalted(requests...)
			s.storage.set(func() { s.storage.limit = s.storage.counted + 3 })
			if f.fault == requestLost { // its next sending finds no room until it is too late
				s.storage.will(fate{}, fate{fault: clockJump})
			}
			h.let(f)
			for i, c := range calls {
				want, granted := error(nil), true
				if i >= 3 {
					want, granted = commerce.TooManyAttempts, false
				}
				if reply := s.wantError(c, want); reply.Facts.Budget.Granted != granted || granted && reply.Facts.Budget.Remaining != 2-i {
					t.Errorf("request %d has the budget %+v", i, reply.Facts.Budget)
				}
				s.want(i, map[bool]int{true: 1}[granted])
			}
			if s.storage.counted != s.storage.limit {
				t.Errorf("%d requests are counted; want %d", s.storage.counted, s.storage.limit)
			}
		})
	}
}
