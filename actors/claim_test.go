package actors

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// accountCarts are the active carts of an account in the store's order. The lock is held.
func (s *fakeStorage[S]) accountCarts(customer uuid.UUID) (members []uuid.UUID, carts map[uuid.UUID]engine.CartRecord) {
	carts = map[uuid.UUID]engine.CartRecord{}
	for key, r := range s.records {
		c, is := any(r.State).(*commerce.Cart)
		if is && c != nil && c.Status == commerce.CartActive && c.Customer == (commerce.Binding{ID: customer}) {
			carts[key.ID] = engine.CartRecord{Stamp: r.Stamp, Writers: r.Writers, State: c}
			members = append(members, key.ID)
		}
	}
	slices.SortFunc(members, func(a, b uuid.UUID) int {
		if order := carts[a].State.CreatedAt.Compare(carts[b].State.CreatedAt); order != 0 {
			return order
		}
		return bytes.Compare(a[:], b[:])
	})
	return members, carts
}

// compareFold compares the other carts of a claim and, with its last commit, their number. If they
// differ, the claim's facts have the current ones.
func (s *fakeStorage[S]) compareFold(v *engine.Visit[S], facts []engine.VisitedFacts) (fold *engine.Fold, same bool) {
	same = true
	for i := range v.Effects {
		if fold = v.Effects[i].Fold; fold == nil {
			continue
		}
		members, carts := s.accountCarts(fold.Customer)
		for _, c := range fold.Carts {
			same = same && carts[c.ID].Stamp == c.Before.Stamp
		}
		if same = same && (!fold.Last || len(members) == fold.Members); same {
			return fold, true
		}
		judged := v.Requests[0].Carts
		found := engine.NewAccountCarts(fold.Customer, members, false, judged.Conflicts+1)
		for i, id := range found.Members {
			found.Records[i] = carts[id]
			facts[0].Unknown = facts[0].Unknown || id != v.Key.ID && !slices.Contains(judged.Members, id)
		}
		facts[0].Carts = found
	}
	return fold, same
}

// writeFold writes the folded carts of a claim.
func (s *fakeStorage[S]) writeFold(store uuid.UUID, fold *engine.Fold) {
	if fold == nil {
		return
	}
	for _, c := range fold.Carts {
		if next, is := any(c.Next).(engine.Record[S]); is && c.Next.State != nil {
			key := engine.RecordKey{Store: store, ID: c.ID}
			s.history = append(s.history, applied[S]{key: key, before: s.records[key], after: next})
			s.records[key] = next
		}
	}
}

// The methods that the engine needs for a claim.
func (n *testNode) AccountCarts(_, customer uuid.UUID, _ time.Time) ([]uuid.UUID, error) {
	n.storage.mu.Lock()
	defer n.storage.mu.Unlock()
	members, _ := n.storage.accountCarts(customer)
	return members, nil
}

func (n *testNode) LoadCarts(keys []engine.RecordKey, _ time.Time) (carts []engine.CartRecord, err error) {
	for _, key := range keys {
		carts = append(carts, n.storage.record(key))
	}
	return carts, nil
}

// claimScene is a cart with one of product 0, and another of the account with one of product 1.
type claimScene struct {
	*scene
	other engine.RecordKey
}

func newClaimScene(t *testing.T) *claimScene {
	s := &claimScene{scene: newScene(t)}
	s.signIn()
	s.do(add(0))
	s.other = s.bound(0xcb, 1)
	return s
}

// bound makes a cart of the account with one of a product.
func (s *claimScene) bound(id, product int) engine.RecordKey {
	s.Helper()
	s.create(testID(id))
	s.wantChange(s.by(s.node.request(testID(id), bind(), nil)), nil)
	s.wantChange(s.by(s.node.request(testID(id), add(product), nil)), nil)
	return engine.RecordKey{Store: s.shop.ID, ID: testID(id)}
}

// claim begins a claim of the scene's cart and halts its first visit.
func (s *claimScene) claim(deadline time.Duration) (*call, halted) {
	s.Helper()
	h := s.storage.halt()
	c := s.begin(deadline)
	return c, halted{h, await(s.scene, "the visit", h.arrived)}
}

func (s *claimScene) begin(deadline time.Duration) *call {
	c := &call{done: make(chan struct{})}
	r := within(deadline, s.by(s.request(nil)))
	go func() {
		defer close(c.done)
		c.reply, c.err = s.node.engine.ClaimCart(r)
	}()
	return c
}

// elsewhere changes a cart of the account as another node would.
func (s *claimScene) elsewhere(key engine.RecordKey, cmd cartCommand) {
	s.Helper()
	s.storage.set(func() {
		before := s.storage.records[key]
		in := &commerce.Input{Store: s.shop, Visitor: account, Now: s.storage.now(), Next: before.Stamp.Counter + 1}
		state, _, refusal := commerce.ChangeCart(before.State, cmd, in)
		if refusal != nil {
			s.Fatal(refusal)
		}
		s.storage.foreign++
		after := engine.CartRecord{
			Stamp: engine.Stamp{Counter: before.Stamp.Counter + 1, Writer: foreignWriter, Sequence: s.storage.foreign}, State: state,
			Writers: before.Remember(foreignWriter, in.Now),
		}
		s.storage.replace(key, before, after, nil)
	})
}

// wantFolded fails unless the other cart is merged and the claimed one has so many of products 0 to 3.
func (s *claimScene) wantFolded(want ...int) {
	s.Helper()
	if status := s.storage.record(s.other).State.Status; status != commerce.CartMerged {
		s.Errorf("the other cart is %v", status)
	}
	for product, n := range want {
		s.want(product, n)
	}
}

