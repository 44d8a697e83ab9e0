package accounts

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/redisdb"
)

// SessionText is the value of a customer token's key.
func SessionText(customer uuid.UUID, s *commerce.Session) string {
	return TokenText(customer, time.UnixMilli(s.ExpiresAt), s.Number)
}

// SaveSession writes a customer's new token, unless an earlier sending did: a late sending must
// not restore a session that has ended. Errors: ErrUnavailable, ErrUnknownOutcome (a token that
// no client has seen does no harm).
func (a *Accounts) SaveSession(store, customer uuid.UUID, s *commerce.Session, deadline time.Time) error {
	key := TokenKey(store, s.Token)
	return a.client.WriteUntilAnswered(deadline, redisdb.Call{Keys: []string{key}, Args: []any{"SET", key, SessionText(customer, s), "NX", "PXAT", s.ExpiresAt}})
}

// EndSession ends one token. The key keeps the end until the token's expiry, so that no import
// restores it. Errors: ErrUnavailable, ErrUnknownOutcome.
func (a *Accounts) EndSession(store, customer uuid.UUID, s commerce.Session, deadline time.Time) error {
	s.Number = commerce.EndedSession
	key := TokenKey(store, s.Token)
	return a.client.WriteUntilAnswered(deadline, redisdb.Call{Keys: []string{key}, Args: []any{"SET", key, SessionText(customer, &s), "XX", "KEEPTTL"}})
}
