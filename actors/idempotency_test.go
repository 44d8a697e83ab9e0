package actors

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// repeatable are writes that, applied twice, would have another effect or be refused. Each begins
// with two of product 1 in the cart.
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

// A replay writes nothing and does not extend the cart's life.
func TestARepeatedRequestIsReplayedWithTheCartAsItStands(t *testing.T) {
	eachRepeatable(t, func(s *scene, cmd cartCommand) {
		first := s.doWithKey(cmd, key, false)
		commits := len(s.storage.history)
		if again := s.doWithKey(cmd, key, true); again.Stamp != first.Stamp || again.CommitIndex != 0 {
			s.Errorf("replayed at %v, commit index %d; want %v, 0", again.Stamp, again.CommitIndex, first.Stamp)
		}
		if now := len(s.storage.history); now != commits {
			s.Errorf("%d commits for a replay; want none", now-commits)
		}
		s.do(add(2))
		if again := s.doWithKey(cmd, key, true); quantity(again.Cart, 2) != 1 {
			s.Error("replayed with the old cart; want the current one")
		}
	})
}

func TestARequestIsReplayedAfterItsActorAndItsRecordHaveLeft(t *testing.T) {
	for _, c := range []struct {
		when     string
		later    time.Duration
		resident int
	}{{"the actor", 2 * time.Hour, 1}, {"the record too", (stays + 1) * time.Hour, 0}} {
		t.Run(c.when, func(t *testing.T) {
			s := newScene(t)
			s.doWithKey(add(1), key, false)
			s.sweepAt(c.later)
			s.wantResident(c.resident, 0)
			s.doWithKey(add(1), key, true)
			s.want(1, 1)
		})
	}
}

// The same request several times: in one visit, and during the visit that it is in.
func TestARequestCollectedTwiceIsAppliedOnce(t *testing.T) {
	for _, f := range []fate{{}, overtake, {fault: requestLost}, {fault: replyLost}, {fault: newHead}, {fault: clockJump}} {
		t.Run(f.fault.String(), func(t *testing.T) {
			eachRepeatable(t, func(s *scene, cmd cartCommand) {
				calls, h := s.whileHalted(s.withKey(cmd, key), s.request(add(2)), s.withKey(cmd, key))
				next := s.start(s.withKey(cmd, key))
				h.let(f)
				applied := 0
				for _, c := range append(calls, next) {
					if !s.wantError(c, nil).Replayed {
						applied++
					}
				}
				if applied != 2 { // and the other add
					s.Errorf("%d answers are no replays; want 2", applied)
				}
			})
		})
	}
}

// A replay may be in one visit with the same request, of which nothing is known yet.
func TestARequestBesideItsOwnReplayIsNotAppliedAgain(t *testing.T) {
	s := newScene(t)
	calls, h := s.whileHalted(s.request(add(3)), s.withKey(add(1), key))
	s.storage.set(func() { // the same request was done, long ago
		s.storage.entries[key.Name] = &engine.IdempotencyEntry{Request: key.Request, Status: 201, Text: "long ago"}
	})
	calls = append(calls, s.start(s.withKey(add(1), key)))
	h.let(fate{})
	for i, c := range calls {
		if reply := s.wantError(c, nil); reply.Replayed != (i > 0) {
			t.Errorf("request %d: replayed %v", i+1, reply.Replayed)
		}
	}
	s.want(1, 0)
}

func TestARequestOnTwoNodesIsAppliedOnce(t *testing.T) {
	for _, informed := range []bool{false, true} {
		eachRepeatable(t, func(s *scene, cmd cartCommand) {
			other := s.other()
			if informed { // it knows the earlier record
				if _, err := other.read(s.key.ID, patience); err != nil {
					s.Fatal(err)
				}
			}
			s.signIn()
			other.learn(&token)
			s.wantChange(s.by(s.withKey(cmd, key)), nil)
			second := other.request(s.key.ID, cmd, key)
			second.Token = &token
			other.Recall(second)
			if reply, err := other.change(second); err != nil || !reply.Replayed {
				s.Errorf("informed %v: replayed %v, %v; want a replay", informed, reply.Replayed, err)
			}
		})
	}
}

