package actors

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// remaining is the budget of a request that leaves so many of the limit.
func remaining(limit, n int) engine.Budget {
	return engine.Budget{Granted: true, Limit: limit, Remaining: n}
}

// behind holds a first, admitted commit, has the actor collect requests meanwhile, and
// lets it go. The calls are in the order in which they were collected.
func (s *scene) behind(requests ...*engine.Request) []*call {
	s.Helper()
	h := s.store.hold()
	first := s.start(s.admit(add(15)))
	commit := await(s, "the first commit", h.arrived)
	calls := make([]*call, len(requests))
	for i, req := range requests {
		calls[i] = s.start(req)
	}
	h.release(commit, fate{})
	s.wantError(first, nil)
	return calls
}

func TestAPresumedCreationIsCountedWithItsCommit(t *testing.T) {
	s := newScene(t)
	s.store.leave(3)
	began := time.Now()
	req := &engine.Request{Guards: &engine.Guards{}, Facts: s.store.presumed(engine.Stamp{}), CartID: testID(1), Began: began, Deadline: began.Add(patience)}
	if reply, err := s.node.Create(req); err != nil || reply.Budget != remaining(3, 2) {
		t.Errorf("%+v, %v; want two more", reply, err)
	}
	s.wantCounted(1)
}

func TestCollectedPresumedRequestsAreOneCommitAndEachIsToldWhatItLeft(t *testing.T) {
	s := newScene(t)
	s.store.leave(10)
	var requests []*engine.Request
	for range 5 {
		requests = append(requests, s.presume(add(1)))
	}
	for i, c := range s.behind(requests...) {
		if reply := s.wantError(c, nil); reply.Budget != remaining(10, 9-i) || quantity(reply.Cart, 1) != i+1 {
			t.Errorf("add %d: %+v with %d; want %d remaining", i+1, reply.Budget, quantity(reply.Cart, 1), 9-i)
		}
	}
	s.wantCounted(5)
	if got := s.store.commits(nodeWriter); got != 3 {
		t.Errorf("%d commits for a creation, an add and 5 collected behind it; want 3", got)
	}
}

// The commit cannot tell whom it counts, so those that were counted go apart.
func TestPresumedAndAdmittedRequestsTravelApartInTheirOrder(t *testing.T) {
	s := newScene(t)
	s.store.leave(10)
	presumed := []bool{false, true, true, false, true}
	var requests []*engine.Request
	for _, p := range presumed {
		if p {
			requests = append(requests, s.presume(add(1)))
		} else {
			requests = append(requests, s.admit(add(1)))
		}
	}
	left := 10
	for i, c := range s.behind(requests...) {
		var want engine.Budget
		if presumed[i] {
			left--
			want = remaining(10, left)
		}
		if reply := s.wantError(c, nil); reply.Budget != want || quantity(reply.Cart, 1) != i+1 {
			t.Errorf("add %d: %+v with %d; want %+v", i+1, reply.Budget, quantity(reply.Cart, 1), want)
		}
	}
	s.wantCounted(3)
	if got := s.store.commits(nodeWriter); got != 6 {
		t.Errorf("%d commits for a creation, an add and four groups; want 6", got)
	}
}

func TestRequestsOfTwoPresumptionsTravelApart(t *testing.T) {
	s := newScene(t)
	old := s.presume(add(1))
	s.store.supersede()
	calls := s.behind(old, s.presume(add(1)))
	s.wantError(calls[0], engine.ErrPresumed)
	s.wantError(calls[1], nil)
	s.want(1, 1)
	s.wantCounted(1)
}

// A refusal, or what needs more than the record, is for an admission that counted.
func TestAPresumedAdmissionCarriesNothingButAPlainChange(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	_, before := s.store.counts()
	for _, cmd := range []cartCommand{remove(9), bind()} {
		if _, err := s.node.Change(s.presume(cmd)); err != engine.ErrPresumed {
			t.Errorf("%#v: %v; want ErrPresumed", cmd, err)
		}
	}
	if _, after := s.store.counts(); after != before {
		t.Errorf("%d commits were sent", after-before)
	}
	// Nor a refusal of what is not committed yet; what it stands among goes on.
	calls := s.behind(s.presume(remove(1)), s.presume(setQuantity(1, 5)), s.presume(add(2)))
	s.wantError(calls[0], nil)
	s.wantError(calls[1], engine.ErrPresumed)
	s.wantError(calls[2], nil)
	s.want(1, 0)
	s.want(2, 1)
	s.wantCounted(2)
}

