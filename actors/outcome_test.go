package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// overtake is the conflict in which another node puts something of product 2 into the cart.
var overtake = fate{fault: conflict, foreign: add(2)}

// One add of product 1 meets these fates, one for each sending.
func TestAVisitHasItsEffectOnceOrNotAtAll(t *testing.T) {
	lost, early := fate{fault: replyLost}, fate{fault: requestLost}
	moved, jump := fate{fault: newHead}, fate{fault: clockJump}
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
		{"unknown, and applied ahead of the next sending", []fate{{fault: delayed, after: 1}}, nil, 1, 0, 2},
		{"unknown, and too late", []fate{{fault: delayed, after: 9}}, nil, 1, 0, 2},
		{"applied, then overtaken", []fate{lost, overtake}, nil, 1, 1, 2},
		{"applied, then overtaken by another line", []fate{lost, {fault: conflict, foreign: add(3)}, overtake}, nil, 1, 0, 2},
		{"not applied, then overtaken", []fate{early, overtake}, nil, 1, 1, 3},
		{"travelling while overtaken", []fate{{fault: delayed, after: 9}, overtake}, nil, 1, 1, 3},
		{"overtaken", []fate{overtake}, nil, 1, 1, 2},
		{"overtaken again and again", []fate{overtake, overtake, overtake, overtake}, nil, 1, 4, 5},
		{"certainly refused", []fate{{fault: refusal}}, engine.ErrUnavailable, 0, 0, 1},
		{"overtaken, then certainly refused", []fate{overtake, {fault: refusal}}, engine.ErrUnavailable, 0, 1, 2},
		{"unknown, then refused: only the sending was", []fate{early, {fault: refusal}}, nil, 1, 0, 3},
		{"applied, then refused", []fate{lost, {fault: refusal}}, nil, 1, 0, 3},
		{"broken", []fate{{fault: broken}}, engine.ErrUnavailable, 0, 0, 1},
		{"unknown, then broken", []fate{early, {fault: broken}}, engine.ErrUnknownOutcome, 0, 0, 2},
		{"a backup is restored below it", []fate{{fault: restoredBackup}}, nil, 1, 0, 2},
		{"applied, and a backup loses it", []fate{lost, {fault: restoredBackup}}, nil, 1, 0, 2},
		{"another head", []fate{moved}, nil, 1, 0, 2},
		{"another head, again and again", []fate{moved, moved, moved}, nil, 1, 0, 4},
		{"not applied, then another head", []fate{early, moved}, nil, 1, 0, 3},
		{"travelling when the head moves", []fate{{fault: delayed, after: 9}, moved}, nil, 1, 0, 3},
		{"too late", []fate{jump}, nil, 1, 0, 2},
		{"too late, again and again", []fate{jump, jump, jump}, nil, 1, 0, 2},
		{"travelling when it is too late", []fate{{fault: delayed, after: 9}, jump}, nil, 1, 0, 3},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.do(add(3))
			_, before, _ := s.storage.counts()
			s.storage.will(c.fates...)
			reply, err := s.node.change(s.request(add(1)))
			if !sameError(err, c.err) {
				t.Fatalf("answered %v; want %v", err, c.err)
			}
			if got := quantity(reply.Cart, 1); err == nil && got != 1 {
				t.Errorf("answered with a quantity of %d; want 1", got)
			}
			s.want(1, c.quantity)
			s.want(2, c.foreign)
			if _, now, _ := s.storage.counts(); now-before != c.sendings {
				t.Errorf("%d sendings; want %d", now-before, c.sendings)
			}
			s.heal()
			s.do(add(4)) // the actor goes on, and no late sending has an effect
			s.storage.calm()
			s.want(1, c.quantity)
			s.want(4, 1)
		})
	}
}

// An add is a success if it was done while the cart was not bound yet, although the reply comes
// late.
func TestALateReplyOfAnAddIsASuccessOnACartBoundSince(t *testing.T) {
	s := newScene(t)
	s.storage.will(fate{fault: replyLost}, fate{fault: conflict, foreign: bind(), visitor: account})
	if reply := s.do(add(1)); reply.Cart.Customer.Bound() {
		t.Error("the add was answered with the other node's state; want its own")
	}
	s.want(1, 1)
	s.wantChange(s.request(add(1)), commerce.CartOwned)
}

func TestAKnownOutageRefusesAtOnceAndEnds(t *testing.T) {
	s := newScene(t)
	s.storage.will(fate{fault: unreachable})
	s.wantChange(s.request(add(1)), engine.ErrUnavailable)
	s.wantChange(s.request(remove(1)), engine.ErrUnavailable)
	other := s.other() // it needs a load
	needs := func(want error) {
		t.Helper()
		if _, err := other.change(other.request(cartID, add(2), nil)); err != want {
			t.Errorf("answered %v; want %v", err, want)
		}
	}
	needs(engine.ErrUnavailable)
	s.storage.setAway(false)
	s.do(add(2))
	needs(nil)
	s.want(1, 0)
	s.want(2, 2)
}

