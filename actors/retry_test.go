package actors

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// onceKey is an Idempotency-Key and the request that goes by it.
func onceKey(name, request byte) *engine.IdempotencyKey {
	return &engine.IdempotencyKey{Name: [16]byte{name}, Request: [16]byte{request}, Status: 201}
}

// key is the one most tests repeat a request under.
var key = onceKey(1, 1)

// once admits a command under a key.
func (s *scene) once(cmd cartCommand, k *engine.IdempotencyKey) *engine.Request {
	s.Helper()
	req, err := admitOnce(s.node, s.store, s.key, cmd, k, patience)
	if err != nil {
		s.Fatalf("admission: %v", err)
	}
	return req
}

// doOnce runs a command under a key; it must succeed, repeated or not.
func (s *scene) doOnce(cmd cartCommand, k *engine.IdempotencyKey, replayed bool) engine.Reply {
	s.Helper()
	reply, err := s.node.Change(s.once(cmd, k))
	if err != nil || reply.Replayed != replayed {
		s.Fatalf("%#v under %v: replayed %v, %v; want %v", cmd, k.Name[:1], reply.Replayed, err, replayed)
	}
	return reply
}

// repeatable are writes that would have another effect, or be refused, if they were
// applied twice. Each begins with two of product 1 in the cart.
var repeatable = []struct {
	name string
	cmd  cartCommand
	want int // of product 1 in the end
}{
	{"add", add(1), 3},
	{"add up to the maximum", addMany(1, 98), 100},
	{"change", setQuantity(1, 5), 5},
	{"removal", remove(1), 0},
	{"patch", bind(), 2},
}

// eachRepeatable runs a test for every kind of write.
func eachRepeatable(t *testing.T, run func(s *scene, cmd cartCommand)) {
	for _, c := range repeatable {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.shop.Policy.MaxQuantityPerLine = 100 * commerce.One
			s.do(addMany(1, 2))
			run(s, c.cmd)
			s.idle()
			s.want(1, c.want)
		})
	}
}

func TestARepeatedRequestIsReplayedWithTheCartAsItStands(t *testing.T) {
	eachRepeatable(t, func(s *scene, cmd cartCommand) {
		first := s.doOnce(cmd, key, false)
		if again := s.doOnce(cmd, key, true); again.Stamp != first.Stamp || again.Place != 0 {
			s.Errorf("replayed at %v, place %d; want %v, 0", again.Stamp, again.Place, first.Stamp)
		}
		s.do(add(2))
		if again := s.doOnce(cmd, key, true); quantity(again.Cart, 2) != 1 {
			s.Error("replayed with the cart of then; want it as it stands now")
		}
	})
}

// A replay is no write: neither a commit nor a later expiry comes of it.
func TestAReplayWritesNothing(t *testing.T) {
	s := newScene(t)
	s.doOnce(add(1), key, false)
	before, entry := s.store.record(s.key), *s.store.entries[key.Name]
	_, sendings := s.store.counts()
	s.doOnce(add(1), key, true)
	if _, now := s.store.counts(); now != sendings {
		t.Errorf("%d sendings for a replay; want none", now-sendings)
	}
	if after := s.store.record(s.key); after.Stamp != before.Stamp || *s.store.entries[key.Name] != entry {
		t.Errorf("a replay made %v of %v", after.Stamp, before.Stamp)
	}
}

func TestARequestIsReplayedAfterItsActorAndItsRecordHaveLeft(t *testing.T) {
	for _, c := range []struct {
		when  string
		later time.Duration
		held  int
	}{{"the actor", 2 * time.Hour, 1}, {"the record too", (stays + 1) * time.Hour, 0}} {
		t.Run(c.when, func(t *testing.T) {
			s := newScene(t)
			s.doOnce(add(1), key, false)
			s.sweepAt(c.later)
			s.wantResident(c.held, 0)
			s.doOnce(add(1), key, true)
			s.want(1, 1)
		})
	}
}

// twice starts the same request twice while a commit is held, and lets it go.
func (s *scene) twice(cmd cartCommand, f fate, k *engine.IdempotencyKey) (first, second *call) {
	s.Helper()
	h := s.store.hold()
	before := s.start(s.admit(add(15)))
	commit := await(s, "the commit", h.arrived)
	first, second = s.start(s.once(cmd, key)), s.start(s.once(cmd, k))
	h.release(commit, f)
	s.wantError(before, nil)
	return first, second
}