// Refusals are not kept: the same request may succeed later.
func TestARefusalIsNotRemembered(t *testing.T) {
	s := newScene(t)
	s.shop.Policy.MaxQuantityPerLine, s.shop.Policy.MaxLines = 5*commerce.One, 1
	s.do(addMany(1, 5))
	s.wantChange(s.informed(s.withKey(add(1), key)), commerce.QuantityAboveMaximum)
	s.wantChange(s.withKey(add(2), key), commerce.LineLimitReached)
	if len(s.storage.entries) != 0 {
		t.Errorf("remembered: %v; want nothing", s.storage.entries)
	}
	s.do(setQuantity(1, 1))
	s.doWithKey(add(1), key, false)
	s.want(1, 2)
}

// createWithKey creates a cart under a key.
func (s *scene) createWithKey(id uuid.UUID, k *engine.IdempotencyKey, deadline time.Duration) (engine.Reply, error) {
	return s.node.engine.CreateCart(within(deadline, s.node.request(id, nil, k)))
}

// A creation has no record to conflict with: only its key identifies it.
func TestRepeatingACreationWithItsKeyMakesOneCart(t *testing.T) {
	for _, f := range []fault{none, refusal, unreachable, requestLost, replyLost, delayed, newHead, clockJump} {
		for _, usual := range []fault{none, f} {
			t.Run(f.String()+", "+usual.String(), func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				s.storage.will(fate{fault: f, after: 1000})
				s.storage.always(fate{fault: usual, after: 1000})
				deadline := patience
				if usual != none {
					deadline = soon
				}
				var made []engine.Reply
				for i := range 4 {
					s.key.ID = testID(0x100 + i)
					if reply, err := s.createWithKey(s.key.ID, key, deadline); err == nil {
						made = append(made, reply)
					}
					s.heal()
					deadline = patience
				}
				s.storage.calm()
				s.wantOneCart(made)
			})
		}
	}
}

// wantOneCart checks that the answers name one cart, and that it is the only one
// beside the scene's.
func (s *scene) wantOneCart(made []engine.Reply) {
	s.Helper()
	if len(made) < 3 || len(s.storage.records) != 2 {
		s.Fatalf("%d successes, %d carts; want at least 3, and 2 with the scene's own", len(made), len(s.storage.records))
	}
	for i, reply := range made {
		if reply.Cart.ID != made[0].Cart.ID || i > 0 && !reply.Replayed {
			s.Errorf("creation %d answered with cart %v, replayed %v; want %v", i+1, reply.Cart.ID, reply.Replayed, made[0].Cart.ID)
		}
	}
}

// Neither request knows of the other. The second one's visit finds the key taken.
func TestTwoCreationsAtOnceMakeOneCart(t *testing.T) {
	s := newScene(t)
	h := s.storage.haltUnsent()
	slow := make(chan engine.Reply, 1)
	go func() {
		reply, _ := s.createWithKey(testID(0x100), key, patience)
		slow <- reply
	}()
	v := await(s, "the visit", h.arrived)
	quick, _ := s.createWithKey(testID(0x101), key, patience)
	h.release(v, fate{})
	again, _ := s.createWithKey(testID(0x102), key, patience)
	s.wantOneCart([]engine.Reply{quick, await(s, "the answer", slow), again})
}

func TestARepeatedCreationIsJudgedLikeARead(t *testing.T) {
	s := newScene(t)
	if _, err := s.createWithKey(testID(0x100), key, patience); err != nil {
		t.Fatal(err)
	}
	first := engine.RecordKey{Store: s.shop.ID, ID: testID(0x100)}
	repeat := func(k *engine.IdempotencyKey, want error) engine.Reply {
		t.Helper()
		reply, err := s.createWithKey(testID(0x101), k, patience)
		if !sameError(err, want) || reply.Replayed != (err == nil) {
			t.Errorf("answered %+v, %v; want %v", reply, err, want)
		}
		return reply
	}
	repeat(idempotencyKey(1, 2), commerce.IdempotencyKeyReused)
	s.storage.write(first, add(1), anonymous)
	if reply := repeat(key, nil); quantity(reply.Cart, 1) != 1 {
		t.Errorf("replayed with %+v; want the cart as it stands", reply.Cart)
	}
	s.storage.write(first, bind(), account)
	repeat(key, commerce.CartOwned)
	s.storage.set(func() { delete(s.storage.records, first) })
	repeat(key, commerce.NotFound("Cart", first.ID.String()))
}
