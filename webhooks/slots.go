package webhooks

import (
	"sync"
	"time"

	"cartd/commerce"
)

const (
	// maxServed is how many receivers a node serves at a time, maxStrained how many
	// of them may be such as failed or were slow the last time.
	maxServed   = 64
	maxStrained = maxServed / 2
	// maxTroubled is how many of those a node remembers.
	maxTroubled = 10_000
	// warnEvery is how often a receiver is warned of that fails now and then.
	warnEvery = time.Minute
)

// slots bound what a node does at a time.
type slots struct {
	mu       sync.Mutex
	served   map[string]bool // receivers; true: it was troubled when its turn began
	strained int             // how many of them
	troubled map[string]bool
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
	strains := s.troubled[receiver]
	_, serving := s.served[receiver]
	if serving || len(s.served) == maxServed || strains && s.strained == maxStrained {
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

// note remembers how a receiver's last attempt went. True: it went otherwise before.
func (s *slots) note(receiver string, trouble bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.troubled[receiver] == trouble {
		return false
	}
	if !trouble {
		delete(s.troubled, receiver)
	} else {
		if len(s.troubled) == maxTroubled {
			clear(s.troubled) // they will be found out again
		}
		s.troubled[receiver] = true
	}
	return true
}

// warn reports whether a receiver's trouble is worth a line, and notes that it got one.
func (s *slots) warn(receiver string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, before := s.warned[receiver]; before && now.Sub(last) < warnEvery {
		return false
	}
	if len(s.warned) == maxTroubled {
		clear(s.warned)
	}
	s.warned[receiver] = now
	return true
}
