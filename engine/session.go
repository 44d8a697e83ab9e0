package engine

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// sessionLifetime is the lifetime of a customer token.
const sessionLifetime = 30 * 24 * time.Hour

// SignedIn is the answer of login and registration. Only it shows the token.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	Contact   *commerce.Contact
}

// newSecret returns 32 random bytes as base64url: a customer token or a reset token.
func newSecret() string {
	var random [32]byte
	rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// newSession makes a token with the contact's current session number.
func newSession(c *commerce.Contact, now time.Time, lifetime time.Duration) (SignedIn, commerce.Session) {
	signedIn := SignedIn{Token: newSecret(), ExpiresAt: now.Add(lifetime), Contact: c}
	return signedIn, commerce.Session{
		Token: commerce.HashSecret([]byte(signedIn.Token)), ExpiresAt: signedIn.ExpiresAt.UnixMilli(), Number: c.Session,
	}
}

// ForgotPassword sends a reset token to the store's webhook. An unknown address, and an account
// with too many requests, get the same answer after the same time and the same trips to Redis.
// Errors: ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) ForgotPassword(r *Request, email string) error {
	defer constantTime(r.Began, forgotStep)
	if !r.Store.Wants(commerce.EventPasswordReset) {
		return nil
	}
	found, err := e.storage.FindAccount(r.Store.ID, email, r.Deadline)
	if err != nil {
		return err
	}
	if found.Record == nil {
		return e.storage.EmptyTrip(r.Store.ID, r.Deadline)
	}
	if err = e.askReset(r, found.Record); errors.Is(err, commerce.TooManyAttempts) {
		err = nil
	}
	return err
}

// askReset writes a new token into the account's record and the outbox. Further error:
// TooManyAttempts.
func (e *Engine) askReset(r *Request, found *Record[*commerce.Contact]) error {
	token := newSecret()
	event, err := resetEvent(r, found.State, token)
	if err != nil {
		return err
	}
	return e.changeAccount(r, found, commerce.AskReset{Token: commerce.HashSecret([]byte(token)), Event: event})
}

// resetEvent is the only place where a reset token is written in clear text.
func resetEvent(r *Request, contact *commerce.Contact, token string) (*commerce.Event, error) {
	body, err := json.Marshal(struct {
		Event      string    `json:"event"`
		StoreID    uuid.UUID `json:"store_id"`
		ContactID  uuid.UUID `json:"contact_id"`
		Email      string    `json:"email"`
		Token      string    `json:"token"`
		ExpiresAt  time.Time `json:"expires_at"`
		OccurredAt time.Time `json:"occurred_at"`
	}{
		commerce.EventPasswordReset, r.Store.ID, contact.ID, contact.Email, token,
		r.Now.Add(commerce.ResetLifetime).Truncate(time.Second), r.Now.Truncate(time.Second),
	})
	return &commerce.Event{Name: commerce.EventPasswordReset, Body: body}, err
}
