package main

import (
	"errors"
	"runtime"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence"
)

// accounts joins what signing in takes: the index of addresses, the pool that hashes,
// and the actors that change a contact.
type accounts struct {
	db        *persistence.DB
	contacts  *contacts
	passwords *persistence.Passwords
}

// hashWaiting is how many requests wait for their password to be hashed, a worker;
// the next one is 503.
const hashWaiting = 32

func newAccounts(db *persistence.DB, contacts *contacts) (*accounts, error) {
	workers := runtime.GOMAXPROCS(0)
	passwords, err := persistence.NewPasswords(workers, workers*hashWaiting)
	return &accounts{db: db, contacts: contacts, passwords: passwords}, err
}

// Register makes an account and signs it in. A guest customer of the same address
// stays what it is, and so do its carts. Errors: *Refusal (EmailTaken),
// ErrUnavailable, ErrUnknownOutcome.
func (a *accounts) Register(r *commerce.AccountRequest) (commerce.SignedIn, error) {
	found, err := a.db.FindAccount(r.Store.ID, r.Email)
	if err != nil {
		return commerce.SignedIn{}, err
	}
	if found.Record != nil {
		return commerce.SignedIn{}, commerce.EmailTaken
	}
	hash, err := a.passwords.Hash(r.Password, r.Deadline)
	if err != nil {
		return commerce.SignedIn{}, err
	}
	contact := &commerce.Contact{
		ID: uuid.New(), Approved: true, Email: r.Email, FirstName: r.FirstName, LastName: r.LastName,
		PasswordHash: hash, CreatedAt: r.Now, UpdatedAt: r.Now,
	}
	signedIn, session := newSession(contact, r.Now)
	err = a.db.Register(r.Store.ID, found, contact, &session, r.Deadline)
	if errors.Is(err, persistence.ErrTaken) {
		err = commerce.EmailTaken
	}
	return signedIn, err
}

// Login checks a password and issues a token. The budget is of failures, and says
// beside every error how many are left. Up to a refusal known and unknown addresses take
// the same trips to Redis. Errors: *Refusal (CredentialsRefused,
// TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (a *accounts) Login(r *commerce.AccountRequest) (commerce.SignedIn, commerce.Budget, error) {
	attempt, err := a.db.BeginLogin(r.Store.ID, r.Email, r.Caller, r.Deadline)
	if err != nil {
		return commerce.SignedIn{}, commerce.Budget{}, err
	}
	if !attempt.Budget.Granted {
		return commerce.SignedIn{}, attempt.Budget, commerce.TooManyAttempts
	}
	contact, err := a.authenticate(r)
	attempt.End(err == error(commerce.CredentialsRefused))
	if err != nil {
		pace(r.Began, loginStep)
		return commerce.SignedIn{}, attempt.Budget, err
	}
	signedIn, session := newSession(contact, r.Now)
	return signedIn, attempt.Budget, a.db.SaveSession(r.Store.ID, contact.ID, &session, r.Deadline)
}

// authenticate returns the account of address and password. An address that nobody
// has, and an account without a password, cost the same look and the same hash.
func (a *accounts) authenticate(r *commerce.AccountRequest) (*commerce.Contact, error) {
	found, err := a.db.FindAccount(r.Store.ID, r.Email)
	if err != nil {
		return nil, err
	}
	contact := &commerce.Contact{}
	if found.Record != nil {
		contact = found.Record.State
	}
	matches, err := a.passwords.Verify(contact.PasswordHash, r.Password, r.Deadline)
	if err == nil && !matches {
		err = commerce.CredentialsRefused
	}
	return contact, err
}

// Logout ends the token that the request came with.
func (a *accounts) Logout(r *commerce.AccountRequest) error {
	return a.db.EndSession(r.Store.ID, r.Visitor.CustomerID, r.Visitor.Session, r.Deadline)
}

// ResetPassword sets a new password under a reset's token. Errors: *Refusal
// (ResetTokenInvalid), ErrUnavailable, ErrUnknownOutcome.
func (a *accounts) ResetPassword(r *commerce.AccountRequest) error {
	found, err := a.db.FindAccount(r.Store.ID, r.Email)
	if err != nil {
		return err
	}
	if found.Record == nil {
		return commerce.ResetTokenInvalid
	}
	if refusal := commerce.MayReset(found.Record.State, r.ResetToken, r.Now); refusal != nil {
		return refusal
	}
	hash, err := a.passwords.Hash(r.Password, r.Deadline)
	if err != nil {
		return err
	}
	return a.change(r, found.Record, commerce.ResetPassword{Token: r.ResetToken, Hash: hash})
}

// ChangePassword sets a new password in the place of the current one; of the
// contact's tokens only the request's goes on. Errors: *Refusal (PasswordIncorrect,
// InvalidCustomerToken), ErrUnavailable, ErrUnknownOutcome.
func (a *accounts) ChangePassword(r *commerce.AccountRequest) error {
	asked := commerce.ContactRequest{
		Admission: r.Admission, Contact: r.Visitor.CustomerID, Began: r.Began, Deadline: r.Deadline,
	}
	found, err := a.contacts.Read(&asked)
	if err != nil {
		return err
	}
	verified := found.Contact.PasswordHash
	matches, err := a.passwords.Verify(verified, r.Current, r.Deadline)
	if err != nil {
		return err
	}
	if !matches {
		return commerce.PasswordIncorrect
	}
	hash, err := a.passwords.Hash(r.Password, r.Deadline)
	if err != nil {
		return err
	}
	asked.Command = commerce.ChangePassword{Verified: verified, Hash: hash}
	_, err = a.contacts.Change(&asked)
	return err
}

// change applies a command to an account that was found by its address: the request
// speaks for it by other means than a customer token.
func (a *accounts) change(r *commerce.AccountRequest, found *commerce.Record[*commerce.Contact], command commerce.ContactCommand) error {
	admission := r.Admission
	admission.Visitor = commerce.Visitor{}
	admission.Contact = commerce.Sighting[*commerce.Contact]{Stamp: found.Stamp, Record: found}
	_, err := a.contacts.Change(&commerce.ContactRequest{
		Admission: admission, Contact: found.State.ID, Command: command, Began: r.Began, Deadline: r.Deadline,
	})
	return err
}

const (
	// loginStep and forgotStep are the steps in which refused logins and reset
	// requests are answered, so that their time does not tell what was found: hashes
	// of several kinds and costs, and a commit, fit into one step.
	loginStep  = 500 * time.Millisecond
	forgotStep = 250 * time.Millisecond
)

// pace waits until the next whole step since the request began.
func pace(began time.Time, step time.Duration) {
	time.Sleep(step - time.Since(began)%step)
}
