package accounts

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/redisdb"
)

// SessionText is what the key of a customer's token holds.
func SessionText(customer uuid.UUID, s *commerce.Session) string {
	return TokenText(customer, time.UnixMilli(s.ExpiresAt), s.Number)
}

// SaveSession writes a customer's new token, where an earlier sending has not: one that
// arrives late must not bring back a session that has ended since. Errors: ErrUnavailable,
// ErrUnknownOutcome (a token that was not shown does no harm).
func (a *Accounts) SaveSession(store, customer uuid.UUID, s *commerce.Session, deadline time.Time) error {
	key := TokenKey(store, s.Token)
	return a.client.WriteUntilAnswered(deadline, redisdb.Call{Keys: []string{key}, Args: []any{"SET", key, SessionText(customer, s), "NX", "PXAT", s.ExpiresAt}})
}

// EndSession ends one token. It is remembered as ended until its expiry, so that no
// import brings it back. Errors: ErrUnavailable, ErrUnknownOutcome.
func (a *Accounts) EndSession(store, customer uuid.UUID, s commerce.Session, deadline time.Time) error {
	s.Number = commerce.EndedSession
	key := TokenKey(store, s.Token)
	return a.client.WriteUntilAnswered(deadline, redisdb.Call{Keys: []string{key}, Args: []any{"SET", key, SessionText(customer, &s), "XX", "KEEPTTL"}})
}
