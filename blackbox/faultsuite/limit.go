package faultsuite

import (
	"fmt"
	"math/rand/v2"
	"net/http"
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
	// made counts the creations answered 201, open those without a definite answer.
	made, open int
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
		path, method := model.Carts.Collection+unknownCart, http.MethodGet
		if dice.IntN(2) == 0 { // a write: a busy node counts it with its commit
			path, method = model.Carts.Collection, http.MethodPost
		}
		a := s.lines[dice.IntN(len(s.lines))].send(model.NarrowKey, path, model.Request{Method: method}, "")
		if !a.unsent {
			s.tally.count(a)
		}
		p.note(a, history.Span{Call: call, Return: s.now()})
		if method == http.MethodPost {
			p.noteMade(a)
		}
	}
}

func (p *limitProbe) noteMade(a answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case a.status == http.StatusCreated:
		p.made++
	case a.status == http.StatusGatewayTimeout || a.status == 0 && !a.unsent:
		p.open++
	}
}

// checkMade compares the carts of the narrow store with the answers: a refused creation makes no
// cart.
func (s *Storm) checkMade() {
	p := &s.limit
	if n := s.cluster.Redis.Count(model.NarrowCarts); n > p.made+p.open {
		s.violate(history.Violation{Check: "the request limit", Text: fmt.Sprintf(
			"%d carts were made, %d creations answered 201 and %d are open", n, p.made, p.open)})
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
