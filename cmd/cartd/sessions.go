package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// newSecret returns 32 random bytes as base64url: a customer token, or a reset's.
func newSecret() string {
	var random [32]byte
	rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// newSession makes a token for a contact as it stands now.
func newSession(c *commerce.Contact, now time.Time) (commerce.SignedIn, commerce.Session) {
	signedIn := commerce.SignedIn{Token: newSecret(), ExpiresAt: now.Add(commerce.SessionLifetime), Contact: c}
	return signedIn, commerce.Session{
		Token: commerce.HashSecret([]byte(signedIn.Token)), ExpiresAt: signedIn.ExpiresAt.UnixMilli(), Number: c.Session,
	}
}

// ForgotPassword hands a reset's token to the store's webhook. An address that nobody has,
// and an account that has asked too often, are answered alike and as late, after as many
// trips to Redis. Errors: ErrUnavailable, ErrUnknownOutcome.
func (a *accounts) ForgotPassword(r *commerce.AccountRequest) error {
	defer pace(r.Began, forgotStep)
	if !r.Store.Wants(commerce.EventPasswordReset) {
		return nil
	}
	found, err := a.db.FindAccount(r.Store.ID, r.Email)
	if err != nil {
		return err
	}
	if found.Record != nil {
		if err = a.askReset(r, found.Record); err != error(commerce.TooManyAttempts) {
			return err
		}
	}
	return a.db.TakeTrip(r.Store.ID, r.Deadline)
}

// askReset writes a new token into the account's record and into the outbox. Errors also:
// TooManyAttempts, without a trip to Redis.
func (a *accounts) askReset(r *commerce.AccountRequest, found *commerce.Record[*commerce.Contact]) error {
	token := newSecret()
	event, err := resetEvent(r, found.State.ID, token)
	if err != nil {
		return err
	}
	return a.change(r, found, commerce.AskReset{Token: commerce.HashSecret([]byte(token)), Event: event})
}

// resetEvent is the only place where a reset's token is written down.
func resetEvent(r *commerce.AccountRequest, contact uuid.UUID, token string) (*commerce.Event, error) {
	body, err := json.Marshal(struct {
		Event      string    `json:"event"`
		StoreID    uuid.UUID `json:"store_id"`
		ContactID  uuid.UUID `json:"contact_id"`
		Email      string    `json:"email"`
		Token      string    `json:"token"`
		ExpiresAt  time.Time `json:"expires_at"`
		OccurredAt time.Time `json:"occurred_at"`
	}{
		commerce.EventPasswordReset, r.Store.ID, contact, r.Email, token,
		r.Now.Add(commerce.ResetLifetime).Truncate(time.Second), r.Now.Truncate(time.Second),
	})
	return &commerce.Event{Name: commerce.EventPasswordReset, Body: body}, err
}
