package webhooks

import (
	"sync"
	"time"

	"cartd/commerce"
)

const (
	// maxServed is the number of receivers that a node serves at a time. At most maxStrained of
	// them may be troubled: their last attempt failed or was slow.
	maxServed   = 64
	maxStrained = maxServed / 2
	// maxTroubled is the number of troubled receivers that a node remembers.
	maxTroubled = 10_000
	// warnEvery is the minimum time between two log lines about surplus bytes of one host.
	warnEvery = time.Minute
)

// slots bound the number of receivers that a node serves at a time.
type slots struct {
	mu       sync.Mutex
	served   map[string]bool // by receiver, whether it was troubled when its turn began
	strained int             // the number of troubled ones in served
	// troubled has the receivers in trouble: true if the last attempt failed, false if it was slow.
	troubled map[string]bool
	warned   map[string]time.Time
}

func newSlots() slots {
	return slots{served: map[string]bool{}, troubled: map[string]bool{}, warned: map[string]time.Time{}}
}

// name is a receiver's name, unique over all stores.
func name(r *commerce.Receiver) string { return r.Store.String() + " " + r.ID }

// begin reserves a slot for a receiver's turn. It returns false if none is free or the receiver
// already has one.
func (s *slots) begin(receiver string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, strains := s.troubled[receiver]
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

// end frees the slot.
func (s *slots) end(receiver string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.served[receiver] {
		s.strained--
	}
	delete(s.served, receiver)
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

// warn reports whether a host's surplus bytes may be logged now, and notes the line's time if so.
func (s *slots) warn(host string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, known := s.warned[host]; known && now.Sub(last) < warnEvery {
		return false
	}
	if len(s.warned) == maxTroubled {
		clear(s.warned)
	}
	s.warned[host] = now
	return true
}
