package webhooks

import (
	"sync"
	"time"

	"cartd/commerce"
)

const (
	// maxServed is the number of receivers that a node serves at a time, besides those that are troubled
	// (their last attempt failed or was slow), at most maxStrained, and those whose attempt hangs: it has
	// lasted longer than hangsAfter. All together are at most maxTurns.
	maxServed   = 64
	maxStrained = maxServed / 2
	maxTurns    = 1024
	hangsAfter  = time.Second / 2
	// maxTroubled is the number of troubled receivers that a node remembers.
	maxTroubled = 10_000
)

// slots bound the number of receivers that a node serves at a time.
type slots struct {
	mu     sync.Mutex
	served map[string]*slot // by receiver
	// strained and hanging are the numbers of those in served; a strained one does not count as hanging.
	strained, hanging int
	// troubled has the receivers in trouble: true if the last attempt failed, false if it was slow.
	troubled map[string]bool
}

// slot is the turn of one receiver.
type slot struct {
	strains  bool // it was troubled when its turn began
	hangs    bool
	attempts int // begun and ended ones: odd during an attempt
}

func newSlots() slots {
	return slots{served: map[string]*slot{}, troubled: map[string]bool{}}
}

// name is a receiver's name, unique over all stores.
func name(r *commerce.Receiver) string { return r.Store.String() + " " + r.ID }

// begin reserves a slot for a receiver's turn. It returns false if none is free or the receiver
// already has one.
func (s *slots) begin(receiver string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, strains := s.troubled[receiver]
	if s.served[receiver] != nil || len(s.served) == maxTurns || strains && s.strained == maxStrained ||
		!strains && len(s.served)-s.strained-s.hanging >= maxServed {
		return false
	}
	s.served[receiver] = &slot{strains: strains}
	if strains {
		s.strained++
	}
	return true
}

// end frees the slot.
func (s *slots) end(receiver string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch of := s.served[receiver]; {
	case of.strains:
		s.strained--
	case of.hangs:
		of.hangs = false
		s.hanging--
	}
	delete(s.served, receiver)
}

// attempt begins an attempt within a receiver's turn; ended ends it. If it hangs, its slot serves
// another receiver meanwhile, and hangs is called.
func (s *slots) attempt(receiver string, hangs func()) (ended func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.served[receiver]
	of.attempts++
	this := of.attempts
	timer := time.AfterFunc(hangsAfter, func() {
		if s.lend(of, this) {
			hangs()
		}
	})
	return func() {
		timer.Stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		of.attempts++
		if of.hangs {
			of.hangs = false
			s.hanging--
		}
	}
}

// lend gives up the slot of an attempt; false if it has ended, or does not count.
func (s *slots) lend(of *slot, attempt int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of.attempts != attempt || of.strains || of.hangs {
		return false
	}
	of.hangs = true
	s.hanging++
	return true
}

// note remembers a receiver's last attempt. It returns true for a success after a failure.
func (s *slots) note(receiver string, failed, slow bool) (recovered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	recovered = s.troubled[receiver] && !failed
	if !failed && !slow {
		delete(s.troubled, receiver)
		return recovered
	}
	if _, known := s.troubled[receiver]; !known && len(s.troubled) == maxTroubled {
		clear(s.troubled) // the next attempts fill it again
	}
	s.troubled[receiver] = failed
	return recovered
}