// docs/api/carts.md#claim, Which carts. Writes of the other carts, on this node or another one, are
// folded too, once.
func TestClaimMeetsOtherWrites(t *testing.T) {
	for _, c := range []struct {
		rule  string
		meets func(*claimScene)
		fate  fate
		want  []int
	}{
		{"nothing", func(*claimScene) {}, fate{}, []int{1, 1}},
		{"its reply is lost", func(*claimScene) {}, fate{fault: replyLost}, []int{1, 1}},
		{"it is lost", func(*claimScene) {}, fate{fault: requestLost}, []int{1, 1}},
		{"the claimed cart changed", func(s *claimScene) { s.elsewhere(s.key, add(0)) }, fate{}, []int{2, 1}},
		{"the other cart changed on another node", func(s *claimScene) { s.elsewhere(s.other, add(2)) }, fate{}, []int{1, 1, 1}},
		{"the other cart changed here", func(s *claimScene) { s.wantChange(s.by(s.node.request(s.other.ID, add(1), nil)), nil) }, fate{}, []int{1, 2}},
		{"a further cart joined", func(s *claimScene) { s.bound(0xcc, 3) }, fate{}, []int{1, 1, 0, 1}},
		{"the claimed cart was bound", func(s *claimScene) { s.elsewhere(s.key, bind()) }, fate{}, []int{1, 1}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newClaimScene(t)
			call, h := s.claim(patience)
			if len(h.visit.Effects) != 1 || len(h.visit.Effects[0].Fold.Carts) != 1 {
				t.Fatalf("the visit's effects are %+v", h.visit.Effects)
			}
			c.meets(s)
			h.let(c.fate)
			reply := s.wantError(call, nil)
			s.wantFolded(c.want...)
			if reply.Cart.Customer != (commerce.Binding{ID: account.CustomerID}) || !reply.Facts.Counted {
				t.Errorf("answered %+v", reply)
			}
			// The other cart's actor, which has it as it was, answers from the new state.
			s.wantChange(s.by(s.node.request(s.other.ID, add(1), nil)), commerce.NotFound("Cart", s.other.ID.String()))
			s.wantFolded(c.want...)
		})
	}
}

// docs/design.md#who-writes. The other cart's writer can still see whether its own write was done, if
// the reply was lost and the claim came next.
func TestClaimOvertakesALostWrite(t *testing.T) {
	for _, c := range []struct {
		fault fault
		want  error
		units int
	}{
		{replyLost, nil, 2},
		{requestLost, commerce.NotFound("Cart", testID(0xcb).String()), 1},
	} {
		s := newClaimScene(t)
		key := s.key
		s.key = s.other // start waits for this cart's actor
		add, h := s.halting(s.by(s.request(add(1))))
		s.key = key
		if c.fault == replyLost {
			s.storage.set(func() { s.storage.visit(h.visit) })
		}
		s.wantError(s.begin(patience), nil)
		h.let(fate{fault: requestLost}) // and is sent again
		s.wantError(add, c.want)
		s.wantFolded(1, c.units)
	}
}

// Commands on the claimed cart do not wait for the other carts: a claim has a visit of its own, and
// after a conflict the other commands go first.
func TestClaimLetsOthersGoFirst(t *testing.T) {
	s := newClaimScene(t)
	claim, h := s.claim(patience)
	one, two := s.start(s.request(add(5))), s.start(s.request(add(5)))
	s.elsewhere(s.other, add(2))
	next := s.storage.halt()
	h.let(fate{})
	v := await(s.scene, "the next visit", next.arrived)
	if len(v.Requests) != 2 || v.Requests[0].Carts != nil {
		t.Errorf("the visit after the conflict is of %d requests, %+v; want the two adds", len(v.Requests), v.Requests[0])
	}
	halted{next, v}.let(fate{})
	s.wantError(one, nil)
	s.wantError(two, nil)
	s.wantError(claim, nil)
	s.wantFolded(1, 1, 1)
	s.want(5, 2)
}

// A claim whose other cart still changes at its deadline: nothing was done.
func TestClaimGivesUpAtItsDeadline(t *testing.T) {
	s := newClaimScene(t)
	const deadline = 2*maxTrip - 20*time.Millisecond
	claim, h := s.claim(deadline)
	s.elsewhere(s.other, add(2))
	s.eventually("the half of the time is over", func() bool { return time.Since(h.visit.SentAt) > deadline/2 })
	h.let(fate{})
	s.wantError(claim, engine.ErrUnavailable)
	if status := s.storage.record(s.other).State.Status; status != commerce.CartActive {
		s.Errorf("the other cart is %v", status)
	}
	s.wantError(s.begin(patience), nil)
	s.wantFolded(1, 1, 1)
}

// docs/api/carts.md#claim, Many carts. A claim of many carts whose second commit has no answer ends as
// unknown. Repeated, it folds the rest.
func TestInterruptedClaimIsCompleted(t *testing.T) {
	s := newClaimScene(t)
	const others = engine.MaxFolded + 4
	for n := range others {
		s.bound(0x100+n, 2)
	}
	claim, h := s.claim(300 * time.Millisecond)
	second := s.storage.halt()
	h.let(fate{})
	v := await(s.scene, "the second visit", second.arrived)
	s.storage.set(func() { s.storage.usual = fate{fault: requestLost} }) // for every further sending
	halted{second, v}.let(fate{fault: requestLost})
	s.wantError(claim, engine.ErrUnknownOutcome)
	s.want(2, engine.MaxFolded-1) // the oldest one has product 1
	s.heal()
	reply := s.wantError(s.begin(patience), nil)
	if len(reply.Report) != 1+others-engine.MaxFolded {
		t.Errorf("the second claim has folded %d carts", len(reply.Report))
	}
	s.wantFolded(1, 1, others)
}
