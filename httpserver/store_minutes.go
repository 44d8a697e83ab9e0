package httpserver

import (
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
)

// storeMinutes counts the requests of each store by the minute, for the stores that are refused altogether: one
// of many is no part of all answers that anybody would notice.
type storeMinutes struct{ of sync.Map } // of uuid.UUID to *storeMinute

// storeMinute has the requests of a store in a minute and in the one before it.
type storeMinute struct {
	mu        sync.Mutex
	minute    int64
	now, last struct{ asked, refused int }
}

// limitedFrom is the number of requests in a minute from which on a store may count as refused.
const limitedFrom = 10

// count counts an answered request.
func (m *storeMinutes) count(store uuid.UUID, status int, at time.Time) {
	found, known := m.of.Load(store)
	if !known {
		found, _ = m.of.LoadOrStore(store, &storeMinute{})
	}
	s := found.(*storeMinute)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn(at)
	s.now.asked++
	if status == http.StatusTooManyRequests {
		s.now.refused++
	}
}

// turn begins the minute of a time.
func (s *storeMinute) turn(at time.Time) {
	switch minute := at.Unix() / 60; {
	case minute == s.minute:
		return
	case minute == s.minute+1:
		s.minute, s.last = minute, s.now
	default:
		s.minute, s.last = minute, struct{ asked, refused int }{}
	}
	s.now.asked, s.now.refused = 0, 0
}

// limited reports whether most requests of a store were refused in the last whole minute.
func (m *storeMinutes) limited(store uuid.UUID, at time.Time) bool {
	found, known := m.of.Load(store)
	if !known {
		return false
	}
	s := found.(*storeMinute)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn(at)
	return s.last.asked >= limitedFrom && 2*s.last.refused > s.last.asked
}

// Limited reports whether most requests of a store were 429 in the last whole minute.
func (s *Server) Limited(store uuid.UUID) bool { return s.metrics.minutes.limited(store, time.Now()) }