func TestRequestsBeyondTheLimitAreRefusedAndTheOthersJudgedAgain(t *testing.T) {
	s := newScene(t)
	s.store.leave(2)
	var requests []*engine.Request
	for range 5 {
		requests = append(requests, s.presume(add(1)))
	}
	for i, c := range s.behind(requests...) {
		if i < 2 {
			if reply := s.wantError(c, nil); reply.Budget != remaining(2, 1-i) || quantity(reply.Cart, 1) != i+1 {
				t.Errorf("add %d: %+v with %d", i+1, reply.Budget, quantity(reply.Cart, 1))
			}
			continue
		}
		if b := s.wantError(c, commerce.TooManyAttempts).Budget; b.Granted || b.Limit != 2 || b.RetryAfter != time.Second || b.Reset.IsZero() {
			t.Errorf("add %d is refused with %+v", i+1, b)
		}
	}
	s.want(1, 2)
	s.wantCounted(2)
	s.do(add(1)) // admitted, and so counted: goes on
	s.want(1, 3)
}

// An earlier sending that is still on its way may find room: 504, not 429.
func TestALimitExceededBehindAnUnknownSendingSettlesNothing(t *testing.T) {
	s := newScene(t)
	s.store.leave(0)
	s.store.will(fate{fault: replyLostBeforeCommit})
	c := s.start(within(brief, s.presume(add(1))))
	s.wantError(c, engine.ErrUnknownOutcome)
	s.idle()
	s.want(1, 0)
	s.wantCounted(0)
	s.do(add(2))

	s.store.will(fate{fault: replyLostBeforeCommit})
	_, before := s.store.counts()
	c = s.start(s.presume(add(1)))
	s.eventually("it is sent again", func() bool { _, sent := s.store.counts(); return sent > before+1 })
	s.store.leave(1)
	if reply := s.wantError(c, nil); reply.Budget.Remaining != 0 {
		t.Errorf("budget %+v", reply.Budget)
	}
	s.want(1, 1)
	s.wantCounted(1)
}

func TestASupersededCommitIsForAnAdmissionToDecide(t *testing.T) {
	s := newScene(t)
	requests := []*engine.Request{s.presume(add(1)), s.presume(add(1))}
	s.store.supersede()
	for _, c := range s.behind(requests...) {
		s.wantError(c, engine.ErrPresumed)
	}
	s.wantCounted(0)
	s.do(add(1))
	s.want(1, 1)
}

// The commit may have been in time, so that it has to be settled, whatever the store is now.
func TestASupersededCommitOfUnknownOutcomeGoesOn(t *testing.T) {
	for f, counted := range map[fault]int{replyLostBeforeCommit: 0, replyLostAfterCommit: 1} {
		t.Run(f.String(), func(t *testing.T) {
			s := newScene(t)
			s.store.will(fate{fault: f})
			h := s.store.hold() // the second sending
			c := s.start(s.presume(add(1)))
			commit := await(s, "the second sending", h.arrived)
			s.store.supersede()
			h.release(commit, fate{})
			s.wantError(c, nil)
			s.want(1, 1)
			s.wantCounted(counted)
		})
	}
}

func TestAConflictIsRetriedAndCountedOnce(t *testing.T) {
	s := newScene(t)
	s.store.leave(5)
	s.store.will(fate{fault: conflict, foreign: add(1)}, fate{fault: conflict, foreign: add(1)})
	if reply, err := s.node.Change(s.presume(add(1))); err != nil || quantity(reply.Cart, 1) != 3 || reply.Budget != remaining(5, 4) {
		t.Errorf("%+v, %v; want 3 of product 1", reply, err)
	}
	s.wantCounted(1)
}

