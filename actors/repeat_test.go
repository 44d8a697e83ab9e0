package actors

import (
	"slices"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// points are the faults of one sending, by the point of failure.
var points = []struct {
	name string
	fate fate
}{
	{"nothing", fate{}},
	{"not sent: certainly refused", fate{fault: refusal}},
	{"not sent: the store is away for a while", fate{fault: unreachable, after: 3}},
	{"on arrival: overtaken", fate{fault: conflict, foreign: add(2)}},
	{"on arrival: overtaken by the same request", fate{fault: conflict, foreign: add(1), key: key}},
	{"after the send: lost", fate{fault: requestLost}},
	{"after the send: late by one operation", fate{fault: delayed, after: 1}},
	{"after the send: late by many", fate{fault: delayed, after: 1000}},
	{"after the visit: the reply is lost", fate{fault: replyLost}},
	{"on arrival: another head", fate{fault: newHead}},
	{"on arrival: too late", fate{fault: clockJump}},
	{"after the visit: a backup is restored", fate{fault: restoredBackup}},
}

// ends are the faults of every further sending until the request's deadline.
var ends = []struct {
	name string
	fate fate
	once bool // after one fault, not two
}{
	{"and then nothing", fate{}, false},
	{"and then every sending is lost", fate{fault: requestLost}, false},
	{"and then every reply is lost after the visit", fate{fault: replyLost}, false},
	{"and then every sending is late", fate{fault: delayed, after: 1000}, true},
	{"and then the store is away", fate{fault: unreachable}, true},
}

// brief is a deadline that permits two or three sendings.
const brief = 15 * time.Millisecond

// wantAnswered checks that an answer was true: applied once after a 2xx, not at all after a 503, at
// most once after a 504.
func (s *scene) wantAnswered(err error) {
	s.Helper()
	got := quantity(s.storage.record(s.key).State, 1)
	maximum, minimum := 1, 0
	switch {
	case err == nil:
		minimum = 1
	case err == engine.ErrUnavailable:
		maximum = 0
	case err != engine.ErrUnknownOutcome:
		s.Errorf("answered %v; want success, 503 or 504", err)
	}
	if got < minimum || got > maximum {
		s.Errorf("answered %v, and it is applied %d times", err, got)
	}
}

// Every pair of points in a row, with every end: the answer is true. A repeated request on any node
// is applied once, and no late sending changes anything after that. Under the race detector some
// pairs are played.
func TestEveryAnswerIsTrueAndARepetitionIsAppliedOnce(t *testing.T) {
	var mu sync.Mutex
	answers := map[error]int{}
	t.Cleanup(func() {
		if answers[nil] == 0 || answers[engine.ErrUnavailable] == 0 || answers[engine.ErrUnknownOutcome] == 0 {
			t.Errorf("answers %v; want some of each, or the table proves nothing", answers)
		}
	})
	for n, first := range points {
		t.Run(first.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			other := s.other()
			for i, second := range points {
				for j, end := range ends {
					if cases := len(ends)*i + j; i > 0 && end.once || testing.Short() && (cases+n)%7 != 0 {
						continue
					}
					s.key.ID = testID(0x200 + len(ends)*i + j)
					err := s.playFaults(other, idempotencyKey(byte(i+1), byte(j)), end.fate, first.fate, second.fate)
					if t.Failed() {
						t.Fatalf("%s, %s: answered %v", second.name, end.name, err)
					}
					mu.Lock()
					answers[err]++
					mu.Unlock()
				}
			}
		})
	}
}

func (s *scene) playFaults(other *testNode, k *engine.IdempotencyKey, end fate, fates ...fate) error {
	name := *k
	name.Name[1] = k.Request[0] + 1
	deadline := patience
	if end.fault != none {
		deadline = brief
	}
	s.create(s.key.ID)
	s.do(add(3)) // restored backups may remove this add
	s.do(add(3))
	for i := range fates {
		if fates[i].key != nil {
			fates[i].key = &name
		}
	}
	s.storage.will(fates...)
	s.storage.always(end)
	reply, err := s.node.change(within(deadline, s.withKey(add(1), &name)))
	s.heal()
	if !slices.ContainsFunc(s.storage.history, func(a applied[*commerce.Cart]) bool { // the other node's own
		return a.key == s.key && a.after.Stamp.Writer == foreignWriter && len(a.names) > 0
	}) {
		s.wantAnswered(err)
	}
	if err == nil && quantity(reply.Cart, 1) != 1 {
		s.Errorf("answered with %d of product 1; want 1", quantity(reply.Cart, 1))
	}
	for i, node := range []*testNode{other, s.node, other} {
		reply, err := node.change(node.request(s.key.ID, add(1), &name))
		if err != nil || quantity(reply.Cart, 1) != 1 || i > 0 && !reply.Replayed {
			s.Errorf("repetition %d: %+v, %v; want one of product 1", i+1, reply, err)
		}
	}
	s.storage.calm()
	s.want(1, 1)
	return err
}
