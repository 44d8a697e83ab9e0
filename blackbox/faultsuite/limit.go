package faultsuite

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// limitProbe sends the narrow store far more requests than its limit allows, to random nodes, and
// notes when each was accepted.
type limitProbe struct {
	mu       sync.Mutex
	accepted []history.Span
	refused  int
	// made are the creations answered 201 or without a definite answer.
	made int
	// refusedKeys are the idempotency keys of the creations answered 429.
	refusedKeys []string
}

const (
	probes     = 4
	probeEvery = 100 * ms
	// unknownCart does not exist, so an accepted request is answered 404.
	unknownCart = "/00000000-0000-4000-8000-000000000000"
)

// run sends requests until the storm is over.
func (p *limitProbe) run(s *Storm, dice *rand.Rand) {
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for ; !s.over(); <-tick.C {
		call := s.now()
		path, method, key := model.Carts.Collection+unknownCart, http.MethodGet, ""
		if dice.IntN(2) == 0 { // a write: a busy node counts it with its commit
			path, method, key = model.Carts.Collection, http.MethodPost, fmt.Sprintf("probe-%016x", dice.Uint64())
		}
		a := s.lines[dice.IntN(len(s.lines))].send(model.NarrowKey, path, model.Request{Method: method}, key)
		if !a.unsent {
			s.tally.count(a)
		}
		p.note(a, history.Span{Call: call, Return: s.now()})
		if method == http.MethodPost {
			p.noteMade(a, key)
		}
	}
}

func (p *limitProbe) noteMade(a answer, key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case a.status == http.StatusTooManyRequests:
		p.refusedKeys = append(p.refusedKeys, key)
	case a.status == http.StatusCreated || a.status == http.StatusGatewayTimeout || a.status == 0 && !a.unsent:
		p.made++
	}
}

// checkMade compares what is in Redis with the answers of the narrow store: a refused creation makes
// no cart, and leaves no trace of its idempotency key.
func (s *Storm) checkMade() {
	p := &s.limit
	if n := len(s.cluster.Redis.Keys(model.NarrowCarts)); n > p.made {
		s.violate(history.Violation{Check: "the request limit", Text: fmt.Sprintf("%d carts were made, at most %d creations were not refused", n, p.made)})
	}
	kept := s.cluster.Redis.Keys(model.NarrowEntries)
	for _, key := range p.refusedKeys {
		if slices.Contains(kept, model.NarrowEntry(key)) {
			s.violate(history.Violation{Check: "the request limit", Text: "the creation with the key " + key + " was answered 429 and made a cart"})
		}
	}
}

func (p *limitProbe) note(a answer, span history.Span) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case a.status == http.StatusTooManyRequests:
		p.refused++
	case a.status != 0 && a.limited:
		p.accepted = append(p.accepted, span)
	}
}
