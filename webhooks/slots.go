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
	// warnEvery is the minimum time between two log lines about one receiver.
	warnEvery = time.Minute
)

// slots bound the number of receivers that a node serves at a time.
type slots struct {
	mu       sync.Mutex
	served   map[string]bool // by receiver, whether it was troubled when its turn began
	strained int             // the number of troubled ones in served
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

// end frees the slot.
func (s *slots) end(receiver string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.served[receiver] {
		s.strained--
	}
	delete(s.served, receiver)
}

// note remembers whether a receiver's last attempt was troubled and reports whether that changed.
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
			clear(s.troubled) // the next attempts fill it again
		}
		s.troubled[receiver] = true
	}
	return true
}

// warn reports whether a receiver's trouble may be logged now, and notes the line's time if so.
func (s *slots) warn(receiver string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, known := s.warned[receiver]; known && now.Sub(last) < warnEvery {
		return false
	}
	if len(s.warned) == maxTroubled {
		clear(s.warned)
	}
	s.warned[receiver] = now
	return true
}