func TestTheQueueOfAnUnknownVisitIsRefusedWhenTheStoreIsAway(t *testing.T) {
	s := newScene(t)
	first, h := s.halting(s.request(add(1)))
	queued := []*call{s.start(s.request(add(2))), s.start(s.request(add(3)))}
	s.storage.setAway(true)
	h.let(fate{fault: replyLost})
	for _, c := range queued {
		s.wantError(c, engine.ErrUnavailable) // its deadline is far away
	}
	s.storage.setAway(false)
	s.wantError(first, nil)
	s.want(1, 1)
	s.want(2, 0)
}

// After a conflict a visit is sent again at once. With a pause, another node without pauses would
// always commit first.
func TestAConflictIsNotWaitedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		const others = 40
		for n := range others {
			s.storage.will(fate{fault: conflict, foreign: add(2 + n%8)})
		}
		began := time.Now() // by the bubble's clock, which stops while a goroutine works
		s.do(add(1))
		if took := time.Since(began); took != 0 {
			t.Errorf("the add waited for %v after %d conflicts, want no wait", took, others)
		}
		s.want(1, 1)
		s.want(2, others/8)
	})
}

// A record remembers a writer for ten minutes. After that, a visit with an unknown outcome is not
// done again.
func TestAVisitThatTheRecordMayHaveForgottenIsNotDoneAgain(t *testing.T) {
	s := newScene(t)
	c, h := s.halting(s.request(add(1)))
	s.storage.apply(h.visit) // done; its reply will be lost
	s.storage.write(s.key, add(2), anonymous)
	s.storage.skip(engine.WriterMemory) // the store's clock, or the node's sleep
	s.storage.write(s.key, add(2), anonymous)
	h.let(fate{fault: requestLost})
	s.wantError(c, engine.ErrUnknownOutcome)
	s.want(1, 1)
	s.do(add(1))
	s.want(1, 2)
}

// Requests of a merchant's key go beyond the limit by a quarter of it, also those that stand behind
// refused requests of other keys on the same cart. Each is counted once, in the order of arrival.
func TestMerchantsRequestsBeyondTheLimit(t *testing.T) {
	s := newScene(t)
	s.storage.set(func() { s.storage.limit, s.storage.counted, s.storage.head = 12, 9, "head 1" }) // one is for the visit that collects the others
	s.node.learn(nil)
	merchant := &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceWrite, commerce.OrdersWrite)}
	rows := []struct {
		key  *commerce.APIKey
		left int // -1: refused
	}{
		{nil, 1}, {merchant, 3}, {nil, -1}, {nil, -1}, {merchant, 2}, {merchant, 1}, {nil, -1}, {merchant, 0}, {merchant, -1}, {nil, -1}, {merchant, -1},
	}
	var requests []*engine.Request
	for _, row := range rows {
		r := s.request(add(1))
		if row.key != nil {
			r.Key = row.key
		}
		requests = append(requests, r)
	}
	calls, h := s.whileHalted(requests...)
	h.let(fate{})
	granted := 0
	for i, row := range rows {
		if row.left < 0 {
			s.wantError(calls[i], commerce.TooManyAttempts)
			continue
		}
		granted++
		if got := s.wantError(calls[i], nil).Facts.Budget; got.Limit != 12 || got.Remaining != row.left {
			t.Errorf("request %d has the budget %+v, want %d left", i, got, row.left)
		}
	}
	s.want(1, granted)
	if s.storage.counted != 15 {
		t.Errorf("%d requests are counted, want 15", s.storage.counted)
	}
}

// stingyStorage grants one unit of each ask.
type stingyStorage struct {
	*cartStorage
	before []*commerce.Cart
}

func (s *stingyStorage) Send(v *engine.Visit[*commerce.Cart]) {
	s.before = append(s.before, v.Before)
	done := v.Done
	v.Done = func(o engine.Outcome[*commerce.Cart]) {
		if asks := v.Next.State.Hold.Asks; len(asks) > 0 {
			o.Current = v.Next
			o.Current.State = v.Next.State.Granting()
			o.Current.State.Hold.Asks[0].Granted = commerce.One.Micros()
		}
		done(o)
	}
	s.cartStorage.Send(v)
}

// The next visit starts from the record with the store's grants.
func TestGrantsAreNoted(t *testing.T) {
	shop := testShop(1)
	shop.Products[0].TrackStock, shop.StockHold = true, time.Hour
	shop.Modules = shop.Modules.With(commerce.ModuleStock)
	shop.Index()
	store := &stingyStorage{cartStorage: newFakeStorage(shop)}
	s := newSceneOver(t, store.cartStorage, store)
	s.do(addMany(0, 5))
	s.do(commerce.PatchCart{})
	if len(store.before) != 3 || store.before[0] != nil || len(store.before[1].Hold.Asks) != 0 {
		t.Fatalf("the visits went on from %+v", store.before)
	}
	want := commerce.StockAsk{Item: testID(0), Quantity: (5 * commerce.One).Micros(), Granted: commerce.One.Micros()}
	if got := store.before[2].Hold.Asks; len(got) != 1 || got[0] != want {
		t.Errorf("the last visit went on from %+v, want %+v", got, want)
	}
}
