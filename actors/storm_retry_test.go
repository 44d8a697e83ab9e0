package actors

import (
	"cartd/engine"
	"math/rand/v2"
	"testing"
)

// insist sends a command under a key of its own, now and then twice at once, and
// repeats it until it is settled or the storm's patience ends.
func (s *storm) insist(roll *rand.Rand, product int) {
	k := stormKey(product)
	_, cart, _ := s.pick(roll)
	e := ending{key: cart, product: product, err: engine.ErrUnavailable}
	for try := 0; try < 10 && e.err != nil; try++ {
		copies := 1 + roll.IntN(4)/3
		answers := make(chan error, copies)
		for range copies {
			node, _, deadline := s.pick(roll)
			go func() {
				req, err := admitOnce(node, s.store, cart, add(product), k, deadline)
				if err == nil {
					_, err = node.Change(req)
				}
				answers <- err
			}()
		}
		for range copies {
			if err := await(s.scene, "an answer", answers); err == nil || e.err != nil {
				e.err = err
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, e)
	if e.err == nil {
		s.held[cart] = append(s.held[cart], product)
	}
}

func stormKey(product int) *engine.IdempotencyKey {
	return &engine.IdempotencyKey{Name: [16]byte{1, byte(product >> 8), byte(product)}, Request: [16]byte{byte(product >> 8), byte(product)}, Status: 201}
}

// settle repeats in the calm what the storm has left open.
func (s *storm) settle() {
	open := 0
	for i := range s.ended {
		e := &s.ended[i]
		if e.err == nil {
			continue
		}
		open++
		req, err := admitOnce(s.nodes[i%stormNodes], s.store, e.key, add(e.product), stormKey(e.product), patience)
		if err != nil {
			s.Fatal(err)
		}
		if _, e.err = s.nodes[i%stormNodes].Change(req); e.err != nil {
			s.Errorf("product %d was answered %v in the calm", e.product, e.err)
		}
	}
	s.Logf("%d of %d commands were open after the storm", open, len(s.ended))
}

func TestInAStormRepeatedRequestsAreAppliedOnce(t *testing.T) {
	seed := seed(t)
	s := newStorm(t, seed)
	s.send = s.insist
	s.rage(seed, nil)
	s.settle()
	for _, e := range s.ended {
		if got := quantities(s.store.record(e.key).State)[testID(e.product)]; got != 1 {
			t.Errorf("product %d is there %d times; want once", e.product, got)
		}
	}
	if len(s.ended) != ownProducts || len(s.store.entries) != ownProducts {
		t.Errorf("%d commands, %d remembered; want %d", len(s.ended), len(s.store.entries), ownProducts)
	}
	s.checkForeign()
}
