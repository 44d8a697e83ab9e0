package actors

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// points are what one sending may meet, by the point at which it goes wrong.
var points = []struct {
	name string
	fate fate
}{
	{"nothing", fate{}},
	{"before the send: certainly refused", fate{fault: refusal}},
	{"before the send: the store is away for a while", fate{fault: outage, after: 3}},
	{"before the send: overtaken", fate{fault: conflict, foreign: add(2)}},
	{"before the send: overtaken by the same request", fate{fault: conflict, foreign: add(1), key: key}},
	{"after the send: lost", fate{fault: replyLostBeforeCommit}},
	{"after the send: late by one operation", fate{fault: lateSuccess, after: 1}},
	{"after the send: late by many", fate{fault: lateSuccess, after: 1000}},
	{"after the commit: the reply is lost", fate{fault: replyLostAfterCommit}},
	{"after the commit: a backup is restored", fate{fault: restoredBackup}},
}

// ends are what every further sending meets until the request's deadline.
var ends = []struct {
	name string
	fate fate
	once bool // behind one fault, not two
}{
	{"and then nothing", fate{}, false},
	{"and then every reply is lost before the commit", fate{fault: replyLostBeforeCommit}, false},
	{"and then every reply is lost after the commit", fate{fault: replyLostAfterCommit}, false},
	{"and then every sending is late", fate{fault: lateSuccess, after: 1000}, true},
	{"and then the store is away", fate{fault: outage}, true},
}

// brief is a deadline after two or three sendings.
const brief = 15 * time.Millisecond

// tally counts answers, so that a table which never meets one of them fails.
type tally struct {
	mu      sync.Mutex
	answers map[error]int
}

func newTally(t *testing.T) *tally {
	all := &tally{answers: map[error]int{}}
	t.Cleanup(func() {
		t.Logf("answers: %v", all.answers)
		if all.answers[nil] == 0 || all.answers[engine.ErrUnavailable] == 0 || all.answers[engine.ErrUnknownOutcome] == 0 {
			t.Errorf("answers %v; want some of each, or the table proves nothing", all.answers)
		}
	})
	return all
}

func (a *tally) count(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers[err]++
}

// eachFault plays every pair of points in a row, with every end. Under the race detector it
// plays some: every actor system takes megabytes, and many of them there.
func eachFault(t *testing.T, run func(s *scene, deadline time.Duration)) {
	cases := 0
	for _, first := range points {
		for i, second := range points {
			for _, end := range ends {
				if i > 0 && end.once {
					continue
				}
				if cases++; testing.Short() && cases%7 != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, %s", first.name, second.name, end.name), func(t *testing.T) {
					t.Parallel()
					deadline := patience
					if end.fate.fault != none {
						deadline = brief
					}
					s := newScene(t)
					s.do(add(3)) // what restored backups may take
					s.do(add(3))
					s.store.will(first.fate, second.fate)
					s.store.always(end.fate)
					run(s, deadline)
				})
			}
		}
	}
}

// heal ends all faults; what still travels stays on its way.
func (s *scene) heal() {
	s.idle()
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	s.store.plan, s.store.usual, s.store.away, s.store.outage = nil, fate{}, false, 0
}

// wantAnswered checks that an answer was true: 2xx is applied once, 503 not at
// all, 504 at most once.
func (s *scene) wantAnswered(err error) {
	s.Helper()
	got := quantity(s.store.record(s.key).State, 1)
	most, least := 1, 0
	switch {
	case err == nil:
		least = 1
	case err == engine.ErrUnavailable:
		most = 0
	case err != engine.ErrUnknownOutcome:
		s.Errorf("answered %v; want success, 503 or 504", err)
	}
	if got < least || got > most {
		s.Errorf("answered %v, and it is applied %d times", err, got)
	}
}

// sameCame reports whether another node committed the same request.
func (s *scene) sameCame() bool {
	for _, a := range s.store.history {
		if a.after.Stamp.Writer == foreignWriter && len(a.once) > 0 {
			return true
		}
	}
	return false
}

// Without a key every answer is true, and what travels on changes nothing after the
// next write.
func TestEveryAnswerIsTrueWhateverGoesWrong(t *testing.T) {
	answers := newTally(t)
	eachFault(t, func(s *scene, deadline time.Duration) {
		_, err := s.node.Change(within(deadline, s.admit(add(1))))
		s.heal()
		answers.count(err)
		if s.sameCame() { // it was somebody else's, for this request has no key
			return
		}
		s.wantAnswered(err)
		s.do(add(4))
		before := quantity(s.store.record(s.key).State, 1)
		s.store.calm()
		s.want(1, before)
	})
}