// Both are in one batch, whether its commit conflicts or not.
func TestARequestCollectedTwiceIsAppliedOnce(t *testing.T) {
	for _, f := range []fate{{}, overtake, {fault: replyLostBeforeCommit}, {fault: replyLostAfterCommit}} {
		t.Run(f.fault.String(), func(t *testing.T) {
			eachRepeatable(t, func(s *scene, cmd cartCommand) {
				first, second := s.twice(cmd, f, key)
				if one, two := s.wantError(first, nil), s.wantError(second, nil); one.Replayed || !two.Replayed {
					s.Errorf("replayed: %v, %v; want the second only", one.Replayed, two.Replayed)
				}
			})
		})
	}
}

// The second was admitted before the first was committed, so that its admission
// found no entry, and is judged after.
func TestARequestCollectedBehindItselfIsReplayed(t *testing.T) {
	for _, f := range []fate{{}, overtake, {fault: replyLostBeforeCommit}, {fault: replyLostAfterCommit}} {
		t.Run(f.fault.String(), func(t *testing.T) {
			eachRepeatable(t, func(s *scene, cmd cartCommand) {
				h := s.store.hold()
				first := s.start(s.once(cmd, key))
				commit := await(s, "the commit", h.arrived)
				second, third := s.start(s.once(cmd, key)), s.start(s.once(cmd, key))
				h.release(commit, f)
				one, two, three := s.wantError(first, nil), s.wantError(second, nil), s.wantError(third, nil)
				if one.Replayed || !two.Replayed || !three.Replayed {
					s.Errorf("replayed: %v, %v, %v; want all but the first", one.Replayed, two.Replayed, three.Replayed)
				}
			})
		})
	}
}

// Behind changes of the same batch, too: the refusal of the second waits for them.
func TestARequestBehindItselfAndOtherChangesIsReplayed(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	h := s.store.hold()
	first := s.start(s.once(remove(1), key))
	commit := await(s, "the commit", h.arrived)
	between, second := s.start(s.admit(add(2))), s.start(s.once(remove(1), key))
	h.release(commit, fate{})
	s.wantError(first, nil)
	s.wantError(between, nil)
	if reply := s.wantError(second, nil); !reply.Replayed || quantity(reply.Cart, 2) != 1 {
		t.Errorf("replayed %v with %+v; want the cart as it stands", reply.Replayed, reply.Cart)
	}
}

// The same request on two nodes, both admitted before either is committed.
func TestARequestOnTwoNodesIsAppliedOnce(t *testing.T) {
	for _, informed := range []bool{false, true} {
		eachRepeatable(t, func(s *scene, cmd cartCommand) {
			other := NewCarts(s.store, config(2))
			s.TB.(*testing.T).Cleanup(other.Close)
			second, err := admitOnce(other, s.store, s.key, cmd, key, patience)
			if err != nil {
				s.Fatal(err)
			}
			s.doOnce(cmd, key, false)
			if informed { // by another request it knows the state after the first
				read, err := admit(other, s.store, s.key, nil, patience)
				if err != nil {
					s.Fatal(err)
				}
				read.Visitor = account
				if _, err := other.Read(read); err != nil {
					s.Fatal(err)
				}
				second.Began = time.Now() // and what the second saw is older
			}
			second.Visitor = account
			if reply, err := other.Change(second); err != nil || !reply.Replayed {
				s.Errorf("informed %v: replayed %v, %v; want a replay", informed, reply.Replayed, err)
			}
		})
	}
}

// What an actor knows of a moment after the request began may still be older than
// the entry that the request's admission found.
func TestAReplayShowsTheEffectThatItsEntryTellsOf(t *testing.T) {
	s := newScene(t)
	began := time.Now()
	s.store.write(s.key, add(2), nobody)
	if _, err := s.node.Read(s.admit(nil)); err != nil { // loaded after the request began
		t.Fatal(err)
	}
	s.store.will(fate{fault: conflict, foreign: add(1), key: key}, fate{fault: refusal})
	other := NewCarts(s.store, config(2))
	t.Cleanup(other.Close)
	req, err := admit(other, s.store, s.key, add(9), patience)
	if err != nil {
		t.Fatal(err)
	}
	other.Change(req) // lets the foreign node commit the request
	again := s.once(add(1), key)
	again.Began = began
	reply, err := s.node.Change(again)
	if err != nil || !reply.Replayed || quantity(reply.Cart, 1) != 1 {
		t.Errorf("replayed %v, %v, with %d of product 1; want its effect in it", reply.Replayed, err, quantity(reply.Cart, 1))
	}
}

