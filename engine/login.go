package engine

import (
	"errors"
	"time"

	"cartd/commerce"
)

// Login checks a password and issues a token. A login counts as failed from its begin; one that does
// not fail is taken back. The budget counts failed logins; errors carry it too.
// Until a refusal, known and unknown addresses cause the same trips to Redis. Errors: *Refusal
// (CredentialsRefused, TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) Login(r *Request, c *Credentials) (SignedIn, Budget, error) {
	budget, takeBack, err := e.storage.BeginLogin(r.Store.ID, c.Email, r.Caller, r.Deadline)
	if err != nil {
		return SignedIn{}, Budget{}, err
	}
	if !budget.Granted {
		return SignedIn{}, budget, commerce.TooManyAttempts
	}
	found, err := e.authenticate(r, c)
	if errors.Is(err, commerce.CredentialsRefused) {
		budget.Remaining--
	} else {
		takeBack()
	}
	if err != nil {
		constantTime(r.Began, loginStep)
		return SignedIn{}, budget, err
	}
	contact := found.State
	signedIn, session := newSession(contact, r.Now, sessionLifetime)
	if err = e.storage.SaveSession(r.Store.ID, contact.ID, &session, r.Deadline); err == nil {
		e.rehash(r, found, c.Password)
	}
	return signedIn, budget, err
}

// authenticate returns the account of an address and its password. An
// unknown address and an account without a password cost the same lookup and the same hashes.
func (e *Engine) authenticate(r *Request, c *Credentials) (*Record[*commerce.Contact], error) {
	if e.costliest.due(r.Store.ID, time.Now()) {
		hashes, _ := e.storage.SampleHashes(r.Store.ID, r.Deadline) // without one a later sample counts
		for _, hash := range hashes {
			e.costliest.meet(r.Store.ID, hash)
		}
	}
	found, err := e.storage.FindAccount(r.Store.ID, c.Email, r.Deadline)
	if err != nil {
		return nil, err
	}
	hash := ""
	if found.Record != nil {
		hash = found.Record.State.PasswordHash
	}
	matches, err := e.passwords.Verify(r.Store.ID, hash, c.Password, e.costliest.meet(r.Store.ID, hash), r.Deadline)
	if err == nil && !matches {
		err = commerce.CredentialsRefused
	}
	return found.Record, err
}

// rehash replaces a hash that costs more than a new one, now that its password is known. The login is
// done without it: an error is that of a later login's try.
func (e *Engine) rehash(r *Request, found *Record[*commerce.Contact], password string) {
	old := found.State.PasswordHash
	if !commerce.HashCostOf(old).Exceeds(commerce.NewHashCost) {
		return
	}
	hash, err := e.passwords.Hash(r.Store.ID, password, r.Deadline)
	if err == nil {
		_ = e.changeAccount(r, found, commerce.RehashPassword{Verified: old, Hash: hash})
	}
}
