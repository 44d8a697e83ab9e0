package webhooks

import (
	"sync"
	"time"

	"cartd/commerce"
)

const (
	// mostServed is how many receivers a node serves at a time, mostStrained how many
	// of them may be such as failed or were slow the last time.
	mostServed   = 64
	mostStrained = mostServed / 2
	// mostTroubled is how many of those a node remembers.
	mostTroubled = 10_000
	// warnEvery is how often a receiver is warned of that fails now and then.
	warnEvery = time.Minute
)

// slots bound what a node does at a time.
type slots struct {
	mu       sync.Mutex
	served   map[string]bool // receivers; true: it was troubled when its turn began
	strained int             // how many of them
	troubled map[string]bool // true: its last attempt failed; false: it was slow
	warned   map[string]time.Time
}

func newSlots() slots {
	return slots{served: map[string]bool{}, troubled: map[string]bool{}, warned: map[string]time.Time{}}
}

// name tells the receivers of all stores apart.
func name(r *commerce.Receiver) string { return r.Store.String() + " " + r.ID }

// begin takes a slot for a receiver's turn, unless there is none or it has one.
func (s *slots) begin(receiver string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, strains := s.troubled[receiver]
	_, serving := s.served[receiver]
	if serving || len(s.served) == mostServed || strains && s.strained == mostStrained {
		return false
	}
	s.served[receiver] = strains
	if strains {
		s.strained++
	}
	return true
}

// end gives the slot back.
func (s *slots) end(receiver string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.served[receiver] {
		s.strained--
	}
	delete(s.served, receiver)
}

// note remembers how a receiver's last attempt went. True: it succeeded, and the one before failed.
func (s *slots) note(receiver string, failed, slow bool) (recovered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	recovered = s.troubled[receiver] && !failed
	if !failed && !slow {
		delete(s.troubled, receiver)
		return recovered
	}
	if len(s.troubled) == mostTroubled {
		clear(s.troubled) // they will be found out again
	}
	s.troubled[receiver] = failed
	return recovered
}

// warn reports whether a receiver's trouble is worth a line, and notes that it got one.
func (s *slots) warn(receiver string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, before := s.warned[receiver]; before && now.Sub(last) < warnEvery {
		return false
	}
	if len(s.warned) == mostTroubled {
		clear(s.warned)
	}
	s.warned[receiver] = now
	return true
}
