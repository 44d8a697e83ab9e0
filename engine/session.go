package engine

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// SessionLifetime is how long an issued customer token resolves.
const SessionLifetime = 30 * 24 * time.Hour

const (
	// LoginFailures is how many logins of one caller with one e-mail address may fail
	// within commerce.RateWindow.
	LoginFailures = 5
	// CallerFailures is how many logins of one forwarded caller with all addresses may
	// fail within CallerWindow.
	CallerFailures = 100
	// CallerWindow is the sliding window of CallerFailures.
	CallerWindow = time.Hour
)

// SignedIn is the answer of login and registration: the only time that a token is shown.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	Contact   *commerce.Contact
}

// newSecret returns 32 random bytes as base64url: a customer token, or a reset's.
func newSecret() string {
	var random [32]byte
	rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// newSession makes a token for a contact as it stands now.
func newSession(c *commerce.Contact, now time.Time) (SignedIn, commerce.Session) {
	signedIn := SignedIn{Token: newSecret(), ExpiresAt: now.Add(SessionLifetime), Contact: c}
	return signedIn, commerce.Session{
		Token: commerce.HashSecret([]byte(signedIn.Token)), ExpiresAt: signedIn.ExpiresAt.UnixMilli(), Number: c.Session,
	}
}

// ForgotPassword hands a reset's token to the store's webhook. An address that nobody has,
// and an account that has asked too often, are answered alike and as late, after as many
// trips to Redis. Errors: ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) ForgotPassword(r *Request, email string) error {
	defer constantTime(r.Began, forgotStep)
	if !r.Store.Wants(commerce.EventPasswordReset) {
		return nil
	}
	found, err := e.store.FindAccount(r.Store.ID, email)
	if err != nil {
		return err
	}
	if found.Record == nil {
		return e.store.TakeTrip(r.Store.ID, r.Deadline)
	}
	if err = e.askReset(r, found.Record); err == error(commerce.TooManyAttempts) {
		err = nil
	}
	return err
}

// askReset writes a new token into the account's record and into the outbox. Errors also:
// TooManyAttempts.
func (e *Engine) askReset(r *Request, found *Record[*commerce.Contact]) error {
	token := newSecret()
	event, err := resetEvent(r, found.State, token)
	if err != nil {
		return err
	}
	return e.changeAccount(r, found, commerce.AskReset{Token: commerce.HashSecret([]byte(token)), Event: event})
}

// resetEvent is the only place where a reset's token is written down.
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
