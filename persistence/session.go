package persistence

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// sessionText is what the key of a customer's token holds.
func sessionText(customer uuid.UUID, s *commerce.Session) string {
	return tokenText(customer, time.UnixMilli(s.ExpiresAt), s.Number)
}

// SaveSession writes a customer's new token, where an earlier sending has not: one that
// arrives late must not bring back a session that has ended since. Errors: ErrUnavailable,
// ErrUnknownOutcome (a token that nobody was shown does no harm).
func (d *DB) SaveSession(store, customer uuid.UUID, s *commerce.Session, deadline time.Time) error {
	key := tokenKey(store, s.Token)
	return d.insist(deadline, redisdb.Call{Keys: []string{key}, Args: []any{"SET", key, sessionText(customer, s), "NX", "PXAT", s.ExpiresAt}})
}

// EndSession ends one token. It is remembered as ended until its expiry, so that no
// import brings it back. Errors: ErrUnavailable, ErrUnknownOutcome.
func (d *DB) EndSession(store, customer uuid.UUID, s commerce.Session, deadline time.Time) error {
	s.Number = commerce.EndedSession
	key := tokenKey(store, s.Token)
	return d.insist(deadline, redisdb.Call{Keys: []string{key}, Args: []any{"SET", key, sessionText(customer, &s), "XX", "KEEPTTL"}})
}

// insist sends a write that may be sent again, until Redis answers (and as many replicas as
// have to) or the deadline passes. Errors: ErrUnavailable where none of the sendings had an
// effect, ErrUnknownOutcome where they may have had one.
func (d *DB) insist(deadline time.Time, write redisdb.Call) error {
	write.Writes = true
	unknown := engine.ErrUnavailable
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		call := write
		_, err := d.main.Run(deadline, &call)
		if err == nil {
			return nil
		}
		if orUnavailable(err) != engine.ErrUnavailable {
			unknown = engine.ErrUnknownOutcome
		}
		if unknown == engine.ErrUnavailable || time.Until(deadline) < pause {
			return unknown
		}
		time.Sleep(pause)
	}
}

// firstPause is before the second sending; each further one takes twice as long, up to
// longestPause: whoever waits is answered soon after Redis answers, and does not give up
// long before the deadline.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 250 * time.Millisecond
)
