package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// overtake is the conflict in which another node puts something of product 2 into the cart.
var overtake = fate{fault: conflict, foreign: add(2)}

// One add of product 1 meets these fates, one a sending.
func TestACommitHasItsEffectOnceOrNotAtAll(t *testing.T) {
	lost, early := fate{fault: replyLostAfterCommit}, fate{fault: replyLostBeforeCommit}
	for _, c := range []struct {
		rule     string
		fates    []fate
		err      error
		quantity int
		foreign  int
		sendings int
	}{
		{"answered", nil, nil, 1, 0, 1},
		{"unknown, then done", []fate{lost}, nil, 1, 0, 2},
		{"unknown twice, then done", []fate{lost, lost}, nil, 1, 0, 3},
		{"unknown, and was not applied", []fate{early}, nil, 1, 0, 2},
		{"unknown, and applied before the next sending", []fate{{fault: lateSuccess, after: 1}}, nil, 1, 0, 2},
		{"unknown, and too late", []fate{{fault: lateSuccess, after: 9}}, nil, 1, 0, 2},
		{"applied, then overtaken", []fate{lost, overtake}, nil, 1, 1, 2},
		{"applied, then overtaken three times", []fate{lost, {fault: conflict, foreign: add(3)}, overtake}, nil, 1, 0, 2},
		{"not applied, then overtaken", []fate{early, overtake}, nil, 1, 1, 3},
		{"travelling while overtaken", []fate{{fault: lateSuccess, after: 9}, overtake}, nil, 1, 1, 3},
		{"overtaken", []fate{overtake}, nil, 1, 1, 2},
		{"overtaken again and again", []fate{overtake, overtake, overtake, overtake}, nil, 1, 4, 5},
		{"certainly refused", []fate{{fault: refusal}}, engine.ErrUnavailable, 0, 0, 1},
		{"overtaken, then certainly refused", []fate{overtake, {fault: refusal}}, engine.ErrUnavailable, 0, 1, 2},
		{"unknown, then refused: only the sending was", []fate{early, {fault: refusal}}, nil, 1, 0, 3},
		{"applied, then refused", []fate{lost, {fault: refusal}}, nil, 1, 0, 3},
		{"a backup is restored below it", []fate{{fault: restoredBackup}}, nil, 1, 0, 2},
		{"applied, and a backup loses it", []fate{lost, {fault: restoredBackup}}, nil, 1, 0, 2},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.do(add(3))
			req := s.admit(add(1))
			_, before := s.store.counts()
			s.store.will(c.fates...)
			reply, err := s.node.Change(req)
			if !sameError(err, c.err) {
				t.Fatalf("answered %v; want %v", err, c.err)
			}
			if got := quantity(reply.Cart, 1); err == nil && got != 1 {
				t.Errorf("answered with a quantity of %d; want 1", got)
			}
			s.want(1, c.quantity)
			s.want(2, c.foreign)
			if _, now := s.store.counts(); now-before != c.sendings {
				t.Errorf("%d sendings; want %d", now-before, c.sendings)
			}
			s.do(add(4)) // the actor is as good as before, and nothing turns up late
			s.store.calm()
			s.want(1, c.quantity)
			s.want(4, 1)
		})
	}
}

func TestACartBoundBeforeTheCommitAnswersTheAddWith403(t *testing.T) {
	for _, c := range []struct {
		when  string
		fates []fate
	}{
		{"before the command is judged", nil},
		{"before its commit", []fate{{fault: conflict, foreign: bind(), visitor: account}}},
		{"between two sendings of its commit", []fate{{fault: replyLostBeforeCommit}, {fault: conflict, foreign: bind(), visitor: account}}},
	} {
		t.Run(c.when, func(t *testing.T) {
			s := newScene(t)
			req := s.admit(add(1))
			if c.fates == nil {
				s.store.write(s.key, bind(), account)
			}
			s.store.will(c.fates...)
			if _, err := s.node.Change(req); !sameError(err, commerce.CartOwned) {
				t.Errorf("answered %v; want %v", err, commerce.CartOwned)
			}
			if cart := s.store.record(s.key).State; len(cart.Lines) != 0 || cart.Customer.ID != account.CustomerID {
				t.Errorf("the cart is %+v; want it bound, without a line", cart)
			}
		})
	}
}

// An add that was committed before the cart was bound is a success, told late.
func TestAnAddAppliedBeforeTheCartWasBoundIsASuccess(t *testing.T) {
	s := newScene(t)
	s.store.will(fate{fault: replyLostAfterCommit}, fate{fault: conflict, foreign: bind(), visitor: account})
	reply := s.do(add(1))
	if reply.Cart.Customer.Bound() {
		t.Error("the add was answered with the other node's state; want its own")
	}
	s.want(1, 1)
	if _, err := s.node.Change(s.admit(add(1))); !sameError(err, commerce.CartOwned) {
		t.Errorf("the next add: %v; want %v", err, commerce.CartOwned)
	}
}

func TestACreationIsAppliedOnce(t *testing.T) {
	for _, f := range []fault{replyLostAfterCommit, replyLostBeforeCommit} {
		t.Run(f.String(), func(t *testing.T) {
			s := newScene(t)
			s.key.ID = testID(0xcb)
			s.store.will(fate{fault: f})
			s.create(s.key.ID)
			if record := s.store.record(s.key); record.Stamp.Counter != 1 {
				t.Errorf("the new cart's stamp is %v; want its first", record.Stamp)
			}
		})
	}
}

func TestAKnownOutageRefusesAtOnceAndEnds(t *testing.T) {
	s := newScene(t)
	req, again := s.admit(add(1)), s.admit(add(2))
	s.store.will(fate{fault: outage})
	if _, err := s.node.Change(req); err != engine.ErrUnavailable {
		t.Errorf("answered %v; want %v", err, engine.ErrUnavailable)
	}
	s.store.setAway(false)
	if _, err := s.node.Change(again); err != nil {
		t.Errorf("after the outage: %v", err)
	}
	s.want(1, 0)
	s.want(2, 1)
}

func TestWhatIsQueuedBehindAnUnknownCommitIsRefusedWhenTheStoreIsAway(t *testing.T) {
	s := newScene(t)
	h := s.store.hold()
	first := s.start(s.admit(add(1)))
	commit := await(s, "the commit", h.arrived)
	behind := []*call{s.start(s.admit(add(2))), s.start(s.admit(add(3)))}
	s.store.setAway(true)
	h.release(commit, fate{fault: replyLostAfterCommit})
	for _, c := range behind {
		s.wantError(c, engine.ErrUnavailable) // its deadline is far away
	}
	s.store.setAway(false)
	s.wantError(first, nil)
	s.want(1, 1)
	s.want(2, 0)
}

func TestARequestThatNeedsALoadIsRefusedWhenTheStoreIsAway(t *testing.T) {
	s := newScene(t)
	s.store.write(s.key, add(2), nobody)
	req := s.admit(add(1)) // its stamp is not the one in memory
	s.store.setAway(true)
	if _, err := s.node.Change(req); err != engine.ErrUnavailable {
		t.Errorf("answered %v; want %v", err, engine.ErrUnavailable)
	}
	s.store.setAway(false)
	s.do(add(1))
	s.want(1, 1)
	s.want(2, 1)
}
