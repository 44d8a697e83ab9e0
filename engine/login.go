package engine

import (
	"errors"
	"time"

	"cartd/commerce"
)

const (
	// LoginFailures is the maximum number of failed logins of one caller with one e-mail address
	// within commerce.RateWindow.
	LoginFailures = 5
	// CallerFailures is the maximum number of failed logins of one forwarded caller, with all
	// addresses, within CallerWindow.
	CallerFailures = 100
	// CallerWindow is the sliding window of CallerFailures.
	CallerWindow = time.Hour
)

// Login checks a password and issues a token. A login counts as failed from its begin; one that does
// not fail is taken back. The budget counts failed logins; errors carry it too.
// Until a refusal, known and unknown addresses cause the same trips to Redis. Errors: *Refusal
// (CredentialsRefused, TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) Login(r *Request, c *Credentials) (SignedIn, Budget, error) {
	budget, takeBack, err := e.store.BeginLogin(r.Store.ID, c.Email, r.Caller, r.Deadline)
	if err != nil {
		return SignedIn{}, Budget{}, err
	}
	if !budget.Granted {
		return SignedIn{}, budget, commerce.TooManyAttempts
	}
	contact, err := e.authenticate(r, c)
	if errors.Is(err, commerce.CredentialsRefused) {
		budget.Remaining--
	} else {
		takeBack()
	}
	if err != nil {
		constantTime(r.Began, e.loginTimes.of(r.Store.ID, contact))
		return SignedIn{}, budget, err
	}
	signedIn, session := newSession(contact, r.Now)
	return signedIn, budget, e.store.SaveSession(r.Store.ID, contact.ID, &session, r.Deadline)
}

// authenticate returns the account of an address and its password. An unknown address and an
// account without a password cost the same lookup and the same hash.
func (e *Engine) authenticate(r *Request, c *Credentials) (*commerce.Contact, error) {
	found, err := e.store.FindAccount(r.Store.ID, c.Email, r.Deadline)
	if err != nil {
		return nil, err
	}
	contact := &commerce.Contact{}
	if found.Record != nil {
		contact = found.Record.State
	}
	matches, err := e.passwords.Verify(contact.PasswordHash, c.Password, r.Deadline)
	if err == nil && !matches {
		err = commerce.CredentialsRefused
	}
	return contact, err
}