func TestAKeyGoesWithOneRequestOnly(t *testing.T) {
	other := onceKey(1, 2)
	t.Run("known at admission", func(t *testing.T) {
		s := newScene(t)
		s.doOnce(add(1), key, false)
		if _, err := s.node.Change(s.once(add(2), other)); !sameError(err, commerce.IdempotencyKeyReused) {
			t.Errorf("answered %v; want %v", err, commerce.IdempotencyKeyReused)
		}
		s.want(2, 0)
	})
	t.Run("collected together", func(t *testing.T) {
		s := newScene(t)
		first, second := s.twice(add(1), fate{}, other)
		s.wantError(first, nil)
		s.wantError(second, commerce.IdempotencyKeyReused)
		s.want(1, 1)
	})
	t.Run("told by the conflict", func(t *testing.T) {
		s := newScene(t)
		req := s.once(add(2), other)
		s.store.will(fate{fault: conflict, foreign: add(1), key: key})
		if _, err := s.node.Change(req); !sameError(err, commerce.IdempotencyKeyReused) {
			t.Errorf("answered %v; want %v", err, commerce.IdempotencyKeyReused)
		}
		s.want(1, 1)
		s.want(2, 0)
	})
}

// Refusals are not kept: the same request may succeed later.
func TestARefusalIsNotRemembered(t *testing.T) {
	s := newScene(t)
	s.shop.Policy.MaxQuantityPerLine = 5 * commerce.One
	s.do(addMany(1, 5))
	for range 2 {
		if _, err := s.node.Change(s.once(add(1), key)); !sameError(err, commerce.QuantityAboveMaximum) {
			t.Errorf("answered %v; want %v", err, commerce.QuantityAboveMaximum)
		}
	}
	if len(s.store.entries) != 0 {
		t.Errorf("remembered: %v; want nothing", s.store.entries)
	}
	s.do(setQuantity(1, 1))
	s.doOnce(add(1), key, false)
	s.want(1, 2)
}

// A refusal that has not changed since its admission costs no further trip.
func TestARefusalOfWhatTheAdmissionSawAsksNobody(t *testing.T) {
	s := newScene(t)
	s.do(add(1))
	if loads := s.loading(func() {
		if _, err := s.node.Change(s.once(remove(9), key)); !sameError(err, commerce.NotFound("CartLine", testID(9).String())) {
			t.Errorf("answered %v; want a 404", err)
		}
	}); loads != 0 {
		t.Errorf("%d loads; want none", loads)
	}
}

func TestAReplayAsksForTheOwner(t *testing.T) {
	s := newScene(t)
	s.doOnce(add(1), key, false)
	s.store.write(s.key, bind(), account)
	if _, err := s.node.Change(s.once(add(1), key)); !sameError(err, commerce.CartOwned) {
		t.Errorf("without the token: %v; want %v", err, commerce.CartOwned)
	}
	req := s.once(add(1), key)
	req.Visitor = account
	if reply, err := s.node.Change(req); err != nil || !reply.Replayed {
		t.Errorf("with the token: replayed %v, %v; want a replay", reply.Replayed, err)
	}
	s.want(1, 1)
}

// Spec: Status effects 1; a replay comes before it.
func TestAReplayOnAConvertedCartIsAnswered(t *testing.T) {
	for _, late := range []bool{false, true} { // admitted before its own effect
		s := newScene(t)
		early := s.once(add(1), key)
		s.doOnce(add(1), key, false)
		s.store.convert(s.key)
		req := s.once(add(1), key)
		if late {
			if _, err := s.node.Read(s.admit(nil)); err != nil { // the node knows what became of the cart
				t.Fatal(err)
			}
			req = early
		}
		reply, err := s.node.Change(req)
		if err != nil || !reply.Replayed || reply.Cart.Status != commerce.CartConverted {
			t.Errorf("late %v: %+v, %v; want a replay of the converted cart", late, reply, err)
		}
		if _, err := s.node.Change(s.once(add(1), onceKey(2, 1))); !sameError(err, commerce.NotFound("Cart", cartID.String())) {
			t.Errorf("another key: %v; want a 404", err)
		}
	}
}

// convert makes a cart read-only, as a checkout on another node does.
func (s *fakeStore) convert(key engine.RecordKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.records[key]
	after, cart := before, *before.State
	s.foreign++
	cart.Status, after.State = commerce.CartConverted, &cart
	after.Writers = before.Remember(foreignWriter, s.now())
	after.Stamp = engine.Stamp{Counter: before.Stamp.Counter + 1, Writer: foreignWriter, Sequence: s.foreign}
	s.replace(key, before, after, nil)
}