func TestACommitThatWasAppliedAndOvertakenIsToldItsBudget(t *testing.T) {
	s := newScene(t)
	s.store.leave(5)
	s.store.will(fate{fault: replyLostAfterCommit}, fate{fault: conflict, foreign: add(2)})
	reply, err := s.node.Change(s.presume(add(1)))
	if err != nil || reply.Budget != remaining(5, 4) {
		t.Errorf("%+v, %v; want four more", reply, err)
	}
	s.want(1, 1)
	s.wantCounted(1)
}

// What the node holds may be gone, or not be held any more.
func TestAPresumedRequestOnARecordThatIsGone(t *testing.T) {
	s := newScene(t)
	req := s.presume(add(1))
	s.store.lose(s.key)
	if _, err := s.node.Change(req); err != engine.ErrPresumed {
		t.Errorf("answered %v; want ErrPresumed", err)
	}
	s.wantCounted(0)
}

func TestAPresumedRequestOnARecordThatLeftMemoryLoadsIt(t *testing.T) {
	s := newScene(t)
	req := s.presume(add(1))
	s.node = NewCarts(s.store, config(2))
	t.Cleanup(s.node.Close)
	if reply, err := s.node.Change(req); err != nil || quantity(reply.Cart, 1) != 1 {
		t.Errorf("%+v, %v", reply, err)
	}
	s.wantCounted(1)
}

// Spec: Line behaviour 2. A node that holds an old state takes no add for a
// simultaneous one that may have come behind the line.
func TestAPresumedAddIsClampedOnlyWhereItCameBeforeTheLine(t *testing.T) {
	for _, c := range []struct {
		age  time.Duration // of the other node's line
		want error
	}{{-time.Millisecond, nil}, {0, engine.ErrPresumed}, {time.Millisecond, engine.ErrPresumed}, {time.Second, engine.ErrPresumed}} {
		s := newScene(t)
		s.shop.Policy.MaxQuantityPerLine = 10 * commerce.One
		s.store.write(s.key, addMany(1, 8), nobody)
		req := s.presume(addMany(1, 8))
		req.Latest = s.store.record(s.key).State.UpdatedAt.Add(c.age)
		reply, err := s.node.Change(req)
		if err != c.want || err == nil && quantity(reply.Cart, 1) != 10 {
			t.Errorf("%v after the line: %d, %v; want %v", c.age, quantity(reply.Cart, 1), err, c.want)
		}
		s.idle()
	}
}

// Nor where the node takes over the other's line while the add is on its way.
func TestAPresumedAddIsNoLoserOfALineTakenOverBeforeItArrives(t *testing.T) {
	s, req := behindAnAnswer(t, time.Second)
	s.do(add(2))
	s.wantError(s.start(req), engine.ErrPresumed)
}

// Nor where the other node, once it had answered, wrote something else.
func TestAPresumedAddIsNoLoserOfALineThatALaterWriteHides(t *testing.T) {
	s, req := behindAnAnswer(t, time.Millisecond)
	s.store.skip(time.Second)
	s.store.write(s.key, add(3), nobody)
	s.wantError(s.start(req), engine.ErrPresumed)
}

// Of its own lines a node knows which of them a presumed add saw, whatever the clock says.
func TestAPresumedAddIsClampedWhereItsNodeMadeTheLineLater(t *testing.T) {
	s := newScene(t)
	s.shop.Policy.MaxQuantityPerLine = 10 * commerce.One
	early := s.presume(addMany(1, 8))
	s.do(addMany(1, 8))
	late := s.presume(addMany(1, 8))
	for _, req := range []*engine.Request{early, late} {
		req.Latest = s.store.record(s.key).State.UpdatedAt
	}
	if reply, err := s.node.Change(early); err != nil || quantity(reply.Cart, 1) != 10 {
		t.Errorf("an add that came before: %d, %v; want 10", quantity(reply.Cart, 1), err)
	}
	s.wantError(s.behind(late)[0], engine.ErrPresumed)
}