// With a key, repeating settles it: the request ends applied once, whatever the
// first answer was, whichever node is asked.
func TestRepeatingWithTheKeySettlesWhateverWentWrong(t *testing.T) {
	answers := newTally(t)
	eachFault(t, func(s *scene, deadline time.Duration) {
		reply, err := s.node.Change(within(deadline, s.once(add(1), key)))
		s.heal()
		answers.count(err)
		if !s.sameCame() {
			s.wantAnswered(err)
		}
		if err == nil && quantity(reply.Cart, 1) != 1 {
			s.Errorf("answered with %d of product 1; want 1", quantity(reply.Cart, 1))
		}
		other := NewCarts(s.store, config(2))
		s.TB.(*testing.T).Cleanup(other.Close)
		for i, node := range []*Carts{other, s.node, other} {
			again, err := admitOnce(node, s.store, s.key, add(1), key, patience)
			if err != nil {
				s.Fatal(err)
			}
			reply, err := node.Change(again)
			if err != nil || quantity(reply.Cart, 1) != 1 || i > 0 && !reply.Replayed {
				s.Errorf("repetition %d: %+v, %v; want one of product 1", i+1, reply, err)
			}
		}
		s.store.calm()
		s.want(1, 1)
	})
}

// A creation has no record to conflict with: its key alone tells it from another.
func TestRepeatingACreationWithItsKeyMakesOneCart(t *testing.T) {
	for _, f := range []fault{none, refusal, outage, replyLostBeforeCommit, replyLostAfterCommit, lateSuccess} {
		for _, usual := range []fault{none, f} {
			t.Run(f.String()+", "+usual.String(), func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				s.store.will(fate{fault: f, after: 1000})
				s.store.always(fate{fault: usual, after: 1000})
				deadline := patience
				if usual != none {
					deadline = soon
				}
				var made []engine.Reply
				for i := range 4 {
					s.key.ID = testID(0x100 + i)
					req := within(deadline, s.once(nil, key))
					reply, err := s.createOnce(req)
					if err == nil {
						made = append(made, reply)
					}
					s.heal()
					deadline = patience
				}
				s.store.calm()
				s.wantOneCart(made)
			})
		}
	}
}

// wantOneCart checks that the answers name one cart, and that it is the only one
// beside the scene's.
func (s *scene) wantOneCart(made []engine.Reply) {
	s.Helper()
	if len(made) < 3 || len(s.store.records) != 2 {
		s.Fatalf("%d successes, %d carts; want at least 3, and 2 with the scene's own", len(made), len(s.store.records))
	}
	for i, reply := range made {
		if reply.Cart.ID != made[0].Cart.ID || i > 0 && !reply.Replayed {
			s.Errorf("creation %d answered with cart %v, replayed %v; want %v", i+1, reply.Cart.ID, reply.Replayed, made[0].Cart.ID)
		}
	}
}

func TestARepeatedCreationIsJudgedLikeARead(t *testing.T) {
	s := newScene(t)
	s.key.ID = testID(0x100)
	if _, err := s.createOnce(s.once(nil, key)); err != nil {
		t.Fatal(err)
	}
	first := s.key
	repeat := func(k *engine.IdempotencyKey, want error) engine.Reply {
		t.Helper()
		s.key.ID = testID(0x101)
		reply, err := s.createOnce(s.once(nil, k))
		if !sameError(err, want) || reply.Replayed != (err == nil) {
			t.Errorf("answered %+v, %v; want %v", reply, err, want)
		}
		return reply
	}
	repeat(onceKey(1, 2), commerce.IdempotencyKeyReused)
	s.store.write(first, add(1), nobody)
	if reply := repeat(key, nil); quantity(reply.Cart, 1) != 1 {
		t.Errorf("replayed with %+v; want the cart as it stands", reply.Cart)
	}
	s.store.write(first, bind(), account)
	repeat(key, commerce.CartOwned)
	s.store.lose(first)
	repeat(key, commerce.NotFound("Cart", first.ID.String()))
}

// Nobody knows of the other: both make a cart, and the second finds the key taken.
func TestTwoCreationsAtOnceMakeOneCart(t *testing.T) {
	s := newScene(t)
	h := s.store.holdUnsent()
	s.key.ID = testID(0x100)
	slow, held := s.once(nil, key), make(chan engine.Reply, 1)
	go func() { reply, _ := s.createOnce(slow); held <- reply }()
	commit := await(s, "the commit", h.arrived)
	s.key.ID = testID(0x101)
	quick, err := s.createOnce(s.once(nil, key))
	if err != nil {
		t.Fatal(err)
	}
	h.release(commit, fate{})
	s.wantOneCart([]engine.Reply{quick, await(s, "the answer", held), s.repeated()})
}

// repeated is one more creation under the key.
func (s *scene) repeated() engine.Reply {
	s.Helper()
	s.key.ID = testID(0x102)
	reply, err := s.createOnce(s.once(nil, key))
	if err != nil {
		s.Fatal(err)
	}
	return reply
}
